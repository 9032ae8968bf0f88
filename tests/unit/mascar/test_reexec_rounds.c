/* Loads that go round in MASCAR's queue: cycles of a lazy run that are passed at once (cmodel/mascar/lazy.h). With wrong bits in the
 * queue's places too, a lazy run does the same as a run of every cycle. */
#include "tests/unit/gpu/core_rig.h"
#include "workloads/rng.h"

#include <string.h>

#include "cmodel/mascar/lazy.h"

enum { DEPTH = 13, ROWS = 16 /* that a place may name */, LIMIT = 400000 };

/* More loads go round than the L1D holds. They lack ways in one cache and MSHRs in the other. */
static struct hd_config machine(bool ways) {
  struct hd_config c;
  hd_config_default(&c);
  c.request_buffer.kind = HD_REEXEC;
  c.request_buffer.depth = DEPTH;
  c.memory.latency = 200;
  c.l1d.sets = ways ? 2 : 64;
  c.l1d.mshrs = ways ? 20 : 4;
  return c;
}

/* Runs both to a cycle in which loads go round, `from` or later. Returns the cycle, or 0 if the workload ends before. */
static uint64_t to_a_round(struct run *lazy, struct run *full, uint64_t from) {
  for (uint64_t now = from; !hd_sm_done(full->core.sm); now++) {
    assert_true(now < LIMIT);
    hd_core_run(&full->core, now, true);
    if (full->core.m->u_reexec->s.count > 2 &&
        reexec_goes_round(full->core.m->u_reexec, full->core.m->u_l1d)) {
      hd_core_run(&lazy->core, now, false);
      return now;
    }
  }
  return 0;
}

static void assert_equal(struct run *a, struct run *b) {
  hd_lazy_settle(&a->core.lazy);
  assert_events_equal(&a->core.m->u_l1d->base, &b->core.m->u_l1d->base);
  assert_events_equal(&a->core.m->u_reexec->base, &b->core.m->u_reexec->base);
  const struct reexec_st *const x = &a->core.m->u_reexec->s, *const y = &b->core.m->u_reexec->s;
  const struct l1d_st *const k = &a->core.m->u_l1d->s, *const l = &b->core.m->u_l1d->s;
  assert_int_equal(x->head, y->head);
  assert_int_equal(x->tail, y->tail);
  assert_int_equal(x->count, y->count);
  assert_memory_equal(x->fifo, y->fifo, ROWS * sizeof *x->fifo);
  assert_memory_equal(&x->fifo_q, &y->fifo_q, sizeof x->fifo_q);
  assert_memory_equal(&k->a0, &l->a0, sizeof k->a0);
  assert_memory_equal(&k->c, &l->c, sizeof k->c);
  assert_memory_equal(&k->d, &l->d, sizeof k->d);
}

/* As many cycles are passed as may be, at most. None is a number too. */
static void no_more_than_asked(void **state) {
  (void)state;
  const struct hd_config c = machine(false);
  struct run lazy, full;
  begin(&lazy, &c);
  begin(&full, &c);
  assert_true(to_a_round(&lazy, &full, 1) > 0);
  struct sm_mem *const m = lazy.core.m;
  assert_int_equal(reexec_pass(m, 0), 0);
  assert_int_equal(reexec_pass(m, 1), 1);
  assert_int_equal(reexec_pass(m, 2), 2);
  m->u_reexec->s.count = 0;
  assert_int_equal(reexec_pass(m, 1), 0);
  end(&lazy);
  end(&full);
}

/* Wrong values of the queue's registers. `tail` may fit the other two. */
struct strike {
  uint64_t head, tail, count;
};
static struct strike draw_strike(struct wl_rng *rng, const struct run *r) {
  const struct reexec_st *const s = &r->core.m->u_reexec->s;
  struct strike to = {s->head, s->tail, s->count};
  if (wl_rng_below(rng, 2))
    to.head = wl_rng_below(rng, ROWS);
  if (wl_rng_below(rng, 2))
    to.count = wl_rng_below(rng, ROWS);
  if (wl_rng_below(rng, 2))
    to.tail = wl_rng_below(rng, 2) ? (to.head + to.count) % DEPTH : wl_rng_below(rng, ROWS);
  return to;
}

/* The rows that the hardware does not have hold a load that goes round too. */
static void set_wrong(struct run *r, const struct strike *to) {
  struct reexec_st *const s = &r->core.m->u_reexec->s;
  for (unsigned row = DEPTH; row < ROWS; row++)
    s->fifo[row] = s->fifo[s->head];
  s->head = to->head;
  s->tail = to->tail;
  s->count = to->count;
}

static bool is_outside(const struct run *r) {
  const struct reexec_st *const s = &r->core.m->u_reexec->s;
  return s->head >= DEPTH || s->tail >= DEPTH;
}

/* Some cycles after a wrong bit. The runs end then, since an SM does not go on with loads that are lost or come twice. */
static void wrong_bits(void **state) {
  (void)state;
  unsigned struck = 0, outside = 0;
  for (uint64_t seed = 1; seed <= 1000; seed++) {
    struct wl_rng rng = {seed};
    const struct hd_config c = machine(seed % 2);
    struct run lazy, full;
    begin(&lazy, &c);
    begin(&full, &c);
    const uint64_t now = to_a_round(&lazy, &full, 1 + wl_rng_below(&rng, 3000));
    if (now) {
      const struct strike to = draw_strike(&rng, &full);
      const uint64_t end = now + 1 + wl_rng_below(&rng, 12);
      print_message("seed %u: %u %u %u, cycles %u to %u\n", (unsigned)seed, (unsigned)to.head,
                    (unsigned)to.tail, (unsigned)to.count, (unsigned)now, (unsigned)end);
      set_wrong(&lazy, &to);
      set_wrong(&full, &to);
      struck++;
      outside += is_outside(&full);
      hd_core_run(&lazy.core, end, false);
      hd_core_run(&full.core, end, true);
      assert_equal(&lazy, &full);
    }
    end(&lazy);
    end(&full);
  }
  assert_true(struck > 800 && outside > 60);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_more_than_asked), cmocka_unit_test(wrong_bits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
