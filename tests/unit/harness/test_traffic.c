/* For every module of these machines, which are all modules that are hardware, the environment passes on the golden model. The test
 * prints a digest of the inputs that each environment drives. tests/builds/long compares the digests between builds: random traffic
 * depends on its seed alone, not on the compiler. */
#include "tests/unit/harness/env_rig.h"

#include <inttypes.h>

static const char *played[128];
static size_t n_played;

static bool is_played(const char *module) {
  for (size_t i = 0; i < n_played; i++)
    if (!strcmp(played[i], module))
      return true;
  return false;
}

static void play_modules(const char *path) {
  struct play machine = {.seed = 1, .cycles = 20000, .traced = true};
  assert_int_equal(hd_config_load(&machine.c, path, stderr), 0);
  struct hd_design *design = hd_design_new(&machine.c);
  for (size_t i = 0; i < design->n; i++) {
    struct play p = machine;
    p.module = design->decls[i]->module;
    passes(&p);
    if (!is_played(p.module)) {
      assert_true(n_played < sizeof played / sizeof *played);
      played[n_played++] = p.module;
    }
    print_message("traffic %s %s %016" PRIx64 "\n", path, p.module, p.trace);
  }
  hd_design_free(design);
}

static void every_module(void **state) {
  (void)state;
  play_modules("configs/mrpb.yaml");
  play_modules("configs/apres.yaml");
  play_modules("configs/lockstep/choo/choo_all.yaml");
  play_modules("configs/apcm_kepler.yaml");
  play_modules("configs/loscache.yaml");
  play_modules("configs/lockstep/loscache/los_sm_slot.yaml");
  play_modules("configs/lockstep/ccws/ccws_small.yaml");
  play_modules("configs/lockstep/mascar/mascar_small.yaml");
  play_modules("configs/lockstep/mix/mix_everything.yaml");
  play_modules("configs/lockstep/l1d/kinds_mix.yaml");
  play_modules("configs/lockstep/l1d/sectors_mix.yaml");
  play_modules("configs/lockstep/l1d/sectors_mascar.yaml");
  play_modules("configs/lockstep/l1d/sectors_l2.yaml");
  play_modules("configs/lockstep/l1d/sectored_mix.yaml");
  play_modules("configs/lockstep/l2/l2_sectored.yaml");
  play_modules("configs/axi4.yaml");
  play_modules("configs/axi4_l2.yaml");
  play_modules("configs/apb.yaml");
  struct hd_config c;
  hd_config_default(&c);
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  struct hd_design *all = hd_design_all(&c);
  for (size_t i = 0; i < all->n; i++)
    if (!all->decls[i]->model_only && !is_played(all->decls[i]->module))
      fail_msg("no machine here has %s", all->decls[i]->module);
  hd_design_free(all);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_module)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
