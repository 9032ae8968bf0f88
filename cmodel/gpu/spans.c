/* Keeps spans from their start to their end; see spans.h. */
#include "cmodel/gpu/spans.h"

#include <stdlib.h>

struct begun {
  bool is; /* it has begun, and not ended */
  struct hd_span span;
};

struct hd_spans {
  const struct hd_span_watch *watch;
  unsigned ctas, warps, instructions; /* the numbers of slots; `instructions`: of each warp */
  struct begun begun[];               /* CTA slots, then the slots of all warps, then MSHRs */
};

struct hd_spans *hd_spans_new(const struct hd_config *c, const struct hd_span_watch *watch) {
  const size_t all = c->sm.ctas + c->sm.warps * c->sm.loads + c->l1d.mshrs;
  struct hd_spans *s = calloc(1, sizeof *s + all * sizeof s->begun[0]);
  if (s) {
    s->watch = watch;
    s->ctas = c->sm.ctas;
    s->instructions = c->sm.loads;
    s->warps = c->sm.warps;
  }
  return s;
}

void hd_spans_free(struct hd_spans *s) {
  free(s);
}

static struct begun *place(struct hd_spans *s, enum hd_span_kind kind, unsigned unit, unsigned slot) {
  switch (kind) {
  case HD_SPAN_CTA:
    return &s->begun[unit];
  case HD_SPAN_LOAD:
  case HD_SPAN_STORE:
    return &s->begun[s->ctas + unit * s->instructions + slot];
  default:
    return &s->begun[s->ctas + s->warps * s->instructions + unit];
  }
}

void hd_spans_begin(struct hd_spans *s, const struct hd_span *span) {
  if (s)
    *place(s, span->kind, span->unit, span->slot) = (struct begun){true, *span};
}

void hd_spans_end(struct hd_spans *s, enum hd_span_kind kind, unsigned unit, unsigned slot, uint64_t to) {
  struct begun *begun = s ? place(s, kind, unit, slot) : NULL;
  if (!begun || !begun->is)
    return;
  begun->is = false;
  begun->span.to = to;
  s->watch->span(s->watch->user, &begun->span);
}
