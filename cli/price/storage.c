/* heddle area --explore: the area of each small memory of a module in each kind of cells, and the smallest
 * combination.
 *
 * Invariant: a choice changes one memory and nothing around it, so the smallest combination consists of the
 * smallest choices. */
#include "cli/price/price.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Words of a key of storage. More words would need more columns. */
enum { CHOICES = 3 };
static const char *const columns[CHOICES] = {"sram", "ff", "latch"};

/* A memory, or a table in registers. */
struct stored {
  const char *name;
  int words, bits, banks;
  bool table; /* searched, or seen, as a whole */
};

struct choice {
  const struct hd_key *key;
  char *name; /* of the memory */
  int words, bits, count;
  double mm2[CHOICES]; /* of all copies, by column; negative: the key does not have this word */
  bool outside;        /* the macro's price is extrapolated */
  int now, best;
};

struct choices {
  const struct hd_config *c;
  const struct hd_pricer *pricer;
  struct choice *of;
  int n;
};

/* Returns the key storage.MODULE_MEMORY, or NULL if the memory has no key. */
static const struct hd_key *key_of(const char *module, const char *memory) {
  char *name = hd_format("storage.%s_%s", module, memory);
  const struct hd_key *found = hd_key_called(name, strlen(name));
  free(name);
  return found;
}

static int column_of(const char *word) {
  for (int i = 0; i < CHOICES; i++)
    if (!strcmp(columns[i], word))
      return i;
  abort(); /* no key has another word */
}

static const char *word_of(const struct hd_key *key, long value) {
  const struct hd_word *w = key->words;
  while (w->value != value)
    w++;
  return w->word;
}

/* Returns the memory that this word of its key makes. */
static struct hd_memory memory_as(const struct stored *s, int value) {
  return s->table ? (struct hd_memory){s->words, s->bits, HD_MEM_1R1W,
                                       value == HD_TABLE_LATCH ? HD_MEM_LATCH_CAM : HD_MEM_FF_CAM}
                  : hd_memory_of(s->words, s->bits, hd_1r1w_of((enum hd_memory_cells)value));
}

static enum hd_rc add(struct choices *list, const struct hd_decl *d, const struct stored *s, int copies,
                      struct hd_why *why) {
  const struct hd_key *key = key_of(d->module, s->name);
  if (!key)
    return HD_OK;
  char *name = hd_format("%s.%s", d->module, s->name);
  const int count = copies * s->banks;
  for (int i = 0; i < list->n; i++)
    if (!strcmp(list->of[i].name, name)) {
      for (int k = 0; k < CHOICES; k++)
        list->of[i].mm2[k] *= (double)(list->of[i].count + count) / list->of[i].count;
      list->of[i].count += count;
      free(name);
      return HD_OK;
    }
  list->of = hd_resized(list->of, (size_t)list->n + 1, sizeof *list->of);
  struct choice *c = &list->of[list->n++];
  *c = (struct choice){
      .key = key, .name = name, .words = s->words, .bits = s->bits, .count = count, .mm2 = {-1, -1, -1}};
  enum hd_rc rc = HD_OK;
  for (size_t w = 0; w < key->n_words && rc == HD_OK; w++) {
    const struct hd_memory as = memory_as(s, key->words[w].value);
    struct hd_mem_price price;
    rc = hd_mem_price(list->pricer, &as, &price, why);
    const int column = column_of(key->words[w].word);
    c->mm2[column] = rc == HD_OK ? count * price.area_mm2 : -1;
    c->outside |= rc == HD_OK && price.outside;
  }
  c->now = c->best = column_of(word_of(key, hd_config_get(list->c, key)));
  for (int k = 0; k < CHOICES; k++)
    if (c->mm2[k] >= 0 && c->mm2[k] < c->mm2[c->best])
      c->best = k;
  return rc;
}

static enum hd_rc walk(struct choices *list, const struct hd_decl *d, int copies, struct hd_why *why) {
  enum hd_rc rc = HD_OK;
  for (size_t i = 0; i < d->n_rows && rc == HD_OK; i++) {
    const struct hd_row *row = &d->rows[i];
    const struct stored s = {row->name, (int)row->count, (int)row->width, 1, true};
    if (row->cls == HD_REG || row->cls == HD_CAM)
      rc = add(list, d, &s, copies, why);
  }
  for (size_t i = 0; i < d->n_mems && rc == HD_OK; i++) {
    const struct hd_mem *mem = &d->mems[i];
    const struct stored s = {mem->name, (int)mem->depth, (int)mem->width, (int)mem->banks, false};
    rc = add(list, d, &s, copies, why);
  }
  for (size_t i = 0; i < d->n_insts && rc == HD_OK; i++)
    rc = walk(list, d->insts[i].decl, copies, why);
  return rc;
}

static void print_choice(const struct choice *c, FILE *out) {
  fprintf(out, "%-24s %5d %6d x %4d", c->name, c->count, c->words, c->bits);
  for (int k = 0; k < CHOICES; k++)
    if (c->mm2[k] < 0)
      fprintf(out, " %9s", "-");
    else
      fprintf(out, " %9.6f", c->mm2[k]);
  fprintf(out, "  %-5s %-5s%s\n", columns[c->now], columns[c->best],
          c->outside ? "  the macro is below CACTI's sizes: extrapolated" : "");
}

static void print_choices(const struct choices *list, FILE *out) {
  double now = 0, best = 0;
  fprintf(out, "%-24s %5s %13s %9s %9s %9s  %-5s %s\n", "memory, in mm2", "count", "words x bits", columns[0],
          columns[1], columns[2], "now", "best");
  for (int i = 0; i < list->n; i++) {
    print_choice(&list->of[i], out);
    now += list->of[i].mm2[list->of[i].now];
    best += list->of[i].mm2[list->of[i].best];
  }
  fprintf(out,
          "sum now %.6f, best %.6f mm2; macros by the model or CACTI, cells by what was synthesised alike\n",
          now, best);
}

static bool is_better(const struct choice *c) {
  return c->best != c->now;
}

static json_t *json_of(const struct choices *list) {
  json_t *memories = json_array(), *sets = json_array();
  for (int i = 0; i < list->n; i++) {
    const struct choice *c = &list->of[i];
    json_t *mm2 = json_object();
    for (int k = 0; k < CHOICES; k++)
      if (c->mm2[k] >= 0)
        json_object_set_new(mm2, columns[k], json_real(c->mm2[k]));
    json_array_append_new(memories, json_pack("{s:s, s:s, s:i, s:i, s:i, s:o, s:s, s:s, s:b}", "memory",
                                              c->name, "key", c->key->key, "count", c->count, "depth",
                                              c->words, "width", c->bits, "mm2", mm2, "now", columns[c->now],
                                              "best", columns[c->best], "extrapolated", c->outside));
    if (is_better(c))
      json_array_append_new(sets, json_sprintf("storage.%s=%s", c->key->key, columns[c->best]));
  }
  return json_pack("{s:o, s:o}", "storage", memories, "set", sets);
}

/* Prices the machine with all best choices beside the given machine. */
static enum hd_rc price_both(const struct hd_args *args, const heddle_machine *machine, json_t *json,
                             FILE *report, struct hd_why *why) {
  struct hd_args best = *args;
  json_t *set, *sets = json_object_get(json, "set");
  size_t s;
  json_array_foreach(sets, s, set) {
    if (best.set.n == HD_MAX_LIST)
      return hd_because(why, HD_INPUT, "--set: found more than %d with those of the best; allowed fewer",
                        HD_MAX_LIST);
    best.set.text[best.set.n++] = json_string_value(set);
  }
  heddle_machine *other = NULL;
  struct hd_cli_priced priced[2] = {{.memory = NULL}};
  enum hd_rc rc = hd_cli_machine(&best, args->top, &other, why);
  if (rc == HD_OK)
    rc = hd_cli_area_of(args, machine, &priced[0], why);
  if (rc == HD_OK)
    rc = hd_cli_area_of(&best, other, &priced[1], why);
  for (int i = 0; i < 2; i++) {
    const struct hd_area_report *area = &priced[i].area;
    if (rc == HD_OK) {
      fprintf(report, "%s  memories %.6f + logic %.6f = %.6f mm2, clock %.2f GHz\n", i ? "best" : "now ",
              area->memories_mm2, area->logic_mm2, area->total_mm2, area->clock_ghz);
      json_object_set_new(json, i ? "best" : "now", hd_area_json(area));
    }
    hd_cli_priced_free(&priced[i]);
  }
  heddle_unload(other);
  return rc;
}

enum hd_rc hd_cli_area_storage(const struct hd_args *args, const heddle_machine *machine, FILE *report,
                               json_t **json, struct hd_why *why) {
  const struct hd_design *design = machine->design;
  const char *name, *const *top;
  const int tops = hd_cli_area_tops(args, design, &name, &top);
  const struct hd_area_claim *claim = hd_area_claim_of(name);
  struct hd_pricer pricer = hd_cli_pricer(args->node_nm, args->work);
  struct choices list = {&machine->c, &pricer, NULL, 0};
  enum hd_rc rc = HD_OK;
  for (int i = 0; i < tops && rc == HD_OK; i++) {
    const struct hd_decl *d = hd_design_find(design, top[i]);
    rc = d ? walk(&list, d, hd_area_copies(design, claim, top[i]), why)
           : hd_because(why, HD_INPUT, "configuration %s has no %s; heddle list modules says what it has",
                        machine->c.name, name);
  }
  if (rc == HD_OK && !list.n)
    rc = hd_because(why, HD_INPUT,
                    "--explore: %s of %s has no memory with a key of storage; see heddle list params", name,
                    machine->c.name);
  if (rc == HD_OK) {
    fprintf(report, "%s of %s, %g nm\n", name, machine->c.name, pricer.node_nm ? pricer.node_nm : 45);
    print_choices(&list, report);
    *json = json_of(&list);
    size_t i;
    json_t *set, *sets = json_object_get(*json, "set");
    fprintf(report, json_array_size(sets) ? "the best:" : "no choice is smaller than what there is\n");
    json_array_foreach(sets, i, set) {
      fprintf(report, " --set %s", json_string_value(set));
    }
    fprintf(report, json_array_size(sets) ? "\n" : "");
    if (json_array_size(sets) && !args->no_logic)
      rc = price_both(args, machine, *json, report, why);
  }
  for (int i = 0; i < list.n; i++)
    free(list.of[i].name);
  free(list.of);
  hd_cli_pricer_free(&pricer);
  return rc;
}
