/* heddle area: memories by CACTI, logic by synthesis, the sum, and the paper's figure beside it. */
#include "area/area.h"
#include "cli/price/price.h"

struct hd_area_cache hd_cli_l1(const struct hd_config *c) {
  const int line_bits = 8 * (int)c->l1d.line_bytes;
  return (struct hd_area_cache){.size_bytes = (int)(c->l1d.sets * c->l1d.ways * c->l1d.line_bytes),
                                .ways = (int)c->l1d.ways,
                                .line_bytes = (int)c->l1d.line_bytes,
                                .port_bits = line_bits < 256 ? line_bits : 256,
                                .tag_bits = (int)c->d.TAG_W + 2};
}

/* The modules to price: those of a mechanism, by the name its paper has here, or one by its own; without a name those of
 * the mechanism that this machine has, else all. */
static int tops_of(const struct hd_args *args, const struct hd_design *design, const char **name,
                   const char *const **tops) {
  static const char *one[1];
  const struct hd_area_claim *claim = args->mechanism ? hd_area_claim_of(args->mechanism)
                                      : args->top     ? NULL
                                                      : hd_area_claim_in(design);
  *name = claim ? claim->name : args->top ? args->top : "sm_mem";
  if (!claim) {
    *one = *name;
    *tops = one;
    return 1;
  }
  int n = 0;
  while (n < HD_CLAIM_MODULES && claim->module[n])
    n++;
  *tops = claim->module;
  return n;
}

enum hd_rc hd_cli_area(const struct hd_args *args, const heddle_machine *machine, FILE *report, json_t **json,
                       struct hd_why *why) {
  const struct hd_config *c = &machine->c;
  const struct hd_design *design = machine->design;
  const char *name, *const *top;
  const int tops = tops_of(args, design, &name, &top);
  enum hd_rc rc = HD_OK;
  struct hd_pricer pricer = hd_cli_pricer(args->node_nm, args->work);
  struct hd_synth_report synth[HD_CLAIM_MODULES] = {0};
  struct hd_area_report area = {0};
  struct hd_area_memory *memory = NULL;
  const struct hd_area_claim *claim = hd_area_claim_of(name);
  const int memories = hd_area_memories_of(design, claim, top, tops, &memory);
  if (memories < 0)
    rc = hd_because(why, HD_INPUT, "configuration %s has no %s; heddle list modules says what it has",
                    c->name, name);
  for (int i = 0; i < tops && rc == HD_OK && !args->no_logic; i++)
    rc = hd_cli_synth(args, design, top[i], (struct hd_cli_alone){i, tops}, &pricer, &synth[i], why);
  hd_progress_end();
  if (rc == HD_OK) {
    const struct hd_area_job job = {.memory = memory,
                                    .memories = memories,
                                    .synth = synth,
                                    .synths = args->no_logic ? 0 : tops,
                                    .pricer = pricer,
                                    .claim = claim,
                                    .cache = hd_cli_l1(c),
                                    .design = design};
    rc = hd_area_run(&job, &area, why);
  }
  if (rc == HD_OK) {
    fprintf(report, "%s of %s, ", name, c->name);
    for (int i = 0; claim && claim->sms && i < tops; i++)
      fprintf(report, "%d of %s, ", hd_area_copies(design, claim, top[i]), top[i]);
    hd_area_print(&area, report);
    *json = hd_area_json(&area);
    json_object_set_new(*json, "top", json_string(name));
  }
  hd_area_free(&area);
  hd_area_memories_free(memory, memories);
  for (int i = 0; i < HD_CLAIM_MODULES; i++)
    hd_synth_free(&synth[i]);
  hd_cli_pricer_free(&pricer);
  return rc;
}

static enum hd_rc run(const struct hd_args *args, struct hd_why *why) {
  struct hd_args at = *args;
  const struct hd_area_claim *claim = hd_area_claim_of(args->top);
  if (claim && claim->module[0]) { /* the name of no module, or of one that is all of it */
    at.mechanism = claim->name;
    at.top = NULL;
  }
  return hd_cli_answer(&at, hd_cli_area, why);
}

static const struct hd_opt opts[] = {
    HD_OPT_CONFIG(true),
    HD_OPT_TOP("price this mechanism (mrpb, apres) or module and all in it (the mechanism of the machine, "
               "else sm_mem)"),
    HD_OPT("node", 0, HD_OPT_REAL, false, node_nm, "NM", "technology, 22 to 90 nm (45)"),
    HD_OPT("no-logic", 0, HD_OPT_FLAG, false, no_logic, NULL, "memories only: no synthesis"),
    HD_OPT("lib", 'l', HD_OPT_TEXT, false, lib, "LIB",
           "cells of the logic: see heddle synth --help (heddle45)"),
    HD_OPT("work", 0, HD_OPT_TEXT, false, work, "DIR", "RTL, scripts, logs, netlists (build/area)"),
    HD_OPT_JSON,
    HD_OPT_END};
const struct hd_verb hd_verb_area = {
    "area",
    "silicon area of a module, memories and logic, beside its paper's figure",
    NULL,
    "example: heddle area -c mrpb\n"
    "         heddle area -c mrpb -t sm_mem --no-logic --node 32",
    opts,
    {.lib = "heddle45", .work = "build/area"},
    run};
