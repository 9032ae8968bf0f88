/* See trace_statics.h. */
#include "workloads/trace/trace_statics.h"

void wl_trace_statics_begin(struct wl_trace_statics *t) {
  atomic_store(&t->n, 0);
}

static bool same(const struct wl_trace_static *a, const struct wl_trace_static *b) {
  return a->pc == b->pc && a->src == b->src && a->op == b->op && a->size == b->size && a->dst == b->dst;
}

bool wl_trace_statics_have(struct wl_trace_statics *t, uint32_t i, const struct wl_trace_static *s) {
  if (i == atomic_load_explicit(&t->n, memory_order_acquire)) {
    pthread_mutex_lock(&t->mutex);
    if (i == atomic_load_explicit(&t->n, memory_order_relaxed)) {
      t->known[i] = *s;
      atomic_store_explicit(&t->n, i + 1, memory_order_release);
    }
    pthread_mutex_unlock(&t->mutex);
  }
  return same(&t->known[i], s);
}
