/* A module in the surroundings of bench.cpp, without SystemC: what its kernel and its signals cost. The golden model by libheddle;
 * the RTL as Verilator's --cc has it, as lockstep runs it alone.
 *
 * usage: bare golden|rtl MODULE MACHINE CYCLES SEED
 * prints: cycles a second of processor time
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/heddle.h"
#include "tests/systemc/surround.h"
#include "verif/harness/cosim.h"

/* The ports of the model, as the surroundings and the model number them. */
struct port {
  size_t value, port;
  int input;
};

static void put(struct surround *s, heddle_model *m, const struct port *p, size_t n) {
  uint32_t words[SURROUND_WORDS];
  for (size_t i = 0; i < n; i++)
    if (!p[i].input) {
      heddle_get(m, p[i].value, 0, words);
      surround_put(s, p[i].port, words);
    }
}

static void get(struct surround *s, heddle_model *m, const struct port *p, size_t n) {
  uint32_t words[SURROUND_WORDS];
  for (size_t i = 0; i < n; i++)
    if (p[i].input) {
      surround_get(s, p[i].port, words);
      heddle_set(m, p[i].value, 0, words);
    }
}

static int golden(const char *module, const char *path, uint64_t cycles, uint64_t seed) {
  heddle_machine *machine;
  heddle_model *m = NULL;
  if (heddle_load(path, NULL, 0, &machine) || heddle_open(machine, module, 0, &m)) {
    fprintf(stderr, "%s%s", heddle_machine_message(machine), m ? heddle_model_message(m) : "");
    return 2;
  }
  struct surround *s = surround_open(path, module, seed);
  const size_t all = heddle_value_count(m);
  struct port *p = calloc(all, sizeof *p);
  if (!s || !p)
    return 2;
  size_t n = 0;
  for (size_t i = 0; i < all; i++) {
    const heddle_value *v = heddle_value_at(m, i);
    if (v->kind <= HEDDLE_KIND_MEALY)
      p[n++] = (struct port){i, surround_port(s, v->name), v->kind == HEDDLE_KIND_INPUT};
  }
  int good = 1;
  for (uint64_t i = 0; good && i < cycles; i++) {
    put(s, m, p, n);
    surround_drive(s);
    get(s, m, p, n);
    heddle_eval(m);
    put(s, m, p, n);
    good = surround_clock(s);
    heddle_tick(m);
  }
  surround_close(s);
  heddle_close(m);
  heddle_unload(machine);
  free(p);
  return !good;
}

static int rtl(const char *module, const char *path, uint64_t cycles, uint64_t seed) {
  struct hd_config c;
  if (hd_config_load(&c, path, stderr))
    return 2;
  struct hd_design *design = hd_design_new(&c);
  const struct hd_cosim_job job = {.design = design,
                                   .module = module,
                                   .seed = seed,
                                   .cycles = cycles,
                                   .work = "build/bench",
                                   .config_path = path,
                                   .no_compare = true};
  struct hd_cosim_report r;
  struct hd_why why;
  const int rc = hd_cosim_run(&job, &r, &why);
  if (rc)
    fprintf(stderr, "%s\n", why.text);
  else
    hd_cosim_free(&r);
  hd_design_free(design);
  return rc != 0;
}

int main(int argc, char **argv) {
  if (argc != 6) {
    fprintf(stderr, "usage: bare golden|rtl MODULE MACHINE CYCLES SEED\n");
    return 2;
  }
  const uint64_t cycles = strtoull(argv[4], NULL, 0), seed = strtoull(argv[5], NULL, 0);
  const int is_rtl = !strcmp(argv[1], "rtl");
  if (is_rtl && rtl(argv[2], argv[3], 1, seed)) /* compiles it */
    return 1;
  const clock_t start = clock();
  const int wrong = (is_rtl ? rtl : golden)(argv[2], argv[3], cycles, seed);
  printf("%s %s without SystemC: %.0f cycles a second of processor time\n", argv[2], argv[1],
         (double)cycles * CLOCKS_PER_SEC / (double)(clock() - start));
  return wrong;
}
