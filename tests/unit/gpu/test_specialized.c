/* Code of the lazy run that is compiled for one machine (cmodel/step/run.c). It runs that machine and exactly the machines that
 * share its constants. It changes nothing: all figures are those of a run of every cycle. */
#include "cmodel/step/specialized_machines.h"
#define EACH_MACHINE EACH_SPECIALIZED
#include "tests/unit/specialized_rig.h"

#include <string.h>

#include "cmodel/gpu/sim.h"
#include "cmodel/model/models.h"
#include "cmodel/step/lazy.h"
#include "workloads/workloads.h"

static const char *code_for(const struct hd_design *design) {
  struct sm_mem *m = hd_model_new(design, "sm_mem", false, NULL);
  assert_non_null(m);
  const char *const name = hd_lazy_code_for(m)->name;
  hd_model_free(m);
  return name;
}

/* Sizes are no constants. The presence and the kind of a part are. */
static void others_have_not(void **state) {
  (void)state;
  struct hd_config c = loaded("fermi_16k");
  c.l1d.ways = 8;
  c.l1d.mshrs = 7;
  code_becomes(&c, "fermi_16k");
  c.l1d.allocate = HD_ON_FILL;
  code_becomes(&c, "any");
  c = loaded("fermi_16k");
  c.request_buffer.kind = HD_MRPB;
  c.request_buffer.bypass = HD_BYPASS_OFF;
  code_becomes(&c, "any");
  c.request_buffer.bypass = HD_BYPASS_ALL;
  code_becomes(&c, "mrpb");
}

static struct hd_sim_result run(const struct hd_config *c, const char *spec, bool no_skip) {
  char err[256];
  struct hd_why why;
  struct hd_sim_result r;
  struct hd_design *design = hd_design_new(c);
  struct wl_source *source = wl_open(spec, err, sizeof err);
  assert_non_null(source);
  const struct hd_sim_job job = {.design = design, .source = source, .no_skip = no_skip};
  assert_int_equal(hd_sim_run(&job, &r, &why), HD_OK);
  source->ops->close(source);
  hd_design_free(design);
  r.seconds = 0;
  return r;
}

static void it_changes_nothing(void **state) {
  (void)state;
  static const char *const kernels[] = {"atax:n=64", "gesummv:n=32"};
  for (unsigned i = 0; i < MACHINES; i++)
    for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; k++) {
      struct hd_config c = loaded(machines[i].config);
      c.gpu.sms = 1;
      if (!c.d.L2) { /* so that lines are replaced and few cycles are empty */
        c.l1d.sets = 4;
        c.memory.latency = 30;
      }
      code_becomes(&c, machines[i].name);
      const struct hd_sim_result lazy = run(&c, kernels[k], false), all = run(&c, kernels[k], true);
      assert_true(lazy.misses + lazy.bypasses > 50);
      assert_memory_equal(&lazy, &all, sizeof lazy);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_machine_has_its_own),
      cmocka_unit_test(others_have_not),
      cmocka_unit_test(it_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
