/* Running other programs with a time limit; see run.h. */
#include "base/run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum hd_rc hd_because(struct hd_why *why, enum hd_rc rc, const char *format, ...) {
  if (why) {
    va_list args;
    va_start(args, format);
    vsnprintf(why->text, sizeof why->text, format, args);
    va_end(args);
  }
  return rc;
}

char *hd_format(const char *format, ...) {
  char *text = NULL;
  va_list args;
  va_start(args, format);
  if (vasprintf(&text, format, args) < 0)
    abort();
  va_end(args);
  return text;
}

/* In the child: own process group, so that a time-out also ends what the program started. */
static void become(const char *const argv[], const char *cwd, const char *log) {
  setpgid(0, 0);
  int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  int in = open("/dev/null", O_RDONLY);
  if (out < 0 || in < 0 || (cwd && chdir(cwd)))
    _exit(127);
  dup2(in, 0);
  dup2(out, 1);
  dup2(out, 2);
  execvp(argv[0], (char *const *)argv);
  _exit(127);
}

int hd_run(const char *const argv[], const char *cwd, const char *log, int timeout_s) {
  pid_t pid = fork();
  if (pid < 0)
    return HD_RUN_NOT_STARTED;
  if (pid == 0)
    become(argv, cwd, log);
  setpgid(pid, pid);

  const struct timespec pause = {0, 2000000};
  struct timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  int status;
  for (;;) {
    pid_t done = waitpid(pid, &status, WNOHANG);
    if (done == pid)
      break;
    if (done < 0 && errno != EINTR)
      return HD_RUN_NOT_STARTED;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec - start.tv_sec >= timeout_s) {
      kill(-pid, SIGKILL);
      waitpid(pid, &status, 0);
      return HD_RUN_TIMEOUT;
    }
    nanosleep(&pause, NULL);
  }
  if (!WIFEXITED(status))
    return HD_RUN_SIGNAL;
  return WEXITSTATUS(status) == 127 ? HD_RUN_NOT_STARTED : WEXITSTATUS(status);
}

bool hd_have_tool(const char *name) {
  const char *path = getenv("PATH");
  while (path && *path) {
    size_t n = strcspn(path, ":");
    char *full = hd_format("%.*s/%s", (int)n, path, name);
    bool there = access(full, X_OK) == 0;
    free(full);
    if (there)
      return true;
    path += n + (path[n] == ':');
  }
  return false;
}

char *hd_slurp(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  size_t size = 0, room = 65536, got;
  char *text = malloc(room + 1);
  while (text && (got = fread(text + size, 1, room - size, file)) > 0) {
    size += got;
    if (size == room)
      text = realloc(text, (room *= 2) + 1);
  }
  fclose(file);
  if (text)
    text[size] = 0;
  return text;
}

bool hd_make_dirs(const char *path) {
  char *copy = hd_format("%s", path);
  for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(copy, 0777);
    *slash = '/';
  }
  mkdir(copy, 0777);
  struct stat what;
  bool there = stat(copy, &what) == 0 && S_ISDIR(what.st_mode);
  free(copy);
  return there;
}
