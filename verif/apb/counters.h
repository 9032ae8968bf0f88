/* Expands ROW(field, width) for each counter of arch/apb/registers.def, in order. Define ROW before each include; this file
 * undefines it. */
#define HD_OF_apb_registers(field, width)
#define HD_OF_apb_enables(field, width)
#define HD_OF_apb_thresholds(field, width)
#define HD_OF_apb_events(field, width)
#define HD_OF_apb_counters(field, width) ROW(field, width)
#define FIELD(bundle, field, width, meaning) HD_OF_##bundle(field, width)
#define BUNDLE(name, meaning, fields) fields
#include "arch/apb/registers.def"
#undef BUNDLE
#undef FIELD
#undef HD_OF_apb_registers
#undef HD_OF_apb_enables
#undef HD_OF_apb_thresholds
#undef HD_OF_apb_events
#undef HD_OF_apb_counters
#undef ROW
