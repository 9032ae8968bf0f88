/* One golden model on the bench, for the tests of models: set rig.in, call look(), check rig.out, call edge(). Before you include
 * this file, define RIG as the module's name. If inputs depend on outputs of the same cycle, define RIG_FOLLOWS as the function that
 * sets them. The model carries line bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "cmodel/model/models.h"

#define RIG_CAT2(a, b) a##b
#define RIG_CAT(a, b) RIG_CAT2(a, b)
#define RIG_TEXT2(a) #a
#define RIG_TEXT(a) RIG_TEXT2(a)

static struct {
  struct hd_config c;
  struct hd_design *design;
  const struct hd_model_ops *ops;
  struct RIG *m;
  struct RIG_CAT(RIG, _in) in;
  struct RIG_CAT(RIG, _out) out;
} rig;

static struct hd_config defaults(void) {
  struct hd_config c;
  hd_config_default(&c);
  return c;
}

/* Builds the module in this configuration. All inputs are 0. */
static void build(struct hd_config c) {
  memset(&rig, 0, sizeof rig);
  rig.c = c;
  assert_int_equal(hd_config_check(&rig.c, NULL, NULL, stderr), 0);
  rig.design = hd_design_new(&rig.c);
  rig.ops = hd_model_ops(RIG_TEXT(RIG));
  rig.m = hd_model_new(rig.design, RIG_TEXT(RIG), true, NULL);
  assert_non_null(rig.m);
  assert_true(hd_alloc_in(rig.m->base.decl, &rig.in) && hd_alloc_out(rig.m->base.decl, &rig.out));
}

static void wreck(void) {
  hd_free_in(rig.m->base.decl, &rig.in);
  hd_free_out(rig.m->base.decl, &rig.out);
  hd_model_free(rig.m);
  hd_design_free(rig.design);
}

/* Computes the outputs for the current inputs. */
static void look(void) {
  rig.ops->moore(rig.m, &rig.out);
#ifdef RIG_FOLLOWS
  RIG_FOLLOWS;
#endif
  if (rig.ops->mealy)
    rig.ops->mealy(rig.m, &rig.in, &rig.out);
}

/* The clock edge. Call it after look(). */
static void edge(void) {
  rig.ops->tick(rig.m, &rig.in);
}

static inline void step(void) {
  look();
  edge();
}

#define EVENTS(name) (rig.m->base.ev[RIG_CAT(RIG_CAT(EV_, RIG), _##name)])
