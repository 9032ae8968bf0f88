/* Counts the figures of the mechanisms; see figures.h. arch/config/figures_undef.h defines the words in their rows. */
#include "cmodel/gpu/figures.h"

#include "cmodel/gpu/gpu.h"

double hd_per(double a, double b) {
  return b > 0 ? a / b : 0;
}

/* Returns how often the event happened in all SMs. `inst`: offset of the pointer to the instance in struct sm_mem. */
static unsigned long long sum_events(const struct hd_gpu *gpu, size_t inst, unsigned event) {
  unsigned long long sum = 0;
  for (unsigned i = 0; i < gpu->cores; i++) {
    const struct hd_model *m = *(struct hd_model *const *)((const char *)gpu->core[i].m + inst);
    sum += m ? m->ev[event] : 0;
  }
  return sum;
}

static unsigned long long sum_shared_rft(const struct hd_gpu *gpu, unsigned event) {
  uint64_t ev[EV_rft_count_] = {0};
  if (gpu->rft)
    hd_shared_rft_events(gpu->rft, ev);
  return ev[event];
}

/* Returns the sum over all SMs. `field`: offset in struct hd_miss_classes. */
static unsigned long long sum_misses(const struct hd_gpu *gpu, size_t field) {
  unsigned long long sum = 0;
  for (unsigned i = 0; i < gpu->cores; i++)
    sum += *(const uint64_t *)((const char *)hd_missclass_counts(gpu->core[i].classes) + field);
  return sum;
}

/* The type of the instance is checked, because the event could be one of another module. */
#define EVENTS(inst, module, event)                                                                          \
  sum_events(gpu,                                                                                            \
             _Generic(((struct sm_mem *)0)->inst, struct module *                                            \
                      : offsetof(struct sm_mem, inst)),                                                      \
             EV_##module##_##event)
#define SHARED_RFT(event) sum_shared_rft(gpu, EV_rft_##event)
#define SLICES(field) hd_memsys_stats(gpu->memsys)->l2.field
#define MISSES(field) sum_misses(gpu, offsetof(struct hd_miss_classes, field))

void hd_figures_count(const struct hd_gpu *gpu, struct hd_figures *figures) {
  const struct hd_config *c = gpu->c;
#include "arch/config/sizes.h"
  *figures = (struct hd_figures){0};
#define GROUP(group, when, place, meaning) if (when) {
#define FIGURE(group, name, value, meaning)                                                                  \
  unsigned long long name = (value);                                                                         \
  figures->group.name = name;
#define ADD(group, name, value)                                                                              \
  name += (value);                                                                                           \
  figures->group.name = name;
#define END(group) }
#include "arch/config/figures.h"
}
