/* The inputs of a search, and its workloads at each input; see explore.h.
 *
 * Invariant: no input has a workload twice.
 */
#include "workloads/workloads.h"
#include "base/alloc.h"
#include "cli/explore/explore.h"

#include <stdlib.h>
#include <string.h>

static const char own[] = "own"; /* an input: the workload as the file has it */

/* True if the workload is a trace file. Then the text after its colon is a path, not an input. */
static bool is_trace(const char *spec) {
  return !strncmp(spec, "trace:", 6);
}

char *hd_explore_spec(const struct hd_input *in, const char *plain) {
  return !*in->name || !strcmp(in->name, own)
             ? hd_format("%s", plain)
             : hd_format("%.*s:%s", (int)strcspn(plain, ":"), plain, in->name);
}

/* Adds a workload to an input, unless it is there already. */
static void add_workload(struct hd_explore *e, struct hd_input *in, const yaml_node_t *node,
                         const char *plain) {
  const bool as_it_is = !*in->name || !strcmp(in->name, own);
  char *spec = hd_explore_spec(in, plain);
  struct hd_why why;
  for (size_t i = 0; i < in->n; i++)
    if (!strcmp(in->workload[i], spec)) {
      free(spec);
      return;
    }
  if (!as_it_is && is_trace(plain))
    hd_run_file_problem(&e->file, node, "workloads",
                        "a trace with inputs: [own] alone, for it has no others");
  else if (!wl_check(spec, why.text, sizeof why.text))
    hd_run_file_sentence(&e->file, node, "workloads", &why);
  in->workload = hd_resized(in->workload, in->n + 1, sizeof *in->workload);
  in->workload[in->n++] = spec;
}

void hd_workloads_read(struct hd_explore *e, const yaml_node_t *list) {
  for (size_t i = 0; i < hd_run_file_count(list); i++) {
    const yaml_node_t *node = hd_run_file_item(&e->file, list, i);
    struct hd_run_set names = {0}; /* the workloads that a suite's or a paper's name stands for */
    struct hd_why why;
    if (hd_run_set_workload(&names, "workload", hd_run_file_scalar(node), &why) != HD_OK)
      hd_run_file_sentence(&e->file, node, "workloads", &why);
    for (size_t k = 0; k < names.workloads && !e->file.load.problems; k++)
      for (size_t in = 0; in < e->inputs; in++)
        add_workload(e, &e->input[in], node, names.workload[k]);
    hd_run_set_free(&names);
  }
}

void hd_inputs_read(struct hd_explore *e, const yaml_node_t *list) {
  if (!list) {
    e->input[e->inputs++].name = hd_format("%s", "");
    return;
  }
  const size_t n = hd_run_file_count(list);
  if (!n || n > HD_MOST_INPUTS)
    hd_run_file_problem(&e->file, list, "inputs",
                        "one to four inputs, the smallest first; write for example [tiny, small, paper]");
  for (size_t i = 0; i < n && n <= HD_MOST_INPUTS; i++) {
    const yaml_node_t *node = hd_run_file_item(&e->file, list, i);
    const char *name = hd_run_file_scalar(node);
    bool again = false;
    for (size_t k = 0; name && k < e->inputs; k++)
      again |= !strcmp(name, e->input[k].name);
    if (again)
      hd_run_file_problem(&e->file, node, "inputs", "each once");
    else if (name)
      e->input[e->inputs++].name = hd_format("%s", name);
    else
      hd_run_file_problem(&e->file, node, "inputs",
                          "the name of an input, as tiny; own: as the workload is written");
  }
}
