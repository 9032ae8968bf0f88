/* Random machines. For a legal machine all of its Verilog is generated. For an illegal machine the message names the key, the value
 * and what is allowed.
 *
 * usage: machines SEED LEGAL ILLEGAL DIR      DIR takes the Verilog of one after the other
 * A legal machine is a random half of the keys, each kept if it is accepted beside those before it. An illegal machine is a legal
 * one and one key more: a number out of range, an unknown word, a text that is no number, an unknown key, or a value that the rules
 * between keys refuse. Among 40 or more illegal machines there must be some of each kind. Exit code: 0 good, 1 not, 2 wrong
 * arguments.
 */
#include "arch/config/config.h"
#include "rtl_gen/rtl.h"
#include "workloads/rng.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 128, TEXT = 96, EACH = 40 /* of so many illegal ones some are of each kind */ };

static struct wl_rng rng;
static uint64_t below(uint64_t n) {
  return wl_rng_below(&rng, n);
}

/* A machine: a --set for each key. */
struct machine {
  char set[MOST][2 * TEXT];
  size_t n;
};

/* Returns the number of problems of a machine. Their text goes to *said; the caller frees it. */
static unsigned problems(const struct machine *m, struct hd_config *c, char **said) {
  const char *set[MOST];
  size_t size;
  for (size_t i = 0; i < m->n; i++)
    set[i] = m->set[i];
  FILE *err = open_memstream(said, &size);
  if (!err)
    abort();
  const unsigned n = hd_config_load_text(c, "name: random\n", "random.yaml", NULL, set, m->n, err);
  fclose(err);
  return n;
}

static void put(struct machine *m, const struct hd_key *k, const char *value) {
  snprintf(m->set[m->n++], sizeof *m->set, "%s.%s=%s", k->section, k->key, value);
}

/* Draws a value that the key may have: one end of its range, a power of two, or any. */
static struct hd_text draw(const struct hd_key *k) {
  long value = k->min + (long)below((uint64_t)(k->max - k->min) + 1);
  if (k->type == HD_KEY_ENUM)
    return hd_key_text(k, k->words[below(k->n_words)].value);
  if (k->type == HD_KEY_INT && below(3)) {
    const long ends[] = {k->min, k->max, 1L << below(12)};
    const long some = ends[below(3)];
    value = some >= k->min && some <= k->max ? some : value;
  }
  return hd_key_text(k, value);
}

/* Returns true if a module, or one inside it, exists in the golden model only. */
static bool has_model_only(const struct hd_decl *decl) {
  bool has = decl->model_only;
  for (size_t i = 0; i < decl->n_insts && !has; i++)
    has = has_model_only(decl->insts[i].decl);
  return has;
}

/* Decides by the declarations, without trying to write the Verilog. */
static bool is_hardware(const struct hd_config *c) {
  struct hd_design *design = hd_config_model_only(c) ? NULL : hd_design_new(c);
  const struct hd_decl *sm = design ? hd_design_find(design, "sm_mem") : NULL;
  const bool is = sm && !has_model_only(sm);
  if (design)
    hd_design_free(design);
  return is;
}

/* Draws a machine that the configuration calls legal and that is hardware. Words come first, since they decide which other keys have
 * an effect. */
static void draw_legal(struct machine *m, struct hd_config *c) {
  static struct hd_config with;
  size_t n;
  const struct hd_key *key = hd_keys(&n);
  hd_config_default(c);
  m->n = 0;
  for (unsigned words = 2; words-- > 0;)
    for (size_t i = 0, at = below(n); i < n && m->n < MOST - 1; i++, at = (at + 1) % n) {
      if ((key[at].type == HD_KEY_ENUM) != words || below(2))
        continue;
      char *said;
      put(m, &key[at], draw(&key[at]).text);
      if (problems(m, &with, &said) || !is_hardware(&with))
        m->n--;
      else
        *c = with;
      free(said);
    }
}

static bool failed(const struct machine *m, const char *what, const char *said) {
  printf("FAILED: %s: heddle gen", what);
  for (size_t i = 0; i < m->n; i++)
    printf(" --set %s", m->set[i]);
  printf("\n%s\n", said);
  return false;
}

/* The ways in which a machine can be illegal. */
enum { RANGE, WORD, NUMBER, KEY, RULE, WAYS };
static const char *const ways[WAYS] = {"out of range", "no word", "no number", "no key", "by a rule"};

static struct { unsigned generated[2], refused[WAYS]; } count;

/* Returns true if its Verilog can be written, for an SM and for the other parts. */
static bool legal(const char *dir) {
  static struct machine m;
  static struct hd_config c;
  struct hd_why why = {0};
  draw_legal(&m, &c);
  struct hd_design *design = hd_design_new(&c);
  bool good = design || failed(&m, "legal, and no design", "");
  static const char *const tops[] = {"sm_mem", "l2_top"};
  for (unsigned t = 0; good && t < 2; t++)
    if (!t || hd_design_find(design, tops[t])) {
      const enum hd_rc rc = hd_rtl_write(design, tops[t], dir, &why);
      good = rc == HD_OK || failed(&m, "legal, and not generated", why.text);
      count.generated[t] += good;
    }
  if (design)
    hd_design_free(design);
  return good;
}

/* Returns true if one line of the text has "key: found VALUE" and what is allowed. */
static bool tells(const char *said, const char *key, const char *value) {
  char want[3 * TEXT];
  snprintf(want, sizeof want, "%.*s: found %s", TEXT, key, value);
  const char *at = strstr(said, want), *end = at ? strchr(at, '\n') : NULL,
             *rule = at ? strstr(at, "allowed ") : NULL;
  return rule && end && rule < end && rule[8] > ' ';
}

/* Draws a key that can be wrong in this way. */
static const struct hd_key *draw_key(unsigned how) {
  size_t n;
  const struct hd_key *key = hd_keys(&n), *k;
  do
    k = &key[below(n)];
  while (how <= NUMBER && (k->type == HD_KEY_INT) != (how != WORD));
  return k;
}

/* Puts an illegal value into key k. Returns the text that the message must report. */
static void put_bad(struct machine *m, const struct hd_key *k, unsigned how, char found[TEXT]) {
  static const char *const none[] = {"1.5", "many", "12x", "0x", "-", "1e3", "3,4"};
  if (how == RANGE)
    snprintf(found, TEXT, "%ld", below(2) && k->min > 0 ? k->min - 1 : k->max + 1 + (long)below(1000));
  else if (how == WORD) /* a letter too many */
    snprintf(found, TEXT, "%sx", draw(k).text);
  else
    snprintf(found, TEXT, "%s", none[below(sizeof none / sizeof *none)]);
  put(m, k, found);
}

static bool illegal(void) {
  static struct machine m;
  static struct hd_config c;
  size_t n;
  const struct hd_key *key = hd_keys(&n);
  draw_legal(&m, &c);
  const unsigned how = (unsigned)below(WAYS);
  char name[TEXT], found[TEXT] = "", *said = NULL;
  unsigned bad = 0;
  const size_t before = m.n;
  /* a broken rule between keys may need several tries: only then another value is drawn */
  for (unsigned tries = 0; !bad && tries < (how == RULE ? 1000u : 1u); tries++) {
    const struct hd_key *k = draw_key(how);
    m.n = before;
    free(said);
    snprintf(name, sizeof name, "%s.%s", k->section, k->key);
    if (how <= NUMBER)
      put_bad(&m, k, how, found);
    else if (how == KEY) {
      const bool section = below(2);
      snprintf(name, sizeof name, section ? "%sx" : "%s.%sx", k->section, k->key);
      snprintf(m.set[m.n++], sizeof *m.set, "%s.%s=1", section ? name : k->section,
               section ? k->key : strchr(name, '.') + 1);
      snprintf(found, sizeof found, "an unknown %s", section ? "section" : "key");
    } else
      put(&m, k, draw(k).text);
    bad = problems(&m, &c, &said);
  }
  bool good = bad > 0;
  if (good && how != RULE)
    good = tells(said, name, found);
  else if (good) { /* the message of a rule may name any of its keys */
    good = false;
    for (size_t k = 0; k < n && !good; k++) {
      snprintf(name, sizeof name, "%s.%s", key[k].section, key[k].key);
      good = tells(said, name, "");
    }
  }
  if (good)
    count.refused[how]++;
  else
    failed(&m, bad ? "the message lacks key, value or rule" : "nothing refuses it", said);
  free(said);
  return good;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: machines SEED LEGAL ILLEGAL DIR\n");
    return 2;
  }
  const uint64_t seed = strtoull(argv[1], NULL, 10),
                 most[2] = {strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10)};
  uint64_t passed = 0, bad = 0;
  for (unsigned kind = 0; kind < 2; kind++)
    for (uint64_t i = 0; i < most[kind]; i++) {
      rng = (struct wl_rng){wl_rng_mix(wl_rng_mix(seed, kind), i)};
      const bool good = kind ? illegal() : legal(argv[4]);
      passed += good;
      bad += !good;
    }
  printf("seed %" PRIu64 ": generated %u sm_mem, %u l2_top; refused", seed, count.generated[0],
         count.generated[1]);
  for (unsigned how = 0; how < WAYS; how++) {
    printf("%s %u %s", how ? "," : ":", count.refused[how], ways[how]);
    bad += most[1] >= EACH && !count.refused[how];
  }
  printf("\n");
  printf("%" PRIu64 " passed, %" PRIu64 " failed\n", passed, bad);
  return bad || !passed;
}
