/* Writes the trace of a refuted property as a waveform and as words. ABC gives the inputs, Yosys simulates the Verilog with them; see
 * engines.h. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/new_files.h"
#include "base/programs.h"
#include "verif/prove/engines.h"

/* A signal of the waveform. */
struct signal {
  char name[80], id[16];
  const char *kind; /* "in", "out", "state"; NULL: the text does not show it */
  unsigned width;
};

/* Returns the kind of a signal by the declaration; NULL if it is not declared. */
static const char *kind_of(const struct hd_decl *d, const char *name) {
  if (!strcmp(name, "rst"))
    return "in";
  for (size_t i = 0; i < d->n_rows; i++)
    if (d->rows[i].cls != HD_RAM && !strcmp(d->rows[i].var, name))
      return d->rows[i].cls == HD_IN ? "in" : hd_is_port(d->rows[i].cls) ? "out" : "state";
  return NULL;
}

static struct signal *read_signals(FILE *f, const struct hd_decl *d, size_t *n) {
  struct signal *all = NULL;
  char line[512];
  *n = 0;
  while (fgets(line, sizeof line, f) && strncmp(line, "$enddefinitions", 15)) {
    struct signal s = {.kind = NULL};
    if (sscanf(line, "$var %*s %u %15s %79s", &s.width, s.id, s.name) != 3)
      continue;
    s.kind = kind_of(d, s.name);
    all = hd_resized(all, *n + 1, sizeof *all);
    all[(*n)++] = s;
  }
  return all;
}

/* Prints bits as a hexadecimal number; more than 64 bits, or undefined ones, as they are. */
static void put_value(FILE *out, const char *bits) {
  const size_t n = strlen(bits);
  if (n > 64 || strspn(bits, "01") != n)
    fprintf(out, "%s", bits);
  else
    fprintf(out, "%llx", strtoull(bits, NULL, 2));
}

/* Writes a paragraph for each cycle, with the values that changed. */
static void put_words(FILE *f, FILE *out, struct signal *all, size_t n) {
  char line[512], value[400], id[16];
  unsigned cycle = 0;
  bool told = false;
  while (fgets(line, sizeof line, f)) {
    if (*line == '#') {
      const unsigned long time = strtoul(line + 1, NULL, 10);
      told = time % 10 == 0;
      if (told)
        fprintf(out, "%scycle %u", cycle++ ? "\n" : "", (unsigned)(time / 10));
    } else if (told && sscanf(line, "b%399s %15s", value, id) == 2) {
      for (size_t i = 0; i < n; i++)
        if (all[i].kind && !strcmp(all[i].id, id)) {
          fprintf(out, "\n  %-5s %s = ", all[i].kind, all[i].name);
          put_value(out, value);
        }
    }
  }
  fputc('\n', out);
}

static enum hd_rc write_words(const struct hd_proof_job *job, const struct hd_proof *proof, const char *name,
                              struct hd_why *why) {
  char *from = hd_format("%s/%s.vcd", proof->dir, name), *to = hd_format("%s/%s.txt", proof->dir, name);
  FILE *f = fopen(from, "r"), *out = f ? fopen(to, "w") : NULL;
  enum hd_rc rc = HD_OK;
  if (f && out) {
    size_t n;
    struct signal *all = read_signals(f, hd_design_find(job->design, proof->module), &n);
    fprintf(out, "%s, property %s: what changes in each cycle, in hexadecimal\n", proof->module, name);
    put_words(f, out, all, n);
    free(all);
  } else {
    rc = hd_because(why, HD_TOOL, "the trace %s cannot be read", from);
  }
  if (f)
    fclose(f);
  if (out && !hd_close_written(out) && rc == HD_OK)
    rc = hd_because(why, HD_TOOL, "%s cannot be written", to);
  free(to);
  free(from);
  return rc;
}

enum hd_rc hd_engine_trace(const struct hd_proof_job *job, struct hd_proof *proof, size_t i,
                           struct hd_why *why) {
  const struct hd_property *p = &proof->property[i];
  char *find = hd_format("read proof.aig; fold; cone -s -a -O %zu; bmc3 -F %u -T %u; write_cex -a %s.aiw", i,
                         p->frames + job->depth, 10 * job->limit_s, p->name);
  char *script =
      hd_format("read_verilog -sv -formal rtl/*.v\nhierarchy -top %s\nproc\nflatten\nopt_clean\nmemory_map\n"
                "sim -clock clk -map proof.map -r %s.aiw -vcd %s.vcd %s\n",
                proof->module, p->name, p->name, proof->module);
  char *log = hd_format("%s/trace.log", proof->dir);
  struct hd_files files = {0};
  hd_files_add(&files, proof->dir, "trace", ".ys", script);
  enum hd_rc rc = hd_files_write(&files, proof->dir, why);
  hd_files_free(&files);
  if (rc == HD_OK &&
      (hd_program_run(HD_ABC, (const char *const[]){"-c", find, NULL}, proof->dir, log,
                      11 * (int)job->limit_s + 60) ||
       hd_program_run(HD_YOSYS, (const char *const[]){"-Q", "-T", "trace.ys", NULL}, proof->dir, log, 600)))
    rc = hd_because(why, HD_TOOL, "no trace of property %s of %s; log: %s", p->name, proof->module, log);
  if (rc == HD_OK)
    rc = write_words(job, proof, p->name, why);
  free(log);
  free(find);
  return rc;
}
