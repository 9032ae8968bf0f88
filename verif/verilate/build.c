/* Generates the RTL, makes a shared object of it with Verilator and the C++ compiler, and keeps that; see build.h. */
#include "verif/verilate/build.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "rtl_gen/rtl.h"
#include "verif/dut_text.h"
#include "verif/harness/readable.h"
#include "verif/verilate/locked_dir.h"
#include "verif/verilate/shared.h"

#define VERILATOR_FLAGS                                                                                      \
  "--cc --prefix Vdut -Mdir obj -O3 -Wno-fatal --x-assign unique --x-initial unique --timescale 1ns/1ns"
/* The macro HD_TRACE is 1 in models that can write waveforms. */
#define COMPILE_FLAGS "-w -DNDEBUG -fPIC -fvisibility=hidden"
#define FAST_FLAGS "-O1"
#define QUICK_FLAGS "-Og"
/* Verilator does not inline modules and does not unroll loops: its output shrinks to two fifths. Loops in the user's Verilog are
 * unrolled, because Verilator 5.006 refuses a loop that assigns an element of an array by <= if it is not unrolled. */
#define APART " -fno-inline"
#define LOOPS " --unroll-stmts 1"
/* g++'s unique symbols would keep the object loaded after dlclose; clang makes none. Garbage collection is a seventh of g++'s time;
 * without it g++ takes some 300 MB instead of 200. */
#define GNU_FLAGS " -fno-gnu-unique --param ggc-min-heapsize=2000000"
/* Code that runs only once is not optimized. */
#define ONCE "#ifdef __clang__\n#pragma clang optimize off\n#else\n#pragma GCC optimize(\"O0\")\n#endif\n"

/* Under the address sanitizer a model stays loaded: the sanitizer can still name places in it, and reports no leak of memory that
 * threads keep in it, such as Verilator's one string a thread (Verilated::catName). */
#ifndef __has_feature /* older gcc lacks it, but defines __SANITIZE_ADDRESS__; clang has it */
#define __has_feature(x) 0
#endif
#if defined __SANITIZE_ADDRESS__ || __has_feature(address_sanitizer)
enum { STAYS = RTLD_NODELETE };
#else
enum { STAYS = 0 };
#endif

/* Verilator's output is compiled as so many files of similar weight, in parallel. */
enum { PARTS = 2 };

struct making {
  struct hd_tool_place at; /* the directory of the build, and the module */
  struct hd_tools tools;
  const char *work, *rtl;
  bool traced, quick, inside;
  char *twins; /* traced: the text of the module hd_model (hd_dut_twin in readable.h), else "" */
};

/* Adds the twins of a module's registers, of its outputs if it is the top, and those of its instances. */
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
      *public = hd_joined(*public, hd_format("public_flat_rw -module \"hd_model\" -var \"%s\"\n", name));
      const unsigned bits = row->count * row->width;
      char *range = bits > 1 ? hd_format("[%u:0] ", bits - 1) : hd_format("%s", "");
      *twins = hd_joined(*twins, hd_format("  reg %s%s;\n", range, name));
      free(range);
      free(name);
    }
}

static const char *verilator_flags(const struct making *k) {
  return !k->quick ? VERILATOR_FLAGS : k->rtl ? VERILATOR_FLAGS APART : VERILATOR_FLAGS APART LOOPS;
}

static char *flags_of(const struct making *k) {
  return hd_format("%s " COMPILE_FLAGS "%s -DHD_TRACE=%d -I%s -I%s/vltstd",
                   k->quick ? QUICK_FLAGS : FAST_FLAGS, k->tools.clang ? "" : GNU_FLAGS, k->traced,
                   k->tools.include, k->tools.include);
}

/* Hashes everything that the shared object depends on. Returns false if a file of the RTL cannot be read. */
static bool hash_inputs(const struct making *k, const char *list, const char *public, uint64_t *h) {
  char *names = hd_slurp(list);
  bool ok = names != NULL;
  *h =
      hd_hash_text(hd_hash_text(hd_hash_text(hd_hash_text(HD_HASH_START, k->tools.versions), dut_cpp), dut_h),
                   dut_prefix_h);
  char *flags = flags_of(k);
  *h = hd_hash_text(hd_hash_text(hd_hash_text(hd_hash_text(*h, verilator_flags(k)), flags), ONCE), k->twins);
  free(flags);
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

static enum hd_rc verilate(const struct making *k) {
  const enum hd_rc rc =
      hd_tool_run(&k->at, "verilator.log", "%s %s%s --top-module %s public.vlt%s -F rtl/%s.f",
                  k->tools.verilator, verilator_flags(k), k->traced ? " --trace-fst" : "", k->at.module,
                  k->traced ? " twins.sv" : "", k->at.module);
  return k->rtl ? hd_rtl_verdict(rc, k->at.dir, k->rtl, k->at.why) : rc;
}

/* Returns true for the files with code that runs only at the start of a simulation. */
static bool runs_once(const char *name) {
  return strstr(name, "__Slow.cpp") || strstr(name, "__Syms.cpp");
}

static int is_source(const struct dirent *e) {
  const char *dot = strrchr(e->d_name, '.');
  return dot && !strcmp(dot, ".cpp");
}

/* A file that Verilator wrote, and the part that includes it. */
struct written {
  char *name;
  size_t weight;
  int part;
};

/* Orders by weight, the heaviest first; equal weights by name. */
static int by_weight(const void *a, const void *b) {
  const struct written *x = a, *y = b;
  return x->weight != y->weight ? (x->weight < y->weight) - (x->weight > y->weight)
                                : strcmp(x->name, y->name);
}

static int by_name(const void *a, const void *b) {
  const struct written *x = a, *y = b;
  return strcmp(x->name, y->name);
}

/* Returns the weight of a file: its characters without blanks, because two thirds of a file are indentation. Optimized code counts
 * double: it takes twice the compile time. */
static size_t weigh(const struct making *k, const char *name) {
  char *path = hd_format("%s/obj/%s", k->at.dir, name), *text = hd_slurp(path);
  size_t n = 0;
  for (const char *c = text; c && *c; c++)
    n += *c != ' ';
  free(text);
  free(path);
  return runs_once(name) ? n : 2 * n;
}

/* Gives each file to the part that is the lightest so far. */
static void share_out(const struct making *k, struct written *file, int n) {
  size_t sum[PARTS] = {0};
  for (int i = 0; i < n; i++)
    file[i].weight = weigh(k, file[i].name);
  qsort(file, (size_t)n, sizeof *file, by_weight);
  for (int i = 0; i < n; i++) {
    for (int p = 1; p < PARTS; p++)
      if (sum[p] < sum[file[i].part])
        file[i].part = p;
    sum[file[i].part] += file[i].weight;
  }
  qsort(file, (size_t)n, sizeof *file, by_name);
}

/* Writes the parts: files that include the adaptor and Verilator's files. Code that runs once comes last, because optimization is
 * switched off from there on. Returns false if a file cannot be written. */
static bool write_parts(const struct making *k, const struct written *file, int n) {
  bool ok = true;
  for (int p = 0; p < PARTS; p++) {
    char *name = hd_format("part%d.cpp", p), *each_cycle = hd_format("%s", p ? "" : "#include \"dut.cpp\"\n"),
         *once = hd_format("%s", ONCE);
    for (int i = 0; i < n; i++) {
      char **to = runs_once(file[i].name) ? &once : &each_cycle;
      if (file[i].part == p)
        *to = hd_joined(*to, hd_format("#include \"obj/%s\"\n", file[i].name));
    }
    each_cycle = hd_joined(each_cycle, once);
    ok &= hd_write_text(k->at.dir, name, each_cycle);
    free(each_cycle);
    free(name);
  }
  return ok;
}

static enum hd_rc gather(const struct making *k) {
  char *obj = hd_format("%s/obj", k->at.dir);
  struct dirent **entry;
  const int n = scandir(obj, &entry, is_source, NULL);
  struct written *file = n > 0 ? hd_zeroed((size_t)n, sizeof *file) : NULL;
  for (int i = 0; i < n; i++) {
    file[i].name = hd_format("%s", entry[i]->d_name);
    free(entry[i]);
  }
  if (n > 0)
    share_out(k, file, n);
  enum hd_rc rc = HD_OK;
  if (n <= 0)
    rc = hd_because(k->at.why, HD_TOOL, "verilator wrote nothing for %s", k->at.module);
  else if (!write_parts(k, file, n))
    rc = hd_because(k->at.why, HD_TOOL, "%s can't be written", k->at.dir);
  for (int i = 0; i < n; i++)
    free(file[i].name);
  free(file);
  if (n >= 0)
    free(entry);
  free(obj);
  return rc;
}

/* Compiles and links. The makefile has no variables: a make that runs this program could override them. */
static enum hd_rc compile(const struct making *k, const struct hd_shared *shared) {
  char *included = NULL, *objects = NULL, *parts = hd_format("%s", "");
  enum hd_rc rc = hd_shared_headers(shared, &included);
  for (int p = 0; p < PARTS; p++)
    parts = hd_joined(parts, hd_format(" part%d.o", p));
  char *rules = hd_format("all:%s\n%%.o: %%.cpp\n\t%s %s%s -Iobj -I. -c -o $@ $<\n", parts, k->tools.cxx,
                          included, shared->flags);
  if (rc == HD_OK)
    rc = hd_write_text(k->at.dir, "dut.mk", rules)
             ? hd_tool_run(&k->at, "compile.log", "make -j%d -f dut.mk", (int)PARTS)
             : hd_because(k->at.why, HD_TOOL, "%s can't be written", k->at.dir);
  if (rc == HD_OK)
    rc = hd_shared_objects(shared, &objects);
  if (rc == HD_OK)
    rc = hd_tool_run(&k->at, "link.log", "%s -shared -o dut.so%s %s -pthread%s", k->tools.cxx, parts, objects,
                     k->traced ? " -lz" : "");
  free(rules);
  free(parts);
  free(objects);
  free(included);
  return rc;
}

/* Does all steps after the RTL, then renames the directory to `home`. */
static enum hd_rc make(const struct making *k, const char *public, const char *home) {
  char *flags = flags_of(k);
  const struct hd_shared shared = {k->at, &k->tools, flags, k->traced};
  enum hd_rc rc = HD_OK;
  if (!hd_write_text(k->at.dir, "dut.cpp", dut_cpp) || !hd_write_text(k->at.dir, "dut.h", dut_h) ||
      !hd_write_text(k->at.dir, "public.vlt", public) || !hd_write_text(k->at.dir, "twins.sv", k->twins))
    rc = hd_because(k->at.why, HD_TOOL, "%s can't be written", k->at.dir);
  const pid_t beside = rc == HD_OK ? hd_shared_begin(&shared) : 0;
  if (rc == HD_OK)
    rc = verilate(k);
  if (rc == HD_OK)
    rc = gather(k);
  if (rc == HD_OK)
    rc = compile(k, &shared);
  hd_shared_end(beside);
  if (rc == HD_OK && rename(k->at.dir, home) != 0)
    rc = hd_because(k->at.why, HD_TOOL, "%s can't be written", home);
  free(flags);
  return rc;
}

/* Makes `home` under a lock: if two processes want the same model, the second waits and then finds it. */
static enum hd_rc make_once(const struct making *k, const char *public, const char *home) {
  char *path = hd_format("%s.lock", home);
  const int turn = hd_lock_file(path, k->at.why);
  enum hd_rc rc = turn < 0 ? HD_TOOL : HD_OK;
  if (rc == HD_OK && access(home, R_OK) != 0)
    rc = make(k, public, home);
  if (turn >= 0)
    close(turn);
  free(path);
  return rc;
}

/* Sets *home to the directory of these inputs. If a quick model is wanted and one compiled for speed exists, that one is taken.
 * Returns false if the RTL cannot be read. */
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

/* Finds or makes the directory of this RTL, and sets *home to it. */
static enum hd_rc find_or_make(struct making *k, const struct hd_design *design, char **home) {
  const struct hd_decl *top = hd_design_find(design, k->at.module);
  char *rtl = hd_format("%s/rtl", k->at.dir), *list = hd_format("%s/%s.f", rtl, k->at.module);
  char *public = hd_readable(top, k->inside);
  if (!public)
    abort();
  k->twins = hd_format("%s", k->traced ? "module hd_model;\n" : "");
  if (k->traced) {
    add_twins(top, true, "", &public, &k->twins);
    k->twins = hd_joined(k->twins, hd_format("endmodule\nbind %s hd_model model ();\n", k->at.module));
  }
  enum hd_rc rc = hd_tools_ask(&k->tools, &k->at, k->work);
  if (rc == HD_OK)
    rc = k->rtl ? hd_rtl_take(k->rtl, k->at.module, rtl, k->at.why)
                : hd_rtl_write(design, k->at.module, rtl, k->at.why);
  if (rc == HD_OK && !name_home(k, list, public, home))
    rc = hd_because(k->at.why, HD_TOOL, "the RTL of %s is not where it was written", k->at.module);
  else if (rc == HD_OK && access(*home, R_OK) != 0)
    rc = make_once(k, public, *home);
  /* The directory is kept for its logs: they show why a tool failed, or all errors in the user's Verilog. */
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
  lib->handle = full ? dlopen(full, RTLD_NOW | RTLD_LOCAL | STAYS) : NULL;
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
