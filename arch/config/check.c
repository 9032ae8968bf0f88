/* Rules between keys: which machines can be built, and which settings would change nothing.
 *
 * Invariant: a rule whose keys include one that was refused already says nothing, so that one mistake is one
 * line.
 */
#include "arch/config/config.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct check {
  const struct hd_config *c;
  hd_where where;
  void *ctx;
  FILE *err;
  unsigned problems;
};

static struct hd_origin origin_of(const struct check *k, const char *path) {
  const struct hd_origin unset = {*k->c->path ? k->c->path : k->c->name, 0, 0, false};
  const size_t n = strcspn(path, ".");
  char section[64];
  snprintf(section, sizeof section, "%.*s", (int)n, path);
  const struct hd_origin *at = k->where ? k->where(k->ctx, section, path + n + 1) : NULL;
  return at ? *at : unset;
}

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Says, if `broken`, what is wrong with keys[0], at the place of whichever of the keys was set last. */
static void rule(struct check *k, bool broken, const char *const keys[], const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void rule(struct check *k, bool broken, const char *const keys[], const char *format, ...) {
  struct hd_origin last = origin_of(k, keys[0]);
  for (size_t i = 0; keys[i]; i++) {
    const struct hd_origin at = origin_of(k, keys[i]);
    broken = broken && !at.unusable;
    if (at.layer > last.layer)
      last = at;
  }
  if (!broken)
    return;
  k->problems++;
  fprintf(k->err, "%s:", last.file);
  if (last.line)
    fprintf(k->err, "%u:", last.line);
  fprintf(k->err, " %s: ", keys[0]);
  va_list args;
  va_start(args, format);
  vfprintf(k->err, format, args);
  va_end(args);
  fputc('\n', k->err);
}

static void power_of_two(struct check *k, const char *key, unsigned value) {
  const unsigned above = 1u << hd_clog2(value);
  rule(k, value & (value - 1), KEYS(key), "found %u; allowed a power of two; set it to %u or %u", value,
       above / 2, above);
}

static bool idle_of_prefetcher(const struct hd_config *c, const char *key) {
  switch (c->prefetch.kind) {
  case HD_PF_SAP:
    return !strcmp(key, "degree");
  case HD_PF_STR:
    return false;
  case HD_PF_SLD:
    return strcmp(key, "table") != 0 && strcmp(key, "enable") != 0;
  default:
    return true;
  }
}

static const char *idle_of_buffer(const struct hd_config *c, const char *key) {
  const char *const kind = "request_buffer.kind", *const drain = "request_buffer.drain";
  const bool groups = c->request_buffer.drain == HD_DRAIN_GRR;
  if (!strcmp(key, "kind") || !strcmp(key, "bypass"))
    return NULL;
  switch (c->request_buffer.kind) {
  case HD_MRPB:
    return !strcmp(key, "probes") || !strcmp(key, "tags") || !strcmp(key, "enable") ? kind : NULL;
  case HD_MEMSCHED:
    if (!strcmp(key, "probes"))
      return groups ? NULL : drain;
    if (!strcmp(key, "tags"))
      return !groups ? drain : c->request_buffer.probes == 1 ? "request_buffer.probes" : NULL;
    return !strcmp(key, "drain") || !strcmp(key, "depth") || !strcmp(key, "enable") ? NULL : kind;
  default:
    return kind;
  }
}

static bool limited(const struct hd_config *c) {
  return c->scheduler.limit && (c->scheduler.policy == HD_LRR || c->scheduler.policy == HD_GTO);
}

static bool few_tokens(const struct hd_config *c) {
  return limited(c) && c->scheduler.tokens;
}

static const char *idle_of_l1d(const struct hd_config *c, const char *key) {
  const bool apcm = c->apcm.manage != HD_APCM_OFF,
             told = c->casc.scheme != HD_CASC_OFF || c->rft.form != HD_RFT_OFF || few_tokens(c) ||
                    c->apcm.manage == HD_APCM_BYPASS || c->apcm.manage == HD_APCM_BOTH;
  if (!strcmp(key, "bypass_slots") && !told && !apcm && !c->l1d.distance && c->l1d.loads == HD_LOADS_CACHED)
    return c->request_buffer.bypass == HD_BYPASS_OFF ? "request_buffer.bypass" : NULL;
  if (!strcmp(key, "bypass_hit"))
    return told ? NULL : "casc.scheme";
  if (!strcmp(key, "count_bits") && c->casc.scheme != HD_CASC_LOCALITY && !apcm)
    return c->rft.form == HD_RFT_AVERAGE ? NULL : "casc.scheme";
  return NULL;
}

static const char *idle_of_rft(const struct hd_config *c, const char *key) {
  if (c->rft.form == HD_RFT_OFF ||
      (c->rft.form != HD_RFT_AVERAGE && (!strcmp(key, "threshold") || !strcmp(key, "forget"))))
    return "rft.form";
  return !strcmp(key, "latency") && c->rft.sharers == 1 ? "rft.sharers" : NULL;
}

const char *hd_config_idle(const struct hd_config *c, const struct hd_key *k) {
  if (!strcmp(k->section, "request_buffer"))
    return idle_of_buffer(c, k->key);
  if (!strcmp(k->section, "l1d"))
    return idle_of_l1d(c, k->key);
  if (!strcmp(k->section, "casc") && strcmp(k->key, "scheme") != 0)
    return c->casc.scheme == HD_CASC_OFF ||
                   (strcmp(k->key, "enable") != 0 && c->casc.scheme != HD_CASC_LOCALITY)
               ? "casc.scheme"
               : NULL;
  if (!strcmp(k->section, "rft") && strcmp(k->key, "form") != 0)
    return idle_of_rft(c, k->key);
  if (!strcmp(k->section, "scheduler") && !strcmp(k->key, "group"))
    return c->scheduler.policy == HD_TWO_LEVEL || c->scheduler.policy == HD_PA ? NULL : "scheduler.policy";
  if (!strcmp(k->section, "scheduler") && !strcmp(k->key, "limit"))
    return c->scheduler.policy == HD_LRR || c->scheduler.policy == HD_GTO ? NULL : "scheduler.policy";
  if (!strcmp(k->section, "scheduler") && !strcmp(k->key, "tokens"))
    return limited(c) ? NULL : c->scheduler.limit ? "scheduler.policy" : "scheduler.limit";
  if (!strcmp(k->section, "apcm") && strcmp(k->key, "manage") != 0)
    return c->apcm.manage != HD_APCM_OFF ? NULL : "apcm.manage";
  if (!strcmp(k->section, "loscache") && strcmp(k->key, "gate") != 0)
    return c->loscache.gate == HD_GATE_OFF || (!strcmp(k->key, "extra") && c->loscache.gate == HD_GATE_NAIVE)
               ? "loscache.gate"
               : NULL;
  if (!strcmp(k->section, "laws"))
    return c->scheduler.policy == HD_LAWS ? NULL : "scheduler.policy";
  if (!strcmp(k->section, "sm") && !strcmp(k->key, "pc_bits") && c->scheduler.policy != HD_LAWS &&
      c->casc.scheme != HD_CASC_LOCALITY && c->rft.form == HD_RFT_OFF && c->apcm.manage == HD_APCM_OFF &&
      c->loscache.gate == HD_GATE_OFF)
    return c->prefetch.kind == HD_PF_SAP || c->prefetch.kind == HD_PF_STR ? NULL : "prefetch.kind";
  if (!strcmp(k->section, "prefetch") && strcmp(k->key, "kind") != 0)
    return idle_of_prefetcher(c, k->key) ? "prefetch.kind" : NULL;
  if (!strcmp(k->section, "memory") && strcmp(k->key, "kind") != 0)
    return c->memory.kind == HD_MEM_L2 ? "memory.kind" : NULL;
  if (!strcmp(k->section, "icnt") || !strcmp(k->section, "l2") || !strcmp(k->section, "dram") ||
      !strcmp(k->section, "energy"))
    return c->memory.kind == HD_MEM_LINK ? "memory.kind" : NULL;
  return NULL;
}

/* A key set where another key has switched off what it configures. One that was set in a base, before a later
 * file switched it off, is no mistake. */
static void set_in_vain(struct check *k) {
  size_t n;
  const struct hd_key *keys = hd_keys(&n);
  for (size_t i = 0; i < n; i++) {
    const char *off = hd_config_idle(k->c, &keys[i]);
    if (!off)
      continue;
    char name[64], section[64];
    snprintf(name, sizeof name, "%s.%s", keys[i].section, keys[i].key);
    snprintf(section, sizeof section, "%.*s", (int)strcspn(off, "."), off);
    const struct hd_origin set = origin_of(k, name), by = origin_of(k, off);
    const char *word = hd_config_word(k->c, section, strchr(off, '.') + 1);
    rule(k, set.layer && set.layer >= by.layer && !by.unusable, KEYS(name),
         "found %s, which changes nothing while %s is %s; allowed only where it has an effect; remove "
         "it, or change %s",
         hd_key_text(&keys[i], hd_config_get(k->c, &keys[i])).text, off, word, off);
  }
}

/* CASC, the reuse-frequency table, MemSched. */
static void check_choo(struct check *k) {
  const struct hd_config *c = k->c;
  const bool casc = c->casc.scheme != HD_CASC_OFF, locality = c->casc.scheme == HD_CASC_LOCALITY,
             table = c->rft.form != HD_RFT_OFF;
  const char *const who = table ? "rft.form" : "casc.scheme";
  rule(k, casc && c->l1d.ways >= c->sm.lanes, KEYS("casc.scheme", "l1d.ways", "sm.lanes"),
       "found %u ways and %u lanes, so that no load has more requests than ways and none would ever bypass; "
       "allowed with fewer ways than lanes; lower l1d.ways, or set it to off",
       c->l1d.ways, c->sm.lanes);
  rule(k, (locality || table) && c->l1d.allocate == HD_ON_FILL, KEYS(who, "l1d.allocate"),
       "found with l1d.allocate: on_fill; allowed with on_miss, where a line knows from the beginning which "
       "load brought it; set l1d.allocate to on_miss");
  rule(k, (locality || table) && c->prefetch.kind != HD_PF_OFF, KEYS(who, "prefetch.kind"),
       "found with a prefetcher; allowed without, since no load brings a line that was prefetched; set "
       "prefetch.kind to off");
  rule(
      k, (casc || table) && c->l1d.loads == HD_LOADS_BYPASSED, KEYS("l1d.loads", who),
      "found bypassed with a mechanism that chooses what bypasses; allowed alone; set it to cached, or %s to "
      "off",
      who);
  if (table) {
    power_of_two(k, "rft.entries", c->rft.entries);
    rule(k, locality && 1u << c->casc.pc_bits < c->rft.entries, KEYS("casc.pc_bits", "rft.entries"),
         "found %u with rft.entries: %u; allowed at least %u bits, since a line keeps one hash for both; "
         "raise "
         "it, or lower rft.entries",
         c->casc.pc_bits, c->rft.entries, hd_clog2(c->rft.entries));
    rule(k, c->gpu.sms % c->rft.sharers != 0, KEYS("rft.sharers", "gpu.sms"),
         "found %u with gpu.sms: %u; allowed what divides that, so that every SM has a table; change one",
         c->rft.sharers, c->gpu.sms);
    rule(k, c->rft.resample == 1, KEYS("rft.resample"),
         "found 1, with which no load would bypass; allowed 0, or from 2 on; set it to one of these");
  }
  const bool grr = c->request_buffer.drain == HD_DRAIN_GRR;
  rule(k, c->request_buffer.kind == HD_MRPB && grr, KEYS("request_buffer.drain", "request_buffer.kind"),
       "found grr with request_buffer.kind: mrpb; allowed fixed, longest or rr; use one of these, or "
       "memsched");
  rule(k, c->request_buffer.kind == HD_MRPB && c->request_buffer.depth < 4,
       KEYS("request_buffer.depth", "request_buffer.kind"),
       "found %u with request_buffer.kind: mrpb; allowed from 4 on; raise it", c->request_buffer.depth);
  rule(k, c->request_buffer.kind == HD_MEMSCHED && c->request_buffer.drain == HD_DRAIN_LONGEST,
       KEYS("request_buffer.drain", "request_buffer.kind"),
       "found longest with request_buffer.kind: memsched; allowed fixed, rr or grr; use one of these");
}

/* APCM, and what it is compared with: SWL, PCAL, PD. */
static void check_apcm(struct check *k) {
  const struct hd_config *c = k->c;
  const bool apcm = c->apcm.manage != HD_APCM_OFF;
  const char *const who = apcm ? "apcm.manage" : "l1d.distance";
  rule(k, (apcm || c->l1d.distance) && c->l1d.allocate == HD_ON_FILL, KEYS(who, "l1d.allocate"),
       "found with l1d.allocate: on_fill; allowed with on_miss, where a line knows from the beginning which "
       "load brought it; set l1d.allocate to on_miss");
  rule(k, (apcm || c->l1d.distance) && c->prefetch.kind != HD_PF_OFF, KEYS(who, "prefetch.kind"),
       "found with a prefetcher; allowed without, since no load brings a line that was prefetched; set "
       "prefetch.kind to off");
  rule(k, (apcm || few_tokens(c)) && c->l1d.loads == HD_LOADS_BYPASSED,
       KEYS("l1d.loads", apcm ? "apcm.manage" : "scheduler.tokens"),
       "found bypassed with a mechanism that chooses what bypasses; allowed alone; set it to cached, or %s",
       apcm ? "apcm.manage to off" : "scheduler.tokens to 0");
  if (apcm) {
    const unsigned ways = c->apcm.ways, sets = c->apcm.entries / ways, most = (1u << c->l1d.count_bits) - 1;
    const unsigned word = c->sm.addr_bits - hd_clog2(c->l1d.line_bytes) - (sets > 1 ? hd_clog2(sets) : 0) +
                          (c->apcm.manage == HD_APCM_BYPASS ? 1 : 2) * hd_clog2(c->apcm.loads) +
                          2 * c->l1d.count_bits;
    rule(k, c->apcm.entries % ways != 0 || (sets & (sets - 1)) != 0, KEYS("apcm.ways", "apcm.entries"),
         "found %u with apcm.entries: %u; allowed what divides that into a power of two of sets; change one",
         ways, c->apcm.entries);
    rule(k, c->apcm.threshold > most, KEYS("apcm.threshold", "l1d.count_bits"),
         "found %u with l1d.count_bits: %u; allowed up to %u, beyond which lines are not counted; lower it, "
         "or "
         "raise l1d.count_bits",
         c->apcm.threshold, c->l1d.count_bits, most);
    rule(k, word > 64, KEYS("apcm.entries", "apcm.ways", "sm.addr_bits", "l1d.line_bytes"),
         "found entries of %u bits (tag, ids, counts); allowed up to 64; lower sm.addr_bits or apcm.loads",
         word);
  }
  rule(k, c->l1d.distance && (c->apcm.manage == HD_APCM_PROTECT || c->apcm.manage == HD_APCM_BOTH),
       KEYS("l1d.distance", "apcm.manage"),
       "found %u with apcm.manage: %s; allowed 0, since lines are protected in one way or the other; set it "
       "to 0",
       c->l1d.distance, c->apcm.manage == HD_APCM_BOTH ? "both" : "protect");
  const unsigned members = (c->sm.warps + c->sm.schedulers - 1) / c->sm.schedulers;
  rule(k, limited(c) && c->scheduler.limit >= members, KEYS("scheduler.limit", "sm.warps", "sm.schedulers"),
       "found %u where a scheduler has %u warps; allowed fewer than these, or 0; lower it",
       c->scheduler.limit, members);
  rule(k, few_tokens(c) && c->scheduler.tokens >= c->scheduler.limit,
       KEYS("scheduler.tokens", "scheduler.limit"),
       "found %u with scheduler.limit: %u; allowed fewer than that, or 0; lower it", c->scheduler.tokens,
       c->scheduler.limit);
}

static void check_loscache(struct check *k) {
  const struct hd_config *c = k->c;
  const unsigned line_w = c->sm.addr_bits - hd_clog2(c->l1d.line_bytes);
  const char *gate = hd_config_word(c, "loscache", "gate");
  rule(k, c->loscache.gate != HD_GATE_OFF && c->memory.kind == HD_MEM_LINK,
       KEYS("loscache.gate", "memory.kind"),
       "found %s with memory.kind: link, where there is no L2; allowed with l2; set memory.kind to l2", gate);
  rule(k, c->loscache.gate != HD_GATE_OFF && limited(c), KEYS("scheduler.limit", "loscache.gate"),
       "found %u with loscache.gate: %s; allowed 0, since a predictor without a place would keep all others "
       "from issuing; set it to 0",
       c->scheduler.limit, gate);
  rule(k, c->memory.kind == HD_MEM_L2 && line_w <= hd_clog2(c->l2.sets),
       KEYS("l2.sets", "sm.addr_bits", "l1d.line_bytes"),
       "found %u with %u-bit line addresses; allowed up to %llu, so that something is left for the tag; "
       "lower it, or raise sm.addr_bits",
       c->l2.sets, line_w, 1ull << (line_w - 1)); /* computed even if it is not said */
}

unsigned hd_config_check(struct hd_config *c, hd_where where, void *ctx, FILE *err) {
  struct check k = {c, where, ctx, err, 0};
  const unsigned line_w = c->sm.addr_bits - hd_clog2(c->l1d.line_bytes), set_w = hd_clog2(c->l1d.sets);

  rule(&k, c->sm.schedulers == 3, KEYS("sm.schedulers"),
       "found 3; allowed 1, 2 or 4; set it to one of these");
  rule(&k, c->sm.ctas > c->sm.warps, KEYS("sm.ctas", "sm.warps"),
       "found %u with sm.warps: %u; allowed at most one CTA a warp slot; lower it to %u", c->sm.ctas,
       c->sm.warps, c->sm.warps);
  power_of_two(&k, "l1d.sets", c->l1d.sets);
  power_of_two(&k, "l1d.line_bytes", c->l1d.line_bytes);
  rule(&k,
       c->l1d.set_index == HD_INDEX_FERMI &&
           ((c->l1d.sets != 32 && c->l1d.sets != 64) || c->l1d.line_bytes != 128),
       KEYS("l1d.set_index", "l1d.sets", "l1d.line_bytes"),
       "found fermi_hash with %u sets of %u-byte lines; allowed with 32 or 64 sets of 128-byte lines, as on "
       "the GTX480; use xor or linear",
       c->l1d.sets, c->l1d.line_bytes);
  rule(&k, c->l1d.set_index == HD_INDEX_XOR && line_w < 2 * set_w,
       KEYS("l1d.set_index", "l1d.sets", "l1d.line_bytes", "sm.addr_bits"),
       "found xor with %u-bit line addresses and %u sets; allowed where a line address has %u bits or more; "
       "raise sm.addr_bits, or use linear",
       line_w, c->l1d.sets, 2 * set_w);
  rule(&k, c->request_buffer.bypass == HD_BYPASS_ASSOC && c->l1d.allocate == HD_ON_FILL,
       KEYS("request_buffer.bypass", "l1d.allocate"),
       "found assoc with l1d.allocate: on_fill, which reserves no line, so that no load would ever bypass; "
       "allowed off or all; use one of these, or l1d.allocate: on_miss");
  rule(&k,
       c->request_buffer.bypass == HD_BYPASS_ASSOC && c->l1d.allocate == HD_ON_MISS &&
           c->l1d.mshrs < c->l1d.ways,
       KEYS("request_buffer.bypass", "l1d.mshrs", "l1d.ways"),
       "found assoc with %u MSHRs and %u ways, so that no set is ever full of reserved lines and no load "
       "would "
       "ever bypass; allowed off or all, or as many MSHRs as ways; raise l1d.mshrs to %u",
       c->l1d.mshrs, c->l1d.ways, c->l1d.ways);
  rule(
      &k, c->gpu.sms > 1 && c->gpu.dispatch_latency < 2, KEYS("gpu.dispatch_latency", "gpu.sms"),
      "found 1 with gpu.sms: %u; allowed at least 2, since SMs and dispatcher are apart; set it to 2 or more",
      c->gpu.sms);
  const bool strides = c->prefetch.kind == HD_PF_SAP || c->prefetch.kind == HD_PF_STR;
  rule(
      &k, strides && c->prefetch.divider == HD_DIV_COMBINATIONAL && c->sm.addr_bits > 24,
      KEYS("prefetch.divider", "sm.addr_bits"),
      "found combinational with sm.addr_bits: %u; allowed up to 24 bits, beyond which no clock waits for it; "
      "use iterative",
      c->sm.addr_bits);
  rule(&k, strides && c->prefetch.first_page > c->prefetch.last_page,
       KEYS("prefetch.first_page", "prefetch.last_page"),
       "found %u with prefetch.last_page: %u; allowed up to that; no page could be prefetched from",
       c->prefetch.first_page, c->prefetch.last_page);
  rule(&k, strides && (uint64_t)c->prefetch.first_page >> (c->sm.addr_bits - 16) != 0,
       KEYS("prefetch.first_page", "sm.addr_bits"),
       "found %u with sm.addr_bits: %u; allowed pages that there are; lower it below %lu",
       c->prefetch.first_page, c->sm.addr_bits, 1ul << (c->sm.addr_bits - 16));
  rule(&k, c->prefetch.kind == HD_PF_SLD && c->scheduler.policy == HD_LAWS,
       KEYS("prefetch.kind", "scheduler.policy"),
       "found sld with scheduler.policy: laws; allowed with any other, since sld hears of every request and "
       "laws of a load's first alone; use sap or str");
  check_choo(&k);
  check_apcm(&k);
  check_loscache(&k);
  power_of_two(&k, "sm.simd_width", c->sm.simd_width);
  power_of_two(&k, "sm.shared_banks", c->sm.shared_banks);
  if (c->memory.kind == HD_MEM_L2) {
    power_of_two(&k, "l2.sets", c->l2.sets);
    power_of_two(&k, "dram.banks", c->dram.banks);
    power_of_two(&k, "dram.row_bytes", c->dram.row_bytes);
    power_of_two(&k, "dram.interleave", c->dram.interleave);
    const unsigned sector = c->icnt.sector_bytes;
    rule(&k, sector && (sector < 16 || sector & (sector - 1) || sector > c->l1d.line_bytes),
         KEYS("icnt.sector_bytes", "l1d.line_bytes"),
         "found %u with lines of %u bytes; allowed 0, or a power of two from 16 bytes to a line; set it to 0 "
         "or 32",
         sector, c->l1d.line_bytes);
    rule(&k, c->l2.banks % c->dram.channels, KEYS("l2.banks", "dram.channels"),
         "found %u with dram.channels: %u; allowed a multiple, so that each bank has a channel; set it to %u",
         c->l2.banks, c->dram.channels, (c->l2.banks / c->dram.channels + 1) * c->dram.channels);
    rule(&k, c->dram.interleave < c->l1d.line_bytes, KEYS("dram.interleave", "l1d.line_bytes"),
         "found %u with lines of %u bytes; allowed at least a line, which is never split; raise it",
         c->dram.interleave, c->l1d.line_bytes);
    rule(&k, c->dram.row_bytes < c->dram.interleave, KEYS("dram.row_bytes", "dram.interleave"),
         "found %u with dram.interleave: %u; allowed at least that; raise it", c->dram.row_bytes,
         c->dram.interleave);
  }
  set_in_vain(&k);

  if (!k.problems)
    hd_config_derive(c);
  return k.problems;
}
