/* Threads that share tasks; see team.h.
 *
 * Each thread has tasks of its own, the same for many rounds, so that their data stay in its host core's cache. A thread that is done
 * with them takes tasks of others that no thread has begun, and gets more of its own later. No thread waits for a thread that has begun
 * no task. A thread that the system stops in a task delays the round, and waking threads for short tasks costs time. So the faster way is
 * used (cmodel/gpu/sharing.h).
 *
 * Invariant: a thread begins a task only after taking its number from a share, in the round that is stored with it. */
#include "cmodel/gpu/team.h"

#include "base/quiet_thread.h"
#include "cmodel/gpu/sharing.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum {
  END = 16,        /* bit of `tasks` at which the end of the tasks begins */
  ROUND = 32,      /* bit at which the round begins */
  PATIENCE = 1000, /* how often a thread looks at what others do before it gives its host core away */
  LONG = 500000,   /* nanoseconds of waiting: the system did not run a thread */
  DIVIDE = 64      /* shared rounds from one division of the tasks to the next */
};

/* `tasks`: a thread's tasks that no thread has begun, in one word, which is alone in a cache line: the first one, the one after the last,
 * and the round. `did`, in another line: how many tasks the thread has done since the last division, its own or others'. */
struct share {
  _Alignas(64) _Atomic uint64_t tasks;
  _Alignas(64) _Atomic unsigned did;
};

struct member {
  struct hd_team *team;
  unsigned number;
  pthread_t thread;
};

struct hd_team {
  void (*task)(void *ctx, unsigned number);
  void *ctx;
  unsigned threads, tasks;
  uint64_t round;
  struct hd_sharing sharing;
  bool always;         /* all rounds are shared */
  bool stalled;        /* the last round had to wait for a thread for long */
  struct share *share; /* of each thread */
  /* First task of each thread; after the last thread, the number of tasks. */
  unsigned *first;
  struct member *member;               /* the threads, except the calling one */
  unsigned started;                    /* threads that were started */
  _Alignas(64) _Atomic unsigned done;  /* tasks of this round */
  _Alignas(64) _Atomic uint64_t begun; /* the round to work on */
  _Atomic bool over;
  _Atomic unsigned asleep; /* threads that wait for `wake` */
  pthread_mutex_t mutex;
  pthread_cond_t wake;
};

static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

static uint64_t all_of(const struct hd_team *t, unsigned thread) {
  return (t->round << ROUND) | (uint64_t)t->first[thread + 1] << END | t->first[thread];
}

/* Call it between rounds. From now on each thread has as many tasks of its own as it has done of late. */
static void divide(struct hd_team *t) {
  unsigned all = 0, sum = 0;
  for (unsigned i = 0; i < t->threads; i++)
    all += t->share[i].did;
  for (unsigned i = 0; i < t->threads; i++) {
    t->first[i] = (unsigned)(((uint64_t)sum * t->tasks + all / 2) / all);
    sum += t->share[i].did;
    t->share[i].did = 0;
  }
}

/* Begins the next task of a share in this round. Of another thread's share it takes the last task, so that the same tasks are taken as a
 * rule. Returns false if no task is left, or if the round is over. */
static bool take(struct share *s, bool own, uint32_t round, unsigned *task) {
  uint64_t at = atomic_load_explicit(&s->tasks, memory_order_acquire), rest;
  do {
    const unsigned first = (uint16_t)at, end = (uint16_t)(at >> END);
    if ((uint32_t)(at >> ROUND) != round || first == end)
      return false;
    *task = own ? first : end - 1;
    rest = own ? at + 1 : at - (UINT64_C(1) << END);
  } while (!atomic_compare_exchange_weak_explicit(&s->tasks, &at, rest, memory_order_acquire,
                                                  memory_order_acquire));
  return true;
}

/* Thread `self` does what it can of a round. */
static void work(struct hd_team *t, unsigned self, uint64_t round) {
  unsigned task, n = 0;
  for (unsigned i = 0; i < t->threads; i++)
    for (; take(&t->share[(self + i) % t->threads], i == 0, (uint32_t)round, &task); n++)
      t->task(t->ctx, task);
  if (!n)
    return;
  atomic_fetch_add_explicit(&t->share[self].did, n, memory_order_relaxed);
  atomic_fetch_add_explicit(&t->done, n, memory_order_release);
}

static bool is_news(struct hd_team *t, uint64_t seen) {
  return atomic_load(&t->begun) != seen || atomic_load(&t->over);
}

static void await(struct hd_team *t, uint64_t seen) {
  for (unsigned i = 0; i < PATIENCE; i++) {
    if (is_news(t, seen))
      return;
    pause_briefly();
  }
  pthread_mutex_lock(&t->mutex);
  atomic_fetch_add(&t->asleep, 1);
  while (!is_news(t, seen))
    pthread_cond_wait(&t->wake, &t->mutex);
  atomic_fetch_sub(&t->asleep, 1);
  pthread_mutex_unlock(&t->mutex);
}

static void *live(void *member) {
  const struct member *m = member;
  uint64_t seen = 0;
  for (;;) {
    await(m->team, seen);
    if (atomic_load(&m->team->over))
      return NULL;
    seen = atomic_load(&m->team->begun);
    work(m->team, m->number, seen);
  }
}

/* Wakes the threads that sleep. They see what was stored before: they look again after they have noted that they sleep. */
static void call(struct hd_team *t) {
  if (!atomic_load(&t->asleep))
    return;
  pthread_mutex_lock(&t->mutex);
  pthread_cond_broadcast(&t->wake);
  pthread_mutex_unlock(&t->mutex);
}

static uint64_t nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static bool is_done(struct hd_team *t) {
  return atomic_load_explicit(&t->done, memory_order_acquire) == t->tasks;
}

/* Waits for the tasks that other threads have begun. */
static void wait_for_all(struct hd_team *t) {
  for (unsigned i = 0; i < PATIENCE; i++) {
    if (is_done(t))
      return;
    pause_briefly();
  }
  const uint64_t since = nanoseconds();
  while (!is_done(t))
    sched_yield();
  t->stalled = nanoseconds() - since >= LONG;
}

static bool is_alone(struct hd_team *t) {
  if (t->threads == 1)
    return true;
  if (t->always)
    return false;
  const bool stalled = t->stalled;
  t->stalled = false;
  return !hd_round_is_shared(&t->sharing, stalled, nanoseconds);
}

void hd_team_run(struct hd_team *t) {
  if (is_alone(t)) {
    for (unsigned n = 0; n < t->tasks; n++)
      t->task(t->ctx, n);
    return;
  }
  if (++t->round % DIVIDE == 0)
    divide(t);
  atomic_store_explicit(&t->done, 0, memory_order_relaxed);
  for (unsigned i = 0; i < t->threads; i++)
    atomic_store_explicit(&t->share[i].tasks, all_of(t, i), memory_order_release);
  atomic_store(&t->begun, t->round);
  call(t);
  work(t, 0, t->round);
  wait_for_all(t);
}

/* Starts the threads. If the system allows fewer, the other threads do the tasks of the missing ones. */
static void start(struct hd_team *t) {
  for (; t->started + 1 < t->threads; t->started++) {
    struct member *m = &t->member[t->started];
    *m = (struct member){.team = t, .number = t->started + 1};
    if (!hd_quiet_thread(&m->thread, live, m))
      break;
  }
}

struct hd_team *hd_team_new(unsigned threads, uint16_t tasks, void (*task)(void *ctx, unsigned number),
                            void *ctx) {
  struct hd_team *t = aligned_alloc(_Alignof(struct hd_team), sizeof *t);
  if (!t)
    return NULL;
  *t = (struct hd_team){.task = task, .ctx = ctx, .tasks = tasks};
  t->sharing = (struct hd_sharing){.phase = HD_ALONE, .patience = HD_ALONE_FIRST};
  t->threads = threads < tasks ? threads : tasks;
  t->threads = t->threads ? t->threads : 1;
  pthread_mutex_init(&t->mutex, NULL);
  pthread_cond_init(&t->wake, NULL);
  t->share = aligned_alloc(_Alignof(struct share), t->threads * sizeof *t->share);
  t->member = calloc(t->threads, sizeof *t->member);
  t->first = calloc(t->threads + 1, sizeof *t->first);
  if (t->share && t->member && t->first) {
    for (unsigned i = 0; i < t->threads; i++)
      t->share[i] = (struct share){0};
    for (unsigned i = 0; i <= t->threads; i++)
      t->first[i] = i * t->tasks / t->threads;
    start(t);
    return t;
  }
  hd_team_free(t);
  return NULL;
}

void hd_team_share_always(struct hd_team *t) {
  t->always = true;
}

void hd_team_free(struct hd_team *t) {
  if (!t)
    return;
  atomic_store(&t->over, true);
  call(t);
  for (unsigned i = 0; i < t->started; i++)
    pthread_join(t->member[i].thread, NULL);
  pthread_cond_destroy(&t->wake);
  pthread_mutex_destroy(&t->mutex);
  free(t->share);
  free(t->member);
  free(t->first);
  free(t);
}
