/* How a broken rule is reported, and at which place; see rules.h. */
#include "arch/config/rules.h"

#include <stdarg.h>
#include <string.h>

struct hd_origin hd_origin_of(const struct hd_check *k, const char *path) {
  const struct hd_origin unset = {*k->c->path ? k->c->path : k->c->name, 0, 0, false};
  const size_t n = strcspn(path, ".");
  char section[64];
  snprintf(section, sizeof section, "%.*s", (int)n, path);
  const struct hd_origin *at = k->where ? k->where(k->ctx, section, path + n + 1) : NULL;
  return at ? *at : unset;
}

void hd_rule(struct hd_check *k, bool broken, const char *const keys[], const char *format, ...) {
  struct hd_origin last = hd_origin_of(k, keys[0]);
  for (size_t i = 0; keys[i]; i++) {
    const struct hd_origin at = hd_origin_of(k, keys[i]);
    broken = broken && !at.unusable;
    if (at.layer > last.layer)
      last = at;
  }
  if (!broken)
    return;
  k->problems++;
  fprintf(k->err, "%s:", last.file);
  if (last.line)
    fprintf(k->err, "%u:", last.line);
  fprintf(k->err, " %s: ", keys[0]);
  va_list args;
  va_start(args, format);
  vfprintf(k->err, format, args);
  va_end(args);
  fputc('\n', k->err);
}

void hd_power_of_two(struct hd_check *k, const char *key, unsigned value) {
  const unsigned above = 1u << hd_clog2(value);
  hd_rule(k, value & (value - 1), HD_KEYS(key), "found %u; allowed a power of two; set it to %u or %u", value,
          above / 2, above);
}

struct hd_text hd_value_of(const struct hd_config *c, const char *name) {
  const struct hd_key *key = hd_key_called(name, strlen(name));
  return hd_key_text(key, hd_config_get(c, key));
}

void hd_wants_lines(struct hd_check *k, const char *key, bool does) {
  hd_rule(k, does && k->c->l1d.fill == HD_L1D_FILL_SECTOR, HD_KEYS("l1d.fill", key),
          "found sectors with %s: %s, which goes by lines that come whole; allowed line with it, or sectors "
          "without it; set l1d.fill to line, or change %s",
          key, hd_value_of(k->c, key).text, key);
}
