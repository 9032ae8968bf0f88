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

bool hd_is_flag(const char *name, size_t n) {
  for (size_t i = 0; i < hd_n_sizes; i++)
    if (strlen(hd_sizes[i].name) == n && !memcmp(hd_sizes[i].name, name, n))
      return hd_size_is_flag(i);
  return false;
}
