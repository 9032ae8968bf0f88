/* The frame of the program. A verb is a table entry, and its options are a table; its parser and its --help
 * both read these tables.
 *
 * Invariant: stdout carries only the answer; stderr carries messages and progress. Exit codes are those of
 * base/run.h.
 */
#ifndef HEDDLE_CLI_CLI_H
#define HEDDLE_CLI_CLI_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "arch/declaration/declaration.h"
#include "base/run.h"
#include "cli/progress.h"
#include "lib/objects.h"

/* The values of an option that may be given several times. */
enum { HD_MAX_LIST = 256 };
struct hd_list {
  const char *text[HD_MAX_LIST];
  size_t n;
};

/* The options of all verbs. A verb sets the fields that its options name. */
struct hd_args {
  const char *config, *json, *csv, *out, *top, *workload, *work, *fault, *lib, *what, *base, *store, *form,
      *saif, *of, *replay, *papers, *signals, *when, *check, *verb, *series, *timeline, *loads, *on, *rtl,
      *property, *spool, *target, *device;
  const char *mechanism; /* area: by its paper's name, instead of `top` */
  struct hd_list set, configs, workloads, campaign, proofs, power;
  uint64_t seed, cycles, segment, jobs, retries, shard, sample;
  uint64_t clock_gate, kernel, cta, warp, limit, binary, sms, line, from, before, interval, to, depth;
  double node_nm, require_mhz;
  bool attached, testbench, random, gpu, all_events, no_waves, no_skip, no_logic, markdown, dot, names,
      no_lockstep, kernels, systemc, simulate, plan, accesses, netlist, out_of_context, explore;
};

enum hd_opt_kind { HD_OPT_TEXT, HD_OPT_FLAG, HD_OPT_COUNT, HD_OPT_REAL, HD_OPT_LIST };
struct hd_opt {
  const char *name; /* NULL ends a table */
  char letter;      /* 0: none */
  enum hd_opt_kind kind;
  bool needed;
  size_t field; /* offset in struct hd_args */
  const char *arg, *meaning;
  const char *of; /* the option that must be given with it; NULL: none */
};
#define HD_OPT(name, letter, kind, needed, field, arg, meaning)                                              \
  { name, letter, kind, needed, offsetof(struct hd_args, field), arg, meaning, NULL }
#define HD_OPT_OF(of, name, kind, field, arg, meaning)                                                       \
  { name, 0, kind, false, offsetof(struct hd_args, field), arg, meaning, of }
/* The options that several verbs have. */
#define HD_OPT_CONFIG(needed)                                                                                \
  HD_OPT("config", 'c', HD_OPT_TEXT, needed, config, "CONFIG",                                               \
         "machine: a YAML file, or a name of `heddle list configs`"),                                        \
      HD_OPT_CHANGES
#define HD_OPT_CHANGES                                                                                       \
  HD_OPT("set", 0, HD_OPT_LIST, false, set, "KEY=VALUE",                                                     \
         "change one key of it, e.g. sm.warps=32; may be repeated")
#define HD_OPT_JSON                                                                                          \
  HD_OPT("json", 0, HD_OPT_TEXT, false, json, "FILE", "the answer as JSON too; '-': instead, on stdout")
#define HD_OPT_GATE                                                                                          \
  HD_OPT("clock-gate", 0, HD_OPT_COUNT, false, clock_gate, "N",                                              \
         "gate the clock of N or more flip-flops with one enable; 0: of none (0)")
#define HD_OPT_TOP(meaning) HD_OPT("top", 't', HD_OPT_TEXT, false, top, "MODULE", meaning)
#define HD_OPT_END                                                                                           \
  { NULL, 0, HD_OPT_TEXT, false, 0, NULL, NULL, NULL }

struct hd_verb {
  const char *name, *summary;
  const char *operand; /* the one argument that is not an option, or NULL */
  const char *example; /* lines to try */
  const struct hd_opt *opts;
  struct hd_args defaults;
  enum hd_rc (*run)(const struct hd_args *args, struct hd_why *why);
};
extern const struct hd_verb hd_verb_gen, hd_verb_sim, hd_verb_cosim, hd_verb_synth, hd_verb_area,
    hd_verb_list, hd_verb_trace, hd_verb_demo, hd_verb_wave, hd_verb_doctor, hd_verb_sweep, hd_verb_report,
    hd_verb_power, hd_verb_prove, hd_verb_explore;

/* Reads the options of a verb. Returns HD_INPUT with a message if an option is unknown, given twice,
 * without its value, out of range, missing, or given without the option that it belongs to. */
enum hd_rc hd_args_read(const struct hd_verb *verb, int argc, char **argv, struct hd_args *args, bool *help,
                        struct hd_why *why);
void hd_args_help(const struct hd_verb *verb, FILE *f);

/* Loads the machine of -c and --set (cli/configs.c). Free it with heddle_unload in any case; problems go to
 * stderr, one per line. `module` (may be NULL) must be in the machine, or be one of its drop-ins, which is
 * then its last declaration (arch/dropin/dropin.h). */
enum hd_rc hd_cli_machine(const struct hd_args *args, const char *module, heddle_machine **machine,
                          struct hd_why *why);
/* The same without a module. Prints nothing; heddle_machine_message gives the problems. Returns HD_INPUT
 * with *machine NULL if there is no such configuration. */
enum hd_rc hd_cli_load(const struct hd_args *args, heddle_machine **machine, struct hd_why *why);

/* Returns the value of --jobs; 0 means the number of the host's cores. */
size_t hd_cli_jobs(const struct hd_args *args);

/* Returns a JSON string, or null if the text (a path) is not UTF-8, which JSON cannot hold. */
json_t *hd_cli_text_json(const char *text);

/* Returns the current date and time, e.g. 2026-11-27 18:05 UTC. */
json_t *hd_cli_now(void);

/* {name, path, section: {key: value}} */
json_t *hd_cli_config_json(const struct hd_config *c);

/* Calls `leaf` for all leaves of `json` in order. A leaf's path is `path`, then the keys that lead to it,
 * separated by dots. */
void hd_cli_each_leaf(json_t *json, const char *path, void (*leaf)(void *to, const char *path, json_t *value),
                      void *to);

/* Writes a field of CSV as in RFC 4180: quoted if it contains a separator. */
void hd_cli_csv_text(const char *text, FILE *f);

/* A file that an option names. It is opened before the work, so that a bad name fails early. The whole file
 * appears at the end, or no file does. */
struct hd_out {
  FILE *f; /* NULL: not requested */
  const char *option, *path;
  char *part; /* temporary name, renamed to path at the end; NULL: written directly */
};
/* path NULL: not requested; "-": stdout. */
enum hd_rc hd_out_open(struct hd_out *o, const char *option, const char *path, struct hd_why *why);
/* Returns rc, unless writing fails. `whole`: keep the file. */
enum hd_rc hd_out_close(struct hd_out *o, bool whole, enum hd_rc rc, struct hd_why *why);

/* For hd_cosim_job.progress: the progress line on the terminal (cli/cosim.c). `user` is the name of what
 * runs. */
void hd_cli_cosim_progress(void *user, uint64_t cycles, uint64_t of);

/* The outputs of an answer. */
struct hd_answer {
  FILE *report; /* for people: stdout, or nowhere with --json - */
  struct hd_out json;
};
enum hd_rc hd_answer_open(const struct hd_args *args, struct hd_answer *a, struct hd_why *why);
/* Writes `json` (takes over the reference; NULL: no answer) and closes the outputs. Returns rc, unless
 * writing fails, or rc is HD_OK and there is no JSON. */
enum hd_rc hd_answer_close(struct hd_answer *a, json_t *json, enum hd_rc rc, struct hd_why *why);

/* The work of a verb on one machine: prints its report for people, and sets its JSON (NULL: none yet). */
typedef enum hd_rc hd_work(const struct hd_args *args, const heddle_machine *machine, FILE *report,
                           json_t **json, struct hd_why *why);
/* The frame of such a verb: loads the machine of args (with args->top in it, if given), opens the answer,
 * calls `work`, and closes the answer, whose JSON gets the machine as `config`. */
enum hd_rc hd_cli_answer(const struct hd_args *args, hd_work *work, struct hd_why *why);

#endif
