/* Writes spans as events of the Trace Event Format; see timeline.h.
 *
 * An SM is a process. Its CTA slots and MSHRs are threads, since they hold one thing at a time. The memory
 * instructions of a warp overlap, so they are asynchronous events, which Perfetto draws in rows below the
 * warp's name.
 */
#include "cli/sim/timeline.h"

#include <inttypes.h>
#include <string.h>

enum { WINDOW = 10000 /* cycles, if --to is not given */ };
enum { TID_CTA = 1, TID_MSHR = 1000 };

enum hd_rc hd_timeline_open(const struct hd_args *args, struct hd_timeline *t, struct hd_why *why) {
  *t = (struct hd_timeline){.from = args->from, .to = args->to ? args->to : args->from + WINDOW};
  if (!args->timeline)
    return HD_OK;
  if (!strcmp(args->timeline, "-"))
    return hd_because(why, HD_INPUT, "--timeline: found -; allowed the name of a file");
  if (t->to <= t->from)
    return hd_because(why, HD_INPUT, "--to: found %" PRIu64 "; allowed more than --from, %" PRIu64, t->to,
                      t->from);
  return hd_out_open(&t->out, "timeline", args->timeline, why);
}

static FILE *event(struct hd_timeline *t) {
  fputs(t->events++ ? ",\n" : "\n", t->out.f);
  return t->out.f;
}

static void name_thread(struct hd_timeline *t, unsigned sm, unsigned tid, const char *what, unsigned number) {
  fprintf(event(t),
          "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": %u, \"tid\": %u, \"args\": {\"name\": \"%s "
          "%u\"}}",
          sm, tid, what, number);
  fprintf(event(t),
          "{\"ph\": \"M\", \"name\": \"thread_sort_index\", \"pid\": %u, \"tid\": %u, \"args\": "
          "{\"sort_index\": %u}}",
          sm, tid, tid);
}

void hd_timeline_begin(struct hd_timeline *t, const struct hd_config *c) {
  fprintf(t->out.f, "{\"otherData\": {\"unit\": \"1 us is a cycle of the core clock\"},\n\"traceEvents\": [");
  for (unsigned sm = 0; sm < c->gpu.sms; sm++) {
    fprintf(event(t),
            "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": %u, \"args\": {\"name\": \"SM %u\"}}", sm,
            sm);
    for (unsigned i = 0; i < c->sm.ctas; i++)
      name_thread(t, sm, TID_CTA + i, "CTA slot", i);
    for (unsigned i = 0; i < c->l1d.mshrs; i++)
      name_thread(t, sm, TID_MSHR + i, "MSHR", i);
  }
}

static void write_thread(struct hd_timeline *t, const heddle_span *s) {
  const bool cta = s->kind == HEDDLE_SPAN_CTA;
  FILE *f = event(t);
  fprintf(f, "{\"ph\": \"X\", \"pid\": %u, \"tid\": %u, \"ts\": %" PRIu64 ", \"dur\": %" PRIu64 ", ", s->sm,
          (cta ? TID_CTA : TID_MSHR) + s->unit, s->from, s->to - s->from);
  if (cta)
    fprintf(f, "\"cat\": \"cta\", \"name\": \"CTA %" PRIu64 "\"}", s->value);
  else
    fprintf(f,
            "\"cat\": \"mshr\", \"name\": \"%s\", \"args\": {\"address\": "
            "\"0x%" PRIx64 "\"}}",
            s->kind == HEDDLE_SPAN_MISS ? "miss" : "prefetch", s->value);
}

static void write_async(struct hd_timeline *t, const heddle_span *s) {
  const char *what = s->kind == HEDDLE_SPAN_LOAD ? "load" : "store";
  for (unsigned end = 0; end < 2; end++) {
    FILE *f = event(t);
    fprintf(f,
            "{\"ph\": \"%s\", \"pid\": %u, \"tid\": 0, \"id\": \"%u.%u.%u\", \"ts\": %" PRIu64
            ", \"cat\": \"warp\", \"name\": \"warp %u\"",
            end ? "e" : "b", s->sm, s->sm, s->unit, s->slot, end ? s->to : s->from, s->unit);
    if (!end)
      fprintf(f, ", \"args\": {\"instruction\": \"%s\", \"pc\": \"0x%" PRIx64 "\"}", what, s->value);
    fputs("}", f);
  }
}

void hd_timeline_span(void *user, const heddle_span *s) {
  struct hd_timeline *t = user;
  if (s->to <= t->from || s->from >= t->to)
    return;
  if (s->kind == HEDDLE_SPAN_LOAD || s->kind == HEDDLE_SPAN_STORE)
    write_async(t, s);
  else
    write_thread(t, s);
}

enum hd_rc hd_timeline_close(struct hd_timeline *t, enum hd_rc rc, struct hd_why *why) {
  if (t->out.f)
    fputs("\n]}\n", t->out.f);
  return hd_out_close(&t->out, rc == HD_OK, rc, why);
}
