/* Loops and who leaves them; see loops.h. */
#include "cmodel/sm/loops.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

struct loop {
  uint32_t target, branch;
};

struct hd_loops {
  struct loop *loop; /* by `branch` */
  unsigned n, room;
  struct hd_leave *report; /* a ring; its size is a power of two, or 0 */
  unsigned first, reports, size;
  bool no_memory; /* something was not noted */
};

enum { FIRST_ROOM = 16 };

struct hd_loops *hd_loops_new(void) {
  return calloc(1, sizeof(struct hd_loops));
}

void hd_loops_free(struct hd_loops *l) {
  if (!l)
    return;
  free(l->loop);
  free(l->report);
  free(l);
}

void hd_loops_forget(struct hd_loops *l) {
  l->n = l->reports = 0;
}

/* The first loop whose branch is not below `pc`; `n` if there is none. */
static unsigned at_or_behind(const struct hd_loops *l, uint32_t pc) {
  unsigned low = 0, high = l->n;
  while (low < high) {
    const unsigned middle = low + (high - low) / 2;
    if (l->loop[middle].branch < pc)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* ---- Learning ---- */

/* Makes room for one more loop. Returns false if memory is out. */
static bool grow_loops(struct hd_loops *l) {
  struct loop *loop = hd_grown(l->loop, (size_t)l->n + 1, &l->room, sizeof *loop);
  l->no_memory |= !loop;
  if (!loop)
    return false;
  l->loop = loop;
  return true;
}

/* A warp has gone back from `branch` to `target`. */
static void learn(struct hd_loops *l, uint32_t target, uint32_t branch) {
  unsigned old = 0;
  while (old < l->n && l->loop[old].target != target)
    old++;
  if (old < l->n && l->loop[old].branch >= branch)
    return;
  if (old < l->n)
    memmove(&l->loop[old], &l->loop[old + 1], (--l->n - old) * sizeof *l->loop);
  else if (!grow_loops(l))
    return;
  const unsigned at = at_or_behind(l, branch);
  memmove(&l->loop[at + 1], &l->loop[at], (l->n++ - at) * sizeof *l->loop);
  l->loop[at] = (struct loop){target, branch};
}

/* ---- Leaving ---- */

/* Makes room for more reports. Returns false if memory is out. */
static bool grow_reports(struct hd_loops *l) {
  const unsigned size = l->size ? 2 * l->size : FIRST_ROOM;
  struct hd_leave *report = malloc(size * sizeof *report);
  l->no_memory |= !report;
  if (!report)
    return false;
  for (unsigned i = 0; i < l->reports; i++)
    report[i] = l->report[(l->first + i) & (l->size - 1)];
  free(l->report);
  l->report = report;
  l->first = 0;
  l->size = size;
  return true;
}

/* Of loops [first, end), whose branches are not below `pc`: the widest around `pc` whose target is above `above`, or is
 * anything with `all`, is left; of equally wide ones the one of the lowest target. */
static void leave(struct hd_loops *l, unsigned wid, uint32_t pc, unsigned first, unsigned end, bool all,
                  uint32_t above) {
  const struct loop *widest = NULL;
  for (unsigned i = first; i < end; i++) {
    const struct loop *loop = &l->loop[i];
    if (loop->target > pc || (!all && loop->target <= above))
      continue;
    if (!widest || loop->branch - loop->target > widest->branch - widest->target ||
        (loop->branch - loop->target == widest->branch - widest->target && loop->target < widest->target))
      widest = loop;
  }
  if (!widest)
    return;
  if (l->reports == l->size && !grow_reports(l))
    return;
  l->report[(l->first + l->reports++) & (l->size - 1)] =
      (struct hd_leave){wid, widest->branch, widest->target};
}

void hd_loops_go(struct hd_loops *l, unsigned wid, uint32_t pc, uint32_t next) {
  if (next > pc) { /* out of those whose branch it passes; mostly there is none */
    const unsigned first = at_or_behind(l, pc);
    unsigned end = first;
    while (end < l->n && l->loop[end].branch < next)
      end++;
    if (end > first)
      leave(l, wid, pc, first, end, true, 0);
    return;
  }
  learn(l, next, pc);
  leave(l, wid, pc, at_or_behind(l, pc), l->n, false, next);
}

void hd_loops_end(struct hd_loops *l, unsigned wid, uint32_t pc) {
  leave(l, wid, pc, at_or_behind(l, pc), l->n, true, 0);
}

/* ---- Telling ---- */

const struct hd_leave *hd_loops_report(const struct hd_loops *l) {
  return l->reports ? &l->report[l->first] : NULL;
}

void hd_loops_reported(struct hd_loops *l) {
  l->first = (l->first + 1) & (l->size - 1);
  l->reports--;
}

bool hd_loops_no_memory(const struct hd_loops *l) {
  return l->no_memory;
}
