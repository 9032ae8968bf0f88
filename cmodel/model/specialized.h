/* What is asked about a machine over and over while it runs. Code of the lazy run is compiled for all machines, and again for each
 * of those that the Makefile names (SPECIALIZED, SPECIALIZED_L2), where the answers are constants: HD_SPECIALIZED is then the file
 * with them (tools/wiregen.c).
 *
 * Invariant: the code with constants runs only the machines of which all of them are true (cmodel/step/run.c,
 * cmodel/memory/bank_cycle.c). */
#ifndef HEDDLE_CMODEL_MODEL_SPECIALIZED_H
#define HEDDLE_CMODEL_MODEL_SPECIALIZED_H

/* HD_HAS: an instance is in the machine. HD_SIZE: a size of arch/config/specialized.def or specialized_l2.def; HD_SOME: whether one of
 * the first's others is not 0; HD_IS: HD_SIZE of a model; HD_THERE: false, if it is known to be 0. HD_CARRIES: line bytes are carried,
 * which the lazy run never does. HD_WATCHED: rows that were written and accesses of memories are told, and registers kept on which
 * nothing depends, for who compares the model with the RTL, which the lazy run does not. HD_COUNT: so many such accesses are counted.
 * `m`: a model, `c`: a configuration. */
#ifdef HD_SPECIALIZED
#include HD_SPECIALIZED
#define HD_HAS(m, inst) ((void)(m), HD_HAS_##inst)
#define HD_SIZE(c, size) ((void)(c), HD_SIZE_##size)
#define HD_SOME(c, size) ((void)(c), HD_SOME_##size)
#define HD_THERE(size) HD_SOME_##size
#define HD_CARRIES(m) false
#define HD_WATCHED false
#else
#define HD_HAS(m, inst) ((m)->inst != NULL)
#define HD_SIZE(c, size) ((c)->d.size)
#define HD_SOME(c, size) ((c)->d.size != 0)
#define HD_THERE(size) true
#define HD_CARRIES(m) ((m)->base.data)
#define HD_WATCHED true
#endif
#define HD_COUNT(n, by)                                                                                      \
  do                                                                                                         \
    if (HD_WATCHED)                                                                                          \
      (n) += (by);                                                                                           \
  while (0)
#define HD_IS(m, size) HD_SIZE((m)->base.c, size)

#endif
