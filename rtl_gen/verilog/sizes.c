/* The rows of arch/config/derived.def; see sizes.h. */
#include "rtl_gen/verilog/sizes.h"

#include <string.h>

const struct hd_size hd_sizes[] = {
#define DERIVED(name, expr, meaning)                                                                         \
  {#name, #expr, meaning, __FILE__, __LINE__, offsetof(struct hd_derived, name)},
#include "arch/config/derived.def"
#undef DERIVED
};
const size_t hd_n_sizes = sizeof hd_sizes / sizeof *hd_sizes;

unsigned hd_size_of(const struct hd_config *c, size_t i) {
  return *(const unsigned *)((const char *)&c->d + hd_sizes[i].offset);
}

bool hd_size_is_flag(size_t i) {
  return !strncmp(hd_sizes[i].meaning, "1 if ", 5);
}

size_t hd_size_named(const char *name, size_t n) {
  size_t i = 0;
  while (i < hd_n_sizes && (*hd_sizes[i].name != *name /* mostly decides */ ||
                            strncmp(hd_sizes[i].name, name, n) != 0 || hd_sizes[i].name[n]))
    i++;
  return i;
}

bool hd_is_flag(const char *name, size_t n) {
  const size_t i = hd_size_named(name, n);
  return i < hd_n_sizes && hd_size_is_flag(i);
}
