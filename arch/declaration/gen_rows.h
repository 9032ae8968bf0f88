/* Makes the function <module>_declare, which declares module HD_M in one configuration, from HD_DEF.
 * arch/declaration/rows.c includes this file once for each module, after arch/declaration/modules.h. */
#define HD_CAT2(a, b) a##b
#define HD_CAT(a, b) HD_CAT2(a, b)
#define HD_IN_AT(name) offsetof(struct HD_CAT(HD_M, _in), name)
#define HD_OUT_AT(name) offsetof(struct HD_CAT(HD_M, _out), name)
#define HD_LATE_AT(name) offsetof(struct HD_CAT(HD_M, _late), name)
#define HD_ST_AT(name) offsetof(struct HD_CAT(HD_M, _st), name)

static void HD_CAT(HD_M, _declare)(struct declaring *b) {
  const struct hd_config *c = b->design->c;
#include "arch/config/sizes.h"
  b->decl->in_size = sizeof(struct HD_CAT(HD_M, _in));
  b->decl->out_size = sizeof(struct HD_CAT(HD_M, _out));
  b->decl->st_size = sizeof(struct HD_CAT(HD_M, _st));
  b->decl->late_size = sizeof(struct HD_CAT(HD_M, _late));
  b->decl->model_size = sizeof(struct HD_M);
  b->decl->st_offset = offsetof(struct HD_M, s);
  b->decl->late_offset = offsetof(struct HD_M, late);
#define MODULE(name, ttl, src)                                                                               \
  b->decl->module = #name;                                                                                   \
  b->decl->title = ttl;                                                                                      \
  b->decl->source = src;
#define IN(name, width, meaning)                                                                             \
  value(b, HD_IN, #name, 1, width, "1", #width, NORESET, HD_IN_AT(name), false, meaning);
#define ENABLE(name, when, key, changes, of)                                                                 \
  IN(name, when, HD_ABOUT_##changes(of))                                                                     \
  enables(b, #name, HD_##changes, c->key);
#define IN_V(name, count, width, meaning)                                                                    \
  value(b, HD_IN, #name, count, width, #count, #width, NORESET, HD_IN_AT(name), true, meaning);
#define IN_B(name, bundle, meaning) bundle_rows(b, HD_IN, #bundle, #name, HD_IN_AT(name));
#define OUT(name, width, meaning)                                                                            \
  value(b, HD_OUT, #name, 1, width, "1", #width, NORESET, HD_OUT_AT(name), false, meaning);
#define OUT_V(name, count, width, meaning)                                                                   \
  value(b, HD_OUT, #name, count, width, #count, #width, NORESET, HD_OUT_AT(name), true, meaning);
#define OUT_B(name, bundle, meaning) bundle_rows(b, HD_OUT, #bundle, #name, HD_OUT_AT(name));
#define MEALY(name, width, meaning)                                                                          \
  value(b, HD_MEALY, #name, 1, width, "1", #width, NORESET, HD_OUT_AT(name), false, meaning);
#define MEALY_V(name, count, width, meaning)                                                                 \
  value(b, HD_MEALY, #name, count, width, #count, #width, NORESET, HD_OUT_AT(name), true, meaning);
#define MEALY_B(name, bundle, meaning) bundle_rows(b, HD_MEALY, #bundle, #name, HD_OUT_AT(name));
#define LATE(name, width, meaning)                                                                           \
  value(b, HD_LATE, #name, 1, width, "1", #width, NORESET, HD_LATE_AT(name), false, meaning);
#define SHOW(output, shown) shows(b, #output, #shown);
#define ASKED(input, while_) asked(b, #input, #while_);
#define SEES(output, ...) sees(b, #output, #__VA_ARGS__);
#define REG(name, width, reset, meaning)                                                                     \
  value(b, HD_REG, #name, 1, width, "1", #width, reset, HD_ST_AT(name), false, meaning);
#define REG_V(name, count, width, reset, meaning)                                                            \
  value(b, HD_REG, #name, count, width, #count, #width, reset, HD_ST_AT(name), true, meaning);
#define REG_B(name, bundle, meaning) bundle_rows(b, HD_REG, #bundle, #name, HD_ST_AT(name));
#define CAM(name, count, width, meaning)                                                                     \
  value(b, HD_CAM, #name, count, width, #count, #width, NORESET, HD_ST_AT(name), true, meaning);
#define LATCHED(name, key) latched(b, #name, c->storage.key == HD_TABLE_LATCH);
#define RAM(name, banks, depth, count, width, ports, rdw, meaning)                                           \
  memory(b,                                                                                                  \
         &(struct hd_mem){#name, meaning, NULL, banks, depth, (count) * (width), ports, rdw, HD_ST_AT(name), \
                          HD_ST_AT(name##_q), HD_ST_AT(name##_wr), HD_ST_AT(name##_n),                       \
                          (banks) * (count) * sizeof(uint64_t), #depth},                                     \
         count, width, #count, #width);
#define RAM_B(name, depth, bundle, ports, rdw, meaning)                                                      \
  memory_of(b, &(struct hd_mem){#name, meaning, #bundle, 1, depth, hd_bundle_bits(c, #bundle), ports, rdw,   \
                                HD_ST_AT(name), HD_ST_AT(name##_q), HD_ST_AT(name##_wr), HD_ST_AT(name##_n), \
                                sizeof(struct bundle), #depth});
#define EVENT(name, when, format, meaning)                                                                   \
  event(b, &(struct hd_event){#name, format, meaning, (when) != 0, false});
#define CORNER(name, when, format, meaning)                                                                  \
  event(b, &(struct hd_event){#name, format, meaning, (when) != 0, true});
#define INST(name, module, when)                                                                             \
  if (b->design->all || (when))                                                                              \
    instance(b, #name, #module, offsetof(struct HD_M, name), offsetof(struct HD_M, name##_in),               \
             offsetof(struct HD_M, name##_out), #when);
#define FREE(name, least, when)                                                                              \
  (void)name; /* NAME must be a size */                                                                      \
  if (b->design->all ? !strcmp(#when, "1") : (when) != 0)                                                    \
    free_size(b, #name, least);
#define HD_ROWS_BEGIN
#include "arch/declaration/rows_undef.h"
#include HD_DEF
#include "arch/declaration/rows_undef.h"
}
#undef HD_IN_AT
#undef HD_OUT_AT
#undef HD_LATE_AT
#undef HD_ST_AT
#undef HD_CAT
#undef HD_CAT2
#undef HD_M
#undef HD_DEF
