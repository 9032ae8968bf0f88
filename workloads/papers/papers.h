/* The papers' applications: the input that stands for each, and the figures that the paper gives for it
 * (workloads/papers/NAME.def).
 *
 * A paper is a list of rows. The rows after an application's APP row belong to that application.
 *
 *   APP(name, class, spec, why)     `why`: where its size comes from, with the place in the paper
 *   SPARSE(reason)                  it does not fill the machine's slots, and why
 *   SAYS(fact, n, how, value, within, weight, source)
 *                                   the paper's value of fact number n (loads: from 1; else 0). how: IS it, within so many per
 *                                   cent of it; at LEAST; at MOST. weight: it MUST match, or it is only SHOWN
 *   LOAD(n, share, lines, miss, stride, stride_share, must, source)
 *                                   a row of a table like APRES's Table I; must: which of SHARE, LINES, STRIDE
 *   ALL(fact, how, value, within, weight, source)                the same for every application
 *   MEAN(class, fact, how, value, within, weight, source)        for the arithmetic mean over a class; "": over all
 *
 * Invariant: the figures in the rows are the paper's; ours are computed (walked.h, cli/list/check.c).
 */
#ifndef HEDDLE_WORKLOADS_PAPERS_H
#define HEDDLE_WORKLOADS_PAPERS_H

#include <stdbool.h>
#include <stddef.h>

enum wl_fact {
#define FACT(name, unit, how, meaning) WL_FACT_##name,
#include "workloads/papers/facts.def"
#undef FACT
  WL_FACTS
};
enum wl_fact_from { WL_FACT_WALK, WL_FACT_FIT, WL_FACT_RUN, WL_FACT_SAID };
struct wl_fact_text {
  const char *name, *unit, *meaning;
  enum wl_fact_from from;
};
extern const struct wl_fact_text wl_fact_texts[WL_FACTS];

enum wl_how { WL_IS, WL_LEAST, WL_MOST };
enum wl_paper_row_kind { WL_PAPER_APP, WL_PAPER_SPARSE, WL_PAPER_SAYS, WL_PAPER_ALL, WL_PAPER_MEAN };
struct wl_paper_row {
  enum wl_paper_row_kind kind;
  const char *name, *group, *spec, *text; /* text: why, reason or source; group: class */
  enum wl_fact fact;
  unsigned n;
  enum wl_how how;
  double value, within;
  bool must;
};
struct wl_paper {
  const char *name, *title, *machine;
  const char *small_l1,
      *big_l1; /* the machine's keys for fact `big_l1`; NULL: the paper does not compare sizes */
  const struct wl_paper_row *row;
  size_t rows;
};

/* Returns paper number i, or NULL after the last. */
const struct wl_paper *wl_paper(size_t i);

#endif
