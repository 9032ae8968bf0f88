/* heddle area: memories by CACTI, logic by synthesis, their sum, and the paper's figure beside it. */
#include "area/area.h"
#include "cli/price/price.h"

enum hd_rc hd_cli_area(const struct hd_args *args, const heddle_machine *machine, FILE *report, json_t **json,
                       struct hd_why *why) {
  const struct hd_design *design = machine->design;
  const char *name, *const *top;
  const int tops = hd_cli_area_tops(args, design, &name, &top);
  const struct hd_area_claim *claim = hd_area_claim_of(name);
  struct hd_cli_priced priced;
  const enum hd_rc rc = hd_cli_area_of(args, machine, &priced, why);
  if (rc == HD_OK) {
    fprintf(report, "%s of %s, ", name, machine->c.name);
    for (int i = 0; claim && claim->sms && i < tops; i++)
      fprintf(report, "%d of %s, ", hd_area_copies(design, claim, top[i]), top[i]);
    hd_area_print(&priced.area, report);
    *json = hd_area_json(&priced.area);
    json_object_set_new(*json, "top", json_string(name));
  }
  hd_cli_priced_free(&priced);
  return rc;
}

static enum hd_rc run(const struct hd_args *args, struct hd_why *why) {
  struct hd_args at = *args;
  const struct hd_area_claim *claim = hd_area_claim_of(args->top);
  if (claim && claim->module[0]) { /* no module has this name, or the module is the mechanism */
    at.mechanism = claim->name;
    at.top = NULL;
  }
  return hd_cli_answer(&at, args->explore ? hd_cli_area_storage : hd_cli_area, why);
}

static const struct hd_opt opts[] = {
    HD_OPT_CONFIG(true),
    HD_OPT_TOP("price this mechanism (mrpb, apres) or module and all in it (the mechanism of the machine, "
               "else sm_mem)"),
    HD_OPT("node", 0, HD_OPT_REAL, false, node_nm, "NM", "technology, 22 to 90 nm (45)"),
    HD_OPT("no-logic", 0, HD_OPT_FLAG, false, no_logic, NULL, "memories only: no synthesis"),
    HD_OPT(
        "explore", 0, HD_OPT_FLAG, false, explore, NULL,
        "instead: each small memory as a macro, as flip-flops, as latches; and the smallest choice of all"),
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
    "         heddle area -c mrpb -t sm_mem --no-logic --node 32\n"
    "         heddle area -c apcm --explore",
    opts,
    {.lib = "heddle45", .work = "build/area"},
    run};
