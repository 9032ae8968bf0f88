/* The price of one memory: chooses the source, slices wide words, checks the range; see memory.h.
 *
 * Invariant: an answer names its real source, also if the source that was asked for could not serve. */
#include <math.h>
#include <string.h>

#include "area/memory.h"

const char *hd_mem_source_name(enum hd_mem_source source) {
  static const char *const names[] = {"cacti", "model", "ff"};
  return names[source];
}

const char *hd_mem_kind_name(enum hd_mem_kind kind) {
  static const char *const names[] = {"sram", "ff", "ff-cam", "gated", "cam", "ff-ram", "latch", "latch-cam"};
  return names[kind];
}

const char *hd_mem_ports_name(enum hd_mem_ports ports) {
  static const char *const names[] = {"1rw", "1r1w", "2r1w"};
  return names[ports];
}

bool hd_mem_is_cells(enum hd_mem_kind kind) {
  return kind != HD_MEM_SRAM && kind != HD_MEM_GATED && kind != HD_MEM_CAM;
}

struct hd_memory hd_memory_of(unsigned depth, unsigned width, enum hd_ports ports) {
  return (struct hd_memory){.depth = (int)depth,
                            .width = (int)width,
                            .ports = hd_one_port(ports) ? HD_MEM_1RW : HD_MEM_1R1W,
                            .kind = ports == HD_1RW_M_SLEEP  ? HD_MEM_GATED
                                    : ports == HD_1R1W_FF    ? HD_MEM_FF_RAM
                                    : ports == HD_1R1W_LATCH ? HD_MEM_LATCH_RAM
                                                             : HD_MEM_SRAM};
}

/* The energy in pJ to charge a cell from 0: CACTI 7's power gating of an array, at the voltage of the node,
 * in docs/pricing.md, "Power switches". It is within 5 % of that from 32 to 90 nm. */
static double cell_charge_pj(double node_nm) {
  return .53e-3 * pow(node_nm / 45, 1.7);
}

static struct hd_mem_price between(const struct hd_mem_price *a, const struct hd_mem_price *b, double t) {
  struct hd_mem_price p = *b;
#define MIX(x) p.x = a->x + t * (b->x - a->x)
  MIX(area_mm2), MIX(read_pj), MIX(write_pj), MIX(leak_mw), MIX(access_ns), MIX(cycle_ns);
#undef MIX
  return p;
}

/* CACTI takes words of whole bytes. The price of another width lies between those of its two neighbours. */
static bool by_cacti(const struct hd_pricer *how, const struct hd_memory *mem, struct hd_mem_price *price,
                     struct hd_why *why) {
  struct hd_memory below = *mem, above = *mem;
  below.width = mem->width / 8 * 8;
  above.width = (mem->width + 7) / 8 * 8;
  struct hd_mem_price low;
  if (!hd_cacti_price(how, &above, price, why))
    return false;
  if (below.width > 0 && below.width < above.width && hd_cacti_price(how, &below, &low, NULL))
    *price = between(&low, price, (mem->width - below.width) / 8.0);
  return true;
}

enum hd_rc hd_mem_price(const struct hd_pricer *how, const struct hd_memory *mem, struct hd_mem_price *price,
                        struct hd_why *why) {
  struct hd_pricer use = *how;
  if (use.node_nm == 0)
    use.node_nm = 45;
  if (use.node_nm < HD_MEM_NODE_MIN || use.node_nm > HD_MEM_NODE_MAX)
    return hd_because(why, HD_INPUT, "node %g nm: memories are priced from %d to %d nm", use.node_nm,
                      HD_MEM_NODE_MIN, HD_MEM_NODE_MAX);
  if (mem->depth < 1 || mem->depth > HD_MEM_MAX_DEPTH || mem->width < 1 || mem->width > HD_MEM_MAX_WIDTH)
    return hd_because(why, HD_INPUT, "memory of %d words of %d bits: depth is 1..%d, width 1..%d", mem->depth,
                      mem->width, HD_MEM_MAX_DEPTH, HD_MEM_MAX_WIDTH);
  if (use.cacti && !use.work_dir)
    return hd_because(why, HD_INPUT, "CACTI needs a scratch directory");

  if (hd_mem_is_cells(mem->kind)) {
    hd_mem_flipflops(mem, use.node_nm, price);
    return HD_OK;
  }
  const int slices = (mem->width + HD_MEM_SLICE - 1) / HD_MEM_SLICE;
  struct hd_memory macro = *mem;
  macro.width = (mem->width + slices - 1) / slices;
  if (!use.cacti || !by_cacti(&use, &macro, price, NULL)) {
    hd_mem_model(&macro, use.node_nm, price);
    price->outside =
        mem->depth < (mem->kind == HD_MEM_CAM ? 8 : 31) || (long)macro.depth * macro.width < 8 * 64;
  }
  /* Slices of equal width hold exactly the word; the last one may be narrower. */
  const double share = (double)mem->width / macro.width;
  price->area_mm2 *= share;
  const bool gated = mem->kind == HD_MEM_GATED;
  price->switch_mm2 = gated ? price->area_mm2 * HD_SWITCH_SHARE : 0;
  price->area_mm2 += price->switch_mm2;
  price->wake_pj = gated ? mem->width * cell_charge_pj(use.node_nm) : 0;
  price->read_pj *= share;
  price->write_pj *= share;
  price->leak_mw *= share;
  price->slices = slices;
  return HD_OK;
}
