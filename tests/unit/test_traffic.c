/* The environments of every module that these machines have pass on its golden model. What each drives is printed as
 * a digest, which tests/builds/run compares between builds: random traffic depends on its seed alone, not on the
 * compiler.
 */
#include "tests/unit/env_rig.h"

#include <inttypes.h>

static void play_modules(const char *path) {
  struct play machine = {.seed = 1, .cycles = 20000};
  assert_int_equal(hd_config_load(&machine.c, path, stderr), 0);
  struct hd_design *design = hd_design_new(&machine.c);
  for (size_t i = 0; i < design->n; i++) {
    struct play p = machine;
    p.module = design->decls[i]->module;
    passes(&p);
    print_message("traffic %s %s %016" PRIx64 "\n", path, p.module, p.trace);
  }
  hd_design_free(design);
}

static void every_module(void **state) {
  (void)state;
  play_modules("configs/mrpb.yaml");
  play_modules("configs/apres.yaml");
  play_modules("configs/lockstep/choo_all.yaml");
  play_modules("configs/apcm_kepler.yaml");
  play_modules("configs/loscache.yaml");
  play_modules("configs/lockstep/los_sm_slot.yaml");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_module)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
