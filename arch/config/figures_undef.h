/* The rows of figures.def, the figures of heddle sim. A reader defines the rows that it needs and includes
 * arch/config/figures.h, which has the rows of all rooms. All other rows are empty, and all are undefined
 * afterwards.
 *
 * A row is one line. A row may join a group of another room that arch/declaration/modules.def names earlier:
 *   GROUP(group, when, place, meaning)     an object of the JSON, and lines of the text; exists in machines in which `when` is
 *                                          not 0. place: L1D, below the misses; L2, below its lines (machines with an L2 only)
 *   FIGURE(group, name, value, meaning)    a count, and its key
 *   ADD(group, name, value)                an amount added to a figure that another room declares
 *   LINE(group, when, format, ...)         a line of the text in printf's format; counts are %llu
 * A value is a C expression over the figures before it and
 *   EVENTS(inst, module, event)            how often instance `inst` of `module` in sm_mem reported the event, in all SMs; 0 if
 *                                          the machine has no such instance
 *   SHARED_RFT(event)                      the same for the reuse-frequency tables that SMs share
 *   MISSES(field)                          of struct hd_miss_classes
 *   SLICES(field)                          of struct hd_bank_stats, over all L2 slices
 * The values of a LINE may use all figures of the group, SLICES(field) and
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
