/* heddle trace: converts, describes, prints and characterises instruction traces of any workload. */
#include "cli/trace/trace.h"

#include <string.h>

static enum hd_rc run(const struct hd_args *args, struct hd_why *why) {
  static const struct {
    const char *name;
    hd_trace_answer *answer;
    bool json;
  } whats[] = {{"convert", hd_trace_convert, true},
               {"info", hd_trace_info, true},
               {"dump", hd_trace_dump, false},
               {"stats", hd_trace_stats, true}};
  size_t what = 0;
  while (what < 4 && strcmp(args->what, whats[what].name) != 0)
    what++;
  if (what == 4)
    return hd_because(why, HD_INPUT, "found %s; allowed convert, info, dump, stats; write one of these",
                      args->what);
  if (args->json && !whats[what].json)
    return hd_because(why, HD_INPUT, "--json: found with %s; allowed with convert, info, stats; leave it out",
                      args->what);
  struct wl_source *source = hd_trace_source(args, why);
  if (!source)
    return HD_INPUT;
  struct hd_answer answer;
  json_t *json = NULL;
  enum hd_rc rc = hd_answer_open(args, &answer, why);
  if (rc == HD_OK) {
    rc = whats[what].answer(args, source, answer.report, &json, why);
    hd_progress_end();
    rc = hd_answer_close(&answer, json, rc, why);
  }
  source->ops->close(source);
  return rc;
}

static const struct hd_opt opts[] = {
    HD_OPT("workload", 'w', HD_OPT_TEXT, true, workload, "WORKLOAD",
           "a workload of `heddle list workloads`, or the path of a trace"),
    HD_OPT("out", 'o', HD_OPT_TEXT, false, out, "PATH",
           "convert: a .htrace file, or a directory for Accel-Sim"),
    HD_OPT("form", 0, HD_OPT_TEXT, false, form, "FORM",
           "convert: htrace, accelsim or accelsim-xz; PATH.htrace and PATH/ need none"),
    HD_OPT("binary", 0, HD_OPT_COUNT, false, binary, "N",
           "convert to Accel-Sim: opcodes of this binary version, 35 (Kepler) or 70 (Volta) (35)"),
    HD_OPT("kernel", 0, HD_OPT_COUNT, false, kernel, "N", "dump: this launch only, from 1"),
    HD_OPT("cta", 0, HD_OPT_COUNT, false, cta, "N", "dump: this CTA only, from 0"),
    HD_OPT("warp", 0, HD_OPT_COUNT, false, warp, "N", "dump: this warp of a CTA only, from 0"),
    HD_OPT("limit", 0, HD_OPT_COUNT, false, limit, "N",
           "dump: instructions; stats: loads of a kernel that are printed; 0: all (100)"),
    HD_OPT("sms", 0, HD_OPT_COUNT, false, sms, "N", "stats: SMs that CTAs are dealt to, 1 to 256 (15)"),
    HD_OPT("line", 0, HD_OPT_COUNT, false, line, "BYTES",
           "stats: size of a cache line, a power of two (128)"),
    HD_OPT_JSON,
    HD_OPT_END};
const struct hd_verb hd_verb_trace = {
    "trace",
    "instruction traces: convert any workload, describe, print, characterise its loads",
    "convert|info|dump|stats",
    "example: heddle trace convert -w atax:tiny -o atax.htrace\n"
    "         heddle trace convert -w atax.htrace -o atax/ --form accelsim-xz\n"
    "         heddle trace info -w atax/kernelslist.g\n"
    "         heddle trace dump -w atax:tiny --kernel 1 --cta 0 --warp 3 --limit 20\n"
    "         heddle trace stats -w atax --json atax.json\n"
    "         heddle sim -c fermi_16k -w trace:atax/kernelslist.g",
    opts,
    {.binary = 35,
     .kernel = UINT64_MAX,
     .cta = UINT64_MAX,
     .warp = UINT64_MAX,
     .limit = 100,
     .sms = 15,
     .line = 128},
    run};
