/* heddle trace info: describes a trace, kernel by kernel. Another workload is first converted into a trace. */
#include "cli/trace/trace.h"
#include "workloads/trace/trace_convert.h"
#include "workloads/trace/trace_temporary.h"

#include <string.h>
#include <unistd.h>

enum { ROWS = 40 }; /* kernels that are printed; the JSON has all */

static void add(struct wl_trace_launch *sum, const struct wl_trace_launch *t) {
  for (int op = 0; op < WL_OPS; op++)
    sum->insts[op] += t->insts[op];
  sum->lanes += t->lanes;
  sum->bytes += t->bytes;
  sum->coded += t->coded;
  sum->notes.unknown += t->notes.unknown;
  sum->notes.off += t->notes.off;
  sum->notes.misaligned += t->notes.misaligned;
  sum->notes.early_exit += t->notes.early_exit;
  sum->notes.registers += t->notes.registers;
  sum->notes.destinations += t->notes.destinations;
  if (!*sum->notes.unknown_names)
    memcpy(sum->notes.unknown_names, t->notes.unknown_names, sizeof sum->notes.unknown_names);
}

static uint64_t total(const struct wl_trace_launch *t) {
  uint64_t n = 0;
  for (int op = 0; op < WL_OPS; op++)
    n += t->insts[op];
  return n;
}

static void print_row(uint64_t number, const struct wl_trace_launch *t, FILE *f) {
  const struct wl_launch *l = &t->launch;
  char grid[40], block[40];
  snprintf(grid, sizeof grid, "%ux%ux%u", l->grid[0], l->grid[1], l->grid[2]);
  snprintf(block, sizeof block, "%ux%ux%u", l->block[0], l->block[1], l->block[2]);
  fprintf(f, "%4llu  %-24.24s %14s %10s %5u %7u %12llu %11llu %11llu %10.2f\n", (unsigned long long)number,
          l->name, grid, block, l->regs, l->shared_bytes, (unsigned long long)total(t),
          (unsigned long long)t->insts[WL_LOAD], (unsigned long long)t->insts[WL_STORE],
          1e-6 * (double)t->bytes);
}

static void print_sum(uint64_t launches, const struct wl_trace_launch *sum, FILE *f) {
  const uint64_t n = total(sum);
#define N(x) ((unsigned long long)(x))
  fprintf(f, "%llu launches, %llu instructions of warps, %.2f active lanes each\n", N(launches), N(n),
          n ? (double)sum->lanes / (double)n : 0);
  for (int op = 0; op < WL_OPS; op++)
    if (sum->insts[op])
      fprintf(f, "  %-8s %14llu   %5.1f %%\n", hd_trace_op((enum wl_op)op), N(sum->insts[op]),
              100 * (double)sum->insts[op] / (double)n);
  fprintf(f, "as .htrace: %llu bytes, %.3f an instruction; %llu before compression\n", N(sum->bytes),
          n ? (double)sum->bytes / (double)n : 0, N(sum->coded));
  const struct wl_trace_notes *o = &sum->notes;
  if (o->unknown)
    fprintf(f, "  %llu with an unknown opcode, taken as ALU: %s\n", N(o->unknown), o->unknown_names);
  if (o->off)
    fprintf(f, "  %llu memory instructions of no lane, taken as ALU\n", N(o->off));
  if (o->misaligned)
    fprintf(f, "  %llu with an address that is no multiple of the size, rounded down\n", N(o->misaligned));
  if (o->early_exit)
    fprintf(f, "  %llu EXITs before the warp's last instruction, taken as ALU\n", N(o->early_exit));
  if (o->registers)
    fprintf(f, "  %llu registers share a number: waits that are not in the program\n", N(o->registers));
  if (o->destinations)
    fprintf(f, "  %llu with more than one destination, the first kept\n", N(o->destinations));
#undef N
}

static json_t *insts_json(const struct wl_trace_launch *t) {
  json_t *o = json_object();
  for (int op = 0; op < WL_OPS; op++)
    json_object_set_new(o, hd_trace_op((enum wl_op)op), json_integer((json_int_t)t->insts[op]));
  return o;
}

static json_t *to_json(const struct wl_trace_launch *t) {
#define I(x) ((json_int_t)(x))
  const struct wl_launch *l = &t->launch;
  const struct wl_trace_notes *n = &t->notes;
  json_t *notes =
      json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:s}", "unknown_opcodes", I(n->unknown), "no_lane", I(n->off),
                "misaligned", I(n->misaligned), "early_exits", I(n->early_exit), "shared_registers",
                I(n->registers), "more_destinations", I(n->destinations), "unknown_names", n->unknown_names);
  json_t *o = json_pack("{s:I, s:I, s:I, s:I, s:o, s:o}", "instructions", I(total(t)), "thread_instructions",
                        I(t->lanes), "bytes", I(t->bytes), "coded_bytes", I(t->coded), "by_class",
                        insts_json(t), "notes", notes);
  if (l->ctas) {
    json_t *launch =
        json_pack("{s:o, s:[I,I,I], s:[I,I,I], s:I, s:I, s:I, s:I}", "name", hd_cli_text_json(l->name),
                  "grid", I(l->grid[0]), I(l->grid[1]), I(l->grid[2]), "block", I(l->block[0]),
                  I(l->block[1]), I(l->block[2]), "ctas", I(l->ctas), "warps_per_cta", I(l->warps_per_cta),
                  "registers", I(l->regs), "shared_bytes", I(l->shared_bytes));
    json_object_update_missing(o, launch);
    json_decref(launch);
  }
  return o;
#undef I
}

/* json: NULL if not requested. It holds all kernels, and a long trace may have many. */
static enum hd_rc describe(const char *workload, struct wl_source *source, FILE *f, json_t **json,
                           struct hd_why *why) {
  struct wl_trace_launch sum = {.launch = {.name = ""}};
  struct wl_launch launch;
  uint64_t launches = 0;
  json_t *kernels = json ? json_array() : NULL;
  fprintf(f, "%4s  %-24s %14s %10s %5s %7s %12s %11s %11s %10s\n", "", "kernel", "grid", "block", "regs",
          "shared", "instructions", "loads", "stores", "MB");
  while (source->ops->next_launch(source, &launch)) {
    const struct wl_trace_launch *t = wl_trace_launch_of(source);
    add(&sum, t);
    if (launches++ < ROWS)
      print_row(launches, t, f);
    if (kernels)
      json_array_append_new(kernels, to_json(t));
    hd_progress((struct hd_pace){.count = (double)launches, .unit = "kernels"}, "%s: %llu kernels", workload,
                (unsigned long long)launches);
  }
  const enum hd_rc rc = hd_trace_source_error(source, why);
  if (rc != HD_OK) {
    json_decref(kernels);
    return rc;
  }
  if (launches > ROWS)
    fprintf(f, "      and %llu more; --json has all\n", (unsigned long long)(launches - ROWS));
  print_sum(launches, &sum, f);
  if (json)
    *json = json_pack("{s:o, s:I, s:o, s:o}", "workload", hd_cli_text_json(workload), "launches",
                      (json_int_t)launches, "total", to_json(&sum), "kernels", kernels);
  return HD_OK;
}

static void progress(void *user, const struct wl_launch *launch, uint64_t number, uint32_t cta) {
  hd_progress(hd_trace_pace(launch, cta), "%s: kernel %llu, %s: CTA %u of %u", (const char *)user,
              (unsigned long long)number, launch->name, cta, launch->ctas);
}

/* Describes any other source, by way of a temporary trace. */
static enum hd_rc describe_made(const char *workload, struct wl_source *source, FILE *f, json_t **json,
                                struct hd_why *why) {
  struct wl_trace_summary summary;
  const struct wl_trace_how how = {.progress = progress, .user = (void *)workload};
  const int fd = wl_trace_temporary(why->text, sizeof why->text);
  if (fd < 0)
    return HD_INPUT;
  if (!wl_trace_to_htrace(source, fd, &how, &summary, why->text, sizeof why->text)) {
    close(fd);
    return HD_INPUT;
  }
  struct wl_source *made = wl_trace_read(fd, workload, why->text, sizeof why->text);
  if (!made)
    return HD_INPUT;
  const enum hd_rc rc = describe(workload, made, f, json, why);
  made->ops->close(made);
  return rc;
}

enum hd_rc hd_trace_info(const struct hd_args *args, struct wl_source *source, FILE *report, json_t **json,
                         struct hd_why *why) {
  json = args->json ? json : NULL;
  return wl_trace_launch_of(source) ? describe(args->workload, source, report, json, why)
                                    : describe_made(args->workload, source, report, json, why);
}
