/* Spans of one SM, for observers of a performance run: CTAs, memory instructions, misses in flight.
 *
 * Invariant: each span is told once, when it ends. The spans of an SM come in the order of their ends. */
#ifndef HEDDLE_CMODEL_GPU_SPANS_H
#define HEDDLE_CMODEL_GPU_SPANS_H

#include "arch/config/config.h"

/* A CTA in its slot; a memory instruction of a warp, from its issue to its last answer; an MSHR with a load's miss or with a prefetch. */
enum hd_span_kind { HD_SPAN_CTA, HD_SPAN_LOAD, HD_SPAN_STORE, HD_SPAN_MISS, HD_SPAN_PREFETCH };

struct hd_span {
  enum hd_span_kind kind;
  unsigned sm;
  unsigned unit;     /* CTA slot; warp slot; MSHR */
  unsigned slot;     /* memory slot of the warp's instruction; else 0 */
  uint64_t from, to; /* core cycles: the first one, and the one after the last */
  uint64_t value;    /* a CTA's number in its launch; an instruction's pc; a line's address */
};
struct hd_span_watch {
  void (*span)(void *user, const struct hd_span *span); /* NULL: there is no observer */
  void *user;
};

/* The spans of an SM that have begun. */
struct hd_spans;
/* `watch` must stay. Returns NULL if memory has run out. */
struct hd_spans *hd_spans_new(const struct hd_config *c, const struct hd_span_watch *watch);
void hd_spans_free(struct hd_spans *s);

/* If s is NULL, they do nothing. hd_spans_end does nothing for a span that has not begun. */
void hd_spans_begin(struct hd_spans *s, const struct hd_span *span);
void hd_spans_end(struct hd_spans *s, enum hd_span_kind kind, unsigned unit, unsigned slot, uint64_t to);

#endif
