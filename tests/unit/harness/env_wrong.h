/* Environments that are told wrong things: a saboteur between a model and its environment, and what must be said of it. */
#ifndef HEDDLE_TESTS_UNIT_ENV_WRONG_H
#define HEDDLE_TESTS_UNIT_ENV_WRONG_H

#include "tests/unit/harness/env_rig.h"

/* A saboteur acts at one chance in so many; not every time does it matter. */
enum { CHANCES = 200, SEEDS = 32 };
static unsigned chances;
static bool now(bool possible) {
  chances += possible;
  return possible && chances % CHANCES == 0;
}

/* Runs it with a saboteur: must be caught, in these words. Whether what it breaks shows, and what of it first, depends on
 * the traffic, so one of a few seeds is enough. */
static void caught_in(struct play machine, saboteur how, const char *words) {
  char text[sizeof machine.text] = "";
  for (unsigned seed = 1; seed <= SEEDS; seed++) {
    struct play p = machine;
    p.seed = seed;
    p.saboteur = how;
    chances = 0;
    run(&p);
    if (*p.text && strstr(p.text, words)) /* `words` may be any */
      return;
    if (*p.text)
      memcpy(text, p.text, sizeof text);
  }
  fail_msg("%s: found \"%s\", expected \"%s\"", machine.module, text, words);
}

static inline void caught(const char *module, saboteur how, const char *words) {
  caught_in(of(module), how, words);
}

/* Saboteurs. SEEN: on what the model gets. SHOWN: on what the environment gets. */
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
/* The model hears something else, always. */
#define HEARD(name, module, port, value)                                                                     \
  static void name(void *in_, void *out_) {                                                                  \
    if (!out_)                                                                                               \
      ((struct module##_in *)in_)->port = value;                                                             \
  }
/* The environment is shown something else, always. */
#define ALWAYS(name, module, possible, what)                                                                 \
  static void name(void *in_, void *out_) {                                                                  \
    struct module##_out *out = out_;                                                                         \
    if (out_ && in_ && (possible))                                                                           \
      what;                                                                                                  \
  }

#endif
