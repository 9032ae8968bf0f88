/* Compiles the parts that all Verilated models share; see shared.h. */
#include "verif/verilate/shared.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verif/dut_text.h"
#include "verif/verilate/locked_dir.h"

/* NDEBUG: for Verilator's assertions clang would need a function of its own library. -O0: a cycle calls little of this code. */
#define RUN_TIME_FLAGS "-O0 -w -DNDEBUG -fPIC -fvisibility=hidden"

/* Makes a file once and keeps it beside the models. The command writes <dir>/`made`; *kept is the name under which it is kept, relative
 * to the directory. Another process that wants the same file waits for it. */
static enum hd_rc keep(const struct hd_shared *s, const char *made, const char *command, char **kept) {
  const uint64_t h = hd_hash_text(hd_hash_text(1, s->tools->versions), command);
  *kept = hd_format("../%016llx-%s", (unsigned long long)h, made);
  char *from = hd_format("%s/%s", s->at.dir, made), *to = hd_format("%s/%s", s->at.dir, *kept),
       *lock = hd_format("%s.lock", to), *log = hd_format("%s.log", made);
  const bool there = access(to, R_OK) == 0;
  const int turn = there ? -1 : hd_lock_file(lock, s->at.why);
  enum hd_rc rc = there || turn >= 0 ? HD_OK : HD_TOOL;
  if (rc == HD_OK && access(to, R_OK) != 0) /* no other process made it meanwhile, or it was removed */
    rc = hd_tool_run(&s->at, log, "%s", command);
  if (rc == HD_OK && access(to, R_OK) != 0 && rename(from, to) != 0)
    rc = hd_because(s->at.why, HD_TOOL, "%s can't be written", to);
  if (turn >= 0)
    close(turn);
  free(from);
  free(to);
  free(lock);
  free(log);
  return rc;
}

enum hd_rc hd_shared_objects(const struct hd_shared *s, char **objects) {
  const char *include = s->tools->include;
  char *compiler = hd_format("%s " RUN_TIME_FLAGS " -I%s -I%s/vltstd", s->tools->cxx, include, include);
  char *command = hd_format("%s -r -nostdlib -o runtime.o %s/verilated.cpp %s/verilated_threads.cpp",
                            compiler, include, include);
  enum hd_rc rc = keep(s, "runtime.o", command, objects);
  free(command);
  if (rc == HD_OK && s->traced) {
    char *writer = NULL;
    command = hd_format("%s -O1 -c -o writer.o %s/verilated_fst_c.cpp", compiler,
                        /* optimized: it runs in each cycle */ include);
    rc = keep(s, "writer.o", command, &writer);
    *objects = hd_joined(hd_joined(*objects, hd_format(" ")), writer);
    free(command);
  }
  free(compiler);
  return rc;
}

/* The source of the shared headers. It stays in the build directory until it is compiled. */
#define HEADERS "prefix"

/* With clang the headers are not compiled beforehand: clang would need their source in its old place. */
enum hd_rc hd_shared_headers(const struct hd_shared *s, char **option) {
  char *made = hd_format(HEADERS "-%016llx.gch", (unsigned long long)hd_hash_text(1, dut_prefix_h));
  char *command = hd_format("%s %s -x c++-header -o %s " HEADERS, s->tools->cxx, s->flags, made);
  char *source = hd_format("%s/" HEADERS, s->at.dir), *kept = NULL, *beside = NULL;
  enum hd_rc rc = HD_OK;
  if (!s->tools->clang)
    rc = keep(s, made, command, &kept);
  if (kept) {
    kept[strlen(kept) - strlen(".gch")] = 0;
    beside = hd_format("%s/%s", s->at.dir, kept); /* the source, in case g++ refuses its compiled form */
    if (rc == HD_OK && access(beside, R_OK) != 0 && rename(source, beside) != 0 && access(beside, R_OK) != 0)
      rc = hd_because(s->at.why, HD_TOOL, "%s can't be written", beside);
  }
  *option = kept ? hd_format("-include %s ", kept) : hd_format("%s", "");
  free(made);
  free(command);
  free(source);
  free(kept);
  free(beside);
  return rc;
}

/* Makes the headers first: the models' files need them, but only the link needs the objects. */
pid_t hd_shared_begin(const struct hd_shared *s) {
  (void)hd_write_text(s->at.dir, HEADERS, dut_prefix_h); /* if this fails, the compiler reports it */
  const pid_t pid = hd_fork();
  if (pid == 0) {
    char *option = NULL, *objects = NULL;
    (void)hd_shared_headers(s, &option);
    (void)hd_shared_objects(s, &objects);
    _exit(0);
  }
  return pid;
}

void hd_shared_end(pid_t pid) {
  while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
    ;
}
