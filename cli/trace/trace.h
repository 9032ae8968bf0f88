/* heddle trace: its four answers, one a file. */
#ifndef HEDDLE_CLI_TRACE_H
#define HEDDLE_CLI_TRACE_H

#include "cli/cli.h"
#include "workloads/trace/trace_file.h"
#include "workloads/trace_open.h"

/* The workload of -w: a spec, or the path of a trace. NULL: with a sentence. */
struct wl_source *hd_trace_source(const struct hd_args *args, struct hd_why *why);

/* What went wrong in a source, if anything did; else HD_OK. */
enum hd_rc hd_trace_source_error(const struct wl_source *source, struct hd_why *why);

/* Each prints its report for people and leaves its JSON (NULL: it has none). */
typedef enum hd_rc hd_trace_answer(const struct hd_args *args, struct wl_source *source, FILE *report,
                                   json_t **json, struct hd_why *why);
hd_trace_answer hd_trace_convert, hd_trace_info, hd_trace_dump, hd_trace_stats;

/* For the progress line: CTA `cta` of the launch is being read. */
struct hd_pace hd_trace_pace(const struct wl_launch *launch, uint32_t cta);

/* An operation's name, e.g. "load". */
const char *hd_trace_op(enum wl_op op);

#endif
