/* Runs a module's whole proof: its files, the engines, the verdict; see prove.h. */
#include "verif/prove/prove.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/nearest_name.h"
#include "base/new_files.h"
#include "base/programs.h"
#include "rtl_gen/rtl.h"
#include "verif/prove/derived.h"
#include "verif/prove/engines.h"
#include "verif/prove/memories.h"
#include "verif/prove/statements.h"
#include "verif/verilate/locked_dir.h"

/* --- files ------------------------------------------------------------------------------------------------ */

/* Returns the text of the checker's instance and of the net for its outputs. */
static char *instance_of(const struct hd_decl *d, size_t n) {
  char *text = NULL;
  size_t size;
  FILE *f = hd_memory_open(&text, &size);
  fprintf(f,
          "\n  (* keep *) wire [%zu:0] proof_says; // each asks, each is bad\n"
          "  %s_props u_props (.clk(clk), .rst(rst), .bad(proof_says[%zu:0]), .asks(proof_says[%zu:%zu])",
          2 * n - 1, d->module, n - 1, 2 * n - 1, n);
  for (size_t i = 0; i < d->n_rows; i++)
    if (d->rows[i].cls != HD_RAM)
      fprintf(f, ",\n    .%s(%s)", d->rows[i].var, d->rows[i].var);
  char *pins = hd_memory_pieces(d, HD_MEMORY_PINS);
  fprintf(f, "%s);\n\n", pins);
  free(pins);
  hd_memory_close(f);
  return text;
}

/* Returns the module's Verilog with the checker's instance. Returns NULL if the text is no module, or lacks a memory. */
static char *with_checker(const char *verilog, const struct hd_decl *d, size_t n) {
  const char *end = NULL;
  for (const char *at = verilog; (at = strstr(at, "endmodule")); at++)
    end = at;
  if (!end)
    return NULL;
  char *instance = instance_of(d, n), *nets = hd_memory_pieces(d, HD_MEMORY_NETS),
       *text = hd_format("%.*s%s%s", (int)(end - verilog), verilog, instance, end);
  char *shown = hd_memory_shown(text, d);
  /* Nets must come before their use, so they go after the list of ports. */
  const char *body = shown ? strstr(shown, ");\n") : NULL;
  char *whole = body ? hd_format("%.*s%s%s", (int)(body - shown) + 3, shown, nets, body + 3) : NULL;
  free(shown);
  free(text);
  free(nets);
  free(instance);
  return whole;
}

/* Returns the checker as plain Verilog; *written is its text before the translation. Returns NULL and sets *why if it is wrong. */
static char *checker_of(const struct hd_proof_job *job, struct hd_proof *proof, char **written,
                        struct hd_why *why) {
  const struct hd_decl *d = hd_design_find(job->design, job->module);
  char *derived = hd_derived_properties(job->design, d), *text = NULL;
  *written = hd_rtl_checker(job->design, job->module, derived, why);
  char *ports = hd_memory_pieces(d, HD_MEMORY_PORTS), *inputs = hd_memory_pieces(d, HD_MEMORY_INPUTS);
  if (*written)
    text = hd_statements(*written, ports, inputs, proof, why);
  free(ports);
  free(inputs);
  for (size_t i = 0; text && i < proof->n; i++) {
    char *statement = hd_format("  %s: assert", proof->property[i].name);
    proof->property[i].derived = strstr(derived, statement) != NULL;
    free(statement);
  }
  free(derived);
  return text;
}

/* Adds ports that show the rows to the memory wrappers. */
static enum hd_rc show_rows(struct hd_files *files, const struct hd_decl *d, const char *rtl,
                            struct hd_why *why) {
  bool done[HD_PORT_KINDS] = {false};
  for (size_t i = 0; i < d->n_mems; i++) {
    const enum hd_ports ports = d->mems[i].ports;
    if (done[ports])
      continue;
    done[ports] = true;
    char *name = hd_format("hd_ram_%s", hd_ports_name(ports)), *path = hd_format("%s/%s.v", rtl, name);
    char *text = hd_slurp(path), *shown = text ? hd_memory_wrapper(text) : NULL;
    if (shown)
      hd_files_add(files, rtl, name, ".v", shown);
    else
      hd_because(why, HD_TOOL, "%s is no memory", path);
    free(text);
    free(path);
    free(name);
    if (!shown)
      return HD_TOOL;
  }
  return HD_OK;
}

/* Returns the Verilog to prove: generated, or the user's. Returns NULL and sets *why if there is none. */
static char *verilog_of(const struct hd_proof_job *job, struct hd_why *why) {
  if (!job->rtl)
    return hd_rtl_module_text(job->design, job->module, why);
  char *path = hd_format("%s/%s.v", job->rtl, job->module), *text = hd_slurp(path);
  if (!text)
    hd_because(why, HD_INPUT, "--rtl: %s cannot be read", path);
  free(path);
  return text;
}

/* Returns HD_INPUT if the user's Verilog lies in the directory that the proof rewrites. */
static enum hd_rc not_inside(const struct hd_proof_job *job, const struct hd_proof *proof,
                             struct hd_why *why) {
  char user[PATH_MAX], own[PATH_MAX];
  if (!job->rtl || !realpath(job->rtl, user) || !realpath(proof->dir, own))
    return HD_OK;
  const size_t n = strlen(own);
  if (strncmp(user, own, n) == 0 && (user[n] == '/' || !user[n]))
    return hd_because(why, HD_INPUT,
                      "--rtl: found %s, in which this proof writes; allowed another directory: copy %s.v",
                      job->rtl, job->module);
  return HD_OK;
}

/* Writes the files: rtl/ gets the module, its inner modules, and its checker. A module without a property has no files. */
static enum hd_rc write_files(const struct hd_proof_job *job, struct hd_proof *proof, struct hd_why *why) {
  const struct hd_decl *d = hd_design_find(job->design, job->module);
  char *written = NULL, *checker = checker_of(job, proof, &written, why);
  enum hd_rc rc = checker ? not_inside(job, proof, why) : HD_INPUT;
  char *verilog = rc == HD_OK && proof->n ? verilog_of(job, why) : NULL, *whole = NULL;
  if (rc == HD_OK && proof->n && !verilog)
    rc = HD_INPUT;
  if (verilog && !(whole = with_checker(verilog, d, proof->n)))
    rc = hd_because(why, HD_INPUT, "%s.v: found no module with its memories, allowed one", job->module);
  char *rtl = hd_format("%s/rtl", proof->dir);
  struct hd_files files = {0};
  if (whole) {
    hd_remove_tree(proof->dir);
    rc = hd_rtl_write(job->design, job->module, rtl, why);
    if (rc == HD_OK)
      rc = show_rows(&files, d, rtl, why);
    hd_files_add(&files, rtl, job->module, ".v", whole);
    hd_files_add(&files, rtl, job->module, "_props.v", checker);
    hd_files_add(&files, proof->dir, job->module, ".props.sv", written);
    if (rc == HD_OK)
      rc = hd_files_write(&files, rtl, why);
  } else {
    free(written);
    free(checker);
  }
  hd_files_free(&files);
  free(verilog);
  free(rtl);
  return rc;
}

/* --- the answer ------------------------------------------------------------------------------------------- */

bool hd_property_good(const struct hd_property *p) {
  return (p->verdict == HD_PROVED || p->verdict == HD_BOUNDED) && p->cover == HD_REFUTED;
}

static enum hd_rc answer(const struct hd_proof *proof, struct hd_why *why) {
  for (size_t i = 0; i < proof->n; i++) {
    const struct hd_property *p = &proof->property[i];
    if (p->verdict == HD_REFUTED)
      return hd_because(why, HD_CHECK, "%s: property %s does not hold: cycle %u of %s/%s.vcd", proof->module,
                        p->name, p->frames, proof->dir, p->name);
    if (p->verdict == HD_OPEN)
      return hd_because(why, HD_CHECK, "%s: property %s is open: no engine decided it in its time",
                        proof->module, p->name);
    if (p->cover == HD_PROVED)
      return hd_because(why, HD_CHECK, "%s: property %s holds emptily: its condition never does",
                        proof->module, p->name);
    if (p->cover != HD_REFUTED)
      return hd_because(why, HD_CHECK, "%s: property %s: its condition was not seen in %u cycles",
                        proof->module, p->name, p->cover_at);
  }
  return HD_OK;
}

/* Checks the job's property. Returns HD_INPUT if the module has none of that name. */
static enum hd_rc select_property(const struct hd_proof_job *job, const struct hd_proof *proof,
                                  struct hd_why *why) {
  if (!job->property)
    return HD_OK;
  struct hd_near near = hd_near_to(job->property);
  char *names = hd_format("%s", "");
  for (size_t i = 0; i < proof->n; i++) {
    const char *name = proof->property[i].name;
    if (!strcmp(name, job->property)) {
      free(names);
      return HD_OK;
    }
    hd_near_try(&near, name);
    char *more = hd_format("%s%s%s", names, i ? ", " : "", name);
    free(names);
    names = more;
  }
  const enum hd_rc rc =
      hd_because(why, HD_INPUT, "--property: found %s; %sallowed, of %s: %s", job->property,
                 hd_near_text(&near).text, job->module, *names ? names : "none, it has no properties");
  free(names);
  return rc;
}

static bool wanted(const struct hd_proof_job *job, const struct hd_property *p) {
  return !job->property || !strcmp(job->property, p->name);
}

enum hd_rc hd_prove(const struct hd_proof_job *job, struct hd_proof *proof, struct hd_why *why) {
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  *proof = (struct hd_proof){.module = job->module, .dir = hd_format("%s/%s", job->work, job->module)};
  enum hd_rc rc = hd_program_need(HD_YOSYS, why);
  if (rc == HD_OK)
    rc = hd_program_need(HD_ABC, why);
  if (rc == HD_OK)
    rc = write_files(job, proof, why);
  if (rc == HD_OK)
    rc = select_property(job, proof, why);
  if (rc == HD_OK && proof->n)
    rc = hd_engine_graph(job, proof, why);
  if (rc == HD_OK && proof->n)
    rc = hd_engine_induction(job, proof, why);
  for (size_t i = 0; rc == HD_OK && i < proof->n; i++) {
    if (!wanted(job, &proof->property[i]))
      continue;
    if (job->progress)
      job->progress(job->user, proof->property[i].name, i, proof->n);
    rc = hd_engine_decide(job, proof, i, why);
    if (rc == HD_OK && proof->property[i].verdict == HD_REFUTED)
      rc = hd_engine_trace(job, proof, i, why);
  }
  clock_gettime(CLOCK_MONOTONIC, &to);
  proof->seconds = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
  size_t kept = 0;
  for (size_t i = 0; i < proof->n; i++) {
    struct hd_property p = proof->property[i];
    if (!wanted(job, &p)) {
      free(p.name);
      free(p.when);
      free(p.then);
      continue;
    }
    proof->property[kept++] = p;
  }
  proof->n = kept;
  return rc == HD_OK ? answer(proof, why) : rc;
}

void hd_proof_free(struct hd_proof *proof) {
  for (size_t i = 0; i < proof->n; i++) {
    free(proof->property[i].name);
    free(proof->property[i].when);
    free(proof->property[i].then);
  }
  free(proof->property);
  free(proof->dir);
  *proof = (struct hd_proof){0};
}
