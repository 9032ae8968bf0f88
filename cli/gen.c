/* heddle gen: a design as a directory of Verilog. */
#include "cli/cli.h"
#include "rtl_gen/rtl.h"

#include <stdlib.h>
#include <string.h>

static enum hd_rc gen(const struct hd_args *args, const struct hd_config *c, const struct hd_design *design,
                      FILE *report, json_t **json, struct hd_why *why) {
  (void)c;
  const enum hd_rc rc = hd_rtl_write(design, args->top, args->out, why);
  if (rc == HD_OK) {
    /* The file list is the generator's own word for what it wrote. */
    char *list = hd_format("%s/%s.f", args->out, args->top), *text = hd_slurp(list);
    json_t *files = json_array();
    for (char *at = text, *end; at && (end = strchr(at, '\n')); at = end + 1) {
      *end = 0;
      fprintf(report, "%s/%s\n", args->out, at);
      json_array_append_new(files, json_string(at));
    }
    static const char *const beside[] = {"f", "json", "core"};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
      fprintf(report, "%s/%s.%s\n", args->out, args->top, beside[i]);
      json_array_append_new(files, json_sprintf("%s.%s", args->top, beside[i]));
    }
    *json = json_pack("{s:s, s:o, s:o}", "top", args->top, "directory", hd_cli_text_json(args->out), "files",
                      files);
    free(text);
    free(list);
  }
  return rc;
}

static enum hd_rc run(const struct hd_args *args, struct hd_why *why) {
  return hd_cli_answer(args, gen, why);
}

static const struct hd_opt opts[] = {
    HD_OPT_CONFIG(true),
    HD_OPT("out", 'o', HD_OPT_TEXT, true, out, "DIR", "where to write; made when it is missing"),
    HD_OPT_TOP("generate this module and what is in it (sm_mem)"), HD_OPT_JSON, HD_OPT_END};
const struct hd_verb hd_verb_gen = {
    "gen",
    "write a machine's Verilog, file list, signature and FuseSoC core",
    NULL,
    "example: heddle gen -c mrpb -o build/rtl\n"
    "         heddle gen -c mrpb --set request_buffer.depth=16 -t mrpb -o build/deep",
    opts,
    {.top = "sm_mem"},
    run};
