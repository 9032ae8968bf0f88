/* Generates the RTL, has Verilator and the C++ compiler make a shared object of it, and keeps that; see
 * build.h. */
#include "verif/verilate/build.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rtl_gen/rtl.h"
#include "verif/dut_text.h"
#include "verif/harness/readable.h"
#include "verif/verilate/locked_dir.h"
#include "verif/verilate/tools.h"

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
  struct hd_tool_place at; /* the directory where it is made, and the module */
  struct hd_tools tools;
  const char *work, *rtl;
  bool traced, quick, inside;
  char *twins; /* traced: the module `model` of build.h, else "" */
};

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
      *public = hd_append(*public, hd_format("public_flat_rw -module \"hd_model\" -var \"%s\"\n", name));
      const unsigned bits = row->count * row->width;
      char *range = bits > 1 ? hd_format("[%u:0] ", bits - 1) : strdup("");
      *twins = hd_append(*twins, hd_format("  reg %s%s;\n", range, name));
      free(range);
      free(name);
    }
}

/* Everything that the shared object depends on goes into the hash. */
static bool hash_inputs(const struct making *k, const char *list, const char *public, uint64_t *h) {
  char *names = hd_slurp(list);
  bool ok = names != NULL;
  *h =
      hd_hash_text(hd_hash_text(hd_hash_text(hd_hash_text(HD_HASH_START, k->tools.versions), dut_cpp), dut_h),
                   dut_prefix_h);
  *h = hd_hash_text(hd_hash_text(hd_hash_text(*h, VERILATOR_FLAGS COMPILE_FLAGS GNU_FLAGS ONCE),
                                 k->quick ? QUICK_FLAGS : FAST_FLAGS),
                    k->twins);
  *h = hd_hash_text(*h, public);
  for (char *rest = names, *name; ok && (name = strsep(&rest, "\n"));)
    if (*name && *name != '/' && *name != '#') {
      char *path = hd_format("%s/rtl/%s", k->at.dir, name), *text = hd_slurp(path);
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
  const uint64_t h = hd_hash_text(hd_hash_text(1, k->tools.versions), command);
  *kept = hd_format("../%016llx-%s", (unsigned long long)h, made);
  char *from = hd_format("%s/%s", k->at.dir, made), *to = hd_format("%s/%s", k->at.dir, *kept),
       *lock = hd_format("%s.lock", to);
  const bool there = access(to, R_OK) == 0;
  const int turn = there ? -1 : locked(lock, k->at.why);
  enum hd_rc rc = there || turn >= 0 ? HD_OK : HD_TOOL;
  if (rc == HD_OK && access(to, R_OK) != 0) /* made by nobody meanwhile, or removed */
    rc = hd_tool_run(&k->at, "kept.log", "%s", command);
  if (rc == HD_OK && access(to, R_OK) != 0 && rename(from, to) != 0)
    rc = hd_because(k->at.why, HD_TOOL, "%s can't be written", to);
  if (turn >= 0)
    close(turn);
  free(from);
  free(to);
  free(lock);
  return rc;
}

/* Verilator's run-time library, and its writer of waveforms apart; *objects: their names. */
static enum hd_rc run_time(const struct making *k, char **objects) {
  char *compiler =
      hd_format("%s " RUN_TIME_FLAGS " -I%s -I%s/vltstd", k->tools.cxx, k->tools.include, k->tools.include);
  char *command = hd_format("%s -r -nostdlib -o runtime.o %s/verilated.cpp %s/verilated_threads.cpp",
                            compiler, k->tools.include, k->tools.include);
  enum hd_rc rc = keep(k, "runtime.o", command, objects);
  free(command);
  if (rc == HD_OK && k->traced) {
    char *writer = NULL;
    command = hd_format("%s -O1 -c -o writer.o %s/verilated_fst_c.cpp", compiler,
                        /* it works in each cycle */ k->tools.include);
    rc = keep(k, "writer.o", command, &writer);
    *objects = hd_append(hd_append(*objects, strdup(" ")), writer);
    free(command);
  }
  free(compiler);
  return rc;
}

static char *flags_of(const struct making *k) {
  return hd_format("%s " COMPILE_FLAGS "%s -DHD_TRACE=%d -I%s -I%s/vltstd",
                   k->quick ? QUICK_FLAGS : FAST_FLAGS, k->tools.clang ? "" : GNU_FLAGS, k->traced,
                   k->tools.include, k->tools.include);
}

/* The prefix of all files, compiled. *option: how g++ includes it. Clang wants its source where it was: it reads it as it is. */
static enum hd_rc prefix(const struct making *k, const char *flags, char **option) {
  char *made = hd_format("prefix-%016llx.gch", (unsigned long long)hd_hash_text(1, dut_prefix_h));
  char *command = hd_format("%s %s -x c++-header -o %s prefix", k->tools.cxx, flags, made);
  char *source = hd_format("%s/prefix", k->at.dir), *kept = NULL, *beside = NULL;
  enum hd_rc rc = HD_OK;
  if (!k->tools.clang)
    rc = hd_write_text(k->at.dir, "prefix", dut_prefix_h)
             ? keep(k, made, command, &kept)
             : hd_because(k->at.why, HD_TOOL, "%s can't be written", source);
  if (kept) {
    kept[strlen(kept) - strlen(".gch")] = 0;
    beside = hd_format("%s/%s", k->at.dir, kept); /* should g++ refuse what it made */
    if (rc == HD_OK && access(beside, R_OK) != 0 && rename(source, beside) != 0)
      rc = hd_because(k->at.why, HD_TOOL, "%s can't be written", beside);
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
      hd_tool_run(&k->at, "verilator.log",
                  "%s " VERILATOR_FLAGS "%s --top-module %s public.vlt%s -F rtl/%s.f", k->tools.verilator,
                  k->traced ? " --trace-fst" : "", k->at.module, k->traced ? " twins.sv" : "", k->at.module);
  return k->rtl ? hd_rtl_verdict(rc, k->at.dir, k->rtl, k->at.why) : rc;
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
  char *obj = hd_format("%s/obj", k->at.dir), *each_cycle = hd_format("#include \"dut.cpp\"\n"),
       *once = strdup(ONCE);
  struct dirent **entry;
  const int n = scandir(obj, &entry, is_source, alphasort);
  for (int i = 0; i < n; i++) {
    char **to = runs_once(entry[i]->d_name) ? &once : &each_cycle;
    *to = hd_append(*to, hd_format("#include \"obj/%s\"\n", entry[i]->d_name));
    free(entry[i]);
  }
  if (k->quick) {
    each_cycle = hd_append(each_cycle, once);
    once = strdup("");
  }
  const bool ok = n > 0 && hd_write_text(k->at.dir, "each_cycle.cpp", each_cycle) &&
                  (k->quick || hd_write_text(k->at.dir, "once.cpp", once));
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
  char *rules = hd_format("dut.so: each_cycle.o%s\n\t%s -shared -o $@ $^ %s -pthread%s\n"
                          "%%.o: %%.cpp\n\t%s %s%s -Iobj -I. -c -o $@ $<\n",
                          k->quick ? "" : " once.o", k->tools.cxx, objects, k->traced ? " -lz" : "",
                          k->tools.cxx, included, flags);
  if (rc == HD_OK)
    rc = hd_write_text(k->at.dir, "dut.mk", rules)
             ? hd_tool_run(&k->at, "compile.log", "make -j2 -f dut.mk")
             : hd_because(k->at.why, HD_TOOL, "%s can't be written", k->at.dir);
  free(rules);
  free(included);
  free(flags);
  return rc;
}

/* All that follows the RTL; then the directory gets its name. */
static enum hd_rc make(const struct making *k, const char *public, const char *home) {
  char *objects = NULL;
  enum hd_rc rc = HD_OK;
  if (!hd_write_text(k->at.dir, "dut.cpp", dut_cpp) || !hd_write_text(k->at.dir, "dut.h", dut_h) ||
      !hd_write_text(k->at.dir, "public.vlt", public) || !hd_write_text(k->at.dir, "twins.sv", k->twins))
    rc = hd_because(k->at.why, HD_TOOL, "%s can't be written", k->at.dir);
  if (rc == HD_OK)
    rc = verilate(k);
  if (rc == HD_OK && !gather(k))
    rc = hd_because(k->at.why, HD_TOOL, "verilator wrote nothing for %s", k->at.module);
  if (rc == HD_OK)
    rc = run_time(k, &objects);
  if (rc == HD_OK)
    rc = compile(k, objects);
  if (rc == HD_OK && rename(k->at.dir, home) != 0)
    rc = hd_because(k->at.why, HD_TOOL, "%s can't be written", home);
  free(objects);
  return rc;
}

/* Made by one process: another that wants the same waits for it, and finds it. */
static enum hd_rc make_once(const struct making *k, const char *public, const char *home) {
  char *path = hd_format("%s.lock", home);
  const int turn = locked(path, k->at.why);
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
      *home = hd_format("%s/build/%s-%016llx", k->work, k->at.module, (unsigned long long)h);
    if (good && access(*home, R_OK) == 0)
      break;
  }
  return good;
}

/* *home: the directory of this RTL, made now or found. */
static enum hd_rc find_or_make(struct making *k, const struct hd_design *design, char **home) {
  const struct hd_decl *top = hd_design_find(design, k->at.module);
  char *rtl = hd_format("%s/rtl", k->at.dir), *list = hd_format("%s/%s.f", rtl, k->at.module);
  char *public = hd_readable(top, k->inside);
  if (!public)
    abort();
  k->twins = strdup(k->traced ? "module hd_model;\n" : "");
  if (k->traced) {
    add_twins(top, true, "", &public, &k->twins);
    k->twins = hd_append(k->twins, hd_format("endmodule\nbind %s hd_model model ();\n", k->at.module));
  }
  enum hd_rc rc = hd_tools_ask(&k->tools, &k->at, k->work);
  if (rc == HD_OK)
    rc = k->rtl ? hd_rtl_take(k->rtl, k->at.module, rtl, k->at.why)
                : hd_rtl_write(design, k->at.module, rtl, k->at.why);
  if (rc == HD_OK && !name_home(k, list, public, home))
    rc = hd_because(k->at.why, HD_TOOL, "the RTL of %s is not where it was written", k->at.module);
  if (rc == HD_OK && access(*home, R_OK) != 0)
    rc = make_once(k, public, *home);
  /* Only a log tells what was wrong with a tool, or all that is wrong with the user's Verilog. */
  if (rc == HD_TOOL || (rc == HD_INPUT && k->rtl)) {
    hd_remove_tree(k->at.failed);
    rename(k->at.dir, k->at.failed);
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
  struct making k = {
      {module, NULL, NULL, why}, {0}, work, want.rtl, want.traced, want.quick, want.inside, NULL};
  k.at.failed = hd_format("%s/%s.failed", build, module);
  struct hd_new_dir made;
  enum hd_rc rc = hd_new_dir_open(&made, build, why);
  if (rc == HD_OK) {
    k.at.dir = made.dir;
    rc = find_or_make(&k, design, &lib->dir);
  }
  hd_new_dir_close(&made);
  if (rc == HD_OK)
    rc = load(lib, why);
  free(k.at.failed);
  hd_tools_free(&k.tools);
  free(k.twins);
  free(build);
  return rc;
}

void hd_dut_unload(struct hd_dut_lib *lib) {
  if (lib->handle)
    dlclose(lib->handle);
  free(lib->dir);
  *lib = (struct hd_dut_lib){0};
}
