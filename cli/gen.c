/* heddle gen: writes a design as a directory of Verilog. */
#include "cli/cli.h"
#include "cli/progress.h"
#include "rtl_gen/rtl.h"
#include "systemc/sc.h"
#include "verif/testbench/record.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_CYCLES = 1000000 }; /* of a test bench */

static void list_file(FILE *report, json_t *files, const char *directory, const char *name) {
  fprintf(report, "%s/%s\n", directory, name);
  json_array_append_new(files, json_string(name));
}

static void show_recorded(unsigned done, unsigned of) {
  hd_progress((struct hd_pace){.done = done, .of = of, .count = done, .unit = "cycles"},
              "test bench: %u of %u cycles recorded", done, of);
}

static enum hd_rc gen(const struct hd_args *args, const heddle_machine *machine, FILE *report, json_t **json,
                      struct hd_why *why) {
  const struct hd_design *design = machine->design;
  struct hd_rtl_bench bench = {0};
  struct hd_files systemc = {0};
  enum hd_rc rc = hd_rtl_there(design, args->top, why);
  if (rc == HD_OK && args->systemc)
    rc = hd_sc_add(&systemc, design, args->top, args->out, why);
  if (rc == HD_OK && args->testbench) {
    rc = hd_record(design, args->top, (unsigned)args->cycles, args->seed, show_recorded, &bench, why);
    hd_progress_end();
  }
  if (rc == HD_OK)
    rc = hd_rtl_write_with(design, args->top, args->out, args->testbench ? &bench : NULL, why);
  if (rc == HD_OK && args->systemc)
    rc = hd_files_write(&systemc, args->out, why);
  hd_record_free(&bench);
  if (rc == HD_OK) {
    /* The generator's file list names the files that it wrote. */
    char *list = hd_format("%s/%s.f", args->out, args->top), *text = hd_slurp(list);
    json_t *files = json_array();
    for (char *at = text, *end; at && (end = strchr(at, '\n')); at = end + 1) {
      *end = 0;
      list_file(report, files, args->out, at);
      if (!strcmp(at, "apb_regs.v"))
        list_file(report, files, args->out, "apb_regs.rdl");
    }
    static const char *const beside[] = {"f", "json", "core", "sdc", "upf", "synth.tcl"};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
      char *path = hd_format("%s/%s.%s", args->out, args->top, beside[i]);
      const bool there = strcmp(beside[i], "upf") != 0 || access(path, F_OK) == 0; /* upf: optional */
      free(path);
      if (!there)
        continue;
      fprintf(report, "%s/%s.%s\n", args->out, args->top, beside[i]);
      json_array_append_new(files, json_sprintf("%s.%s", args->top, beside[i]));
    }
    static const char *const of_bench[] = {".v", "_in.hex", "_out.hex"};
    for (size_t i = 0; args->testbench && i < sizeof of_bench / sizeof *of_bench; i++) {
      fprintf(report, "%s/tb_%s%s\n", args->out, args->top, of_bench[i]);
      json_array_append_new(files, json_sprintf("tb_%s%s", args->top, of_bench[i]));
    }
    for (size_t i = 0; i < systemc.n; i++) {
      const char *path = systemc.file[i].path;
      fprintf(report, "%s\n", path);
      json_array_append_new(files, json_string(strrchr(path, '/') + 1));
    }
    *json = json_pack("{s:s, s:o, s:o}", "top", args->top, "directory", hd_cli_text_json(args->out), "files",
                      files);
    free(text);
    free(list);
  }
  hd_files_free(&systemc);
  return rc;
}

static enum hd_rc run(const struct hd_args *args, struct hd_why *why) {
  const bool cycles = args->cycles != UINT64_MAX, seed = args->seed != UINT64_MAX;
  struct hd_args all = *args;
  if (!args->testbench && (cycles || seed))
    return hd_because(why, HD_INPUT, "--%s: found without --testbench; allowed with it only; remove it",
                      cycles ? "cycles" : "seed");
  all.cycles = cycles ? args->cycles : 1000;
  all.seed = seed ? args->seed : 1;
  if (all.cycles < 1 || all.cycles > MAX_CYCLES)
    return hd_because(why, HD_INPUT, "--cycles: found %llu; allowed 1 to %u; write one",
                      (unsigned long long)all.cycles, MAX_CYCLES);
  return hd_cli_answer(&all, gen, why);
}

static const struct hd_opt opts[] = {
    HD_OPT_CONFIG(true),
    HD_OPT("out", 'o', HD_OPT_TEXT, true, out, "DIR", "where to write; made when it is missing"),
    HD_OPT_TOP("generate this module and what is in it, or a mechanism alone, e.g. apcm (sm_mem)"),
    HD_OPT("testbench", 0, HD_OPT_FLAG, false, testbench, NULL,
           "a self-checking test bench too: random traffic of the golden model, replayed"),
    HD_OPT("cycles", 'n', HD_OPT_COUNT, false, cycles, "N", "of the test bench (1000)"),
    HD_OPT("seed", 's', HD_OPT_COUNT, false, seed, "N", "of its traffic (1)"),
    HD_OPT("systemc", 0, HD_OPT_FLAG, false, systemc, NULL,
           "write a SystemC module of it beside the Verilog"),
    HD_OPT_JSON,
    HD_OPT_END};
const struct hd_verb hd_verb_gen = {
    "gen",
    "write a machine's Verilog, file list, signature, FuseSoC core, timing constraints and power intent",
    NULL,
    "example: heddle gen -c mrpb -o build/rtl\n"
    "         heddle gen -c mrpb --set request_buffer.depth=16 -t mrpb -o build/deep\n"
    "         heddle gen -c apcm -t apcm --testbench -o build/apcm\n"
    "         heddle gen -c mrpb --systemc -o build/rtl && make -f build/rtl/heddle_sc.mk TOP=sm_mem",
    opts,
    {.top = "sm_mem", .cycles = UINT64_MAX, .seed = UINT64_MAX},
    run};
