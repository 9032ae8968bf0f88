/* Runs machines at inputs, and computes figures from the runs; see explore.h.
 *
 * Invariant: a figure depends only on the machine, the input, the first machine and the rivals.
 */
#include "area/gpu_energy.h"
#include "base/alloc.h"
#include "cli/explore/explore.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- prices and limits ---------------------------------------------------------------------------------- */

/* Returns how far a figure exceeds its limit, as a share of the limit; 0: not at all. */
static double beyond(const struct hd_explore *e, enum hd_goal goal, double value) {
  const struct hd_limit *limit = &e->limit[goal];
  if (!limit->there)
    return 0;
  const double most = limit->value * (limit->times ? e->machine[0].priced[goal] : 1),
               over = (value - most) / most * (hd_goals[goal].more ? -1 : 1);
  return over > 0 ? over : 0;
}

enum hd_rc hd_explore_price(struct hd_explore *e, struct hd_why *why) {
  if (!hd_explore_wants(e, HD_GOAL_AREA) && !hd_explore_wants(e, HD_GOAL_CLOCK))
    return HD_OK;
  enum hd_rc rc = HD_OK;
  for (size_t i = 0; i < e->machines && rc == HD_OK; i++) {
    struct hd_candidate *c = &e->machine[i];
    bool kept;
    if (c->priced[HD_GOAL_AREA] > 0 || c->failed)
      continue;
    rc = hd_explore_prices(e, c->machine, &c->priced[HD_GOAL_AREA], &c->priced[HD_GOAL_CLOCK], &kept, why);
    if (rc != HD_OK && kept && i) {
      hd_progress_say("heddle explore: %s can't be priced: %s\n", c->name, why->text);
      c->failed = true;
      e->failed++;
      rc = HD_OK;
      continue;
    }
    for (enum hd_goal goal = 0; goal < HD_GOALS; goal++)
      c->at[0].over += hd_goals[goal].priced ? beyond(e, goal, c->priced[goal]) : 0;
    c->beyond = i && c->at[0].over > 0;
    e->beyond += c->beyond;
  }
  hd_progress_end();
  return rc;
}

/* --- figures of runs ------------------------------------------------------------------------------------ */

/* Gives the energy of a run in uJ. */
static enum hd_rc energy_of(const struct hd_run *run, double *uj, struct hd_why *why) {
  json_t *row = json_copy(run->result);
  json_object_set_new(row, "config", hd_cli_config_json(&run->machine->c));
  struct hd_gpu_energy energy;
  const enum hd_rc rc = hd_gpu_energy_of(row, &energy, why);
  *uj = energy.mid;
  json_decref(row);
  return rc;
}

static double ipc_of(const struct hd_run *run) {
  return json_number_value(json_object_get(run->result, "ipc"));
}

/* Keeps the first machine's runs at an input. The other machines are compared with them. */
static enum hd_rc take_first(struct hd_explore *e, struct hd_input *in, const struct hd_run *run,
                             struct hd_why *why) {
  in->ipc = hd_zeroed(in->n, sizeof *in->ipc);
  in->energy = hd_zeroed(in->n, sizeof *in->energy);
  for (size_t w = 0; w < in->n; w++) {
    enum hd_rc rc = hd_run_rc(&run[w]);
    if (rc != HD_OK)
      return hd_because(why, rc, "%s fails on %s, from which the search starts: %s", run[w].workload,
                        run[w].name, hd_run_error(&run[w]));
    in->ipc[w] = ipc_of(&run[w]);
    if (!(in->ipc[w] > 0))
      return hd_because(why, HD_INPUT, "%s: found no instruction; allowed workloads with some",
                        run[w].workload);
    rc = hd_explore_wants(e, HD_GOAL_ENERGY) ? energy_of(&run[w], &in->energy[w], why) : HD_OK;
    if (rc != HD_OK)
      return rc;
  }
  return HD_OK;
}

/* Computes the figures of a machine at an input from its runs. */
static enum hd_rc evaluate_turn(struct hd_explore *e, const struct hd_turn *turn, const struct hd_run *run,
                                struct hd_why *why) {
  struct hd_candidate *c = &e->machine[turn->machine];
  const struct hd_input *in = &e->input[turn->input];
  struct hd_evaluation *at = &c->at[turn->input];
  double ipc = 0, energy = 0;
  for (size_t w = 0; w < in->n; w++) {
    double uj = 0;
    if (hd_run_rc(&run[w]) != HD_OK) {
      c->failed = true;
      e->failed++;
      return HD_OK;
    }
    if (hd_explore_wants(e, HD_GOAL_ENERGY)) {
      const enum hd_rc rc = energy_of(&run[w], &uj, why);
      if (rc != HD_OK)
        return rc;
      energy += log(uj / in->energy[w]);
    }
    ipc += log(ipc_of(&run[w]) / in->ipc[w]);
  }
  at->there = true;
  at->of[HD_GOAL_IPC] = exp(ipc / (double)in->n);
  at->of[HD_GOAL_ENERGY] = exp(energy / (double)in->n);
  at->of[HD_GOAL_AREA] = c->priced[HD_GOAL_AREA];
  at->of[HD_GOAL_CLOCK] = c->priced[HD_GOAL_CLOCK];
  at->of[HD_GOAL_LEAD] = e->rivals ? hd_rivals_lead(e, turn->input, run) : 0;
  at->over = 0;
  for (enum hd_goal goal = 0; goal < HD_GOALS; goal++)
    at->over += beyond(e, goal, at->of[goal]);
  return HD_OK;
}

/* --- runs ----------------------------------------------------------------------------------------------- */

/* Makes the set of runs of the turns. The runs of a turn are consecutive; first[i] gets the number of the
 * first run of turn i. */
static struct hd_run_set set_of(const struct hd_explore *e, const struct hd_turn *turn, size_t turns,
                                size_t *first) {
  struct hd_run_set set = {
      .args = e->args, .verb = "explore", .store = e->store, .retries = (unsigned)e->args->retries};
  size_t workload[HD_MOST_INPUTS]; /* for each input: its first workload in the set */
  for (size_t i = 0; i < e->inputs; i++) {
    workload[i] = set.workloads;
    set.workloads += e->input[i].n;
  }
  set.workload = hd_zeroed(set.workloads, sizeof *set.workload);
  for (size_t i = 0; i < e->inputs; i++)
    for (size_t w = 0; w < e->input[i].n; w++)
      set.workload[workload[i] + w] = hd_format("%s", e->input[i].workload[w]);
  for (size_t i = 0; i < turns; i++) {
    const size_t number = turn[i].machine;
    const struct hd_rival *r = number < e->machines ? NULL : &e->rival[number - e->machines];
    const struct hd_candidate *c = r ? NULL : &e->machine[number];
    hd_run_set_machine(&set, r ? r->machine : c->machine, hd_format("%s", r ? r->name : c->name));
  }
  for (size_t i = 0; i < turns; i++) {
    first[i] = set.runs;
    for (size_t w = 0; w < e->input[turn[i].input].n; w++)
      hd_run_set_add(&set, i, workload[turn[i].input] + w);
  }
  return set;
}

/* Frees the set, but not the machines and the store, which the search owns. */
static void free_set(struct hd_run_set *set) {
  for (size_t i = 0; i < set->machines; i++)
    set->machine[i] = NULL;
  set->store = NULL;
  hd_run_set_free(set);
}

enum hd_rc hd_explore_evaluate(struct hd_explore *e, const struct hd_turn *turn, size_t turns,
                               struct hd_why *why) {
  const size_t most = turns + HD_MOST_INPUTS * (1 + e->rivals);
  struct hd_turn *all = hd_zeroed(most, sizeof *all);
  size_t n = 0, *first = hd_zeroed(most, sizeof *first);
  for (size_t i = 0; i < e->inputs; i++) {
    bool wanted = false;
    for (size_t k = 0; k < turns; k++)
      wanted |= turn[k].input == i;
    if (!wanted || e->machine[0].at[i].there)
      continue;
    all[n++] = (struct hd_turn){0, i};
    for (size_t r = 0; r < e->rivals; r++)
      all[n++] = (struct hd_turn){e->machines + r, i};
  }
  const size_t firsts = n;
  memcpy(all + n, turn, turns * sizeof *turn);
  n += turns;
  struct hd_run_set set = set_of(e, all, n, first);
  hd_run_set_find(&set);
  enum hd_rc rc = hd_run_set_pool(&set, why);
  for (size_t i = 0; i < firsts && rc == HD_OK; i++)
    rc = all[i].machine
             ? hd_rival_take(e, all[i].machine - e->machines, all[i].input, &set.run[first[i]], why)
             : take_first(e, &e->input[all[i].input], &set.run[first[i]], why);
  for (size_t i = 0; i < n && rc == HD_OK; i++) {
    if (all[i].machine >= e->machines)
      continue;
    rc = evaluate_turn(e, &all[i], &set.run[first[i]], why);
    struct hd_candidate *c = &e->machine[all[i].machine];
    c->reached = c->reached > all[i].input ? c->reached : all[i].input + 1;
    e->done[all[i].input] += all[i].machine > 0;
  }
  for (size_t i = 0; i < set.runs && rc == HD_OK; i++)
    e->cpu_seconds += json_number_value(json_object_get(set.run[i].result, "cpu_seconds"));
  free_set(&set);
  free(all);
  free(first);
  return rc;
}

double hd_explore_cost(struct hd_explore *e, size_t input) {
  const struct hd_turn turn = {0, input};
  size_t first;
  struct hd_run_set set = set_of(e, &turn, 1, &first);
  hd_run_set_keys(&set);
  hd_run_set_costs(&set);
  double seconds = 0;
  for (size_t i = 0; i < set.runs; i++)
    seconds += set.run[i].cost;
  free_set(&set);
  return seconds;
}
