/* Questions about a machine that its run asks over and over. The lazy run's code is compiled once for all machines, and once more for
 * each machine that the Makefile names (SPECIALIZED, SPECIALIZED_L2). In the latter the answers are constants. HD_SPECIALIZED is then the
 * file with these constants (tools/wiregen.c).
 *
 * Invariant: the code with constants runs only machines for which all the constants are true (cmodel/step/run.c,
 * cmodel/memory/bank_cycle.c). */
#ifndef HEDDLE_CMODEL_MODEL_SPECIALIZED_H
#define HEDDLE_CMODEL_MODEL_SPECIALIZED_H

/* The questions. `m` is a model, `c` a configuration.
 *   HD_HAS      the machine has this instance
 *   HD_SIZE     a size of arch/config/specialized.def or specialized_l2.def
 *   HD_SOME     whether a size is not 0: one with a SPECIALIZED_SOME row in specialized.def
 *   HD_IS       HD_SIZE of a model
 *   HD_THERE    false if the size is known to be 0
 *   HD_CARRIES  the model carries line bytes; in the lazy run it never does
 *   HD_WATCHED  the model notes rows that were written and accesses of memories, and keeps registers on which nothing depends. This is
 *               for lockstep, which compares the model with the RTL. The lazy run compares nothing.
 *   HD_COUNT    adds `by` accesses of a memory to `n`, if HD_WATCHED */
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
