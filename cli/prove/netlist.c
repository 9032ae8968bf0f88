/* heddle prove --netlist; see netlist.h. */
#include "cli/prove/netlist.h"

#include <stdlib.h>
#include <string.h>

#include "cli/price/price.h"
#include "synth/equal/equal.h"

enum hd_rc hd_cli_prove_netlist(const struct hd_args *args, const struct hd_design *design,
                                const char *module, FILE *report, json_t *modules, size_t *points,
                                struct hd_why *why) {
  struct hd_lib lib = {0};
  char *lib_path = NULL, *netlist = NULL;
  enum hd_rc rc = hd_synth_lib_path(args->lib, args->work, &lib_path, why);
  if (rc == HD_OK)
    rc = hd_lib_read(lib_path, &lib, why);
  if (rc == HD_OK)
    rc =
        hd_cli_netlist(args->work, (unsigned)args->clock_gate, design, module, lib_path, &lib, &netlist, why);
  if (rc == HD_OK) {
    struct hd_equal equal;
    *strrchr(netlist, '/') = 0; /* its directory */
    const struct hd_equal_job job = {.module = hd_design_find(design, module),
                                     .dir = netlist,
                                     .netlist = args->of,
                                     .lib = &lib,
                                     .limit_s = (int)args->limit};
    rc = hd_equal_run(&job, &equal, why);
    hd_progress_end();
    if (equal.points) {
      json_t *json = hd_equal_json(&equal);
      json_object_set_new(json, "config", hd_cli_config_json(design->c));
      json_array_append_new(modules, json);
      *points += (size_t)equal.points;
      hd_equal_print(&equal, report);
    }
    hd_equal_free(&equal);
  }
  hd_lib_free(&lib);
  free(lib_path);
  free(netlist);
  return rc;
}
