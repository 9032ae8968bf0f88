/* The environments of the L1D, the coalescer and sm_mem with CASC, the reuse-frequency table and MemSched. Golden models pass with
 * every event seen. A model that does one thing wrong, now and then, is caught. */
#include "tests/unit/harness/env_wrong.h"

enum { MAX_HOW = 8 };

/* Machines that differ in all that matters to the module. */
static struct play machine(const char *module, unsigned how) {
  static const enum hd_casc scheme[] = {HD_CASC_LOCALITY, HD_CASC_ALL,      HD_CASC_FIRST, HD_CASC_OFF,
                                        HD_CASC_PER_SET,  HD_CASC_LOCALITY, HD_CASC_OFF,   HD_CASC_LAST};
  static const enum hd_rft form[] = {HD_RFT_OFF, HD_RFT_OFF,     HD_RFT_BIT, HD_RFT_AVERAGE,
                                     HD_RFT_OFF, HD_RFT_AVERAGE, HD_RFT_BIT, HD_RFT_OFF};
  struct play p = of(module);
  struct hd_config *c = &p.c;
  c->casc.scheme = scheme[how];
  c->casc.sample_bits = 3;
  c->rft.form = form[how];
  c->rft.entries = how % 2 ? 8 : 16;
  c->rft.resample = how % 2 ? 3 : 0;
  c->rft.queue = 1;
  c->l1d.sets = how % 3 ? 4 : 32;
  c->l1d.ways = 2 + how % 3;
  c->l1d.bypass_slots = 8;
  c->l1d.bypass_hit = how % 4 == 1 ? HD_BYPASS_FORWARD : HD_BYPASS_SERVE;
  c->l1d.allocate = how == 1 || how == 4 ? HD_ON_FILL : HD_ON_MISS;
  c->request_buffer.bypass = how == 5 ? HD_BYPASS_ALL : HD_BYPASS_OFF;
  c->memory.bytes_per_cycle = 128;
  if (how >= 3) {
    c->request_buffer.kind = HD_MEMSCHED;
    c->request_buffer.drain = how == 3 ? HD_DRAIN_RR : HD_DRAIN_GRR;
    c->request_buffer.probes = how == 7 ? 1 : how - 2 < 4 ? how - 2 : 4;
    c->request_buffer.tags = how == 4 ? HD_PTAGS_FF : HD_PTAGS_RAM;
  }
  return p;
}

static void sees_all(const char *module, uint64_t cycles) {
  for (unsigned how = 0; how < MAX_HOW; how++) {
    struct play p = machine(module, how);
    p.cycles = cycles;
    p.want_all = true;
    passes(&p);
    if (p.unseen)
      fail_msg("%s, machine %u: %u events not seen", module, how, p.unseen);
  }
}

static void test_l1d(void **state) {
  (void)state;
  sees_all("l1d", 100000);
}

static void test_coalescer(void **state) {
  (void)state;
  sees_all("coalescer", 20000);
}

static void test_sm_mem(void **state) {
  (void)state;
  sees_all("sm_mem", 400000);
}

/* --- one thing wrong ------------------------------------------------------------------------------------ */

SEEN(bypasses, l1d, in->req_valid && !in->req.byp && !in->req.write, in->req.byp = 1)
SEEN(keeps, l1d, in->req_valid && in->req.byp, in->req.byp = 0)
SHOWN(other_hash, l1d, out->outcome_take, out->took.hpc ^= 1)
SEEN(advises, l1d, true, in->advice_bypass = 1)
SHOWN(evicts, l1d, out->outcome_load && !out->outcome_evict, out->outcome_evict = 1)
SHOWN(tries, l1d, !out->outcome_tried, out->outcome_tried = out->outcome_load = 1)
SHOWN(other_warp, l1d, out->outcome_tried, out->outcome.wid ^= 1)
SHOWN(gives_back, l1d, out->outcome_load, out->outcome_load = 0)
SHOWN(keeps_back, l1d, out->outcome_tried && !out->outcome_load, out->outcome_load = 1)

static void test_wrong_l1d(void **state) {
  (void)state;
  caught_in(machine("l1d", 4), bypasses, "that nothing lets bypass");
  caught_in(machine("l1d", 4), keeps, "for loads that are all to bypass");
  caught_in(machine("l1d", 1), keeps, "was to go to the memory");
  caught_in(machine("l1d", 0), bypasses, "goes on uncached, by OUTCOME");
  caught_in(machine("l1d", 0), keeps, "by the joining rule it goes on uncached");
  caught_in(machine("l1d", 3), advises, "goes on uncached, by OUTCOME");
  caught_in(machine("l1d", 0), other_hash, "with other fields than its own");
  caught_in(machine("l1d", 0), evicts, "replace a load's line");
  caught_in(machine("l1d", 3), tries, "");
  caught_in(machine("l1d", 3), other_warp, "the oldest load");
  caught_in(machine("l1d", 3), gives_back, "");
  caught_in(machine("l1d", 3), keeps_back, "");
}

SEEN(other_pc, coalescer, in->issue_valid, in->issue_pc ^= 4)
SHOWN(many, coalescer, out->req_valid, out->req_many ^= 1)

static void test_wrong_coalescer(void **state) {
  (void)state;
  caught_in(machine("coalescer", 0), other_pc, "hash of its instruction's program counter");
  caught_in(machine("coalescer", 0), many, "");
}

/* Hides from the model, or from the environment, that CASC is enabled. */
static void never_casc(void *in, void *out) {
  if (!out)
    ((struct sm_mem_in *)in)->casc_en = 0;
}
static void secret_casc(void *in, void *out) {
  if (out)
    ((struct sm_mem_in *)in)->casc_en = 0;
}
SHOWN(as_if_bypassed, sm_mem, out->mreq_valid && out->mreq.kind == HD_BYPASSED, out->mreq.num ^= 1)

static void test_wrong_sm_mem(void **state) {
  (void)state;
  caught_in(machine("sm_mem", 1), never_casc, "that is to be cached waits for it");
  caught_in(machine("sm_mem", 4), as_if_bypassed, "");
  caught_in(machine("sm_mem", 7), secret_casc, "and nothing lets it");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_l1d),
      cmocka_unit_test(test_coalescer),
      cmocka_unit_test(test_sm_mem),
      cmocka_unit_test(test_wrong_l1d),
      cmocka_unit_test(test_wrong_coalescer),
      cmocka_unit_test(test_wrong_sm_mem),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
