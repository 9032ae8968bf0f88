/* The environment of the control registers: golden models pass in machines of many kinds with every event seen, and errors are
 * caught. */
#include "tests/unit/harness/env_wrong.h"

static struct play of_choo(void) {
  struct play p = of("apb_regs");
  p.c.request_buffer.kind = HD_MEMSCHED;
  p.c.casc.scheme = HD_CASC_PER_SET;
  p.c.bus.control = HD_CONTROL_APB4;
  return p;
}

static struct play of_apres(unsigned bits) {
  struct play p = of("apb_regs");
  p.c.scheduler.policy = HD_LAWS;
  p.c.prefetch.kind = HD_PF_SAP;
  p.c.bus.control = HD_CONTROL_APB4;
  p.c.bus.counter_bits = bits;
  return p;
}

/* A machine with all thresholds. */
static struct play of_mix(const char *module) {
  struct play p = of(module);
  assert_int_equal(hd_config_load(&p.c, "configs/lockstep/apb/apb_mix.yaml", stderr), 0);
  return p;
}

static void sees_all(struct play p) {
  p.cycles = 100000;
  p.want_all = true;
  passes(&p);
  assert_int_equal(p.unseen, 0);
}

/* Inside the SM: an enable that changes only at rest waits for a flush of the SM. */
static void test_at_rest(void **state) {
  (void)state;
  struct play p = {.module = "sm_mem", .seed = 1};
  assert_int_equal(hd_config_load(&p.c, "configs/lockstep/apb/apb_short.yaml", stderr), 0);
  sees_all(p);
}

static void test_pass(void **state) {
  (void)state;
  sees_all(of_choo());
  sees_all(of_mix("apb_regs"));
  for (unsigned bits = 32; bits <= 64; bits += 4)
    sees_all(of_apres(bits));
  for (unsigned n = 1; n <= 4; n *= 2) {
    struct play p = of_choo();
    p.c.sm.schedulers = n;
    sees_all(p);
  }
}

SHOWN(early, apb_regs, in->s_apb_psel && !out->s_apb_pready, out->s_apb_pready = 1)
SHOWN(late, apb_regs, out->s_apb_pready, out->s_apb_pready = 0)
SHOWN(alone, apb_regs, !in->s_apb_psel, out->s_apb_pready = 1)
SHOWN(value, apb_regs, out->s_apb_pready && !in->s_apb_pwrite && !out->s_apb_pslverr, out->s_apb_prdata ^= 1)
SHOWN(no_error, apb_regs, out->s_apb_pready && out->s_apb_pslverr, out->s_apb_pslverr = 0)
SHOWN(some_error, apb_regs, out->s_apb_pready && !out->s_apb_pslverr, out->s_apb_pslverr = 1)
SHOWN(switched, apb_regs, true, out->casc_en ^= 1)
SEEN(not_written, apb_regs, in->s_apb_psel && in->s_apb_pwrite && in->s_apb_pstrb & 1,
     in->s_apb_pstrb &= ~UINT64_C(1))
SEEN(elsewhere, apb_regs, in->s_apb_psel && !in->s_apb_penable, in->s_apb_paddr ^= 4)
SEEN(no_flush, apb_regs, in->flush, in->flush = 0)
SEEN(flushed, apb_regs, !in->flush, in->flush = 1)
SEEN(no_pick, apb_regs, in->pick_valid[1], in->pick_valid[1] = 0)
SEEN(hit_lost, apb_regs, in->ev.hits, in->ev.hits = 0)
SEEN(wait_invented, apb_regs, !in->ev.memory_waits, in->ev.memory_waits = 1)

static void test_wrong(void **state) {
  (void)state;
  const struct play p = of_choo();
  caught_in(p, early, "it ends in its third");
  caught_in(p, late, "it ends in its third");
  caught_in(p, alone, "it ends in its third");
  caught_in(p, value, "is read as");
  caught_in(p, no_error, "PSLVERR of a");
  caught_in(p, some_error, "PSLVERR of a");
  caught_in(p, switched, "the enables are");
  caught_in(p, not_written, "");
  caught_in(p, elsewhere, "");
  caught_in(p, no_flush, "the enables are");
  caught_in(p, flushed, "the enables are");
  caught_in(p, no_pick, "register 108 is read as");
  caught_in(p, hit_lost, "register 128 is read as");
  caught_in(p, wait_invented, "register 160 is read as");
}

SEEN(illegal_too, apb_regs, in->s_apb_psel && in->s_apb_pwrite, in->s_apb_pwdata = 200)
SHOWN(threshold_off, apb_regs, true, out->mascar_mshrs ^= 1)
SHOWN(limit_off, apb_regs, true, out->swl_limit ^= 1)
HEARD(more_mshrs, mascar, mascar_mshrs, 2)
HEARD(more_places, mascar, mascar_places, 1)
HEARD(lower_limit, warp_limit, swl_limit, 1)
HEARD(soon_enough, mta, apcm_threshold, 2)
HEARD(longer, pred_table, los_phase, 15)
HEARD(higher, rft, rft_threshold, 64)

/* A threshold's register, and each module that compares with a threshold, change in the middle of the run. */
static void test_thresholds(void **state) {
  (void)state;
  static const char *const modules[] = {"mascar", "warp_limit", "mta", "pred_table", "rft"};
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
    sees_all(of_mix(modules[i]));
  caught_in(of_mix("apb_regs"), illegal_too, "");
  caught_in(of_mix("apb_regs"), threshold_off, "mascar_mshrs is");
  caught_in(of_mix("apb_regs"), limit_off, "swl_limit is");
  caught_in(of_mix("mascar"), more_mshrs, "withhold is");
  caught_in(of_mix("mascar"), more_places, "withhold is");
  caught_in(of_mix("warp_limit"), lower_limit, "the first that waits is");
  caught_in(of_mix("mta"), soon_enough, "patterns");
  caught_in(of_mix("pred_table"), longer, "");
  caught_in(of_mix("rft"), higher, "what is known says");
}

static void test_same_seed_same_run(void **state) {
  (void)state;
  struct play a = of_choo();
  a.traced = true;
  struct play b = a, c = a;
  c.seed = 2;
  passes(&a);
  passes(&b);
  passes(&c);
  assert_true(a.checked > 100);
  assert_int_equal(a.trace, b.trace);
  assert_true(a.trace != c.trace);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_pass), cmocka_unit_test(test_at_rest),
                                     cmocka_unit_test(test_wrong), cmocka_unit_test(test_thresholds),
                                     cmocka_unit_test(test_same_seed_same_run)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
