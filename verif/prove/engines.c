/* Runs Yosys and ABC; see engines.h. */
#include "verif/prove/engines.h"

#include <stdlib.h>
#include <string.h>

#include "base/new_files.h"
#include "base/programs.h"
#include "rtl_gen/rtl.h"
#include "verif/prove/derived.h"

/* --- the graph -------------------------------------------------------------------------------------------- */

/* Returns Yosys commands that look for a combinational path from each `valid` to its own `ready`. *n is the number of `ready` outputs. */
static char *ready_checks(const struct hd_decl *d, size_t *n) {
  char *text = NULL;
  size_t size;
  const struct hd_row *valid, *ready;
  FILE *f = hd_memory_open(&text, &size);
  *n = 0;
  for (size_t at = 0; (at = hd_derived_ready(d, &valid, &ready, at)); ++*n)
    fprintf(f, "tee -o ready_%zu.txt select -list %s/o:%s %%cie* %s/i:%s %%i\n", *n, d->module, ready->var,
            d->module, valid->var);
  hd_memory_close(f);
  return text;
}

static char *script_of(const struct hd_decl *d, size_t *ready) {
  char *checks = ready_checks(d, ready);
  char *text = hd_format("read_verilog -sv -formal rtl/*.v\n"
                         "hierarchy -check -top %s\n"
                         "proc\n"
                         "flatten\n"
                         "opt_clean\n"
                         "%s"
                         "delete -port %s/o:*\n"
                         "expose %s/w:proof_says\n"
                         "opt -full\n"
                         "memory_map\n"
                         "async2sync\n"
                         "setundef -undriven -anyseq\n"
                         "opt -full\n"
                         "techmap\n"
                         "opt -fast\n"
                         "dffunmap\n"
                         "abc -g AND -fast\n"
                         "opt_clean\n"
                         "write_aiger -zinit -map proof.map proof.aig\n",
                         d->module, checks, d->module, d->module);
  free(checks);
  return text;
}

/* Removes the word from the list. Returns false if the list does not have it. */
static bool take_word(char *list, const char *word, size_t n) {
  for (char *at = list; at && *at; at += strcspn(at, " "), at += strspn(at, " "))
    if (strcspn(at, " ") == n && !strncmp(at, word, n)) {
      memset(at, ' ', n);
      return true;
    }
  return false;
}

/* Returns HD_CHECK if a `ready` depends on its own `valid` although the checker does not name it (`//@ looks`), or the reverse. */
static enum hd_rc check_ready(const struct hd_decl *d, struct hd_proof *proof, struct hd_why *why) {
  const struct hd_row *valid, *ready;
  char *looks = hd_rtl_checker_looks(d->module);
  size_t n = 0;
  enum hd_rc rc = HD_OK;
  proof->ready = 0;
  for (size_t at = 0; rc == HD_OK && (at = hd_derived_ready(d, &valid, &ready, at)); n++) {
    char *path = hd_format("%s/ready_%zu.txt", proof->dir, n), *found = hd_slurp(path);
    if (!found)
      rc = hd_because(why, HD_TOOL, "%s cannot be read", path);
    else if (!found[strspn(found, " \n")])
      proof->ready++;
    else if (!take_word(looks, ready->var, strlen(ready->var) - strlen("_ready")))
      rc = hd_because(why, HD_CHECK, "%s: %s depends on %s in its cycle", d->module, ready->var, valid->var);
    free(found);
    free(path);
  }
  if (rc == HD_OK && looks && looks[strspn(looks, " ")])
    rc = hd_because(why, HD_CHECK, "%s: found looks %s, whose ready does not depend on its valid", d->module,
                    looks + strspn(looks, " "));
  free(looks);
  return rc;
}

/* Reads the header of proof.aig: aig M I L O A B C. */
static enum hd_rc read_header(struct hd_proof *proof, struct hd_why *why) {
  char *path = hd_format("%s/proof.aig", proof->dir), head[120] = "";
  FILE *f = fopen(path, "r");
  unsigned most, outputs;
  const bool good = f && fgets(head, sizeof head, f) &&
                    sscanf(head, "aig %u %u %u %u %u", &most, &proof->inputs, &proof->flipflops, &outputs,
                           &proof->gates) == 5 &&
                    outputs == 2 * proof->n;
  if (f)
    fclose(f);
  const enum hd_rc rc =
      good ? HD_OK : hd_because(why, HD_TOOL, "%s is not the graph of %zu properties", path, proof->n);
  free(path);
  return rc;
}

/* Returns HD_INPUT with the log's first error of Yosys; HD_TOOL if there is none. */
static enum hd_rc refused(const struct hd_proof *proof, const char *log, struct hd_why *why) {
  char *path = hd_format("%s/%s", proof->dir, log), *text = hd_slurp(path);
  const char *at = text ? strstr(text, "ERROR:") : NULL;
  const enum hd_rc rc = at ? hd_because(why, HD_INPUT, "yosys refuses %s: %.*s (log: %s)", proof->module,
                                        (int)strcspn(at, "\n"), at, path)
                           : hd_because(why, HD_TOOL, "yosys failed on %s; log: %s", proof->module, path);
  free(text);
  free(path);
  return rc;
}

enum hd_rc hd_engine_graph(const struct hd_proof_job *job, struct hd_proof *proof, struct hd_why *why) {
  const struct hd_decl *d = hd_design_find(job->design, proof->module);
  struct hd_files files = {0};
  size_t n;
  hd_files_add(&files, proof->dir, "proof", ".ys", script_of(d, &n));
  enum hd_rc rc = hd_files_write(&files, proof->dir, why);
  hd_files_free(&files);
  char *log = hd_format("%s/yosys.log", proof->dir);
  if (rc == HD_OK &&
      hd_program_run(HD_YOSYS, (const char *const[]){"-Q", "-T", "proof.ys", NULL}, proof->dir, log, 1800))
    rc = refused(proof, "yosys.log", why);
  free(log);
  if (rc == HD_OK)
    rc = check_ready(d, proof, why);
  return rc == HD_OK ? read_header(proof, why) : rc;
}

/* --- verdicts --------------------------------------------------------------------------------------------- */

enum { MOST_STEPS = 4 }; /* of induction */

/* ABC's verdict on one output. */
struct said {
  enum hd_verdict verdict;
  unsigned frames;
};

/* Returns the number after the words; 0 if the text does not have them. */
static unsigned number_behind(const char *text, const char *words) {
  const char *at = strstr(text, words);
  return at ? (unsigned)strtoul(at + strlen(words), NULL, 10) : 0;
}

/* Runs ABC; *text is its output, which the caller frees. ABC's own limit counts processor time. The limit here counts real time and is much
 * longer, because the computer may be busy. */
static enum hd_rc run_abc(const struct hd_proof *proof, const char *commands, unsigned limit_s, char **text,
                          struct hd_why *why) {
  char *log = hd_format("%s/abc.log", proof->dir);
  const int status = hd_program_run(HD_ABC, (const char *const[]){"-c", commands, NULL}, proof->dir, log,
                                    20 * (int)limit_s + 120);
  enum hd_rc rc = HD_OK;
  *text = status == 0 ? hd_slurp(log) : NULL;
  if (status != HD_RUN_TIMEOUT && (!*text || strstr(*text, "** cmd error")))
    rc = hd_because(why, HD_TOOL, "abc failed on %s; log: %s", proof->module, log);
  if (!*text)
    *text = hd_format("no answer in time\n");
  free(log);
  return rc;
}

static enum hd_rc ask(const struct hd_proof *proof, const char *graph, size_t output, const char *commands,
                      unsigned limit_s, struct said *said, struct hd_why *why) {
  char *script = hd_format("read %s; cone -s -O %zu; scleanup; %s", graph, output, commands), *text;
  const enum hd_rc rc = run_abc(proof, script, limit_s, &text, why);
  *said = (struct said){.verdict = HD_OPEN};
  if (rc == HD_OK && strstr(text, "Property proved."))
    *said = (struct said){HD_PROVED, number_behind(text, "Invariant F[")};
  else if (rc == HD_OK && strstr(text, "was asserted in frame"))
    *said = (struct said){HD_REFUTED, number_behind(text, "was asserted in frame")};
  else if (rc == HD_OK && strstr(text, "No output asserted in"))
    *said = (struct said){HD_BOUNDED, number_behind(text, "No output asserted in")};
  free(text);
  free(script);
  return rc;
}

/* --- induction -------------------------------------------------------------------------------------------- */

/* Marks the properties that are proved: their outputs are constant 0 in joint.aig, so `print_stats` shows no flip-flops and no gates. */
static enum hd_rc read_joint(struct hd_proof *proof, unsigned limit_s, unsigned steps, size_t *open,
                             struct hd_why *why) {
  char *script = NULL, *text;
  size_t size, i = 0;
  FILE *f = hd_memory_open(&script, &size);
  for (size_t at = 0; at < proof->n; at++)
    fprintf(f, "read joint.aig; cone -s -O %zu; scleanup; print_stats;", at);
  hd_memory_close(f);
  const enum hd_rc rc = run_abc(proof, script, limit_s, &text, why);
  *open = 0;
  for (char *line = text; rc == HD_OK && i < proof->n && (line = strstr(line, " lat =")); i++, line++) {
    struct hd_property *p = &proof->property[i];
    const bool closed = number_behind(line, " lat =") == 0 && number_behind(line, " and =") == 0;
    *open += !closed;
    if (closed && p->verdict == HD_OPEN) {
      p->verdict = HD_PROVED;
      p->frames = steps;
      p->by = "ind";
    }
  }
  free(text);
  free(script);
  return rc;
}

enum hd_rc hd_engine_induction(const struct hd_proof_job *job, struct hd_proof *proof, struct hd_why *why) {
  const double begun = hd_program_seconds();
  size_t open = proof->n;
  enum hd_rc rc = HD_OK;
  for (unsigned k = 1; rc == HD_OK && open && k <= MOST_STEPS; k *= 2) {
    char *script = hd_format("read proof.aig; fold; write folded.aig; cone -s -O 0 -R %zu; scleanup; scorr "
                             "-F %u -C 10000; write joint.aig",
                             proof->n, k),
         *text;
    rc = run_abc(proof, script, job->limit_s, &text, why);
    free(text);
    free(script);
    if (rc == HD_OK)
      rc = read_joint(proof, job->limit_s, k, &open, why);
  }
  for (size_t i = 0; i < proof->n; i++)
    proof->property[i].seconds = (hd_program_seconds() - begun) / (double)proof->n;
  return rc;
}

/* --- one property ----------------------------------------------------------------------------------------- */

enum hd_rc hd_engine_decide(const struct hd_proof_job *job, struct hd_proof *proof, size_t i,
                            struct hd_why *why) {
  struct hd_property *p = &proof->property[i];
  struct said said;
  const double begun = hd_program_seconds();
  char *pdr = hd_format("pdr -T %u", job->limit_s),
       *bmc = hd_format("bmc3 -F %u -T %u", job->depth, job->limit_s);
  enum hd_rc rc = HD_OK;
  if (p->verdict == HD_OPEN) {
    rc = ask(proof, "joint.aig", i, pdr, job->limit_s, &said, why);
    p->by = "pdr";
    if (rc == HD_OK && said.verdict == HD_OPEN) {
      rc = ask(proof, "joint.aig", i, bmc, job->limit_s, &said, why);
      p->by = "bmc";
    }
    p->verdict = said.verdict;
    p->frames = said.frames;
  }
  /* Bounded search finds the first cycle in which the left side holds. Only a proof can show that it never does. */
  if (rc == HD_OK)
    rc = ask(proof, "folded.aig", proof->n + i, bmc, job->limit_s, &said, why);
  p->cover = said.verdict;
  p->cover_at = said.frames;
  if (rc == HD_OK && p->cover != HD_REFUTED) {
    rc = ask(proof, "folded.aig", proof->n + i, pdr, job->limit_s, &said, why);
    if (said.verdict != HD_OPEN) { /* otherwise the result of the bounded search stays */
      p->cover = said.verdict;
      p->cover_at = said.frames;
    }
  }
  p->seconds += hd_program_seconds() - begun;
  free(bmc);
  free(pdr);
  return rc;
}
