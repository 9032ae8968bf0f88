/* Virtual environments of Python; see venv.h. */
#include "cli/venv.h"
#include "base/programs.h"
#include "cli/progress.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { INSTALL_S = 900 };

static enum hd_rc cannot(const char *path, struct hd_why *why) {
  return hd_because(why, HD_INPUT, "%s cannot be written: %s", path, strerror(errno));
}

/* Returns the place, to be freed: the one that the user sets, else in the tree of the build, else in the
 * user's cache. */
static char *place(const struct hd_venv *venv, const char *build_dir) {
  const char *said = getenv(venv->variable), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (said && *said)
    return hd_format("%s", said);
  if (access(build_dir, W_OK) == 0)
    return hd_format("%s/%s", build_dir, venv->directory);
  return cache && *cache ? hd_format("%s/heddle/%s", cache, venv->directory)
                         : hd_format("%s/.cache/heddle/%s", home ? home : "", venv->directory);
}

/* True if the directory has files, and no log beside it shows that an installation made them. */
static bool is_foreign(const char *dir, const char *log) {
  DIR *d = access(log, F_OK) ? opendir(dir) : NULL;
  unsigned n = 0;
  while (d && readdir(d))
    n++;
  if (d)
    closedir(d);
  return n > 2; /* . and .. */
}

/* Makes the environment anew, and creates `mark` at the end. The log is created first. So an installation
 * that was killed is repeated. */
static enum hd_rc install(const struct hd_venv *venv, const char *dir, const char *python, const char *log,
                          const char *mark, struct hd_why *why) {
  if (is_foreign(dir, log))
    return hd_because(why, HD_INPUT,
                      "%s: found files that are not heddle %s's; allowed a directory that is empty, or not "
                      "there; name another one in %s",
                      dir, venv->verb, venv->variable);
  FILE *f = fopen(log, "w");
  if (!f || fclose(f))
    return cannot(log, why);
  hd_progress_say("heddle %s: installing %s into %s\n", venv->verb, venv->wanted, dir);
  int status =
      hd_program_run(HD_PYTHON, (const char *const[]){"-m", "venv", "--clear", "--without-pip", dir, NULL},
                     NULL, log, INSTALL_S);
  if (!status)
    status = hd_program_run(HD_PYTHON,
                            (const char *const[]){"-m", "pip", "--python", python, "install", "--quiet",
                                                  "--disable-pip-version-check", venv->wanted, NULL},
                            NULL, log, INSTALL_S);
  if (!status) {
    f = fopen(mark, "w");
    return f && !fclose(f) ? HD_OK : cannot(mark, why);
  }
  char *said = hd_last_line(log);
  const enum hd_rc rc =
      hd_because(why, HD_TOOL,
                 "%s cannot be installed into %s: %s; it needs Python's venv and pip, and a way "
                 "to the package index; see %s",
                 venv->wanted, dir, *said ? said : "python3 -m venv failed", log);
  free(said);
  return rc;
}

enum hd_rc hd_venv_program(const struct hd_venv *venv, const char *build_dir, const char *name,
                           char **program, struct hd_why *why) {
  char *dir = place(venv, build_dir), *mark = hd_format("%s/%s", dir, venv->wanted),
       *python = hd_format("%s/bin/python", dir);
  *program = hd_format("%s/bin/%s", dir, name);
  enum hd_rc rc = hd_program_need(HD_PYTHON, why);
  if (rc == HD_OK && !hd_make_dirs(dir))
    rc = cannot(dir, why);
  char *turn = hd_format("%s.lock", dir), *log = hd_format("%s.log", dir);
  const int lock = rc == HD_OK ? open(turn, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
  if (rc == HD_OK && lock < 0)
    rc = cannot(turn, why);
  if (rc == HD_OK)
    flock(lock, LOCK_EX); /* only one program installs at a time */
  if (rc == HD_OK && (access(mark, F_OK) || access(*program, X_OK)))
    rc = install(venv, dir, python, log, mark, why);
  if (lock >= 0)
    close(lock);
  free(turn);
  free(log);
  free(python);
  free(dir);
  free(mark);
  return rc;
}
