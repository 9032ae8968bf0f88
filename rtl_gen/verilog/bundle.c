/* The fields of bundles for the emitter; see verilog.h. */
#include <string.h>

#include "rtl_gen/verilog/verilog.h"

bool hd_bundle_field(const struct hd_config *c, const char *bundle, size_t i, struct hd_bundle_field *field) {
#include "arch/config/sizes.h"
#define FIELD(of, field_name, bits, meaning_)                                                                \
  if (!strcmp(bundle, #of) && i-- == 0) {                                                                    \
    *field = (struct hd_bundle_field){                                                                       \
        .name = #field_name, .width_txt = #bits, .meaning = meaning_, .width = (bits)};                      \
    return true;                                                                                             \
  }
#define RANGED(of, field_name, bits, reset_, least_, most_, meaning_)                                        \
  if (!strcmp(bundle, #of) && i-- == 0) {                                                                    \
    *field = (struct hd_bundle_field){#field_name, #bits,  meaning_, (bits),   #reset_,                      \
                                      #least_,     #most_, (reset_), (least_), (most_)};                     \
    return true;                                                                                             \
  }
#define BUNDLE(name, meaning, fields) fields
#include "arch/declaration/bundles.def"
#undef BUNDLE
#undef FIELD
  return false;
}

struct hd_fields hd_fields_of(const struct hd_config *c, const char *bundle, const char *prefix,
                              const char *suffix) {
  struct hd_fields out = {"{"};
  struct hd_bundle_field field;
  size_t used = 1;
  for (size_t i = 0; hd_bundle_field(c, bundle, i, &field); i++)
    if (field.width)
      used += (size_t)snprintf(out.text + used, sizeof out.text - used, "%s%s%s%s", used > 1 ? ", " : "",
                               prefix, field.name, suffix);
  snprintf(out.text + used, sizeof out.text - used, "}");
  return out;
}
