/* A GPU run on several threads (docs/gpu.md, "Threads"): all figures are those of one thread, also those over time. And each task of
 * a round runs exactly once, however late a thread comes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "cmodel/gpu/sharing.h"
#include "cmodel/gpu/sim.h"
#include "cmodel/gpu/team.h"
#include "tests/unit/loaded.h"
#include "tests/unit/trace/trace_rig.h"
#include "workloads/workloads.h"

/* ---- The team ---- */

enum { TASKS = 37, ROUNDS = 600 };

struct tally {
  unsigned round[TASKS]; /* rounds that ran the task: not atomic, so that two at a time would lose some */
  atomic_uint all, wrong;
  unsigned now;
};

static void note(void *ctx, unsigned number) {
  struct tally *t = ctx;
  if (number >= TASKS || t->round[number] != t->now)
    atomic_fetch_add(&t->wrong, 1);
  else
    t->round[number]++;
  /* long and short tasks, so that threads take tasks from others */
  for (volatile unsigned i = 0; i < (number % 7 == 0 ? 500 : 5); i++)
    ;
  atomic_fetch_add(&t->all, 1);
}

static void each_task_once(void **state) {
  (void)state;
  static const unsigned threads[] = {1, 2, 5, TASKS, 4 * TASKS, 0};
  for (unsigned i = 0; i < sizeof threads / sizeof *threads; i++) {
    struct tally t = {.now = 0};
    struct hd_team *team = hd_team_new(threads[i], TASKS, note, &t);
    assert_non_null(team);
    if (i % 2)
      hd_team_share_always(team);
    for (; t.now < ROUNDS / (threads[i] > 5 ? 4 : 1); t.now++) {
      hd_team_run(team);
      assert_int_equal(t.all, (t.now + 1) * TASKS);
      assert_int_equal(t.wrong, 0);
    }
    hd_team_free(team);
  }
}

/* ---- Whether rounds are shared ---- */

static uint64_t clock_now;

static uint64_t now(void) {
  return clock_now;
}

/* Runs `rounds` rounds and returns how many were shared. A shared round takes `shared`, a round alone 10. Every `stall`-th round
 * stalls if it is shared (0: none does). */
static unsigned pace(struct hd_sharing *p, unsigned rounds, unsigned shared, unsigned stall) {
  unsigned n = 0;
  bool stalled = false;
  for (unsigned i = 1; i <= rounds; i++) {
    const bool shares = hd_round_is_shared(p, stalled, now);
    stalled = shares && stall && i % stall == 0;
    clock_now += shares ? shared : 10;
    n += shares;
  }
  return n;
}

static void the_faster_way_is_used(void **state) {
  (void)state;
  enum { ROUNDS = 200000 };
  struct hd_sharing p = {.phase = HD_ALONE, .patience = HD_ALONE_FIRST};
  assert_in_range(pace(&p, ROUNDS, 6, 0), ROUNDS * 97 / 100,
                  ROUNDS * 99 / 100); /* trials alone: 64 of 4,224 */
  p = (struct hd_sharing){.phase = HD_ALONE, .patience = HD_ALONE_FIRST};
  assert_in_range(pace(&p, ROUNDS, 12, 0), ROUNDS / 100, ROUNDS * 2 / 100);
}

/* A stall in ten thousand rounds costs some 128 of them. A stall in every 20 leaves few rounds shared. */
static void a_stall_costs_little_unless_it_comes_again(void **state) {
  (void)state;
  enum { ROUNDS = 200000 };
  struct hd_sharing p = {.phase = HD_ALONE, .patience = HD_ALONE_FIRST};
  assert_in_range(pace(&p, ROUNDS, 6, 10000), ROUNDS * 95 / 100, ROUNDS * 99 / 100);
  p = (struct hd_sharing){.phase = HD_ALONE, .patience = HD_ALONE_FIRST};
  assert_in_range(pace(&p, ROUNDS, 6, 20), 1, ROUNDS / 100);
}

/* Task 0 ends when all others are done, and these wait until task 0 has begun. So the thread with task 0 does no other task. */
struct unequal {
  pthread_t caller;
  atomic_uint done;
  atomic_bool waits;             /* task 0 has begun */
  unsigned round, began[ROUNDS]; /* per round: the first task of the other thread; 0: none */
};
enum { UNEQUAL = 8 };

static void wait_or_note(void *ctx, unsigned number) {
  struct unequal *u = ctx;
  if (!number) {
    u->waits = true;
    while (u->done < UNEQUAL - 1)
      sched_yield();
  } else {
    while (!u->waits)
      sched_yield();
    if (!pthread_equal(pthread_self(), u->caller) && !u->began[u->round])
      u->began[u->round] = number;
    atomic_fetch_add(&u->done, 1);
  }
}

/* Each of two threads has four tasks at first. If the caller's first task takes as long as the seven others, the seven become the
 * other thread's own. That thread then begins with the first of them. */
static void each_has_the_tasks_that_it_does(void **state) {
  (void)state;
  struct unequal u = {.caller = pthread_self()};
  struct hd_team *team = hd_team_new(2, UNEQUAL, wait_or_note, &u);
  assert_non_null(team);
  hd_team_share_always(team);
  unsigned with_first = 0;
  for (; u.round < ROUNDS; u.round++) {
    u.done = 0;
    u.waits = false;
    hd_team_run(team);
    with_first += u.round >= ROUNDS / 2 && u.began[u.round] == 1;
  }
  hd_team_free(team);
  assert_int_equal(with_first, ROUNDS / 2);
}

static void none_is_run(void **state) {
  (void)state;
  struct tally t = {.now = 0};
  struct hd_team *team = hd_team_new(3, TASKS, note, &t);
  hd_team_free(team);
  assert_int_equal(t.all, 0);
}

/* Task 0 waits until a second thread does task 1. Task 1 checks that the program's signals are blocked and the thread's own faults
 * are not. */
struct masks {
  atomic_int member; /* -1: not yet; else 1 if a mask is wrong */
};

static void ask_mask(void *ctx, unsigned number) {
  struct masks *m = ctx;
  sigset_t blocked;
  if (number == 0)
    while (m->member < 0)
      sched_yield();
  else {
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    m->member =
        !sigismember(&blocked, SIGINT) || !sigismember(&blocked, SIGALRM) || sigismember(&blocked, SIGSEGV);
  }
}

/* Signals belong to the host program: its own threads take them, with the masks that they had. */
static void signals_are_the_callers(void **state) {
  (void)state;
  sigset_t before, after;
  struct masks m = {-1};
  pthread_sigmask(SIG_BLOCK, NULL, &before);
  struct hd_team *team = hd_team_new(2, 2, ask_mask, &m);
  assert_non_null(team);
  pthread_sigmask(SIG_BLOCK, NULL, &after);
  hd_team_share_always(team);
  hd_team_run(team);
  hd_team_free(team);
  assert_int_equal(m.member, 0);
  for (int s = 1; s < SIGRTMIN; s++)
    assert_int_equal(sigismember(&before, s), sigismember(&after, s));
}

/* ---- Runs ---- */

/* The reports of a run over time: a digest and the number of all results in between, and the threads of this program meanwhile. */
struct over_time {
  uint64_t digest;
  unsigned n, threads;
};

static unsigned threads_now(void) {
  DIR *d = opendir("/proc/self/task");
  unsigned n = 0;
  assert_non_null(d);
  for (struct dirent *e; (e = readdir(d));)
    n += *e->d_name != '.';
  closedir(d);
  return n;
}

static void so_far(void *user, const struct hd_sim_result *result) {
  struct over_time *o = user;
  const unsigned char *bytes = (const unsigned char *)result;
  for (size_t i = 0; i < sizeof *result; i++)
    o->digest = (o->digest ^ bytes[i]) * UINT64_C(0x100000001b3);
  const unsigned threads =
      threads_now(); /* a thread of an earlier run may still be ending: the fewest count */
  if (o->n++ == 0 || threads < o->threads)
    o->threads = threads;
}

static struct hd_sim_result run(const struct hd_config *c, const char *spec, unsigned threads, bool no_skip,
                                struct over_time *o) {
  char err[256];
  struct hd_why why;
  struct hd_sim_result r;
  memset(&r, 0, sizeof r); /* the comparison includes the bytes between fields */
  struct hd_design *design = hd_design_new(c);
  struct wl_source *source = wl_open(spec, err, sizeof err);
  if (!source)
    fail_msg("%s", err);
  *o = (struct over_time){0};
  const struct hd_sim_job job = {.design = design,
                                 .source = source,
                                 .threads = threads,
                                 .share_always = true,
                                 .no_skip = no_skip,
                                 .so_far = so_far,
                                 .interval = 500,
                                 .user = o};
  if (hd_sim_run(&job, &r, &why) != HD_OK)
    fail_msg("%s: %s", spec, why.text);
  source->ops->close(source);
  hd_design_free(design);
  r.seconds = 0;
  return r;
}

/* Compares runs on 1, 2 and 5 threads: final results and all results over time. */
static void assert_same(const struct hd_config *c, const char *spec, bool no_skip) {
  struct over_time one, many;
  const struct hd_sim_result a = run(c, spec, 1, no_skip, &one);
  assert_true(one.n > 1 && a.accesses > 50);
  static const unsigned threads[] = {2, 5};
  for (unsigned i = 0; i < sizeof threads / sizeof *threads; i++) {
    const struct hd_sim_result b = run(c, spec, threads[i], no_skip, &many);
    assert_memory_equal(&a, &b, sizeof a);
    assert_int_equal(one.n, many.n);
    assert_true(one.digest == many.digest);
  }
}

/* The GPUs of the papers, and one whose SMs share a table. */
static void the_same_on_papers_gpus(void **state) {
  (void)state;
  static const char *const machines[] = {"gpu/apres", "gpu/gtx480", "gpu/loscache",
                                         "lockstep/lasc/lasc_shared"};
  for (unsigned m = 0; m < sizeof machines / sizeof *machines; m++) {
    struct hd_config c = loaded(machines[m]);
    assert_same(&c, m ? "syrk:tiny" : "atax:n=64", false);
  }
}

/* Warps of a trace share their common data, whichever thread reads them. */
static void the_same_of_a_trace(void **state) {
  const struct hd_config c = loaded("gpu/gtx480");
  assert_int_equal(rig_begin(state), 0);
  const char *path = rig_path("threads.htrace");
  char *spec = hd_format("trace:%s", path);
  rig_htrace("random:seed=5,launches=4,ctas=40,warps=3,insts=60", path);
  assert_same(&c, spec, false);
  free(spec);
  assert_int_equal(rig_end(state), 0);
}

/* Windows of one cycle and of many, shared tables, links, and a single SM. */
static void the_same_on_odd_ones(void **state) {
  (void)state;
  static const struct {
    unsigned sms, dispatch, icnt, queue, far;
    bool l2;
  } odd[] = {{3, 2, 1, 1, 0, true}, {16, 400, 300, 2, 0, true}, {5, 9, 31, 32, 0, false},
             {1, 1, 4, 3, 0, true}, {7, 100, 5, 4, 9, true},    {130, 9, 5, 4, 3, true}};
  for (unsigned m = 0; m < sizeof odd / sizeof *odd; m++) {
    struct hd_config c;
    hd_config_default(&c);
    c.gpu.sms = odd[m].sms;
    c.gpu.dispatch_latency = odd[m].dispatch;
    c.icnt.latency = odd[m].icnt;
    c.icnt.queue = odd[m].queue;
    c.icnt.far_latency = odd[m].far;
    c.memory.kind = odd[m].l2 ? HD_MEM_L2 : HD_MEM_LINK;
    assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
    assert_same(&c, "random:tiny,launches=2,ctas=20,insts=40,barriers=20", false);
    if (m == 0)
      assert_same(&c, "random:tiny,launches=2,ctas=5,insts=30,barriers=20", true);
  }
}

/* There are no more threads than tasks: one per SM, and one for the memory system if there is one. */
static void a_thread_has_a_task(void **state) {
  (void)state;
  const unsigned others = threads_now() - 1; /* threads of a sanitizer */
  for (unsigned sms = 1; sms <= 2; sms++)
    for (unsigned l2 = 0; l2 < 2; l2++) {
      struct hd_config c;
      struct over_time o;
      hd_config_default(&c);
      c.gpu.sms = sms;
      c.gpu.dispatch_latency = 2;
      c.memory.kind = l2 ? HD_MEM_L2 : HD_MEM_LINK;
      assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
      run(&c, "random:tiny,ctas=2,insts=40", 8, false, &o);
      assert_int_equal(o.threads - others, sms + l2);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_task_once),
      cmocka_unit_test(the_faster_way_is_used),
      cmocka_unit_test(a_stall_costs_little_unless_it_comes_again),
      cmocka_unit_test(each_has_the_tasks_that_it_does),
      cmocka_unit_test(none_is_run),
      cmocka_unit_test(signals_are_the_callers),
      cmocka_unit_test(the_same_on_papers_gpus),
      cmocka_unit_test(the_same_of_a_trace),
      cmocka_unit_test(the_same_on_odd_ones),
      cmocka_unit_test(a_thread_has_a_task),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
