/* heddle trace dump: prints a workload's instructions as text. */
#include "cli/trace/trace.h"

#include <inttypes.h>

/* Prints the addresses: one stride if possible, else all. */
static void print_addresses(const struct wl_inst *i, FILE *f) {
  const unsigned first = (unsigned)__builtin_ctz(i->active);
  const uint32_t rest = i->active & (i->active - 1);
  const unsigned second = rest ? (unsigned)__builtin_ctz(rest) : first + 1;
  const int64_t step = rest ? (int64_t)(i->addr[second] - i->addr[first]) : 0;
  const int64_t stride = step / (int64_t)(second - first);
  bool even = true;
  for (uint32_t lanes = rest; lanes; lanes &= lanes - 1) {
    const unsigned l = (unsigned)__builtin_ctz(lanes);
    even = even && i->addr[l] == i->addr[first] + (uint64_t)stride * (l - first);
  }
  fprintf(f, " 0x%" PRIx64, i->addr[first]);
  if (even && rest)
    fprintf(f, " stride %" PRId64, stride);
  for (uint32_t lanes = even ? 0 : rest; lanes; lanes &= lanes - 1)
    fprintf(f, " 0x%" PRIx64, i->addr[__builtin_ctz(lanes)]);
}

static void print_inst(const struct wl_inst *i, FILE *f) {
  fprintf(f, "  %04" PRIx32 " %08" PRIx32 " %-8s", i->pc, i->active, hd_trace_op(i->op));
  if (i->dst != WL_NO_REG)
    fprintf(f, " r%d", i->dst);
  for (uint64_t src = i->src; src; src &= src - 1)
    fprintf(f, "%s r%d", src == i->src ? " <-" : ",", __builtin_ctzll(src));
  if (i->active && (wl_is_memory(i->op) || (i->op == WL_SHARED && i->size))) {
    fprintf(f, "  %u bytes at", i->size);
    print_addresses(i, f);
  }
  fputc('\n', f);
}

/* Prints the stream, at most `left` instructions. */
static enum hd_rc dump_warp(struct wl_source *source, uint32_t cta, uint32_t warp, uint64_t *left, FILE *f,
                            struct hd_why *why) {
  void *stream = source->ops->open_warp(source, cta, warp);
  if (!stream) {
    const enum hd_rc rc = hd_trace_source_error(source, why);
    return rc == HD_OK ? hd_because(why, HD_TOOL, "out of memory") : rc;
  }
  struct wl_inst inst;
  enum hd_rc rc;
  fprintf(f, "cta %" PRIu32 " warp %" PRIu32 "\n", cta, warp);
  do {
    wl_next(source, stream, &inst);
    rc = hd_trace_source_error(source, why);
    if (rc == HD_OK)
      print_inst(&inst, f);
  } while (rc == HD_OK && --*left && inst.op != WL_EXIT);
  source->ops->close_warp(stream);
  return rc;
}

static bool selected(uint64_t asked, uint64_t n) {
  return asked == UINT64_MAX || asked == n;
}

enum hd_rc hd_trace_dump(const struct hd_args *args, struct wl_source *source, FILE *report, json_t **json,
                         struct hd_why *why) {
  struct wl_launch l;
  uint64_t left = args->limit ? args->limit : UINT64_MAX, number = 0, warps = 0;
  enum hd_rc rc = HD_OK;
  (void)json;
  while (rc == HD_OK && left && source->ops->next_launch(source, &l)) {
    if (!selected(args->kernel, ++number))
      continue;
    fprintf(report,
            "kernel %" PRIu64 " %s: grid %" PRIu32 " %" PRIu32 " %" PRIu32 ", block %" PRIu32 " %" PRIu32
            " %" PRIu32 ", %" PRIu32 " registers, %" PRIu32 " bytes shared\n",
            number, l.name, l.grid[0], l.grid[1], l.grid[2], l.block[0], l.block[1], l.block[2], l.regs,
            l.shared_bytes);
    for (uint32_t cta = 0; cta < l.ctas && left && rc == HD_OK; cta++)
      for (uint32_t warp = 0; warp < l.warps_per_cta && left && rc == HD_OK; warp++)
        if (selected(args->cta, cta) && selected(args->warp, warp)) {
          warps++;
          rc = dump_warp(source, cta, warp, &left, report, why);
        }
  }
  if (rc == HD_OK)
    rc = hd_trace_source_error(source, why);
  if (rc == HD_OK && !warps)
    return hd_because(why, HD_INPUT, "%s has no such kernel, CTA and warp; see heddle trace info",
                      args->workload);
  if (rc == HD_OK && !left)
    fprintf(report, "  ...  --limit %" PRIu64 "\n", args->limit);
  return rc;
}
