/* Runs the model ahead of the RTL; see ahead.h. */
#include "verif/harness/ahead.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/quiet_thread.h"
#include "verif/harness/copies.h"

enum {
  LINE = 64,   /* bytes of the host's cache line */
  CYCLES = 64, /* of a batch: so the handover costs less than a cycle */
  BATCHES = 8, /* the model waits when so many are full, until half are free: so it is seldom woken */
};

struct batch {
  struct hd_changes changes;
  size_t end[CYCLES]; /* for each cycle: the index after its last change */
  unsigned cycles;
  bool wrong; /* in the cycle after these a check failed, or a value did not fit its width */
  bool last;  /* the last batch of the chunk */
};

/* A chunk is the cycles from one stop of both sides to the next. Between two chunks the caller's thread owns everything. During a chunk
 * the model's thread owns the model, the environment and their values; the caller's thread owns the RTL and the copy. A batch belongs
 * to the thread that fills or empties it. */
struct ahead {
  struct hd_run *run;
  struct hd_copies copies;
  struct batch batch[BATCHES];
  pthread_t thread;
  pthread_mutex_t mutex; /* protects all members below */
  pthread_cond_t news;
  unsigned full, emptied; /* batches of this chunk */
  uint64_t todo;          /* cycles of the chunk to begin; 0: none */
  bool stop;              /* the model shall fill no more batches of this chunk */
  bool over;              /* the model's thread shall end */
};

/* --- the model's thread ----------------------------------------------------------------------------------- */

/* Runs one cycle of the model, as cmodel/model/models.h describes it. Returns false if a check of the environment failed. */
static bool step_model(struct hd_run *run, uint64_t cycle) {
  run->log.cycle = cycle;
  run->ops->moore(run->model, run->out);
  run->env->ops->drive(run->env, run->out, run->in);
  if (run->ops->mealy)
    run->ops->mealy(run->model, run->in, run->out);
  if (!run->env->ops->clock(run->env, run->in, run->out))
    return false;
  run->ops->tick(run->model, run->in);
  if (run->env->late)
    run->env->late(run->env, (const char *)run->model + run->decl->late_offset);
  return true;
}

/* Waits for an empty batch and returns it. Sets *stop if it shall be the last one. */
static struct batch *empty_batch(struct ahead *a, bool *stop) {
  pthread_mutex_lock(&a->mutex);
  while (a->full - a->emptied == BATCHES)
    pthread_cond_wait(&a->news, &a->mutex);
  *stop = a->stop;
  struct batch *b = &a->batch[a->full % BATCHES];
  pthread_mutex_unlock(&a->mutex);
  b->changes.n = b->cycles = 0;
  b->wrong = false;
  return b;
}

static void is_full(struct ahead *a) {
  pthread_mutex_lock(&a->mutex);
  a->full++;
  pthread_cond_signal(&a->news);
  pthread_mutex_unlock(&a->mutex);
}

/* Runs `todo` cycles of the model; fewer if the work is done or something is found. The caller has checked before the first cycle that
 * the work is not done. */
static void make_chunk(struct ahead *a, uint64_t cycle, uint64_t todo) {
  struct hd_run *run = a->run;
  const uint64_t first = cycle, end = cycle + todo;
  for (bool last = false; !last;) {
    struct batch *b = empty_batch(a, &last);
    while (!last && b->cycles < CYCLES) {
      if (cycle > first && run->env->ops->done(run->env))
        last = true;
      else if (!step_model(run, cycle) || !hd_copies_note(&a->copies, &b->changes))
        last = b->wrong = true;
      else {
        b->end[b->cycles++] = b->changes.n;
        last = ++cycle == end;
      }
    }
    b->last = last;
    is_full(a);
  }
}

static void *live(void *ctx) {
  struct ahead *a = ctx;
  pthread_mutex_lock(&a->mutex);
  for (;;) {
    while (!a->todo && !a->over)
      pthread_cond_wait(&a->news, &a->mutex);
    if (a->over)
      break;
    const uint64_t todo = a->todo, cycle = a->run->cycle;
    a->todo = 0;
    pthread_mutex_unlock(&a->mutex);
    make_chunk(a, cycle, todo);
    pthread_mutex_lock(&a->mutex);
  }
  pthread_mutex_unlock(&a->mutex);
  return NULL;
}

/* --- the caller's thread: the RTL ------------------------------------------------------------------------- */

/* Runs one cycle of the RTL, and compares as hd_run_step does. Returns false if anything differs. */
static bool follow(struct ahead *a, const uint64_t *from, const uint64_t *end) {
  struct hd_run *run = a->run;
  struct hd_table *t = &run->table;
  struct hd_copies *k = &a->copies;
  hd_copies_apply(k, from, end);
  hd_copies_drive(k);
  hd_run_clock(run, 0);
  hd_run_strike(run, HD_AT_OUTPUTS);
  if (!hd_copies_outputs_agree(k))
    return false;
  run->values += t->out.elements;
  hd_run_strike(run, HD_AT_OUTPUTS);
  hd_note_writes(t);
  hd_run_strike(run, HD_AT_LATE);
  if (!hd_copies_late_agrees(k))
    return false;
  run->values += t->late.elements;
  hd_run_strike(run, HD_AT_LATE);
  hd_run_clock(run, 1);
  hd_run_strike(run, HD_AT_STATE);
  if (!hd_copies_state_agrees(k) || !hd_copies_writes_agree(k, &run->values))
    return false;
  run->values += t->state.elements;
  run->cycle++;
  return true;
}

/* Prefetches the changes of the next cycle: they come from the other core while the RTL runs this cycle. */
static void ask_for(const uint64_t *from, const uint64_t *end) {
  for (; from < end; from += LINE / sizeof *from)
    __builtin_prefetch(from);
}

static bool follow_all(struct ahead *a, const struct batch *b) {
  const uint64_t *code = b->changes.code;
  size_t from = 0;
  for (unsigned i = 0; i < b->cycles; from = b->end[i++]) {
    if (i + 1 < b->cycles)
      ask_for(code + b->end[i], code + b->end[i + 1]);
    if (!follow(a, code + from, code + b->end[i]))
      return false;
  }
  return !b->wrong;
}

static const struct batch *full_batch(struct ahead *a) {
  pthread_mutex_lock(&a->mutex);
  while (a->full == a->emptied)
    pthread_cond_wait(&a->news, &a->mutex);
  const struct batch *b = &a->batch[a->emptied % BATCHES];
  pthread_mutex_unlock(&a->mutex);
  return b;
}

static void is_empty(struct ahead *a, bool stop) {
  pthread_mutex_lock(&a->mutex);
  a->stop = stop;
  if (a->full - ++a->emptied <= BATCHES / 2)
    pthread_cond_signal(&a->news);
  pthread_mutex_unlock(&a->mutex);
}

/* Runs until hd_run_between has something to do, or whole memories are compared. For that compare both sides are in the same cycle, and
 * the model's own memories are used: the copy follows only those rows that the model reports as written. Returns false if something was
 * found. */
static bool run_chunk(struct ahead *a) {
  bool good = true;
  pthread_mutex_lock(&a->mutex);
  a->full = a->emptied = 0;
  a->stop = false;
  a->todo = hd_run_undisturbed(a->run);
  pthread_cond_signal(&a->news);
  pthread_mutex_unlock(&a->mutex);
  for (bool last = false; !last;) {
    const struct batch *b = full_batch(a);
    last = b->last;
    good = good && follow_all(a, b);
    is_empty(a, !good);
    hd_run_progress(a->run);
  }
  if (good && a->run->cycle % HD_SWEEP == 0)
    good = hd_memories_agree(&a->run->table, &a->run->values);
  return good;
}

static void end_thread(struct ahead *a) {
  pthread_mutex_lock(&a->mutex);
  a->over = true;
  pthread_cond_signal(&a->news);
  pthread_mutex_unlock(&a->mutex);
  pthread_join(a->thread, NULL);
}

/* Runs from the first reset to the end. Returns false if something was found. */
static bool run_all(struct ahead *a) {
  struct hd_run *run = a->run;
  bool good = true;
  hd_run_begin(run, NULL);
  if (run->stop == HD_RUNS)
    hd_copies_share(&a->copies);
  while (good && run->stop == HD_RUNS) {
    const uint64_t segment = run->segment;
    hd_run_between(run);
    if (run->stop == HD_RUNS && run->segment != segment)
      hd_copies_share(&a->copies);
    if (run->stop == HD_RUNS)
      good = run_chunk(a);
  }
  hd_run_end(run);
  return good && (run->stop == HD_ENDED || run->stop == HD_LIMIT);
}

bool hd_ahead_fits(const struct hd_run *run) {
  const struct hd_cosim_job *job = run->job;
  return job->threads > 1 && !job->gpu && !job->no_compare && !job->inside && !job->watch &&
         !run->fault.model.byte;
}

bool hd_ahead_go(struct hd_run *run) {
  struct ahead a = {.run = run};
  bool good = true;
  pthread_mutex_init(&a.mutex, NULL);
  pthread_cond_init(&a.news, NULL);
  hd_copies_make(&a.copies, &run->table);
  if (hd_quiet_thread(&a.thread, live, &a)) {
    good = run_all(&a);
    end_thread(&a);
  } else
    hd_run_go(run, NULL);
  for (unsigned i = 0; i < BATCHES; i++)
    free(a.batch[i].changes.code);
  hd_copies_free(&a.copies);
  pthread_cond_destroy(&a.news);
  pthread_mutex_destroy(&a.mutex);
  return good;
}
