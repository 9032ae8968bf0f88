/* Compares RTL and netlist by Yosys; see equal.h. */
#include "synth/equal/equal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/programs.h"
#include "synth/flow.h"

/* Runs Yosys in the directory. Returns its log, which the caller frees, or NULL if it failed. */
static char *run(const struct hd_equal_job *job, const char *stem, const char *script, struct hd_why *why) {
  char *ys = hd_format("%s.ys", stem), *log = hd_format("%s/%s.log", job->dir, stem), *text = NULL;
  const struct hd_flow flow = {.dir = job->dir};
  /* each port has its own limit; this one ends a Yosys that hangs */
  if (hd_flow_write(&flow, ys, script) &&
      !hd_program_run(HD_YOSYS, (const char *const[]){"-Q", "-T", ys, NULL}, job->dir, log, 86400))
    text = hd_slurp(log);
  if (!text)
    hd_because(why, HD_TOOL, "yosys failed on the netlist of %s; log: %s", job->module->module, log);
  free(log);
  free(ys);
  return text;
}

/* Writes the RTL as JSON with Yosys's cells and flip-flops of one bit each. */
static enum hd_rc elaborate(const struct hd_equal_job *job, struct hd_why *why) {
  const char *top = job->module->module;
  char *script = hd_format("read_verilog wrappers.v\n"
                           "read_verilog rtl/%s.v\n"
                           "hierarchy -libdir boxes -libdir rtl -check -top %s\n"
                           "proc\n"
                           "flatten\n"
                           "memory\n"
                           "dffunmap\n"
                           "simplemap t:$dff\n"
                           "write_json equal_rtl.json\n",
                           top, top);
  char *log = run(job, "equal_rtl", script, why);
  const enum hd_rc rc = log ? HD_OK : HD_TOOL;
  free(log);
  free(script);
  return rc;
}

/* Synthesis may choose any value for an undefined value of the RTL (-ignore_gold_x). In the log, the solver's
 * result for a port follows its `log equal` line. */
static char *script_of(const struct hd_equal_job *job, json_t *outputs) {
  char *text = NULL;
  size_t size;
  const char *top = job->module->module, *name;
  json_t *bits;
  FILE *f = hd_memory_open(&text, &size);
  fprintf(f,
          "read_json equal_gold.json\nhierarchy -top %s\nrename %s gold\ndesign -stash gold\n"
          "read_json equal_gates.json\nread_liberty -overwrite -ignore_miss_func cells.lib\n"
          "hierarchy -top %s\nproc\nflatten\nopt_clean\nrename %s gate\ndesign -stash gate\n"
          "design -copy-from gold -as gold gold\ndesign -copy-from gate -as gate gate\n"
          "miter -equiv -ignore_gold_x -make_outcmp gold gate miter\n"
          "hierarchy -top miter\nflatten\nopt_clean\n",
          top, top, top, top);
  json_object_foreach(outputs, name, bits) {
    fprintf(f, "log equal %s\nsat -enable_undef -set-def-inputs -timeout %d -prove cmp_%s 1 o:cmp_%s %%ci*\n",
            name, job->limit_s, name, name);
  }
  hd_memory_close(f);
  return text;
}

/* Reads the solver's result for each port. */
static enum hd_rc read_log(struct hd_equal *e, json_t *outputs, const char *log, struct hd_why *why) {
  const char *name;
  json_t *bits;
  json_object_foreach(outputs, name, bits) {
    char *mark = hd_format("\nequal %s\n", name);
    const char *at = strstr(log, mark), *next = at ? strstr(at + 1, "\nequal ") : NULL;
    char *part = at ? hd_format("%.*s", next ? (int)(next - at) : (int)strlen(at), at) : NULL;
    enum hd_rc rc = HD_OK;
    e->points += (long)json_integer_value(bits);
    if (part && strstr(part, "SAT proof finished - no model found: SUCCESS!"))
      e->proved += (long)json_integer_value(bits);
    else if (part && strstr(part, "SAT proof finished - model found: FAIL!"))
      json_array_append_new(e->differ, json_string(name));
    else if (part && strstr(part, "TIMEOUT!"))
      json_array_append_new(e->open, json_string(name));
    else
      rc = hd_because(why, HD_TOOL, "yosys says nothing of port %s of %s", name, e->module);
    free(part);
    free(mark);
    if (rc != HD_OK)
      return rc;
  }
  return HD_OK;
}

static enum hd_rc compare(const struct hd_equal_job *job, struct hd_equal *e, struct hd_why *why) {
  const struct hd_decl *d = job->module;
  char *rtl = hd_format("%s/equal_rtl.json", job->dir), *gold = hd_format("%s/equal_gold.json", job->dir),
       *own = hd_format("%s/netlist.json", job->dir), *gates = hd_format("%s/equal_gates.json", job->dir);
  struct hd_cut of_rtl = {.module = d, .from = rtl, .to = gold},
                of_gates = {
                    .module = d, .from = job->netlist ? job->netlist : own, .to = gates, .lib = job->lib};
  enum hd_rc rc = elaborate(job, why);
  if (rc == HD_OK)
    rc = hd_equal_cut(&of_rtl, why);
  if (rc == HD_OK)
    rc = hd_equal_cut(&of_gates, why);
  if (rc == HD_OK && !json_equal(of_rtl.outputs, of_gates.outputs))
    rc = hd_because(why, HD_CHECK, "%s: RTL and netlist have not the same ports: %s, %s", d->module, gold,
                    gates);
  if (rc == HD_OK) {
    char *script = script_of(job, of_rtl.outputs), *log = run(job, "equal", script, why);
    rc = log ? read_log(e, of_rtl.outputs, log, why) : HD_TOOL;
    free(log);
    free(script);
  }
  e->flipflops = of_gates.flipflops;
  json_decref(of_rtl.outputs);
  json_decref(of_gates.outputs);
  free(gates);
  free(own);
  free(gold);
  free(rtl);
  return rc;
}

enum hd_rc hd_equal_run(const struct hd_equal_job *job, struct hd_equal *answer, struct hd_why *why) {
  *answer = (struct hd_equal){.module = job->module->module, .differ = json_array(), .open = json_array()};
  /* runs of one module take turns */
  const int lock = open(job->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const double begun = hd_program_seconds();
  if (lock >= 0)
    flock(lock, LOCK_EX);
  enum hd_rc rc = compare(job, answer, why);
  answer->seconds = hd_program_seconds() - begun;
  if (lock >= 0)
    close(lock);
  const json_t *differ = json_array_get(answer->differ, 0), *open = json_array_get(answer->open, 0);
  if (rc == HD_OK && differ)
    rc = hd_because(why, HD_CHECK, "%s: RTL and netlist differ in %s; inputs for which they do: %s/equal.log",
                    answer->module, json_string_value(differ), job->dir);
  else if (rc == HD_OK && open)
    rc = hd_because(why, HD_CHECK, "%s: %ld of %ld points proved; %s is open: no answer in %d s",
                    answer->module, answer->proved, answer->points, json_string_value(open), job->limit_s);
  else if (rc == HD_OK && (!answer->points || answer->proved != answer->points))
    rc = hd_because(why, HD_CHECK, "%s: %ld of %ld points proved", answer->module, answer->proved,
                    answer->points);
  return rc;
}

void hd_equal_free(struct hd_equal *answer) {
  json_decref(answer->differ);
  json_decref(answer->open);
  *answer = (struct hd_equal){0};
}

static void print_names(FILE *out, const char *what, const json_t *names) {
  for (size_t i = 0; i < json_array_size(names); i++)
    fprintf(out, "  %s: %s\n", what, json_string_value(json_array_get(names, i)));
}

void hd_equal_print(const struct hd_equal *answer, FILE *out) {
  fprintf(out, "%-14s %10s %8s %8s %8s\n", "module", "flip-flops", "points", "proved", "seconds");
  fprintf(out, "%-14s %10ld %8ld %8ld %8.1f\n", answer->module, answer->flipflops, answer->points,
          answer->proved, answer->seconds);
  print_names(out, "differs", answer->differ);
  print_names(out, "open", answer->open);
}

json_t *hd_equal_json(const struct hd_equal *answer) {
  return json_pack("{s:s, s:I, s:I, s:I, s:O, s:O, s:f}", "module", answer->module, "flipflops",
                   (json_int_t)answer->flipflops, "points", (json_int_t)answer->points, "proved",
                   (json_int_t)answer->proved, "differ", answer->differ, "open", answer->open, "seconds",
                   answer->seconds);
}
