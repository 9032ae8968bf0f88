/* The rivals of a search: machines to be beaten, each on its own workloads; see explore.h.
 *
 * Invariant: a lead compares runs of the same workloads at the same input.
 */
#include "cli/explore/explore.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static const char *const by[] = {[HD_BY_IPC] = "ipc", [HD_BY_L2_ENERGY] = "l2_energy"};

/* --- the file ------------------------------------------------------------------------------------------- */

/* Reads the workloads of a rival and expands them to specs. */
static void read_workloads(struct hd_explore *e, const yaml_node_t *list, struct hd_rival *r) {
  hd_run_file_list(&e->file, list, "rivals", "workloads, suites or papers, as `heddle sim -w` has them");
  for (size_t i = 0; i < hd_run_file_count(list) && !e->file.load.problems; i++) {
    const yaml_node_t *node = hd_run_file_item(&e->file, list, i);
    struct hd_run_set names = {0};
    struct hd_why why;
    if (hd_run_set_workload(&names, "workload", hd_run_file_scalar(node), &why) != HD_OK)
      hd_run_file_sentence(&e->file, node, "rivals", &why);
    r->spec = hd_resized(r->spec, r->specs + names.workloads + 1, sizeof *r->spec);
    for (size_t w = 0; w < names.workloads; w++)
      r->spec[r->specs++] = hd_format("%s", names.workload[w]);
    hd_run_set_free(&names);
  }
}

static void read_rival(struct hd_explore *e, const yaml_node_t *node, struct hd_rival *r) {
  static const char shape[] = "{workloads: [atax], set: {request_buffer.kind: mrpb}}, with by: l2_energy if "
                              "less energy of the L2 is to beat it";
  const yaml_node_t *workloads = NULL, *set = NULL;
  if (node->type != YAML_MAPPING_NODE) {
    hd_run_file_problem(&e->file, node, "rivals", shape);
    return;
  }
  for (yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top; p++) {
    const yaml_node_t *key = yaml_document_get_node(&e->file.at.doc, p->key),
                      *value = yaml_document_get_node(&e->file.at.doc, p->value);
    const char *name = hd_run_file_scalar(key) ? hd_run_file_scalar(key) : "",
               *text = hd_run_file_scalar(value) ? hd_run_file_scalar(value) : "";
    if (!strcmp(name, "workloads"))
      workloads = value;
    else if (!strcmp(name, "set"))
      set = value;
    else if (strcmp(name, "by") != 0)
      hd_run_file_problem(&e->file, key, "rivals", shape);
    else if (strcmp(text, by[HD_BY_IPC]) != 0 && strcmp(text, by[HD_BY_L2_ENERGY]) != 0)
      hd_run_file_problem(&e->file, value, "rivals", "ipc, l2_energy");
    else
      r->by = strcmp(text, by[HD_BY_IPC]) ? HD_BY_L2_ENERGY : HD_BY_IPC;
  }
  if (!workloads || !set) {
    hd_run_file_problem(&e->file, node, "rivals", shape);
    return;
  }
  hd_run_file_settings(&e->file, set, "rivals", &r->set);
  read_workloads(e, workloads, r);
}

void hd_rivals_read(struct hd_explore *e, const yaml_node_t *list) {
  const size_t n = hd_run_file_count(list);
  if (!n || n > HD_MOST_RIVALS)
    hd_run_file_problem(&e->file, list, "rivals", "1 to 16 rivals");
  for (; e->rivals < n && n <= HD_MOST_RIVALS; e->rivals++)
    read_rival(e, hd_run_file_item(&e->file, list, e->rivals), &e->rival[e->rivals]);
}

void hd_rivals_match(struct hd_explore *e, const yaml_node_t *list) {
  for (size_t i = 0; i < e->rivals; i++)
    for (size_t in = 0; in < e->inputs; in++) {
      struct hd_rival *r = &e->rival[i];
      const struct hd_input *input = &e->input[in];
      bool any = false; /* this input has one of the rival's workloads */
      r->on[in] = hd_zeroed(input->n, sizeof *r->on[in]);
      for (size_t s = 0; s < r->specs; s++) {
        char *spec = hd_explore_spec(input, r->spec[s]);
        for (size_t w = 0; w < input->n; w++)
          if (!strcmp(spec, input->workload[w]))
            any = r->on[in][w] = true;
        free(spec);
      }
      if (!any)
        hd_run_file_problem(&e->file, hd_run_file_item(&e->file, list, i), "rivals",
                            "a rival with at least one of the search's workloads at each input");
    }
}

/* --- the machines --------------------------------------------------------------------------------------- */

static enum hd_rc load(struct hd_explore *e, struct hd_rival *r, struct hd_why *why) {
  struct hd_recipe recipe = e->start;
  const size_t first = recipe.set.n;
  if (!hd_recipe_put(&e->file, &recipe, &r->set))
    return hd_because(why, HD_INPUT, "%s: a rival has too many keys", e->file.path);
  const enum hd_rc rc = hd_recipe_load(&recipe, first, &r->machine, &r->name, why);
  if (rc != HD_OK && r->machine) {
    char *problems = hd_recipe_problems(&e->file, &recipe, r->name, r->machine);
    fputs(problems, stderr);
    free(problems);
  }
  if (rc == HD_OK && r->by == HD_BY_L2_ENERGY && !r->machine->c.d.L2)
    return hd_because(
        why, HD_INPUT,
        "%s: found l2_energy with %s, which is one SM; allowed with a GPU (memory.kind: l2), as "
        "gpu/fermi",
        e->file.path, e->config);
  return rc;
}

enum hd_rc hd_rivals_load(struct hd_explore *e, struct hd_why *why) {
  enum hd_rc rc = HD_OK;
  for (size_t i = 0; i < e->rivals && rc == HD_OK; i++)
    rc = load(e, &e->rival[i], why);
  return rc;
}

/* --- leads ---------------------------------------------------------------------------------------------- */

/* The figure for comparing runs: IPC, or energy of the L2 in nJ. */
static double figure_of(const struct hd_run *run, enum hd_rival_by by) {
  return json_number_value(by == HD_BY_IPC
                               ? json_object_get(run->result, "ipc")
                               : json_object_get(json_object_get(run->result, "energy"), "total_nj"));
}

enum hd_rc hd_rival_take(struct hd_explore *e, size_t rival, size_t input, const struct hd_run *run,
                         struct hd_why *why) {
  struct hd_rival *r = &e->rival[rival];
  const size_t n = e->input[input].n;
  double *had = r->had[input] = hd_zeroed(n, sizeof *had);
  for (size_t w = 0; w < n; w++) {
    if (!r->on[input][w])
      continue;
    const enum hd_rc rc = hd_run_rc(&run[w]);
    if (rc != HD_OK)
      return hd_because(why, rc, "%s fails on %s, a rival: %s", run[w].workload, run[w].name,
                        hd_run_error(&run[w]));
    had[w] = figure_of(&run[w], r->by);
  }
  return HD_OK;
}

double hd_rivals_lead(const struct hd_explore *e, size_t input, const struct hd_run *run) {
  double least = INFINITY;
  for (size_t i = 0; i < e->rivals; i++) {
    const struct hd_rival *r = &e->rival[i];
    double sum = 0;
    size_t n = 0;
    for (size_t w = 0; w < e->input[input].n; w++)
      if (r->on[input][w]) {
        sum += log(figure_of(&run[w], r->by) / r->had[input][w]) * (r->by == HD_BY_IPC ? 1 : -1);
        n++;
      }
    least = fmin(least, exp(sum / (double)n));
  }
  return least;
}

json_t *hd_rivals_json(const struct hd_explore *e) {
  json_t *rivals = json_array();
  for (size_t i = 0; i < e->rivals; i++) {
    const struct hd_rival *r = &e->rival[i];
    json_t *inputs = json_array();
    for (size_t in = 0; in < e->inputs; in++) {
      json_t *workloads = json_array();
      for (size_t w = 0; w < e->input[in].n; w++)
        if (r->on[in][w])
          json_array_append_new(workloads, json_string(e->input[in].workload[w]));
      json_array_append_new(inputs, workloads);
    }
    json_array_append_new(
        rivals, json_pack("{s:s, s:s, s:o}", "machine", r->name, "by", by[r->by], "inputs", inputs));
  }
  return rivals;
}

void hd_rivals_free(struct hd_explore *e) {
  for (size_t i = 0; i < e->rivals; i++) {
    struct hd_rival *r = &e->rival[i];
    hd_choice_free(&r->set);
    for (size_t s = 0; s < r->specs; s++)
      free(r->spec[s]);
    free(r->spec);
    for (size_t in = 0; in < HD_MOST_INPUTS; in++) {
      free(r->on[in]);
      free(r->had[in]);
    }
    heddle_unload(r->machine);
    free(r->name);
  }
}
