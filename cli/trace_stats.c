#include "cli/trace.h"
enum hd_rc hd_trace_stats(const struct hd_args *args, struct wl_source *source, FILE *report, json_t **json,
                          struct hd_why *why) {
  (void)args;
  (void)source;
  (void)report;
  (void)json;
  return hd_because(why, HD_INPUT, "not yet");
}
