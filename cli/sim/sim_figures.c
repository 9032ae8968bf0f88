/* Prints the figures of the mechanisms as lines for people; see cmodel/gpu/figures.h. */
#include "cli/sim/sim.h"

#define SLICES(field) ((unsigned long long)r->memsys.l2.field)
#define PER(a, b) hd_per((double)(a), (double)(b))

void hd_sim_print_figures(const struct hd_config *c, const struct hd_sim_result *r,
                          enum hd_figures_place place, FILE *f) {
#include "arch/config/sizes.h"
#define GROUP(group, when, at, meaning)                                                                      \
  if ((when) && place == HD_FIGURES_##at) {                                                                  \
    const struct hd_##group##_figures *const figures = &r->figures.group;
#define FIGURE(group, name, value, meaning)                                                                  \
  const unsigned long long name = figures->name;                                                             \
  (void)name;
#define LINE(group, when, ...)                                                                               \
  if (when)                                                                                                  \
    fprintf(f, __VA_ARGS__);
#define END(group) }
#include "arch/config/figures.h"
}
