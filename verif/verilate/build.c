/* Generates the RTL, has Verilator and the C++ compiler make a shared object of it, and keeps that; see
 * build.h. Over 400 lines: all commands, and the hash of what goes into them, are in one file. */
#include "verif/verilate/build.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/programs.h"
#include "rtl_gen/rtl.h"
#include "verif/dut_text.h"
#include "verif/harness/readable.h"
#include "verif/verilate/locked_dir.h"

/* seconds a tool may take; words of its command */
enum { TIME_LIMIT = 1800, MAX_WORDS = 40 };

/* NDEBUG: clang takes a function of a library of its own for what Verilator asserts. -O0: in each cycle little of it is called. */
#define RUN_TIME_FLAGS "-O0 -w -DNDEBUG -fPIC -fvisibility=hidden"
#define VERILATOR_FLAGS                                                                                      \
  "--cc --prefix Vdut -Mdir obj -O3 -Wno-fatal --x-assign unique --x-initial unique --timescale 1ns/1ns"
/* HD_TRACE: with a waveform writer. -Og compiles sm_mem in three fifths of the time of -O1, and runs a third to two thirds longer. */
#define COMPILE_FLAGS "-w -DNDEBUG -fPIC -fvisibility=hidden"
#define QUICK_FLAGS "-Og"
#define FAST_FLAGS "-O1"
/* Unique symbols, which clang does not make, would keep the object loaded after dlclose. */
#define GNU_FLAGS " -fno-gnu-unique"
/* What is run once is not optimized. */
#define ONCE "#ifdef __clang__\n#pragma clang optimize off\n#else\n#pragma GCC optimize(\"O0\")\n#endif\n"

struct making {
  const char *module, *work, *rtl;
  bool traced, quick, inside;
  const char *dir;       /* where it is made */
  char *failed;          /* its name after a failure, for the logs in it */
  char *versions;        /* of the tools, as they print them */
  char *verilator, *cxx; /* commands */
  bool clang;            /* so is the compiler */
  char *twins;           /* traced: the module `model` of build.h, else "" */
  char *include;         /* Verilator's own sources */
  struct hd_why *why;
};

static bool write_text(const char *dir, const char *name, const char *text) {
  char *path = hd_format("%s/%s", dir, name);
  FILE *f = fopen(path, "w");
  free(path);
  if (!f)
    return false;
  fputs(text, f);
  return fclose(f) == 0;
}

/* The first line of a log that says what went wrong, else its first line. */
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

/* Runs a tool in the directory; its output goes to <dir>/<log>. The command is words with one space between
 * them: no path outside the directory is in it but Verilator's own, which takes no spaces either. */
__attribute__((format(printf, 3, 4))) static enum hd_rc tool(const struct making *k, const char *log,
                                                             const char *format, ...) {
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

/* The first line that a tool prints; NULL: it failed, *rc says why. */
static char *answer(const struct making *k, const char *command, const char *question, enum hd_rc *rc) {
  char *path = hd_format("%s/answer.log", k->dir), *text = NULL;
  *rc = tool(k, "answer.log", "%s %s", command, question);
  if (*rc == HD_OK && !(text = hd_slurp(path)))
    *rc = hd_because(k->why, HD_TOOL, "%s can't be read", path);
  if (text)
    text[strcspn(text, "\n")] = 0;
  free(path);
  return text;
}

static char *append(char *text, char *more) {
  char *all = hd_format("%s%s", text, more);
  free(text);
  free(more);
  return all;
}

/* The answers that the tools have given in this process: a program of many runs asks once, and each question is a start of perl. */
static struct {
  pthread_mutex_t turn; /* held by who reads or writes the rest */
  char *versions, *root, *commands;
  bool clang;
} told = {.turn = PTHREAD_MUTEX_INITIALIZER};

/* The commands, and what else the answers hang on: variables, and place, size and time of each program. */
static char *name_question(const struct making *k) {
  const char *path = getenv("PATH"), *root = getenv("VERILATOR_ROOT");
  char *all = hd_format("%s\n%s\n%s\n%s", k->verilator, k->cxx, path ? path : "", root ? root : "");
  for (int i = 0; i < 2; i++) {
    char *where = NULL;
    struct stat file;
    if (hd_program_find(i ? HD_CXX : HD_VERILATOR, &where) && stat(where, &file) == 0)
      all = append(all, hd_format("\n%s %lld %lld.%09ld", where, (long long)file.st_size,
                                  (long long)file.st_mtim.tv_sec, file.st_mtim.tv_nsec));
    free(where);
  }
  return all;
}

/* What the tools answered: the versions of both, a line each, and Verilator's own directory. False: not kept, or half of it. */
static bool read_answers(const char *kept, char line[3][512]) {
  FILE *f = fopen(kept, "r");
  bool good = f != NULL;
  for (int i = 0; i < 3 && good; i++) {
    good = fgets(line[i], sizeof line[i], f) && strchr(line[i], '\n');
    line[i][strcspn(line[i], "\n")] = 0;
  }
  if (f)
    fclose(f);
  return good;
}

/* Asks the tools, and keeps what they say beside the models for the next process. */
static enum hd_rc ask(const struct making *k, const char *kept, char line[3][512]) {
  const char *const question[3] = {"--version", "--version", "--getenv VERILATOR_ROOT"};
  enum hd_rc rc = HD_OK;
  for (int i = 0; i < 3 && rc == HD_OK; i++) {
    char *said = answer(k, i == 1 ? k->cxx : k->verilator, question[i], &rc);
    snprintf(line[i], sizeof line[i], "%s", said ? said : "");
    free(said);
  }
  if (rc == HD_OK) {
    char *text = hd_format("%s\n%s\n%s\n", line[0], line[1], line[2]),
         *made = hd_format("%s/answers", k->dir);
    if (write_text(k->dir, "answers", text))
      (void)rename(made, kept); /* if it can't be, the next process asks again */
    free(text);
    free(made);
  }
  return rc;
}

static enum hd_rc ask_tools(struct making *k) {
  enum hd_rc rc = HD_OK;
  k->verilator = hd_program_command(HD_VERILATOR);
  k->cxx = hd_program_command(HD_CXX);
  char *commands = name_question(k);
  pthread_mutex_lock(&told.turn);
  if (!told.commands || strcmp(told.commands, commands) != 0) {
    char line[3][512], *kept = hd_format("%s/build/%016llx-answers", k->work,
                                         (unsigned long long)hd_hash_text(HD_HASH_START, commands));
    if (!read_answers(kept, line))
      rc = ask(k, kept, line);
    if (rc == HD_OK) {
      free(told.versions);
      free(told.root);
      free(told.commands);
      told.versions = hd_format("%s; %s", line[0], line[1]);
      told.root = strdup(line[2]);
      told.commands = strdup(commands);
      told.clang = strstr(line[1], "clang") != NULL;
    }
    free(kept);
  }
  if (rc == HD_OK) {
    k->versions = strdup(told.versions);
    k->clang = told.clang;
    k->include = hd_format("%s/include", told.root);
  }
  pthread_mutex_unlock(&told.turn);
  free(commands);
  return rc;
}

/* The twins of a module's outputs (if it is the top) and registers and of those inside it. */
static void add_twins(const struct hd_decl *d, bool top, const char *path, char **public, char **twins) {
  for (size_t i = 0; i < d->n_insts; i++) {
    char *inner = hd_format("%s%s.", path, d->insts[i].name);
    add_twins(d->insts[i].decl, false, inner, public, twins);
    free(inner);
  }
  for (const struct hd_row *row = d->rows; row < d->rows + d->n_rows; row++)
    if (row->cls == HD_REG || row->cls == HD_CAM || (top && (row->cls == HD_OUT || row->cls == HD_MEALY))) {
      char *name = hd_dut_twin(path, row->var);
      if (!name)
        abort();
      *public = append(*public, hd_format("public_flat_rw -module \"hd_model\" -var \"%s\"\n", name));
      const unsigned bits = row->count * row->width;
      char *range = bits > 1 ? hd_format("[%u:0] ", bits - 1) : strdup("");
      *twins = append(*twins, hd_format("  reg %s%s;\n", range, name));
      free(range);
      free(name);
    }
}

/* Everything that the shared object depends on goes into the hash. */
static bool hash_inputs(const struct making *k, const char *list, const char *public, uint64_t *h) {
  char *names = hd_slurp(list);
  bool ok = names != NULL;
  *h = hd_hash_text(hd_hash_text(hd_hash_text(hd_hash_text(HD_HASH_START, k->versions), dut_cpp), dut_h),
                    dut_prefix_h);
  *h = hd_hash_text(hd_hash_text(hd_hash_text(*h, VERILATOR_FLAGS COMPILE_FLAGS GNU_FLAGS ONCE),
                                 k->quick ? QUICK_FLAGS : FAST_FLAGS),
                    k->twins);
  *h = hd_hash_text(*h, public);
  for (char *rest = names, *name; ok && (name = strsep(&rest, "\n"));)
    if (*name && *name != '/' && *name != '#') {
      char *path = hd_format("%s/rtl/%s", k->dir, name), *text = hd_slurp(path);
      ok = text != NULL;
      if (ok)
        *h = hd_hash_text(*h, text);
      free(text);
      free(path);
    }
  free(names);
  return ok;
}

/* Holds the lock `path`, made if missing, until it is closed; below 0: it can't be had, and `why` says so. */
static int locked(const char *path, struct hd_why *why) {
  int turn = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (turn >= 0 && flock(turn, LOCK_EX) != 0) {
    close(turn);
    turn = -1;
  }
  if (turn < 0)
    (void)hd_because(why, HD_TOOL, "%s can't be locked", path);
  return turn;
}

/* What is the same for every module: made once by the command, as <dir>/`made`, and kept beside the modules as *kept, a name from
 * inside the directory. Another process that wants the same waits for it. */
static enum hd_rc keep(const struct making *k, const char *made, const char *command, char **kept) {
  const uint64_t h = hd_hash_text(hd_hash_text(1, k->versions), command);
  *kept = hd_format("../%016llx-%s", (unsigned long long)h, made);
  char *from = hd_format("%s/%s", k->dir, made), *to = hd_format("%s/%s", k->dir, *kept),
       *lock = hd_format("%s.lock", to);
  const bool there = access(to, R_OK) == 0;
  const int turn = there ? -1 : locked(lock, k->why);
  enum hd_rc rc = there || turn >= 0 ? HD_OK : HD_TOOL;
  if (rc == HD_OK && access(to, R_OK) != 0) /* made by nobody meanwhile, or removed */
    rc = tool(k, "kept.log", "%s", command);
  if (rc == HD_OK && access(to, R_OK) != 0 && rename(from, to) != 0)
    rc = hd_because(k->why, HD_TOOL, "%s can't be written", to);
  if (turn >= 0)
    close(turn);
  free(from);
  free(to);
  free(lock);
  return rc;
}

/* Verilator's run-time library, and its writer of waveforms apart; *objects: their names. */
static enum hd_rc run_time(const struct making *k, char **objects) {
  char *compiler = hd_format("%s " RUN_TIME_FLAGS " -I%s -I%s/vltstd", k->cxx, k->include, k->include);
  char *command = hd_format("%s -r -nostdlib -o runtime.o %s/verilated.cpp %s/verilated_threads.cpp",
                            compiler, k->include, k->include);
  enum hd_rc rc = keep(k, "runtime.o", command, objects);
  free(command);
  if (rc == HD_OK && k->traced) {
    char *writer = NULL;
    command = hd_format("%s -c -o writer.o %s/verilated_fst_c.cpp", compiler, k->include);
    rc = keep(k, "writer.o", command, &writer);
    *objects = append(append(*objects, strdup(" ")), writer);
    free(command);
  }
  free(compiler);
  return rc;
}

static char *flags_of(const struct making *k) {
  return hd_format("%s " COMPILE_FLAGS "%s -DHD_TRACE=%d -I%s -I%s/vltstd",
                   k->quick ? QUICK_FLAGS : FAST_FLAGS, k->clang ? "" : GNU_FLAGS, k->traced, k->include,
                   k->include);
}

/* The prefix of all files, compiled. *option: how g++ includes it. Clang wants its source where it was: it reads it as it is. */
static enum hd_rc prefix(const struct making *k, const char *flags, char **option) {
  char *made = hd_format("prefix-%016llx.gch", (unsigned long long)hd_hash_text(1, dut_prefix_h));
  char *command = hd_format("%s %s -x c++-header -o %s prefix", k->cxx, flags, made);
  char *source = hd_format("%s/prefix", k->dir), *kept = NULL, *beside = NULL;
  enum hd_rc rc = HD_OK;
  if (!k->clang)
    rc = write_text(k->dir, "prefix", dut_prefix_h)
             ? keep(k, made, command, &kept)
             : hd_because(k->why, HD_TOOL, "%s can't be written", source);
  if (kept) {
    kept[strlen(kept) - strlen(".gch")] = 0;
    beside = hd_format("%s/%s", k->dir, kept); /* should g++ refuse what it made */
    if (rc == HD_OK && access(beside, R_OK) != 0 && rename(source, beside) != 0)
      rc = hd_because(k->why, HD_TOOL, "%s can't be written", beside);
  }
  *option = kept ? hd_format("-include %s ", kept) : strdup("");
  free(made);
  free(command);
  free(source);
  free(kept);
  free(beside);
  return rc;
}

static enum hd_rc verilate(const struct making *k) {
  const enum hd_rc rc =
      tool(k, "verilator.log", "%s " VERILATOR_FLAGS "%s --top-module %s public.vlt%s -F rtl/%s.f",
           k->verilator, k->traced ? " --trace-fst" : "", k->module, k->traced ? " twins.sv" : "", k->module);
  return k->rtl ? hd_rtl_verdict(rc, k->dir, k->rtl, k->why) : rc;
}

/* What Verilator calls so is run at the start of a simulation. */
static bool runs_once(const char *name) {
  return strstr(name, "__Slow.cpp") || strstr(name, "__Syms.cpp");
}

static int is_source(const struct dirent *e) {
  const char *dot = strrchr(e->d_name, '.');
  return dot && !strcmp(dot, ".cpp");
}

/* Files that include the adaptor and all that Verilator wrote. For speed two, which are compiled at the same time; for a quick one a
 * single file, of which the second half is not optimized: reading the headers twice takes a fifth of the processor time. */
static bool gather(const struct making *k) {
  char *obj = hd_format("%s/obj", k->dir), *each_cycle = hd_format("#include \"dut.cpp\"\n"),
       *once = strdup(ONCE);
  struct dirent **entry;
  const int n = scandir(obj, &entry, is_source, alphasort);
  for (int i = 0; i < n; i++) {
    char **to = runs_once(entry[i]->d_name) ? &once : &each_cycle;
    *to = append(*to, hd_format("#include \"obj/%s\"\n", entry[i]->d_name));
    free(entry[i]);
  }
  if (k->quick) {
    each_cycle = append(each_cycle, once);
    once = strdup("");
  }
  const bool ok = n > 0 && write_text(k->dir, "each_cycle.cpp", each_cycle) &&
                  (k->quick || write_text(k->dir, "once.cpp", once));
  if (n >= 0)
    free(entry);
  free(each_cycle);
  free(once);
  free(obj);
  return ok;
}

/* The makefile has no variables: those of a make around this program would replace them. */
static enum hd_rc compile(const struct making *k, const char *objects) {
  char *flags = flags_of(k), *included = NULL;
  enum hd_rc rc = prefix(k, flags, &included);
  char *rules =
      hd_format("dut.so: each_cycle.o%s\n\t%s -shared -o $@ $^ %s -pthread%s\n"
                "%%.o: %%.cpp\n\t%s %s%s -Iobj -I. -c -o $@ $<\n",
                k->quick ? "" : " once.o", k->cxx, objects, k->traced ? " -lz" : "", k->cxx, included, flags);
  if (rc == HD_OK)
    rc = write_text(k->dir, "dut.mk", rules) ? tool(k, "compile.log", "make -j2 -f dut.mk")
                                             : hd_because(k->why, HD_TOOL, "%s can't be written", k->dir);
  free(rules);
  free(included);
  free(flags);
  return rc;
}

/* All that follows the RTL; then the directory gets its name. */
static enum hd_rc make(const struct making *k, const char *public, const char *home) {
  char *objects = NULL;
  enum hd_rc rc = HD_OK;
  if (!write_text(k->dir, "dut.cpp", dut_cpp) || !write_text(k->dir, "dut.h", dut_h) ||
      !write_text(k->dir, "public.vlt", public) || !write_text(k->dir, "twins.sv", k->twins))
    rc = hd_because(k->why, HD_TOOL, "%s can't be written", k->dir);
  if (rc == HD_OK)
    rc = verilate(k);
  if (rc == HD_OK && !gather(k))
    rc = hd_because(k->why, HD_TOOL, "verilator wrote nothing for %s", k->module);
  if (rc == HD_OK)
    rc = run_time(k, &objects);
  if (rc == HD_OK)
    rc = compile(k, objects);
  if (rc == HD_OK && rename(k->dir, home) != 0)
    rc = hd_because(k->why, HD_TOOL, "%s can't be written", home);
  free(objects);
  return rc;
}

/* Made by one process: another that wants the same waits for it, and finds it. */
static enum hd_rc make_once(const struct making *k, const char *public, const char *home) {
  char *path = hd_format("%s.lock", home);
  const int turn = locked(path, k->why);
  enum hd_rc rc = turn < 0 ? HD_TOOL : HD_OK;
  if (rc == HD_OK && access(home, R_OK) != 0)
    rc = make(k, public, home);
  if (turn >= 0)
    close(turn);
  free(path);
  return rc;
}

/* *home: the directory of these inputs. Where a quick one is wanted and one compiled for speed is there, that one. False: the RTL is
 * not there. */
static bool name_home(struct making *k, const char *list, const char *public, char **home) {
  const bool quick = k->quick;
  bool good = true;
  for (int fast = quick; fast >= 0 && good; fast--) {
    uint64_t h;
    k->quick = quick && !fast;
    free(*home);
    *home = NULL;
    good = hash_inputs(k, list, public, &h);
    if (good)
      *home = hd_format("%s/build/%s-%016llx", k->work, k->module, (unsigned long long)h);
    if (good && access(*home, R_OK) == 0)
      break;
  }
  return good;
}

/* *home: the directory of this RTL, made now or found. */
static enum hd_rc find_or_make(struct making *k, const struct hd_design *design, char **home) {
  const struct hd_decl *top = hd_design_find(design, k->module);
  char *rtl = hd_format("%s/rtl", k->dir), *list = hd_format("%s/%s.f", rtl, k->module);
  char *public = hd_readable(top, k->inside);
  if (!public)
    abort();
  k->twins = strdup(k->traced ? "module hd_model;\n" : "");
  if (k->traced) {
    add_twins(top, true, "", &public, &k->twins);
    k->twins = append(k->twins, hd_format("endmodule\nbind %s hd_model model ();\n", k->module));
  }
  enum hd_rc rc = ask_tools(k);
  if (rc == HD_OK)
    rc = k->rtl ? hd_rtl_take(k->rtl, k->module, rtl, k->why) : hd_rtl_write(design, k->module, rtl, k->why);
  if (rc == HD_OK && !name_home(k, list, public, home))
    rc = hd_because(k->why, HD_TOOL, "the RTL of %s is not where it was written", k->module);
  if (rc == HD_OK && access(*home, R_OK) != 0)
    rc = make_once(k, public, *home);
  /* Only a log tells what was wrong with a tool, or all that is wrong with the user's Verilog. */
  if (rc == HD_TOOL || (rc == HD_INPUT && k->rtl)) {
    hd_remove_tree(k->failed);
    rename(k->dir, k->failed);
  }
  free(public);
  free(list);
  free(rtl);
  return rc;
}

static enum hd_rc load(struct hd_dut_lib *lib, struct hd_why *why) {
  char *path = hd_format("%s/dut.so", lib->dir), *full = realpath(path, NULL);
  lib->handle = full ? dlopen(full, RTLD_NOW | RTLD_LOCAL) : NULL;
  lib->api = lib->handle ? dlsym(lib->handle, "hd_dut") : NULL;
  enum hd_rc rc =
      lib->api ? HD_OK : hd_because(why, HD_TOOL, "%s can't be loaded: %s", path, full ? dlerror() : "");
  free(full);
  free(path);
  return rc;
}

enum hd_rc hd_dut_build(const struct hd_design *design, const char *module, const char *work,
                        struct hd_dut_want want, struct hd_dut_lib *lib, struct hd_why *why) {
  *lib = (struct hd_dut_lib){0};
  char *build = hd_format("%s/build", work);
  struct making k = {module, work, want.rtl, want.traced, want.quick, want.inside, .why = why};
  k.failed = hd_format("%s/%s.failed", build, module);
  struct hd_new_dir made;
  enum hd_rc rc = hd_new_dir_open(&made, build, why);
  if (rc == HD_OK) {
    k.dir = made.dir;
    rc = find_or_make(&k, design, &lib->dir);
  }
  hd_new_dir_close(&made);
  if (rc == HD_OK)
    rc = load(lib, why);
  free(k.failed);
  free(k.versions);
  free(k.verilator);
  free(k.cxx);
  free(k.twins);
  free(k.include);
  free(build);
  return rc;
}

void hd_dut_unload(struct hd_dut_lib *lib) {
  if (lib->handle)
    dlclose(lib->handle);
  free(lib->dir);
  *lib = (struct hd_dut_lib){0};
}
