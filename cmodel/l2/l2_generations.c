/* Generations of L2 lines; see l2_generations.h.
 *
 * Invariant: a way's place holds the generation of the line whose tag is there, if the way has had a tag. Behind the
 * ways' places each MSHR has a place, for a line in flight without a tag. The last place is for a line that is never
 * stored. */
#include "cmodel/l2/l2_generations.h"

#include <stdlib.h>

#define NOTHING UINT64_MAX /* not a line's number */

struct generation {
  uint64_t line, last; /* last: cycle of the last access */
  uint64_t accesses, pred;
};

/* An access that is not counted yet. The host prefetches its place until the next event comes. By samples of time,
 * waiting for it took 1 to 2 % of a run (gpu/gtx480 on Accel-Sim's traces of gemm and syrk). */
struct due {
  bool is;
  unsigned place;
  uint64_t cycle, line, pred;
};

struct hd_generations {
  struct due due;
  unsigned ways, lines, places;
  struct generation *at;
  unsigned *place_of;               /* by MSHR: the place of its line */
  unsigned kept;                    /* place where the line in the decision left its tag; `places`: none */
  struct hd_generation_stats ended; /* live_cycles: also of generations that have not ended */
};

/* The compiler checks that the switch in hd_generations_hear has them all. */
#define HEARD(X)                                                                                             \
  X(read_hit)                                                                                                \
  X(write_hit)                                                                                               \
  X(read_miss)                                                                                               \
  X(write_miss)                                                                                              \
  X(read_merge)                                                                                              \
  X(write_merge)                                                                                             \
  X(keep_tag)                                                                                                \
  X(no_store_read)                                                                                           \
  X(no_store_write)                                                                                          \
  X(no_store_fill)
#define NAME(event) HEARD_##event = EV_l2_slice_##event,
enum heard { HEARD(NAME) };
#undef NAME
#define BIT(event) | UINT64_C(1) << EV_l2_slice_##event
const uint64_t HD_GENERATIONS_HEARD = 0 HEARD(BIT);
#undef BIT

struct hd_generations *hd_generations_new(const struct hd_config *c) {
  struct hd_generations *l = calloc(1, sizeof *l);
  if (!l)
    return NULL;
  l->ways = c->d.L2_WAYS;
  l->lines = c->d.L2_LINES;
  l->places = l->lines + c->d.L2_MSHRS + 1;
  l->kept = l->places;
  l->at = malloc(l->places * sizeof *l->at);
  l->place_of = calloc(c->d.L2_MSHRS, sizeof *l->place_of);
  if (!l->at || !l->place_of) {
    hd_generations_free(l);
    return NULL;
  }
  for (unsigned p = 0; p < l->places; p++)
    l->at[p] = (struct generation){.line = NOTHING};
  return l;
}

void hd_generations_free(struct hd_generations *l) {
  if (!l)
    return;
  free(l->at);
  free(l->place_of);
  free(l);
}

static void add(struct hd_generation_stats *s, const struct generation *g) {
  s->count++;
  s->lived += g->accesses > 1;
  s->predicted += g->pred != 0;
  s->exact += g->pred != 0 && g->pred == g->accesses;
  s->enough += g->pred != 0 && g->pred >= g->accesses;
}

static void end(struct hd_generations *l, unsigned place) {
  struct generation *g = &l->at[place];
  if (g->line == NOTHING)
    return;
  add(&l->ended, g);
  g->line = NOTHING;
}

static void access_line(struct hd_generations *l, uint64_t cycle, unsigned place, uint64_t line,
                        uint64_t pred) {
  __builtin_prefetch(&l->at[place], 1);
  l->due = (struct due){true, place, cycle, line, pred};
}

static void settle(struct hd_generations *l) {
  const struct due *due = &l->due;
  struct generation *g = &l->at[due->place];
  if (!due->is)
    return;
  if (g->line != due->line) {
    end(l, due->place);
    *g = (struct generation){.line = due->line, .last = due->cycle};
  }
  l->ended.live_cycles += due->cycle - g->last;
  g->last = due->cycle;
  g->accesses++;
  g->pred = due->pred ? due->pred : g->pred;
  l->due.is = false;
}

static unsigned take_kept(struct hd_generations *l, unsigned otherwise) {
  const unsigned place = l->kept < l->places ? l->kept : otherwise;
  l->kept = l->places;
  return place;
}

/* Returns the place of the MSHR's line. The tag that the line left may have been replaced while the line is in flight. */
static unsigned merged_at(const struct hd_generations *l, unsigned mshr, uint64_t line) {
  const unsigned place = l->place_of[mshr];
  return l->at[place].line == line ? place : l->lines + mshr;
}

void hd_generations_hear(struct hd_generations *l, uint64_t cycle, uint64_t pred, unsigned event,
                         const uint64_t arg[4]) {
  const unsigned last = l->places - 1;
  settle(l);
  switch ((enum heard)event) {
  case HEARD_read_hit:
  case HEARD_write_hit:
    access_line(l, cycle, (unsigned)(arg[2] * l->ways + arg[3]), arg[1], pred);
    break;
  case HEARD_read_miss:
  case HEARD_write_miss:
    l->place_of[arg[2]] = (unsigned)arg[3];
    access_line(l, cycle, (unsigned)arg[3], arg[1], pred);
    break;
  case HEARD_read_merge:
  case HEARD_write_merge:
    access_line(l, cycle, merged_at(l, (unsigned)arg[2], arg[1]), arg[1], pred);
    break;
  case HEARD_keep_tag:
    l->kept = (unsigned)(arg[1] * l->ways + arg[2]);
    break;
  case HEARD_no_store_read:
    l->place_of[arg[2]] = take_kept(l, l->lines + (unsigned)arg[2]);
    access_line(l, cycle, l->place_of[arg[2]], arg[1], pred);
    break;
  case HEARD_no_store_write: {
    const unsigned place = take_kept(l, last);
    end(l, last); /* ends that of the store before; this store is counted later */
    access_line(l, cycle, place, arg[1], pred);
    break;
  }
  case HEARD_no_store_fill:
    end(l, l->lines + (unsigned)arg[0]);
    break;
  }
}

struct hd_generation_stats hd_generations_stats(struct hd_generations *l) {
  settle(l);
  struct hd_generation_stats s = l->ended;
  for (unsigned p = 0; p < l->places; p++)
    if (l->at[p].line != NOTHING)
      add(&s, &l->at[p]);
  return s;
}
