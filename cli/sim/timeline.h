/* A window of a run as a trace for Perfetto and chrome://tracing: --timeline (docs/cli.md).
 *
 * Invariant: every span is written whole, and has at least one cycle in the window; a cycle is a
 * microsecond of the trace.
 */
#ifndef HEDDLE_CLI_TIMELINE_H
#define HEDDLE_CLI_TIMELINE_H

#include "cli/cli.h"

struct hd_timeline {
  struct hd_out out;
  uint64_t from, to; /* the window, `to` not included */
  size_t events;
};

/* Opens the file of args->timeline, if given. */
enum hd_rc hd_timeline_open(const struct hd_args *args, struct hd_timeline *t, struct hd_why *why);
/* Writes the names of a machine's tracks. */
void hd_timeline_begin(struct hd_timeline *t, const struct hd_config *c);
/* For heddle_run_on_span. `user` is the struct hd_timeline. */
void hd_timeline_span(void *user, const heddle_span *span);
/* The file appears if rc is HD_OK. Returns rc, unless writing fails. */
enum hd_rc hd_timeline_close(struct hd_timeline *t, enum hd_rc rc, struct hd_why *why);

#endif
