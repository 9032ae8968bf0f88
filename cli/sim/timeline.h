/* A window of a run as a trace that Perfetto and chrome://tracing open: --timeline (docs/cli.md).
 *
 * Invariant: whole spans, each of which has at least a cycle in the window; a cycle is a microsecond of the trace.
 */
#ifndef HEDDLE_CLI_TIMELINE_H
#define HEDDLE_CLI_TIMELINE_H

#include "cli/cli.h"

struct hd_timeline {
  struct hd_out out;
  uint64_t from, to; /* the window, `to` not included */
  size_t events;
};

/* The file of args->timeline, if it is given. */
enum hd_rc hd_timeline_open(const struct hd_args *args, struct hd_timeline *t, struct hd_why *why);
/* Names of the tracks of a machine. */
void hd_timeline_begin(struct hd_timeline *t, const struct hd_config *c);
/* For heddle_run_on_span; `user` is the timeline. */
void hd_timeline_span(void *user, const heddle_span *span);
/* The file appears if rc is HD_OK. Passes rc through, unless writing fails. */
enum hd_rc hd_timeline_close(struct hd_timeline *t, enum hd_rc rc, struct hd_why *why);

#endif
