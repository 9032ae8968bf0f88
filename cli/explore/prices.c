/* Area and clock of a machine's Verilog; see explore.h. Memories are priced by the embedded model, so that
 * the answer does not depend on CACTI being installed; logic is priced by Yosys and OpenSTA, one module at
 * a time.
 *
 * Invariant: a module's price is that of its Verilog, whichever machine it was first synthesised for.
 */
#include "base/programs.h"
#include "cli/explore/explore.h"
#include "cli/price/price.h"
#include "cli/store/synth_rows.h"
#include "cli/synthesis.h" /* generated: HD_SYNTHESIS_HASH, over the sources of heddle45, of the flow and of
                            * the memory model */
#include "rtl_gen/rtl.h"

#include <stdlib.h>
#include <string.h>

static const struct hd_pricer model; /* 45 nm, without CACTI */
static const char lib[] = "heddle45";

/* "Yosys 0.23, OpenSTA 2.0, flow 0123...": the versions that a price of Verilog depends on. */
static const char *tools(void) {
  static char text[240];
  char yosys[64], sta[64];
  if (!*text) {
    hd_program_check(HD_YOSYS, yosys, sizeof yosys);
    hd_program_check(HD_OPENSTA, sta, sizeof sta);
    snprintf(text, sizeof text, "Yosys %s, OpenSTA %s, flow %s", yosys, sta, HD_SYNTHESIS_HASH);
  }
  return text;
}

/* Hashes the Verilog of a module and of all modules in it. */
static enum hd_rc hash_of(const struct hd_design *design, const char *module, struct hd_hash_text *hash,
                          struct hd_why *why) {
  struct hd_synth_module *all = NULL;
  const int n = hd_synth_modules_of(design, module, &all);
  uint64_t h = HD_HASH_START;
  enum hd_rc rc = HD_OK;
  for (int i = 0; i < n && rc == HD_OK; i++) {
    char *text = hd_rtl_module_text(design, all[i].name, why);
    rc = text ? HD_OK : HD_CHECK;
    h = text ? hd_hash_text(h, text) : h;
    free(text);
  }
  free(all);
  snprintf(hash->text, sizeof hash->text, "%016llx", (unsigned long long)h);
  return rc;
}

/* Prices a module alone, or the L1D with the modules attached to it; from the store if it has the price.
 * *kept false: the store cannot be written. */
static enum hd_rc price(struct hd_explore *e, const struct hd_design *design, const char *module,
                        bool attached, struct hd_synth_figures *f, bool *kept, struct hd_why *why) {
  char *called = hd_format("%s%s", module, attached ? "+" : "");
  struct hd_synth_key key = {.module = called, .lib = lib, .tools = tools()};
  enum hd_rc rc = hash_of(design, attached ? "sm_mem" : module, &key.rtl, why);
  if (rc == HD_OK && !hd_store_find_synth(e->store, &key, f)) {
    struct hd_args args = *e->args;
    struct hd_synth_report report;
    args.attached = attached;
    args.lib = lib;
    rc = hd_cli_synth(&args, design, module, (struct hd_cli_alone){0, 1}, &model, &report, why);
    if (rc == HD_OK) {
      const struct hd_synth_result *r = &report.result[0];
      *f = (struct hd_synth_figures){r->net.cells, r->net.flipflops, r->net.area_um2, r->net.leak_nw,
                                     r->timing.fmax_mhz};
      rc = hd_store_keep_synth(e->store, &key, f, r->seconds, why);
      *kept = rc == HD_OK;
    }
    hd_synth_free(&report);
  }
  free(called);
  return rc;
}

/* True if modules are attached to the L1D. Then its paths lead through them, and its price alone is not
 * complete. */
static bool has_attached(const struct hd_design *design) {
  struct hd_why why;
  struct hd_synth_module *group = hd_synth_attached(design, "l1d", &why), *alone = NULL;
  const int n = hd_synth_modules_of(design, "l1d", &alone);
  const bool more = group && n > 0 && group->declared_bits != alone->declared_bits;
  free(group);
  free(alone);
  return more;
}

/* Adds memories and, if requested, logic of a module that contains others. */
static enum hd_rc price_whole(struct hd_explore *e, const struct hd_design *design, const char *top,
                              double *area_mm2, double *clock_mhz, bool *kept, struct hd_why *why) {
  const struct hd_decl *of = hd_design_find(design, top);
  struct hd_synth_result sum = {.net = {.cells = 0}};
  struct hd_synth_report logic = {.result = &sum, .results = 1};
  snprintf(sum.name, sizeof sum.name, "%s", top);
  snprintf(logic.lib, sizeof logic.lib, "%s", lib);
  enum hd_rc rc = e->logic ? hd_rtl_there(design, top, why) : HD_OK;
  for (size_t i = 0; i < design->n && rc == HD_OK && e->logic; i++) {
    const struct hd_decl *d = design->decls[i];
    struct hd_synth_figures f = {0};
    if (d->n_insts || !hd_cli_times_in(of, d->module))
      continue;
    rc = price(e, design, d->module, false, &f, kept, why);
    struct hd_synth_result leaf = {.net = {.area_um2 = f.area_um2, .leak_nw = f.leak_nw},
                                   .timing = {.fmax_mhz = f.fmax_mhz}};
    snprintf(leaf.name, sizeof leaf.name, "%s", d->module);
    hd_cli_add_logic(of, &leaf, &sum);
  }
  struct hd_area_memory *memory = NULL;
  const int memories = hd_area_memories_of(design, NULL, &top, 1, &memory);
  struct hd_area_report area = {0};
  const struct hd_area_job job = {
      .memory = memory, .memories = memories, .synth = &logic, .synths = e->logic, .pricer = model};
  if (rc == HD_OK)
    rc = hd_area_run(&job, &area, why);
  *area_mm2 = area.total_mm2;
  *clock_mhz = sum.timing.fmax_mhz;
  hd_area_free(&area);
  hd_area_memories_free(memory, memories);
  return rc;
}

enum hd_rc hd_explore_prices(struct hd_explore *e, const heddle_machine *machine, double *area_mm2,
                             double *clock_mhz, bool *kept, struct hd_why *why) {
  const struct hd_design *design = machine->design;
  double sm, slice = 0, ignored;
  *kept = true;
  enum hd_rc rc = price_whole(e, design, "sm_mem", &sm, clock_mhz, kept, why);
  if (rc == HD_OK && machine->c.d.L2)
    rc = price_whole(e, design, "l2_top", &slice, &ignored, kept, why);
  if (rc == HD_OK && hd_explore_wants(e, HD_GOAL_CLOCK) && has_attached(design)) {
    struct hd_synth_figures f = {0};
    rc = price(e, design, "l1d", true, &f, kept, why);
    *clock_mhz = f.fmax_mhz && f.fmax_mhz < *clock_mhz ? f.fmax_mhz : *clock_mhz;
  }
  *area_mm2 = sm * machine->c.gpu.sms + slice * machine->c.l2.banks;
  return rc;
}
