/* The rows of figures.def, the figures of heddle sim. A reader defines the rows that it looks at and includes
 * arch/config/figures.h, which has those of all rooms; the other rows are empty, and all are undefined behind it.
 *
 * Rows, each on one line; a row may join the group of a room that arch/declaration/modules.def names before:
 *   GROUP(group, when, place, meaning)     an object of the JSON, and lines of the text, in machines in which `when` is not 0.
 *                                          place: L1D, below the misses; L2, below its lines (machines with an L2 alone)
 *   FIGURE(group, name, value, meaning)    a count, and its key
 *   ADD(group, name, value)                more of a figure that another room declares
 *   LINE(group, when, format, ...)         a line of the text, as printf writes it; counts are %llu
 * A value is a C expression over the figures before it and
 *   EVENTS(inst, module, event)            how often the instance `inst` of `module` in sm_mem said so, in all SMs; 0 where
 *                                          the machine has none
 *   SHARED_RFT(event)                      the same of the reuse-frequency tables that SMs share
 *   MISSES(field)                          of struct hd_miss_classes
 *   SLICES(field)                          of struct hd_bank_stats, of all L2 slices
 * The values of a LINE are over all figures of the group, SLICES(field) and
 *   PER(a, b)                              a / b; 0 if b is 0; %f
 * `when` is as in all .def files (arch/declaration/declaration.h). */
#ifdef HD_ROWS_BEGIN
#undef HD_ROWS_BEGIN
#ifndef GROUP
#define GROUP(group, when, place, meaning)
#endif
#ifndef END
#define END(group)
#endif
#ifndef FIGURE
#define FIGURE(group, name, value, meaning)
#endif
#ifndef ADD
#define ADD(group, name, value)
#endif
#ifndef LINE
#define LINE(group, when, ...)
#endif
#else
#undef GROUP
#undef END
#undef FIGURE
#undef ADD
#undef LINE
#endif
