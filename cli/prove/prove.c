/* heddle prove: proves properties of modules for all inputs, on small machines, and that gates do the same
 * as the Verilog. */
#include "verif/prove/prove.h"
#include "base/version.h"
#include "cli/cli.h"
#include "cli/prove/netlist.h"
#include "rtl_gen/rtl.h"
#include "verif/prove/sizes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The settings that make the machine small: words of the properties' file, then those of --set, which win.
 * A word that begins with a capital letter is a free size. The words live as long as `small`. */
struct smaller {
  struct hd_args args;
  struct hd_list sizes;
  size_t own; /* number of `sizes` from the file */
};

static enum hd_rc add_word(struct smaller *s, const char *word, struct hd_why *why) {
  struct hd_list *list = isupper((unsigned char)*word) ? &s->sizes : &s->args.set;
  if (list->n == HD_MAX_LIST)
    return hd_because(
        why, HD_INPUT,
        "--set: found more than %d with those of the proof, the first too many is %s; allowed %d",
        HD_MAX_LIST, word, HD_MAX_LIST);
  list->text[list->n++] = word;
  return HD_OK;
}

static enum hd_rc smaller(const struct hd_args *args, char *small, struct smaller *s, struct hd_why *why) {
  enum hd_rc rc = HD_OK;
  char *save;
  *s = (struct smaller){.args = *args};
  s->args.set.n = 0;
  for (char *word = small ? strtok_r(small, " ", &save) : NULL; word && rc == HD_OK;
       word = strtok_r(NULL, " ", &save))
    rc = add_word(s, word, why);
  s->own = s->sizes.n;
  for (size_t i = 0; i < args->set.n && rc == HD_OK; i++)
    rc = add_word(s, args->set.text[i], why);
  return rc;
}

struct going {
  const char *module;
  size_t nth, of;    /* of the modules */
  size_t properties; /* properties looked at so far, or points of netlists */
};

static void progress(void *user, const char *property, size_t done, size_t of) {
  const struct going *g = user;
  hd_progress((struct hd_pace){.done = (double)g->nth + (double)done / (double)of, .of = (double)g->of},
              "proofs: %s, %s, %zu of %zu properties done", g->module, property, done, of);
}

/* Proves the properties of the module in a design that is small enough. */
static enum hd_rc prove_properties(const struct hd_args *args, const heddle_machine *machine,
                                   const struct hd_design *design, struct going *going, FILE *report,
                                   json_t *modules, struct hd_why *why) {
  struct hd_proof proof;
  char *work = hd_format("%s/%s", args->work, machine->c.name);
  const struct hd_proof_job job = {.design = design,
                                   .module = going->module,
                                   .rtl = args->rtl,
                                   .work = work,
                                   .limit_s = (unsigned)args->limit,
                                   .depth = (unsigned)args->depth,
                                   .property = args->property,
                                   .progress = progress,
                                   .user = going};
  const enum hd_rc rc = hd_prove(&job, &proof, why);
  hd_progress_end();
  if (rc == HD_OK || rc == HD_CHECK) {
    json_t *json = hd_proof_json(&proof);
    json_object_set_new(json, "config", hd_cli_config_json(&machine->c));
    json_array_append_new(modules, json);
    going->properties += proof.n;
    hd_proof_print(&proof, report);
  }
  hd_proof_free(&proof);
  free(work);
  return rc;
}

/* Proves one module in a machine that is small enough. */
static enum hd_rc prove_one(const struct hd_args *args, struct going *going, FILE *report, json_t *modules,
                            struct hd_why *why) {
  char *small = hd_rtl_checker_small(going->module);
  struct smaller with;
  heddle_machine *machine = NULL;
  struct hd_config c;
  struct hd_design *design = NULL;
  enum hd_rc rc = smaller(args, small, &with, why);
  if (rc == HD_OK)
    rc = hd_cli_machine(&with.args, going->module, &machine, why);
  if (rc == HD_OK)
    rc = hd_rtl_there(machine->design, going->module, why);
  if (rc == HD_OK)
    rc = hd_proof_sizes(machine->design, going->module, with.sizes.text, with.sizes.n, with.own, &c, why);
  if (rc == HD_OK)
    rc = hd_decl_known_cells(hd_design_find(machine->design, going->module), args->netlist,
                             args->netlist ? "--netlist" : "heddle prove", why);
  if (rc == HD_OK && !(design = hd_design_new(&c)))
    rc = hd_because(why, HD_TOOL, "out of memory");
  if (rc == HD_OK && args->netlist)
    rc = hd_cli_prove_netlist(args, design, going->module, report, modules, &going->properties, why);
  else if (rc == HD_OK)
    rc = prove_properties(args, machine, design, going, report, modules, why);
  if (design)
    hd_design_free(design);
  heddle_unload(machine);
  free(small);
  return rc;
}

/* Properties are about the module's own behaviour. A module with inner modules has none. */
static bool has_behaviour(const struct hd_decl *d) {
  return !d->model_only && !d->n_insts;
}

/* Proves all modules of the machine. The first message that is not good is the answer's. */
static enum hd_rc prove_all(const struct hd_args *args, const struct hd_design *design, struct going *going,
                            FILE *report, json_t *modules, struct hd_why *why) {
  enum hd_rc worst = HD_OK;
  going->of = 0;
  for (size_t i = 0; i < design->n; i++)
    going->of += has_behaviour(design->decls[i]);
  for (size_t i = 0; i < design->n && worst <= HD_CHECK; i++) {
    struct hd_why one;
    if (!has_behaviour(design->decls[i]))
      continue;
    going->module = design->decls[i]->module;
    const enum hd_rc rc = prove_one(args, going, report, modules, &one);
    if (rc > worst)
      *why = one;
    worst = rc > worst ? rc : worst;
    going->nth++;
  }
  return worst;
}

static enum hd_rc run(const struct hd_args *args, struct hd_why *why) {
  struct hd_answer answer;
  heddle_machine *machine = NULL;
  struct going going = {.module = args->top, .of = 1};
  json_t *modules = json_array();
  enum hd_rc rc = hd_answer_open(args, &answer, why);
  if (rc != HD_OK) {
    json_decref(modules);
    return rc;
  }
  if (args->limit < 1 || args->limit > 86400 || args->depth < 1 || args->depth > 10000)
    rc = hd_because(why, HD_INPUT, "--limit, --depth: found %llu, %llu; allowed 1 to 86400, 1 to 10000",
                    (unsigned long long)args->limit, (unsigned long long)args->depth);
  else if (args->netlist && (args->property || args->rtl))
    rc = hd_because(why, HD_INPUT, "--netlist: found with %s; allowed alone, for a netlist has no properties",
                    args->property ? "--property" : "--rtl");
  else if (args->of && (!args->netlist || !args->top))
    rc = hd_because(why, HD_INPUT, "--gates: found without --netlist and --module; give both");
  else if (args->clock_gate && (!args->netlist || args->of))
    rc =
        hd_because(why, HD_INPUT, "--clock-gate: found %s; allowed with --netlist, for the netlist made here",
                   args->netlist ? "with --gates" : "without --netlist");
  else if (args->property && !args->top)
    rc = hd_because(why, HD_INPUT, "--property: found without --module; give both");
  if (rc == HD_OK && !args->top)
    rc = hd_cli_machine(args, NULL, &machine, why);
  if (rc == HD_OK && args->top)
    rc = prove_one(args, &going, answer.report, modules, why);
  else if (rc == HD_OK)
    rc = prove_all(args, machine->design, &going, answer.report, modules, why);
  if (rc == HD_OK && !going.properties)
    rc = hd_because(why, HD_CHECK, "no property: none is written, and none follows from the declaration");
  heddle_unload(machine);
  const bool any = json_array_size(modules) > 0;
  json_t *json = any ? json_pack("{s:s, s:o, s:b, s:O}", "version", HD_VERSION, "made", hd_cli_now(), "good",
                                 rc == HD_OK, "modules", modules)
                     : NULL;
  json_decref(modules);
  return hd_answer_close(&answer, json, rc, why);
}

static const struct hd_opt opts[] = {
    HD_OPT_CONFIG(true),
    HD_OPT("module", 'm', HD_OPT_TEXT, false, top, "MODULE", "this module alone; else all of the machine"),
    HD_OPT("property", 'p', HD_OPT_TEXT, false, property, "NAME", "this property of it alone"),
    HD_OPT("rtl", 0, HD_OPT_TEXT, false, rtl, "DIR",
           "take DIR/MODULE.v, which has the same ports and registers, instead of what is generated"),
    HD_OPT("netlist", 0, HD_OPT_FLAG, false, netlist, NULL,
           "instead: the gates that synthesis makes of it do what its Verilog does"),
    HD_OPT(
        "gates", 0, HD_OPT_TEXT, false, of, "FILE",
        "with --netlist: these gates, JSON of Yosys with the names of the registers, instead of those made"),
    HD_OPT_GATE,
    HD_OPT("lib", 'l', HD_OPT_TEXT, false, lib, "LIB",
           "with --netlist: heddle45, osu018, or the path of a liberty file (heddle45)"),
    HD_OPT("depth", 0, HD_OPT_COUNT, false, depth, "N",
           "cycles looked at where no proof for all cycles is found (30)"),
    HD_OPT("limit", 0, HD_OPT_COUNT, false, limit, "SECONDS",
           "for each property and engine; with --netlist: for each port (60)"),
    HD_OPT("work", 0, HD_OPT_TEXT, false, work, "DIR", "Verilog, scripts, logs, traces (build/prove)"),
    HD_OPT_JSON,
    HD_OPT_END};
const struct hd_verb hd_verb_prove = {
    "prove",
    "properties of modules for all inputs, by model checking of small machines",
    NULL,
    "example: heddle prove -c mrpb -m mrpb\n"
    "         heddle prove -c mrpb -m mrpb --property order --limit 20\n"
    "         heddle prove -c mrpb --json proofs.json\n"
    "         heddle prove -c apcm -m psb --netlist\n"
    "Sizes are those of docs/prove.md, where --set does not change them. `proved` is for all cycles; "
    "`bounded`\n"
    "for the first ones after power-up, as many as `frames` says, and no proof for all; its exit code is 0 "
    "too.",
    opts,
    {.work = "build/prove", .lib = "heddle45", .limit = 60, .depth = 30},
    run};
