/* heddle trace stats: characterises the loads of a workload, by APRES' Table I and APCM's Figure 3. */
#include "workloads/trace/trace_stats.h"
#include "cli/trace/trace.h"

static const char *const types[WL_LOCALITIES] = {"streaming", "inter", "intra", "inter_intra", "inter_other"};

static void progress(void *user, const struct wl_launch *launch, uint64_t number, uint32_t cta) {
  hd_progress(hd_trace_pace(launch, cta), "%s: kernel %llu, %s: CTA %u of %u", (const char *)user,
              (unsigned long long)number, launch->name, cta, launch->ctas);
}

static double share(uint64_t part, uint64_t all) {
  return all ? 100 * (double)part / (double)all : 0;
}

static uint64_t sum(const uint64_t *n, int count) {
  uint64_t all = 0;
  for (int i = 0; i < count; i++)
    all += n[i];
  return all;
}

/* Prints how lines are used again, if any are. */
static void print_uses(const struct wl_stats_kernel *k, FILE *f) {
  static const char *const by[WL_AGAIN] = {"the warp that brought it", "another warp"};
  const uint64_t lines = sum(k->uses, WL_STATS_USES);
  fprintf(f,
          "  threads a reference %.1f; lines loaded once %.1f%%, twice %.1f%%, 3 or 4 times %.1f%%, 5 to 8 "
          "%.1f%%, more %.1f%%\n",
          k->refs ? (double)k->threads / (double)k->refs : 0, share(k->uses[0], lines),
          share(k->uses[1], lines), share(k->uses[2], lines), share(k->uses[3], lines),
          share(k->uses[4], lines));
  for (int b = 0; b < WL_AGAIN; b++) {
    const uint64_t again = sum(k->again[b], WL_STATS_DISTANCES);
    if (!again)
      continue;
    fprintf(f, "  a line again, by %s: %llu, after up to", by[b], (unsigned long long)again);
    for (int d = 0; d < WL_STATS_DISTANCES - 1; d++)
      fprintf(f, " %d %.1f%%,", 16 << 2 * d, share(k->again[b][d], again));
    fprintf(f, " more references %.1f%%\n", share(k->again[b][WL_STATS_DISTANCES - 1], again));
  }
}

static void print_types(const uint64_t brought[WL_LOCALITIES], FILE *f) {
  for (int t = 0; t < WL_LOCALITIES; t++)
    fprintf(f, " %8.1f%%", share(brought[t], sum(brought, WL_LOCALITIES)));
  fputc('\n', f);
}

static void print_similarity(const struct wl_stats *s, uint32_t k, FILE *f) {
  const double aps = wl_similarity(s, k);
  if (aps >= 0)
    fprintf(f, ", access pattern similarity %.3f", aps);
  fputc('\n', f);
}

static json_t *similarity_json(const struct wl_stats *s, uint32_t k) {
  const double aps = wl_similarity(s, k);
  return aps < 0 ? json_null() : json_real(aps);
}

static void print(const struct hd_args *args, const struct wl_stats *s, FILE *f) {
#define N(x) ((unsigned long long)(x))
  const struct wl_load *load = s->load, *end = s->load + s->loads;
  fprintf(f, "%s: %llu-byte lines, an L1D that never evicts in each of %llu SMs", args->workload,
          N(args->line), N(args->sms));
  print_similarity(s, s->kernels, f);
  for (uint32_t k = 0; k < s->kernels; k++) {
    const struct wl_stats_kernel *kernel = &s->kernel[k];
    fprintf(f, "\n%s: %llu launches, %llu loads of warps, %llu line references", kernel->name,
            N(kernel->launches), N(kernel->execs), N(kernel->refs));
    print_similarity(s, k, f);
    print_uses(kernel, f);
    fprintf(f, "  %8s %7s %7s %12s %8s   %9s %9s %9s %9s %9s\n", "PC", "%Load", "#L/#R", "Stride", "%Stride",
            "streaming", "inter", "intra", "inter+in.", "other PC");
    fprintf(f, "  %8s %7.1f %7s %12s %8s  ", "all", 100.0, "", "", "");
    print_types(kernel->brought, f);
    for (uint64_t n = 0; load < end && load->kernel == k; load++, n++) {
      if (args->limit && n >= args->limit)
        continue;
      fprintf(f, "  0x%06x %7.1f %7.3f", load->pc, share(load->refs, kernel->refs),
              (double)load->lines / (double)load->refs);
      if (load->strides)
        fprintf(f, " %12lld %8.1f  ", (long long)load->stride, share(load->strides, load->pairs));
      else
        fprintf(f, " %12s %8s  ", "-", "-");
      print_types(load->brought, f);
    }
  }
  if (s->sampled > 1)
    fprintf(f, "\nlines were counted in 1 of %u, by hash\n", s->sampled);
  if (s->left_out)
    fprintf(f, "\n%llu loads of warps are of static loads beyond the first %d, and left out\n",
            N(s->left_out), WL_STATS_LOADS);
#undef N
}

static json_t *types_json(const uint64_t brought[WL_LOCALITIES]) {
  json_t *o = json_object();
  for (int t = 0; t < WL_LOCALITIES; t++)
    json_object_set_new(o, types[t], json_integer((json_int_t)brought[t]));
  return o;
}

static json_t *numbers_json(const uint64_t *n, int count) {
  json_t *o = json_array();
  for (int i = 0; i < count; i++)
    json_array_append_new(o, json_integer((json_int_t)n[i]));
  return o;
}

static json_t *to_json(const struct hd_args *args, const struct wl_stats *s) {
#define I(x) ((json_int_t)(x))
  json_t *kernels = json_array();
  const struct wl_load *l = s->load, *end = s->load + s->loads;
  for (uint32_t k = 0; k < s->kernels; k++) {
    const struct wl_stats_kernel *kernel = &s->kernel[k];
    json_t *loads = json_array();
    for (; l < end && l->kernel == k; l++)
      json_array_append_new(
          loads, json_pack("{s:I, s:I, s:I, s:I, s:I, s:o, s:I, s:o}", "pc", I(l->pc), "executions",
                           I(l->execs), "references", I(l->refs), "lines", I(l->lines), "pairs", I(l->pairs),
                           "stride", l->strides ? json_integer(l->stride) : json_null(), "stride_pairs",
                           I(l->strides), "brought", types_json(l->brought)));
    json_array_append_new(
        kernels,
        json_pack("{s:o, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "name",
                  hd_cli_text_json(kernel->name), "launches", I(kernel->launches), "executions",
                  I(kernel->execs), "threads", I(kernel->threads), "references", I(kernel->refs), "brought",
                  types_json(kernel->brought), "uses", numbers_json(kernel->uses, WL_STATS_USES),
                  "again_by_same_warp", numbers_json(kernel->again[WL_BY_SAME_WARP], WL_STATS_DISTANCES),
                  "again_by_another", numbers_json(kernel->again[WL_BY_ANOTHER], WL_STATS_DISTANCES),
                  "similarity", similarity_json(s, k), "loads", loads));
  }
  return json_pack("{s:o, s:I, s:I, s:I, s:I, s:o, s:o}", "workload", hd_cli_text_json(args->workload), "sms",
                   I(args->sms), "line_bytes", I(args->line), "sampled", I(s->sampled), "left_out",
                   I(s->left_out), "similarity", similarity_json(s, s->kernels), "kernels", kernels);
#undef I
}

enum hd_rc hd_trace_stats(const struct hd_args *args, struct wl_source *source, FILE *report, json_t **json,
                          struct hd_why *why) {
  if (args->sms < 1 || args->sms > 256)
    return hd_because(why, HD_INPUT, "--sms: found %llu; allowed 1 to 256; write one of these",
                      (unsigned long long)args->sms);
  if (args->line < 32 || args->line > 4096 || args->line & (args->line - 1))
    return hd_because(why, HD_INPUT,
                      "--line: found %llu; allowed a power of two, 32 to 4096; write one of these",
                      (unsigned long long)args->line);
  const struct wl_stats_how how = {.sms = (uint32_t)args->sms,
                                   .line_bytes = (uint32_t)args->line,
                                   .progress = progress,
                                   .user = (void *)args->workload};
  struct wl_stats stats;
  if (!wl_stats_run(source, &how, &stats, why->text, sizeof why->text))
    return HD_INPUT;
  print(args, &stats, report);
  *json = to_json(args, &stats);
  wl_stats_free(&stats);
  return HD_OK;
}
