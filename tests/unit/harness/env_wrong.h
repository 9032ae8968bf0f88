/* Environments that get wrong values: a saboteur stands between a model and its environment. The environment must detect it and
 * give the right reason. */
#ifndef HEDDLE_TESTS_UNIT_ENV_WRONG_H
#define HEDDLE_TESTS_UNIT_ENV_WRONG_H

#include "tests/unit/harness/env_rig.h"

/* A saboteur acts once per CHANCES opportunities, since a single act does not always matter. */
enum { CHANCES = 200, SEEDS = 32 };
static unsigned chances;
static bool now(bool possible) {
  chances += possible;
  return possible && chances % CHANCES == 0;
}

/* Runs the machine with a saboteur and fails unless an error with `words` in its text results. Whether the damage shows, and which
 * part shows first, depends on the traffic. So one of SEEDS seeds is enough. */
static void caught_in(struct play machine, saboteur how, const char *words) {
  char text[sizeof machine.text] = "";
  for (unsigned seed = 1; seed <= SEEDS; seed++) {
    struct play p = machine;
    p.seed = seed;
    p.saboteur = how;
    chances = 0;
    run(&p);
    if (*p.text && strstr(p.text, words)) /* `words` may match any part */
      return;
    if (*p.text)
      memcpy(text, p.text, sizeof text);
  }
  fail_msg("%s: found \"%s\", expected \"%s\"", machine.module, text, words);
}

static inline void caught(const char *module, saboteur how, const char *words) {
  caught_in(of(module), how, words);
}

/* SEEN makes a saboteur of the model's inputs. SHOWN makes one of the outputs that the environment sees. */
#define SEEN(name, module, possible, what)                                                                   \
  static void name(void *in_, void *out_) {                                                                  \
    struct module##_in *in = in_;                                                                            \
    if (!out_ && now(possible))                                                                              \
      what;                                                                                                  \
  }
#define SHOWN(name, module, possible, what)                                                                  \
  static void name(void *in_, void *out_) {                                                                  \
    const struct module##_in *in = in_;                                                                      \
    struct module##_out *out = out_;                                                                         \
    if (out_ && in && now(possible))                                                                         \
      what;                                                                                                  \
  }
/* HEARD gives the model another value at a port in every cycle. */
#define HEARD(name, module, port, value)                                                                     \
  static void name(void *in_, void *out_) {                                                                  \
    if (!out_)                                                                                               \
      ((struct module##_in *)in_)->port = value;                                                             \
  }
/* ALWAYS shows the environment another value whenever `possible` holds. */
#define ALWAYS(name, module, possible, what)                                                                 \
  static void name(void *in_, void *out_) {                                                                  \
    struct module##_out *out = out_;                                                                         \
    if (out_ && in_ && (possible))                                                                           \
      what;                                                                                                  \
  }

#endif
