/* Prints the result of a lockstep run as text and as JSON; see verif/harness/cosim.h. */
#include "verif/harness/cosim.h"
#include "verif/report/mismatch_report.h"

void hd_cosim_print(const struct hd_cosim_report *r, FILE *out) {
  if (r->failure) {
    fputs(r->failure, out);
    return;
  }
  fprintf(out, "cycles           %s in %.1f s, %.0f thousand a second; built in %.1f s\n",
          hd_commas(r->cycles).text, r->run_seconds,
          r->run_seconds > 0 ? (double)r->cycles / r->run_seconds / 1000 : 0, r->build_seconds);
  fprintf(out, "values compared  %s, %s\n", hd_commas(r->values_compared).text,
          r->mismatches ? "not all equal" : "all equal");
  if (r->cut)
    fprintf(out, "limit reached    the workload is not done\n");
  fprintf(out, "facts checked    %s by the environment\n", hd_commas(r->facts_checked).text);
  fprintf(out, "events seen      %u of %u\n", r->events_seen, r->n_events);
  for (unsigned i = 0; i < r->n_events; i++)
    if (!r->events[i].count)
      fprintf(out, "  not seen       %s\n", r->events[i].name);
  if (r->fault_shared && r->fault_read)
    fprintf(out, "fault            read in cycle %s\n", hd_commas(r->fault_read_at).text);
  else if (r->fault_shared)
    fprintf(out, "fault            never read: all but the bit itself is as without it\n");
  fprintf(out, "waivers          none\n");
  fprintf(out, "seed             %llu\n", (unsigned long long)r->seed);
}

json_t *hd_cosim_json(const struct hd_cosim_report *r) {
  json_t *events = json_object();
  for (unsigned i = 0; i < r->n_events; i++)
    json_object_set_new(events, r->events[i].name, json_integer((json_int_t)r->events[i].count));
  json_t *dir = r->failure_dir ? json_string(r->failure_dir) : NULL;
  return json_pack("{s:I, s:I, s:I, s:I, s:i, s:i, s:o, s:I, s:f, s:f, s:b, s:o}", "cycles",
                   (json_int_t)r->cycles, "values_compared", (json_int_t)r->values_compared, "facts_checked",
                   (json_int_t)r->facts_checked, "mismatches", (json_int_t)r->mismatches, "events_seen",
                   (int)r->events_seen, "events_declared", (int)r->n_events, "events", events, "seed",
                   (json_int_t)r->seed, "build_seconds", r->build_seconds, "run_seconds", r->run_seconds,
                   "limit_reached", r->cut, "failure_dir", dir ? dir : json_null());
}
