/* Generates the RTL, has Verilator and the C++ compiler make a shared object of it, and keeps that; see build.h. */
#include "verif/build.h"

#include <dirent.h>
#include <dlfcn.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rtl_gen/rtl.h"
#include "verif/dut_text.h"

enum { TIME_LIMIT = 1800 }; /* seconds a tool may take */

struct making {
  const char *module, *work;
  bool traced;
  char *dir;          /* where it is made */
  char *versions;     /* of the tools, as they print them */
  char *include;      /* Verilator's own sources */
  struct hd_why *why;
};

static uint64_t hash(uint64_t h, const char *text) {
  for (; *text; text++)
    h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return (h ^ 0xff) * UINT64_C(0x100000001b3); /* so that "ab","c" is not "a","bc" */
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *walk) {
  (void)st, (void)type, (void)walk;
  return remove(path);
}
static void remove_tree(const char *path) {
  nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static bool write_text(const char *dir, const char *name, const char *text) {
  char *path = hd_format("%s/%s", dir, name);
  FILE *f = fopen(path, "w");
  free(path);
  if (!f)
    return false;
  fputs(text, f);
  return fclose(f) == 0;
}

/* The first line of a log that says what went wrong. */
static void complaint(const char *log, char *line, size_t size) {
  char *text = hd_slurp(log), *at = NULL;
  static const char *const signs[] = {"%Error", "error:", "undefined reference", "%Warning"};
  for (size_t i = 0; text && !at && i < sizeof signs / sizeof *signs; i++)
    at = strstr(text, signs[i]);
  while (at && at > text && at[-1] != '\n')
    at--;
  snprintf(line, size, "%.*s", at ? (int)strcspn(at, "\n") : 0, at ? at : "");
  free(text);
}

/* Runs a tool whose words are argv (the last NULL); its output goes to <dir>/<log>. */
static enum hd_rc tool(const struct making *k, const char *const argv[], const char *log) {
  char *path = hd_format("%s/%s", k->dir, log), line[512];
  const int status = hd_run(argv, NULL, path, TIME_LIMIT);
  enum hd_rc rc = HD_OK;
  if (status == HD_RUN_NOT_STARTED)
    rc = hd_because(k->why, HD_TOOL, "%s is not installed; lockstep needs Verilator 5 and g++ (apt-get install "
                                     "verilator g++)", argv[0]);
  else if (status == HD_RUN_TIMEOUT)
    rc = hd_because(k->why, HD_TOOL, "%s on %s took longer than %d s", argv[0], k->module, (int)TIME_LIMIT);
  else if (status != 0) {
    complaint(path, line, sizeof line);
    rc = hd_because(k->why, HD_TOOL, "%s on the RTL of %s failed (%d): %s", argv[0], k->module, status, line);
  }
  free(path);
  return rc;
}

/* What a tool prints when asked, without its last newline; NULL: it failed, *rc says why. */
static char *answer(const struct making *k, const char *name, const char *option, const char *value, enum hd_rc *rc) {
  const char *const argv[] = {name, option, value, NULL};
  char *path = hd_format("%s/answer.log", k->dir), *text = NULL;
  *rc = tool(k, argv, "answer.log");
  if (*rc == HD_OK && (text = hd_slurp(path)))
    text[strcspn(text, "\n")] = 0;
  free(path);
  return text;
}

static enum hd_rc ask_tools(struct making *k) {
  enum hd_rc rc;
  char *verilator = answer(k, "verilator", "--version", NULL, &rc);
  char *root = verilator ? answer(k, "verilator", "--getenv", "VERILATOR_ROOT", &rc) : NULL;
  char *compiler = root ? answer(k, "g++", "--version", NULL, &rc) : NULL;
  if (compiler) {
    k->versions = hd_format("%s; %s", verilator, compiler);
    k->include = hd_format("%s/include", root);
  }
  free(verilator);
  free(root);
  free(compiler);
  return rc;
}

/* Makes the variables of a module readable by name. Each module once, whatever it is inside. */
static char *readable(const struct hd_decl *d, const struct hd_decl *top, char *text) {
  char *more;
#define ADD(module, var)                                                                                     \
  (more = hd_format("%spublic_flat_rd -module \"%s\" -var \"%s\"\n", text, module, var), free(text), text = more)
  for (size_t i = 0; i < d->n_insts; i++)
    text = readable(d->insts[i].decl, top, text);
  for (size_t i = 0; i < d->n_rows; i++)
    if (d->rows[i].cls == HD_REG || d->rows[i].cls == HD_CAM || (d == top && d->rows[i].cls != HD_RAM))
      ADD(d->module, d->rows[i].var);
  if (d == top) {
    ADD(d->module, "clk");
    ADD(d->module, "rst");
  }
  return text;
#undef ADD
}

static const char wrappers[] = "public_flat_rd -module \"hd_ram_1r1w\" -var \"mem\"\n"
                               "public_flat_rd -module \"hd_ram_1r1w\" -var \"rdata\"\n"
                               "public_flat_rd -module \"hd_ram_1r1w\" -var \"we\"\n"
                               "public_flat_rd -module \"hd_ram_1r1w\" -var \"waddr\"\n"
                               "public_flat_rd -module \"hd_ram_1rw\" -var \"mem\"\n"
                               "public_flat_rd -module \"hd_ram_1rw\" -var \"rdata\"\n"
                               "public_flat_rd -module \"hd_ram_1rw\" -var \"we\"\n"
                               "public_flat_rd -module \"hd_ram_1rw\" -var \"addr\"\n";

/* Everything that the shared object depends on goes into the hash. */
static bool hash_inputs(const struct making *k, const char *list, uint64_t *h) {
  char *names = hd_slurp(list);
  bool ok = names != NULL;
  *h = hash(hash(hash(hash(UINT64_C(0xcbf29ce484222325), k->versions), dut_cpp), dut_h), k->traced ? "traced" : "");
  for (char *rest = names, *name; ok && (name = strsep(&rest, "\n"));)
    if (*name && *name != '/' && *name != '#') {
      char *path = hd_format("%s/rtl/%s", k->dir, name), *text = hd_slurp(path);
      ok = text != NULL;
      if (ok)
        *h = hash(*h, text);
      free(text);
      free(path);
    }
  free(names);
  return ok;
}

/* Verilator's run-time library, the same for every module: made once for a version. */
static enum hd_rc run_time(const struct making *k, char **object) {
  char *name = hd_format("runtime-%016llx.o", (unsigned long long)hash(hash(1, k->versions), k->traced ? "t" : ""));
  *object = hd_format("%s/build/%s", k->work, name);
  char *made = hd_format("%s/%s", k->dir, name);
  free(name);
  char *path[4] = {hd_format("%s/verilated.cpp", k->include), hd_format("%s/verilated_threads.cpp", k->include),
                   hd_format("%s/verilated_fst_c.cpp", k->include), hd_format("-I%s", k->include)};
  char *dpi = hd_format("-I%s/vltstd", k->include);
  const char *const argv[] = {"g++", "-O1", "-w", "-fPIC", "-fvisibility=hidden", "-r", "-nostdlib", "-o", made,
                              path[3], dpi, path[0], path[1], k->traced ? path[2] : NULL, NULL};
  enum hd_rc rc = HD_OK;
  if (access(*object, R_OK) != 0 && (rc = tool(k, argv, "runtime.log")) == HD_OK && rename(made, *object) != 0)
    rc = hd_because(k->why, HD_TOOL, "%s can't be written", *object);
  for (int i = 0; i < 4; i++)
    free(path[i]);
  free(dpi);
  free(made);
  return rc;
}

static enum hd_rc verilate(const struct making *k, const char *list) {
  char *obj = hd_format("%s/obj", k->dir), *vlt = hd_format("%s/public.vlt", k->dir);
  const char *const argv[] = {
      "verilator", "--cc",       "--prefix",    "Vdut", "--top-module", k->module, "-Mdir", obj, "-O3", "-Wno-fatal",
      "--x-assign", "unique", "--x-initial", "unique", vlt,  "-F", list, k->traced ? "--trace-fst" : NULL, NULL};
  enum hd_rc rc = tool(k, argv, "verilator.log");
  free(obj);
  free(vlt);
  return rc;
}

static enum hd_rc compile(const struct making *k, const char *object) {
  char *path[] = {hd_format("-I%s/obj", k->dir),        hd_format("-I%s", k->include),
                  hd_format("-I%s/vltstd", k->include), hd_format("%s/dut.cpp", k->dir),
                  hd_format("%s/obj/Vdut__ALL.cpp", k->dir), hd_format("%s/dut.so", k->dir)};
  const char *const argv[] = {"g++", "-O1", "-w", "-fPIC", "-fvisibility=hidden", "-fno-gnu-unique", "-shared",
                              k->traced ? "-DHD_TRACE=1" : "-DHD_TRACE=0", path[0], path[1], path[2], "-o", path[5],
                              path[3], path[4], object, "-pthread", k->traced ? "-lz" : NULL, NULL};
  enum hd_rc rc = tool(k, argv, "compile.log");
  for (size_t i = 0; i < sizeof path / sizeof *path; i++)
    free(path[i]);
  return rc;
}

/* Makes the whole directory, unless one of the same hash is there; *home is where it is then. */
static enum hd_rc make(struct making *k, const struct hd_design *design, char **home) {
  enum hd_rc rc = ask_tools(k);
  char *rtl = hd_format("%s/rtl", k->dir), *list = hd_format("%s/%s.f", rtl, k->module), *object = NULL;
  uint64_t h = 0;
  if (rc == HD_OK)
    rc = hd_rtl_write(design, k->module, rtl, k->why);
  if (rc == HD_OK && !hash_inputs(k, list, &h))
    rc = hd_because(k->why, HD_TOOL, "the RTL of %s is not where it was written", k->module);
  *home = hd_format("%s/build/%s-%016llx", k->work, k->module, (unsigned long long)h);
  char *vlt = readable(hd_design_find(design, k->module), hd_design_find(design, k->module),
                       hd_format("`verilator_config\n%s", wrappers));
  if (rc == HD_OK && access(*home, R_OK) != 0) {
    if (!write_text(k->dir, "dut.cpp", dut_cpp) || !write_text(k->dir, "dut.h", dut_h) ||
        !write_text(k->dir, "public.vlt", vlt))
      rc = hd_because(k->why, HD_TOOL, "%s can't be written", k->dir);
    if (rc == HD_OK)
      rc = verilate(k, list);
    if (rc == HD_OK)
      rc = run_time(k, &object);
    if (rc == HD_OK)
      rc = compile(k, object);
    /* Another process may have been faster: then its directory stays. */
    if (rc == HD_OK && rename(k->dir, *home) != 0 && access(*home, R_OK) != 0)
      rc = hd_because(k->why, HD_TOOL, "%s can't be written", *home);
  }
  remove_tree(k->dir);
  free(vlt);
  free(object);
  free(list);
  free(rtl);
  return rc;
}

static enum hd_rc load(struct hd_dut_lib *lib, struct hd_why *why) {
  char *path = hd_format("%s/dut.so", lib->dir), *full = realpath(path, NULL);
  lib->handle = full ? dlopen(full, RTLD_NOW | RTLD_LOCAL) : NULL;
  lib->api = lib->handle ? dlsym(lib->handle, "hd_dut") : NULL;
  enum hd_rc rc = lib->api ? HD_OK : hd_because(why, HD_TOOL, "%s can't be loaded: %s", path, full ? dlerror() : "");
  free(full);
  free(path);
  return rc;
}

enum hd_rc hd_dut_build(const struct hd_design *design, const char *module, const char *work, bool traced,
                        struct hd_dut_lib *lib, struct hd_why *why) {
  *lib = (struct hd_dut_lib){0};
  char *build = hd_format("%s/build", work);
  struct making k = {.module = module, .work = work, .traced = traced, .why = why};
  k.dir = hd_format("%s/making.XXXXXX", build);
  enum hd_rc rc = hd_make_dirs(build) && mkdtemp(k.dir)
                      ? make(&k, design, &lib->dir)
                      : hd_because(why, HD_INPUT, "the directory %s can't be written", build);
  if (rc == HD_OK)
    rc = load(lib, why);
  free(k.dir);
  free(k.versions);
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
