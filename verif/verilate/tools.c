/* Runs Verilator and the C++ compiler, and asks for their versions; see tools.h. */
#include "verif/verilate/tools.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/programs.h"

/* TIME_LIMIT: seconds that a tool may take. MAX_WORDS: words of its command. */
enum { TIME_LIMIT = 1800, MAX_WORDS = 40 };

bool hd_write_text(const char *dir, const char *name, const char *text) {
  char *path = hd_format("%s/%s", dir, name);
  const bool good = hd_write_file(path, text);
  free(path);
  return good;
}

char *hd_joined(char *text, char *more) {
  char *all = hd_format("%s%s", text, more);
  free(text);
  free(more);
  return all;
}

/* Copies the first line of a log with an error to `line`; if there is none, the log's first line. */
static void complaint(const char *log, char *line, size_t size) {
  char *text = hd_slurp(log), *at = NULL;
  static const char *const signs[] = {"%Error", "error:", "undefined reference", "%Warning"};
  for (size_t i = 0; text && !at && i < sizeof signs / sizeof *signs; i++)
    at = strstr(text, signs[i]);
  if (!at && text)
    at = text + strspn(text, "\n");
  while (at && at > text && at[-1] != '\n')
    at--;
  const char *said = at && *at ? at : "it said nothing";
  snprintf(line, size, "%.*s", (int)strcspn(said, "\n"), said);
  free(text);
}

enum hd_rc hd_tool_run(const struct hd_tool_place *k, const char *log, const char *format, ...) {
  const char *argv[MAX_WORDS + 1] = {NULL};
  char *path = hd_format("%s/%s", k->dir, log), *words = NULL, line[512];
  va_list args;
  va_start(args, format);
  if (vasprintf(&words, format, args) < 0)
    abort();
  va_end(args);
  char *rest = words;
  for (int n = 0; n < MAX_WORDS && rest; n++)
    argv[n] = strsep(&rest, " ");
  const int status = hd_run(argv, k->dir, path, TIME_LIMIT);
  enum hd_rc rc = HD_OK;
  if (status == HD_RUN_NOT_STARTED)
    rc = hd_because(k->why, HD_TOOL,
                    "%s is not installed; lockstep needs Verilator 5, g++ and make (apt-get install "
                    "verilator g++ make); see "
                    "heddle doctor",
                    argv[0]);
  else if (status == HD_RUN_TIMEOUT)
    rc = hd_because(k->why, HD_TOOL, "%s on %s took longer than %d s", argv[0], k->module, (int)TIME_LIMIT);
  else if (status != 0) {
    complaint(path, line, sizeof line);
    rc = hd_because(k->why, HD_TOOL, "%s on the RTL of %s %s (%d): %s; see %s/%s", argv[0], k->module,
                    status == HD_RUN_SIGNAL ? "was killed" : "failed", status, line, k->failed, log);
  }
  free(words);
  free(path);
  return rc;
}

/* Runs a tool. Returns the first line that it prints; the caller frees it. Returns NULL and sets *rc if that fails. */
static char *answer(const struct hd_tool_place *k, const char *command, const char *question,
                    enum hd_rc *rc) {
  char *path = hd_format("%s/answer.log", k->dir), *text = NULL;
  *rc = hd_tool_run(k, "answer.log", "%s %s", command, question);
  if (*rc == HD_OK && !(text = hd_slurp(path)))
    *rc = hd_because(k->why, HD_TOOL, "%s can't be read", path);
  if (text)
    text[strcspn(text, "\n")] = 0;
  free(path);
  return text;
}

/* The answers that the tools gave in this process. So a process of many runs asks once; each question to Verilator starts perl. */
static struct {
  pthread_mutex_t turn; /* protects the other members */
  char *versions, *root, *commands;
  bool clang;
} told = {.turn = PTHREAD_MUTEX_INITIALIZER};

/* An answer has ANSWERS lines: Verilator's version, the compiler's version, Verilator's own directory, and a stamp of that directory.
 * Each line is a text of any length, to be freed. A stamp has up to STAMP bytes. */
enum { ANSWERS = 4, STAMP = 64 };

/* Writes the size and time of a file to `text`; "" if there is no such file. */
static void stamp(const char *path, char text[STAMP]) {
  struct stat file;
  *text = '\0';
  if (stat(path, &file) == 0)
    snprintf(text, STAMP, "%lld %lld.%09ld", (long long)file.st_size, (long long)file.st_mtim.tv_sec,
             file.st_mtim.tv_nsec);
}

/* Writes the stamp of the file that holds Verilator's version. The command `verilator` is a script: it may stay the same when the
 * program behind it changes. */
static void stamp_root(const char *root, char text[STAMP]) {
  char *path = hd_format("%s/include/verilated_config.h", root);
  stamp(path, text);
  free(path);
}

/* Returns all that the answers depend on: the commands, environment variables, and place, size and time of each program. The caller
 * frees it. */
static char *name_question(const struct hd_tools *t) {
  const char *path = getenv("PATH"), *root = getenv("VERILATOR_ROOT"), *bin = getenv("VERILATOR_BIN");
  char *all = hd_format("%s\n%s\n%s\n%s\n%s", t->verilator, t->cxx, path ? path : "", root ? root : "",
                        bin ? bin : "");
  for (int i = 0; i < 2; i++) {
    char *where = NULL, text[STAMP] = "";
    if (hd_program_find(i ? HD_CXX : HD_VERILATOR, &where))
      stamp(where, text);
    all = hd_joined(all, hd_format("\n%s %s", where ? where : "", text));
    free(where);
  }
  return all;
}

/* Returns true if the lines are answers (not a warning that a tool printed before), and Verilator has not changed since. */
static bool hold(char *const line[ANSWERS]) {
  char now[STAMP];
  stamp_root(line[2], now);
  return strncmp(line[0], "Verilator ", strlen("Verilator ")) == 0 && *line[1] && *now &&
         strcmp(line[3], now) == 0;
}

static void free_answers(char *line[ANSWERS]) {
  for (int i = 0; i < ANSWERS; i++) {
    free(line[i]);
    line[i] = NULL;
  }
}

/* Reads the kept answers, one a line. Returns false and no lines if they are not kept, incomplete, or no longer valid. */
static bool read_answers(const char *kept, char *line[ANSWERS]) {
  char *text = hd_slurp(kept), *rest = text;
  for (int i = 0; i < ANSWERS && rest; i++)
    line[i] = hd_format("%s", strsep(&rest, "\n"));
  const bool good = rest && hold(line);
  free(text);
  if (!good)
    free_answers(line);
  return good;
}

/* Asks the tools, and keeps their answers beside the models for the next process. Answers to a command of several words are not kept:
 * there the first word need not be the program that answers. */
static enum hd_rc ask(const struct hd_tools *t, const struct hd_tool_place *k, const char *kept,
                      char *line[ANSWERS]) {
  const char *const question[3] = {"--version", "--version", "--getenv VERILATOR_ROOT"};
  enum hd_rc rc = HD_OK;
  for (int i = 0; i < 3 && rc == HD_OK; i++)
    line[i] = answer(k, i == 1 ? t->cxx : t->verilator, question[i], &rc);
  if (rc == HD_OK)
    stamp_root(line[2], line[3] = hd_zeroed(STAMP, 1));
  if (rc == HD_OK && hold(line) && !strchr(t->verilator, ' ') && !strchr(t->cxx, ' ')) {
    char *text = hd_format("%s\n%s\n%s\n%s\n", line[0], line[1], line[2], line[3]),
         *made = hd_format("%s/answers", k->dir);
    if (hd_write_text(k->dir, "answers", text))
      (void)rename(made, kept); /* if this fails, the next process asks again */
    free(text);
    free(made);
  }
  return rc;
}

enum hd_rc hd_tools_ask(struct hd_tools *t, const struct hd_tool_place *k, const char *work) {
  enum hd_rc rc = HD_OK;
  t->verilator = hd_program_command(HD_VERILATOR);
  t->cxx = hd_program_command(HD_CXX);
  char *commands = name_question(t);
  pthread_mutex_lock(&told.turn);
  if (!told.commands || strcmp(told.commands, commands) != 0) {
    char *line[ANSWERS] = {NULL},
         *kept = hd_format("%s/build/%016llx-answers", work,
                           (unsigned long long)hd_hash_text(HD_HASH_START, commands));
    if (!read_answers(kept, line))
      rc = ask(t, k, kept, line);
    if (rc == HD_OK) {
      free(told.versions);
      free(told.root);
      free(told.commands);
      told.versions = hd_format("%s; %s", line[0], line[1]);
      told.root = hd_format("%s", line[2]);
      told.commands = hd_format("%s", commands);
      told.clang = strstr(line[1], "clang") != NULL;
    }
    free_answers(line);
    free(kept);
  }
  if (rc == HD_OK) {
    t->versions = hd_format("%s", told.versions);
    t->clang = told.clang;
    t->include = hd_format("%s/include", told.root);
  }
  pthread_mutex_unlock(&told.turn);
  free(commands);
  return rc;
}

void hd_tools_free(struct hd_tools *t) {
  free(t->versions);
  free(t->verilator);
  free(t->cxx);
  free(t->include);
}
