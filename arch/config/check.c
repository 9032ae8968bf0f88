/* Rules between keys: which machines can be built, and which settings would have no effect.
 *
 * Invariant: a rule with a key that was refused before prints nothing, so that one mistake gives one line. */
#include "arch/config/rules.h"

#include <string.h>

/* The keys that a cache with sectors in its lines requires, and those that it excludes
 * (docs/mechanisms/sectored.md). */
static void check_sectors(struct hd_check *k, const struct hd_config *c) {
  const bool fills = c->l1d.fill == HD_L1D_FILL_SECTOR;
  hd_rule(k, fills && !c->l1d.sector_bytes, HD_KEYS("l1d.fill", "l1d.sector_bytes"),
          "found sectors with l1d.sector_bytes: 0, so that lines have none; allowed line, or a size of "
          "sectors; set l1d.sector_bytes to 32");
  hd_rule(k, fills && c->l1d.sector_bytes && c->sm.coalesce != HD_COALESCE_SECTORS,
          HD_KEYS("l1d.fill", "sm.coalesce"),
          "found sectors with sm.coalesce: %s, so that a request wants several of them; allowed line, or "
          "sm.coalesce: sectors; change one of them",
          hd_config_word(c, "sm", "coalesce"));
  hd_rule(k, fills && c->l1d.loads == HD_LOADS_BYPASSED, HD_KEYS("l1d.fill", "l1d.loads"),
          "found sectors with l1d.loads: bypassed, so that nothing is filled; allowed line, or l1d.loads: "
          "cached; change one of them");
  hd_rule(k, c->l2.fill == HD_L2_FILL_SECTOR && c->memory.kind == HD_MEM_L2 && !fills,
          HD_KEYS("l2.fill", "l1d.fill"),
          "found sectors with l1d.fill: line, so that requests ask for lines; allowed line, or l1d.fill: "
          "sectors; change one of them");
  hd_wants_lines(k, "l1d.allocate", c->l1d.allocate == HD_ON_FILL);
  hd_wants_lines(k, "l1d.protect", c->l1d.protect != HD_PROTECT_NONE);
  hd_wants_lines(k, "prefetch.kind", c->prefetch.kind != HD_PF_OFF);
}

/* The sizes are derived by now. A mechanism that goes by the sets and ways of the L1D takes them from the
 * sizes; the exceptions are listed here. */
static void check_one_set(struct hd_check *k, const struct hd_config *c) {
  hd_rule(k,
          c->d.ONE_SET && (c->d.HOOKED || c->d.SECTOR_FILL || c->d.PROTECT || c->casc.scheme != HD_CASC_OFF),
          HD_KEYS("l1d.set_index"),
          "found full in a machine that goes by the sets of its L1D; allowed with l1d.allocate: on_miss, "
          "l1d.fill: line, l1d.protect: none, casc.scheme: off, and without a mechanism that hears what the "
          "L1D does; use linear or xor");
}

/* Reports a key that is set although another key switches off the thing that it configures. It is no mistake
 * if a base set the key, and a later file switched the thing off. */
static void set_in_vain(struct hd_check *k) {
  size_t n;
  const struct hd_key *keys = hd_keys(&n);
  for (size_t i = 0; i < n; i++) {
    const char *off = hd_config_idle(k->c, &keys[i]);
    if (!off)
      continue;
    char name[64];
    snprintf(name, sizeof name, "%s.%s", keys[i].section, keys[i].key);
    const struct hd_origin set = hd_origin_of(k, name), by = hd_origin_of(k, off);
    hd_rule(k, set.layer && set.layer >= by.layer && !by.unusable, HD_KEYS(name),
            "found %s, which changes nothing while %s is %s; allowed only where it has an effect; remove "
            "it, or change %s",
            hd_key_text(&keys[i], hd_config_get(k->c, &keys[i])).text, off, hd_value_of(k->c, off).text, off);
  }
}

unsigned hd_config_check(struct hd_config *c, hd_where where, void *ctx, FILE *err) {
  struct hd_check k = {c, where, ctx, err, 0};
  const unsigned line_w = c->sm.addr_bits - hd_clog2(c->l1d.line_bytes), set_w = hd_clog2(c->l1d.sets);

  hd_rule(&k, c->sm.schedulers == 3, HD_KEYS("sm.schedulers"),
          "found 3; allowed 1, 2 or 4; set it to one of these");
  hd_rule(&k, c->sm.ctas > c->sm.warps, HD_KEYS("sm.ctas", "sm.warps"),
          "found %u with sm.warps: %u; allowed at most one CTA a warp slot; lower it to %u", c->sm.ctas,
          c->sm.warps, c->sm.warps);
  hd_power_of_two(&k, "l1d.sets", c->l1d.sets);
  hd_power_of_two(&k, "l1d.line_bytes", c->l1d.line_bytes);
  const unsigned sector = c->l1d.sector_bytes;
  hd_rule(
      &k,
      sector && (hd_needed(c, "l1d.bypass_slots") || c->l1d.fill == HD_L1D_FILL_SECTOR) &&
          (sector < 16 || sector & (sector - 1) || sector >= c->l1d.line_bytes),
      HD_KEYS("l1d.sector_bytes", "l1d.line_bytes"),
      "found %u with lines of %u bytes; allowed 0, or a power of two from 16 bytes to half a line; set it "
      "to 0 or %u",
      sector, c->l1d.line_bytes, c->l1d.line_bytes > 32 ? 32 : 16);
  hd_rule(
      &k,
      c->l1d.set_index == HD_INDEX_FERMI &&
          ((c->l1d.sets != 32 && c->l1d.sets != 64) || c->l1d.line_bytes != 128),
      HD_KEYS("l1d.set_index", "l1d.sets", "l1d.line_bytes"),
      "found fermi_hash with %u sets of %u-byte lines; allowed with 32 or 64 sets of 128-byte lines, as on "
      "the GTX480; use xor or linear",
      c->l1d.sets, c->l1d.line_bytes);
  hd_rule(
      &k, c->l1d.set_index == HD_INDEX_XOR && line_w < 2 * set_w,
      HD_KEYS("l1d.set_index", "l1d.sets", "l1d.line_bytes", "sm.addr_bits"),
      "found xor with %u-bit line addresses and %u sets; allowed where a line address has %u bits or more; "
      "raise sm.addr_bits, or use linear",
      line_w, c->l1d.sets, 2 * set_w);
  hd_rule(
      &k, c->gpu.sms > 1 && c->gpu.dispatch_latency < 2, HD_KEYS("gpu.dispatch_latency", "gpu.sms"),
      "found 1 with gpu.sms: %u; allowed at least 2, since SMs and dispatcher are apart; set it to 2 or more",
      c->gpu.sms);
  const unsigned members = (c->sm.warps + c->sm.schedulers - 1) / c->sm.schedulers;
  hd_rule(&k, c->scheduler.limit >= members, HD_KEYS("scheduler.limit", "sm.warps", "sm.schedulers"),
          "found %u where a scheduler has %u warps; allowed fewer than these, or 0; lower it",
          c->scheduler.limit, members);
  hd_rule(&k, c->memory.kind == HD_MEM_L2 && line_w <= hd_clog2(c->l2.sets),
          HD_KEYS("l2.sets", "sm.addr_bits", "l1d.line_bytes"),
          "found %u with %u-bit line addresses; allowed up to %llu, so that something is left for the tag; "
          "lower it, or raise sm.addr_bits",
          c->l2.sets, line_w, 1ull << (line_w - 1)); /* computed even if the rule holds */
  hd_rule(&k, c->l1d.request_kinds == HD_KINDS_ATOMIC && c->memory.kind == HD_MEM_L2,
          HD_KEYS("l1d.request_kinds", "memory.kind"),
          "found atomic with memory.kind: l2, whose slices perform no atomics (D-L1-15); allowed plain or "
          "uncached, or atomic with memory.kind: link; change one of them");
  hd_power_of_two(&k, "sm.simd_width", c->sm.simd_width);
  hd_power_of_two(&k, "sm.shared_banks", c->sm.shared_banks);
  if (c->memory.kind == HD_MEM_L2) {
    hd_power_of_two(&k, "l2.sets", c->l2.sets);
    hd_power_of_two(&k, "dram.banks", c->dram.banks);
    hd_power_of_two(&k, "dram.row_bytes", c->dram.row_bytes);
    hd_power_of_two(&k, "dram.interleave", c->dram.interleave);
    hd_rule(
        &k, c->l2.banks % c->dram.channels, HD_KEYS("l2.banks", "dram.channels"),
        "found %u with dram.channels: %u; allowed a multiple, so that each bank has a channel; set it to %u",
        c->l2.banks, c->dram.channels, (c->l2.banks / c->dram.channels + 1) * c->dram.channels);
    hd_rule(&k, c->dram.interleave < c->l1d.line_bytes, HD_KEYS("dram.interleave", "l1d.line_bytes"),
            "found %u with lines of %u bytes; allowed at least a line, which is never split; raise it",
            c->dram.interleave, c->l1d.line_bytes);
    hd_rule(&k, c->dram.row_bytes < c->dram.interleave, HD_KEYS("dram.row_bytes", "dram.interleave"),
            "found %u with dram.interleave: %u; allowed at least that; raise it", c->dram.row_bytes,
            c->dram.interleave);
  }
  check_sectors(&k, c);
  hd_rooms_check(&k);
  set_in_vain(&k);

  if (!k.problems) {
    hd_config_derive(c);
    check_one_set(&k, c);
  }
  return k.problems;
}
