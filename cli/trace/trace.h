/* heddle trace: its four answers, one per file. */
#ifndef HEDDLE_CLI_TRACE_H
#define HEDDLE_CLI_TRACE_H

#include "cli/cli.h"
#include "workloads/trace/trace_file.h"
#include "workloads/trace_open.h"

/* Returns the workload of -w: a spec, or the path of a trace. Returns NULL with a message. */
struct wl_source *hd_trace_source(const struct hd_args *args, struct hd_why *why);

/* Returns the error of a source, or HD_OK. */
enum hd_rc hd_trace_source_error(const struct wl_source *source, struct hd_why *why);

/* Each prints its report for people and sets its JSON (NULL: it has none). */
typedef enum hd_rc hd_trace_answer(const struct hd_args *args, struct wl_source *source, FILE *report,
                                   json_t **json, struct hd_why *why);
hd_trace_answer hd_trace_convert, hd_trace_info, hd_trace_dump, hd_trace_stats;

/* For the progress line: the reader is at CTA `cta` of the launch. */
struct hd_pace hd_trace_pace(const struct wl_launch *launch, uint32_t cta);

/* Returns an operation's name, e.g. "load". */
const char *hd_trace_op(enum wl_op op);

#endif
