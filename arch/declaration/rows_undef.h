/* Included before and after each reading of a module's .def file. Before, with HD_ROWS_BEGIN defined, it
 * gives an empty meaning to all rows that the reader did not define. After, without it, it undefines all
 * rows. */
#ifdef HD_ROWS_BEGIN
#undef HD_ROWS_BEGIN
#ifndef MODULE
#define MODULE(name, title, source)
#endif
#ifndef IN
#define IN(name, width, meaning)
#endif
#ifndef ENABLE
#define ENABLE(name, when, key, changes, of) IN(name, when, HD_ABOUT_##changes(of))
#endif
#ifndef SWITCH
#define SWITCH(name, bit, when, key, changes, of) ENABLE(name, SWITCH_PORTS *when, key, changes, of)
#endif
#ifndef TUNABLE
#define TUNABLE(name, place, width, reset, least, most, of)
#endif
#ifndef IN_V
#define IN_V(name, count, width, meaning)
#endif
#ifndef IN_B
#define IN_B(name, bundle, meaning)
#endif
#ifndef OUT
#define OUT(name, width, meaning)
#endif
#ifndef OUT_V
#define OUT_V(name, count, width, meaning)
#endif
#ifndef OUT_B
#define OUT_B(name, bundle, meaning)
#endif
#ifndef MEALY
#define MEALY(name, width, meaning)
#endif
#ifndef MEALY_B
#define MEALY_B(name, bundle, meaning)
#endif
#ifndef MEALY_V
#define MEALY_V(name, count, width, meaning)
#endif
#ifndef LATE
#define LATE(name, width, meaning)
#endif
#ifndef SHOW
#define SHOW(output, shown)
#endif
#ifndef ASKED
#define ASKED(input, while_)
#endif
#ifndef SEES
#define SEES(output, ...)
#endif
#ifndef REG
#define REG(name, width, reset, meaning)
#endif
#ifndef REG_V
#define REG_V(name, count, width, reset, meaning)
#endif
#ifndef REG_B
#define REG_B(name, bundle, meaning)
#endif
#ifndef CAM
#define CAM(name, count, width, meaning)
#endif
#ifndef LATCHED
#define LATCHED(name, key)
#endif
#ifndef RAM
#define RAM(name, banks, depth, count, width, ports, rdw, meaning)
#endif
#ifndef RAM_B
#define RAM_B(name, depth, bundle, ports, rdw, meaning)
#endif
#ifndef EVENT
#define EVENT(name, when, format, meaning)
#endif
#ifndef CORNER
#define CORNER(name, when, format, meaning) EVENT(name, when, format, meaning)
#endif
#ifndef INST
#define INST(name, module, when)
#endif
#ifndef FREE
#define FREE(name, least, when)
#endif
#else
#undef MODULE
#undef IN
#undef ENABLE
#undef SWITCH
#undef TUNABLE
#undef IN_V
#undef IN_B
#undef OUT
#undef OUT_V
#undef OUT_B
#undef MEALY
#undef MEALY_V
#undef MEALY_B
#undef LATE
#undef SHOW
#undef ASKED
#undef SEES
#undef REG
#undef REG_V
#undef REG_B
#undef CAM
#undef LATCHED
#undef RAM
#undef RAM_B
#undef EVENT
#undef CORNER
#undef INST
#undef FREE
#endif
