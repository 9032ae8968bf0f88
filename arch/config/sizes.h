/* The sizes of arch/config/derived.def as local names, for expressions of .def files. Include it inside a
 * function that has a `const struct hd_config *c`. */
#define DERIVED(name, expr, meaning)                                                                         \
  const unsigned name = c->d.name;                                                                           \
  (void)name;
#include "arch/config/derived.def"
#undef DERIVED
