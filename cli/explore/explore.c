/* heddle explore: the verb, which goes from batch to batch; see explore.h. */
#include "cli/explore/explore.h"
#include "base/alloc.h"
#include "base/programs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { IDLE = 20 /* after so many batches without a run, no more choices are asked for */ };

/* --- a batch -------------------------------------------------------------------------------------------- */

struct batch {
  struct hd_turn *turn;
  size_t n;
};

static void add_turn(struct batch *b, size_t machine, size_t input) {
  b->turn = hd_resized(b->turn, b->n + 1, sizeof *b->turn);
  b->turn[b->n++] = (struct hd_turn){machine, input};
}

/* Adds machines to be tried at the next larger input. From those tried so far, one in eta goes on: the best
 * ones that have not been promoted yet. Once the space has no further machines, as many go on as the budget
 * allows, one input after the other, so that the last input gets the best ones. */
static void promote(const struct hd_explore *e, struct batch *b) {
  for (size_t in = 0; in + 1 < e->inputs && !(e->ended && b->n); in++) {
    uint64_t go = (e->ended ? e->most[in + 1] : e->done[in] / e->eta) - e->done[in + 1];
    size_t machine;
    for (size_t i = 0; go && hd_search_said(e, "order", in, i, &machine); i++)
      if (machine && e->machine[machine].reached == in + 1) {
        add_turn(b, machine, in + 1);
        go--;
      }
  }
}

/* Adds the new machines, from number `before` on, at the first input. */
static void try_new(const struct hd_explore *e, size_t before, struct batch *b) {
  for (size_t i = before; i < e->machines; i++)
    if (!e->machine[i].beyond && !e->machine[i].failed)
      add_turn(b, i, 0);
}

static void tell(const struct hd_explore *e) {
  uint64_t of, done = hd_explore_done(e, &of);
  size_t front = 0, machine;
  const size_t input = e->done[e->inputs - 1] ? e->inputs - 1 : 0;
  while (hd_search_said(e, "front", input, front, &machine))
    front++;
  hd_progress_say("heddle explore: %llu of %llu evaluations done, %zu machines; front of %zu%s%s; %.1f CPU s "
                  "of runs\n",
                  (unsigned long long)done, (unsigned long long)of, e->machines, front,
                  *e->input[input].name ? " at " : "", e->input[input].name, e->cpu_seconds);
}

/* Asks for choices, makes machines, runs them. `idle`: number of batches before this one without a run.
 * Sets *more to false at the end. */
static enum hd_rc go_on(struct hd_explore *e, size_t *idle, bool *more, struct hd_why *why) {
  const uint64_t left = e->ended ? 0 : e->most[0] - e->done[0];
  const bool known = !e->step && json_array_size(e->known); /* the first batch is the file's */
  enum hd_rc rc = hd_search_ask(e, known ? 0 : left < e->batch ? left : e->batch, why);
  if (rc != HD_OK)
    return rc;
  if (e->step > 1)
    tell(e);
  struct batch b = {0};
  const size_t before = e->machines;
  promote(e, &b);
  const json_t *choices = known ? e->known : json_object_get(e->said, "choices");
  hd_explore_add(e, choices);
  rc = hd_explore_price(e, why);
  try_new(e, before, &b);
  *idle = b.n ? 0 : *idle + 1;
  if (left && (!json_array_size(choices) || *idle == IDLE)) {
    e->ended = true;
    if (!b.n)
      promote(e, &b);
  }
  *more = b.n || (left && !e->ended);
  if (rc == HD_OK && b.n)
    rc = hd_explore_evaluate(e, b.turn, b.n, why);
  free(b.turn);
  return rc;
}

/* --- the search ----------------------------------------------------------------------------------------- */

/* Checks the objectives that the first machine cannot have. */
static enum hd_rc check_first(const struct hd_explore *e, struct hd_why *why) {
  if (hd_explore_wants(e, HD_GOAL_ENERGY) && !e->machine[0].machine->c.d.L2)
    return hd_because(why, HD_INPUT,
                      "%s: found energy with %s, which is one SM; allowed with a GPU (memory.kind: l2), as "
                      "gpu/fermi",
                      e->file.path, e->config);
  const bool prices = hd_explore_wants(e, HD_GOAL_AREA) || hd_explore_wants(e, HD_GOAL_CLOCK);
  for (enum hd_program_id i = 0; prices && e->logic && i < HD_PROGRAMS; i++)
    if (hd_program_needed(i, "synth")) {
      const enum hd_rc rc = hd_program_need(i, why);
      if (rc != HD_OK)
        return rc;
    }
  return HD_OK;
}

static enum hd_rc search(struct hd_explore *e, struct hd_why *why) {
  enum hd_rc rc = hd_store_open(e->args->store, "explore", &e->store, why);
  size_t idle = 0;
  for (bool more = true; rc == HD_OK && more;)
    rc = go_on(e, &idle, &more, why);
  if (rc == HD_OK && !e->done[e->inputs - 1])
    rc = hd_because(why, HD_CHECK,
                    "no machine came to the last input: of %zu proposals %zu are no machines, %zu are beyond "
                    "a limit by their price, %zu failed",
                    e->proposed, json_array_size(e->refused), e->beyond, e->failed);
  return rc;
}

static enum hd_rc plan(struct hd_explore *e, struct hd_why *why) {
  enum hd_rc rc = hd_store_look(e->args->store, &e->store, why);
  double all = 0;
  for (size_t i = 0; i < e->inputs && rc == HD_OK; i++) {
    const double one = hd_explore_cost(e, i), cost = one * (double)(e->most[i] + 1 + e->rivals);
    printf("%6llu machines at %-12s %3zu workloads %12.2f CPU s each %12.1f CPU s\n",
           (unsigned long long)e->most[i], *e->input[i].name ? e->input[i].name : "-", e->input[i].n, one,
           cost);
    all += cost;
  }
  if (rc == HD_OK)
    printf("%.1f CPU s in all, predicted for %s, which runs too%s; synthesis is not in it\n", all, e->config,
           e->rivals ? ", as the rivals do" : "");
  return rc;
}

static enum hd_rc explore(struct hd_explore *e, struct hd_why *why) {
  enum hd_rc rc = hd_explore_read(e->args->what, e, why);
  if (rc == HD_OK)
    rc = hd_explore_start(e, why);
  if (rc == HD_OK)
    rc = hd_rivals_load(e, why);
  if (rc == HD_OK)
    rc = check_first(e, why);
  if (rc != HD_OK || e->args->plan)
    return rc == HD_OK ? plan(e, why) : rc;
  struct hd_answer answer;
  rc = hd_answer_open(e->args, &answer, why);
  if (rc != HD_OK)
    return rc;
  const char *out = e->args->out;
  const bool was_there = !access(out, F_OK);
  hd_scrap(was_there ? NULL : out);
  rc = hd_make_dirs(out) && !access(out, W_OK)
           ? search(e, why)
           : hd_because(why, HD_INPUT, "--out: %s cannot be written: %s", out, strerror(errno));
  if (rc == HD_OK) {
    hd_explore_print(e, answer.report);
    rc = hd_explore_write(e, answer.report, why);
  }
  if (rc != HD_OK && !was_there)
    rmdir(out);
  hd_scrap_done(out);
  return hd_answer_close(&answer, rc == HD_OK ? hd_explore_json(e) : NULL, rc, why);
}

/* Returns the path of a file beside FILE.yaml with another ending, to be freed. */
static char *beside(const char *file, const char *end) {
  const char *slash = strrchr(file, '/'), *dot = strrchr(file, '.');
  return hd_format("%.*s%s", dot && (!slash || dot > slash + 1) ? (int)(dot - file) : (int)strlen(file), file,
                   end);
}

static enum hd_rc run(const struct hd_args *args, struct hd_why *why) {
  if (args->retries > 1000)
    return hd_because(why, HD_INPUT, "--retries: found %llu; allowed 0 to 1000",
                      (unsigned long long)args->retries);
  if (args->plan && args->json)
    return hd_because(why, HD_INPUT, "--plan: found with --json; allowed alone");
  struct hd_args all = *args;
  char *store = args->store ? hd_format("%s", args->store) : beside(args->what, ".db"),
       *out = args->out ? hd_format("%s", args->out) : beside(args->what, ".front");
  all.store = store;
  all.out = out;
  struct hd_explore *e = hd_zeroed(1, sizeof *e);
  e->args = &all;
  const enum hd_rc rc = explore(e, why);
  hd_explore_free(e);
  free(e);
  free(store);
  free(out);
  return rc;
}

static const struct hd_opt opts[] = {
    HD_OPT("out", 'o', HD_OPT_TEXT, false, out, "DIR",
           "the machines of the front, 1.yaml and on, and its plot (FILE.front beside FILE.yaml)"),
    HD_OPT("store", 0, HD_OPT_TEXT, false, store, "FILE",
           "keep results and prices there (SQLite), and don't run again what is there (FILE.db beside "
           "FILE.yaml)"),
    HD_OPT("jobs", 'j', HD_OPT_COUNT, false, jobs, "N", "runs at a time; 0: as many as there are cores (0)"),
    HD_OPT("retries", 0, HD_OPT_COUNT, false, retries, "N",
           "start a run again so many times whose process was lost (3)"),
    HD_OPT("max-cycles", 0, HD_OPT_COUNT, false, cycles, "N",
           "stop a run there, which fails; 0: no limit (0)"),
    HD_OPT("plan", 0, HD_OPT_FLAG, false, plan, NULL, "say how much would run, and how long it would take"),
    HD_OPT("work", 0, HD_OPT_TEXT, false, work, "DIR", "RTL, logs, netlists of synthesis (build/explore)"),
    HD_OPT_JSON,
    HD_OPT_END};
const struct hd_verb hd_verb_explore = {
    "explore",
    "search the machines of a YAML file for the best ones, in several objectives at once",
    "FILE.yaml",
    "example: printf 'config: fermi_16k\\nspace: {l1d.ways: [2, 4, 8], l1d.mshrs: [16, 32, 64]}\\n"
    "workloads: [atax, bfs]\\ninputs: [tiny, small]\\nobjectives: [ipc, area]\\nlogic: false\\nbudget: "
    "12\\n' > "
    "mix.yaml\n"
    "         heddle explore mix.yaml --plan\n"
    "         heddle explore mix.yaml --json mix.json\n"
    "         heddle sim -c mix.front/1.yaml -w atax:small",
    opts,
    {.work = "build/explore", .retries = 3},
    run};
