/* heddle doctor: lists the programs that Heddle uses, their places, and whether their versions are good. */
#include "area/memory.h"
#include "base/nearest_name.h"
#include "base/programs.h"
#include "cli/cli.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char *const states[] = {[HD_PROGRAM_GOOD] = "good",
                                     [HD_PROGRAM_MISSING] = "missing",
                                     [HD_PROGRAM_BROKEN] = "broken",
                                     [HD_PROGRAM_OLD] = "too old"};
enum { WORDS = 32 };

/* Returns HD_INPUT if no verb of that name uses a program. */
static enum hd_rc check_verb(const char *verb, struct hd_why *why) {
  struct hd_near near = hd_near_to(verb);
  char *all = hd_format("%s", "");
  bool found = false;
  for (enum hd_program_id i = 0; i < HD_PROGRAMS; i++) {
    found |= hd_program_used(i, verb);
    char *more = hd_format("%s %s %s", all, hd_programs[i].verbs, hd_programs[i].without);
    free(all);
    all = more;
  }
  char *allowed = hd_format("%s", ""), *rest;
  for (char *word = strtok_r(all, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
    if (strstr(allowed, word))
      continue;
    hd_near_try(&near, word);
    char *more = hd_format("%s%s%s", allowed, *allowed ? ", " : "", word);
    free(allowed);
    allowed = more;
  }
  const enum hd_rc rc =
      found ? HD_OK
            : hd_because(why, HD_INPUT, "--for: found %s; %sallowed %s: no other verb needs a program", verb,
                         hd_near_text(&near).text, allowed);
  free(all);
  free(allowed);
  return rc;
}

/* Prints one row and returns its JSON. */
static json_t *tell(FILE *f, const char *name, const char *state, const char *version, const char *where,
                    bool optional, const char *variable, const char *purpose, const char *get) {
  const bool good = !strcmp(state, states[HD_PROGRAM_GOOD]);
  char called[WORDS] = "";
  if (variable)
    snprintf(called, sizeof called, "$%s", variable);
  fprintf(f, "%-15s %-8s %-13s %-11s %s\n", name, state, *version ? version : "-", called,
          where ? where : "-");
  fprintf(f, "                %s%s\n", purpose, optional ? " (optional)" : "");
  if (!good)
    fprintf(f, "                get it: %s\n", get);
  return json_pack("{s:s, s:s, s:s?, s:o, s:b, s:s?, s:s, s:s}", "name", name, "state", state, "version",
                   *version ? version : NULL, "where", where ? hd_cli_text_json(where) : json_null(),
                   "optional", optional, "variable", variable, "for", purpose, "get", get);
}

static json_t *tell_cacti(FILE *f) {
  char path[PATH_MAX];
  const bool found = hd_cacti_find(HD_BUILD_DIR, path, sizeof path);
  return tell(f, "CACTI", states[found ? HD_PROGRAM_GOOD : HD_PROGRAM_MISSING], "", found ? path : NULL, true,
              "CACTI", "area: memories; else an embedded model fitted to it",
              "make deps, in the source tree");
}

static enum hd_rc run(const struct hd_args *args, struct hd_why *why) {
  struct hd_answer answer;
  enum hd_rc rc = args->verb ? check_verb(args->verb, why) : HD_OK;
  if (rc == HD_OK)
    rc = hd_answer_open(args, &answer, why);
  if (rc != HD_OK)
    return rc;
  json_t *rows = json_array();
  fprintf(answer.report, "%-15s %-8s %-13s %-11s %s\n", "program", "state", "version", "variable", "where");
  enum hd_rc found = HD_OK;
  for (enum hd_program_id i = 0; i < HD_PROGRAMS; i++) {
    const struct hd_program *p = &hd_programs[i];
    char version[64], *where;
    if (args->verb && !hd_program_used(i, args->verb))
      continue;
    const bool optional = args->verb ? !hd_program_needed(i, args->verb) : !*p->verbs;
    hd_progress((struct hd_pace){0}, "asking %s for its version", p->name);
    const enum hd_program_state state = hd_program_check(i, version, sizeof version);
    hd_progress_end();
    hd_program_find(i, &where);
    json_array_append_new(rows, tell(answer.report, p->name, states[state], version, where, optional,
                                     p->variable, p->purpose, p->get));
    free(where);
    if (state == HD_PROGRAM_GOOD || optional || found != HD_OK)
      continue;
    found = state == HD_PROGRAM_OLD
                ? hd_because(why, HD_TOOL, "%s: found %s; allowed %s and later%s%s%s", p->name, version,
                             p->oldest, p->oldest_clang ? ", or clang " : "",
                             p->oldest_clang ? p->oldest_clang : "", p->oldest_clang ? " and later" : "")
                : hd_because(why, HD_TOOL, "%s is %s: %s", p->name, states[state], p->get);
  }
  if (!args->verb || !strcmp(args->verb, "area"))
    json_array_append_new(rows, tell_cacti(answer.report));
  return hd_answer_close(&answer, json_pack("{s:b, s:o}", "good", found == HD_OK, "programs", rows), found,
                         why);
}

static const struct hd_opt opts[] = {
    HD_OPT("for", 0, HD_OPT_TEXT, false, verb, "VERB", "only the programs that this verb runs, e.g. cosim"),
    HD_OPT_JSON, HD_OPT_END};
const struct hd_verb hd_verb_doctor = {
    "doctor",
    "the programs around heddle: versions, where they are, how to get them",
    NULL,
    "example: heddle doctor\n"
    "         heddle doctor --for cosim && heddle cosim -c mrpb --random\n"
    "         VERILATOR=/opt/verilator/bin/verilator heddle doctor",
    opts,
    {0},
    run};
