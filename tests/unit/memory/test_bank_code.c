/* Code of a bank's cycle that is compiled for some machines (cmodel/memory/bank_cycle.c). It runs exactly the machines that share
 * its constants, and it changes nothing. The reference is a watched bank, which the code for all machines runs. It does the same
 * cycle by cycle, also if the other bank runs ahead. */
#include "cmodel/memory/specialized_banks.h"
#define EACH_MACHINE EACH_SPECIALIZED_L2
#include "tests/unit/specialized_rig.h"

#include <string.h>

#include "cmodel/memory/bank.h"
#include "workloads/rng.h"

enum {
  REQUESTS = 6000,
  MOST_CYCLES = 100000,
  SETS = 4,
  TAGS = 30,
  PART = 256 /* cycles with many requests, then with few */
};

static void look(void *user, struct l2_top_in *in) {
  (void)user, (void)in;
}
static void look_on(void *user, const struct l2_top_in *in, const struct l2_top_out *out) {
  (void)user, (void)in, (void)out;
}

static struct hd_bank *new_bank(const struct hd_design *design, bool watched) {
  const struct hd_bank_watch watch = {look, look_on, NULL};
  struct hd_bank *bank = hd_bank_new(design);
  assert_non_null(bank);
  assert_true(!watched || hd_bank_set_watch(bank, &watch));
  return bank;
}

static const char *code_for(const struct hd_design *design) {
  struct hd_bank *bank = new_bank(design, false);
  const char *const name = hd_bank_code(bank);
  hd_bank_free(bank);
  return name;
}

/* Sizes are no constants. The slice's features are. */
static void others_have_not(void **state) {
  (void)state;
  struct hd_config c = loaded("gpu/gtx480");
  c.l2.ways = 8;
  c.l2.mshrs = 7;
  code_becomes(&c, "gpu_gtx480");
  c.l2.maintenance = true;
  code_becomes(&c, "any");
  c = loaded("loscache");
  c.l2.maintenance = true;
  code_becomes(&c, "any");
}

/* A hash of all that has left a bank, in order, and the bank's figures. */
struct all_of_it {
  uint64_t left;
  struct hd_bank_stats stats;
};

static unsigned aheads; /* runs that ended in a later cycle */

static void note(struct all_of_it *o, uint64_t cycle, uint64_t what, uint64_t more) {
  o->left = wl_rng_mix(wl_rng_mix(o->left, cycle), wl_rng_mix(what, more));
}

static struct l2req request_of(const struct hd_config *c, unsigned n) {
  const uint64_t draw = wl_rng_mix(1, n);
  return (struct l2req){.sm = n % c->gpu.sms,
                        .kind = draw % 4 ? HD_FILL : HD_STORE,
                        .line = (draw >> 8) % SETS | (draw >> 16) % TAGS * c->l2.sets,
                        .id = n % 32,
                        .num = n / 32 % 32,
                        .pred = c->d.LOS ? (draw >> 32) % 4 : 0,
                        .sectors = c->d.SECTORED ? UINT64_C(1) << (draw >> 24) % c->d.SECTORS : 0};
}

/* `ahead`: the run may go on as far as no other unit can make a difference. */
static uint64_t until(const struct hd_bank *bank, bool ahead, uint64_t now) {
  const uint64_t more = ahead ? wl_rng_mix(3, now) % (hd_bank_lead(bank) + 1) : 0;
  return hd_bank_has_places(bank, (unsigned)more) ? now + more : now;
}

static struct all_of_it run(const struct hd_config *c, bool watched, bool ahead, const char *code) {
  struct hd_design *design = hd_design_new(c);
  struct hd_bank *bank = new_bank(design, watched);
  assert_string_equal(hd_bank_code(bank), code);
  struct all_of_it o;
  memset(&o, 0, sizeof o);
  struct hd_bank_moves moves = {.at = 0};
  struct l2rsp rsp;
  unsigned pushed = 0, answers = 0;
  uint64_t now = 0, room_from = 0; /* from this cycle on the next answer has a place */
  for (; answers < REQUESTS; now++) {
    assert_true(now < MOST_CYCLES);
    const uint64_t draw = wl_rng_mix(2, now);
    if (pushed < REQUESTS && !hd_bank_full(bank) && (now / PART % 2 ? draw % 3 : draw % 24 == 0)) {
      const struct l2req q = request_of(c, pushed++);
      hd_bank_push(bank, &q, now + c->l2.latency);
    }
    if (!ahead || now == room_from)
      hd_bank_wake(bank);
    if (hd_bank_next(bank, now >= room_from) <= now) {
      moves = hd_bank_run(bank, now, until(bank, ahead, now), now >= room_from ? &rsp : NULL);
      aheads += moves.any && moves.at > now;
    }
    if (moves.answered && moves.at == now) {
      answers++;
      room_from = now + 1 + draw / 5 % 5 / 4;
      note(&o, now, rsp.id << 32 | rsp.num << 16 | rsp.sm << 8 | rsp.kind, rsp.sectors);
    }
    const struct hd_bank_fetch *f = hd_bank_fetch(bank);
    if (f && f->at <= now && draw % 7) {
      note(&o, now, f->line << 8 | f->mshr, f->write);
      if (!f->write)
        hd_bank_fill(bank, f->mshr, now + c->dram.latency);
      hd_bank_fetched(bank);
      hd_bank_wake(bank);
    }
  }
  o.stats = *hd_bank_stats(bank, now);
  hd_bank_free(bank);
  hd_design_free(design);
  return o;
}

static void it_changes_nothing(void **state) {
  (void)state;
  for (unsigned i = 0; i < MACHINES; i++) {
    const struct hd_config c = loaded(machines[i].config);
    const struct all_of_it own = run(&c, false, false, machines[i].name),
                           ahead = run(&c, false, true, machines[i].name), any = run(&c, true, false, "any");
    assert_memory_equal(&own, &any, sizeof own);
    assert_memory_equal(&ahead, &any, sizeof ahead);
    assert_true(aheads > 200);
    aheads = 0;
    const struct hd_bank_stats *s = &own.stats;
    assert_true(s->read_hits > 100 && s->write_hits > 50 && s->merges > 50 && s->writebacks > 50);
    assert_true(s->evictions > 50 && s->fails[HD_BANK_MERGE] > 50);
    assert_true(!c.d.L2_SECTOR_FILL || s->sector_misses > 50);
    assert_true(!c.d.LOS || (s->closes_last > 50 && s->closes_fill > 50 && s->wakes > 50));
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
