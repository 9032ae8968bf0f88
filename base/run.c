/* Running other programs with a time limit; see run.h. */
#include "base/run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

char *hd_format(const char *format, ...) {
  char *text = NULL;
  va_list args;
  va_start(args, format);
  if (vasprintf(&text, format, args) < 0)
    abort();
  va_end(args);
  return text;
}

FILE *hd_memory_open(char **text, size_t *size) {
  FILE *f = open_memstream(text, size);
  if (!f)
    abort();
  return f;
}

void hd_memory_close(FILE *f) {
  if (!hd_close_written(f))
    abort();
}

/* --- a signal that ends the program --------------------------------------------------------------------- */

static const int endings[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDINGS = sizeof endings / sizeof *endings, GRACE_MS = 2000, SCRAPS = 512 };

static volatile pid_t running; /* the running program, and its process group; 0: none */
static struct {
  const char *volatile path; /* see hd_scrap; NULL: free */
  volatile bool dir;         /* with the files in it */
} scraps[SCRAPS];

/* Without allocating memory, because a signal handler calls it; so without readdir. */
static void remove_files(const char *path) {
  _Alignas(struct dirent64) char entries[4096];
  const int dir = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  for (ssize_t n; (n = getdents64(dir, entries, sizeof entries)) > 0;)
    for (ssize_t at = 0; at < n;) {
      const struct dirent64 *e = (const void *)(entries + at);
      unlinkat(dir, e->d_name, 0);
      at += e->d_reclen;
    }
  close(dir);
}

/* The signal handler. A signal from the terminal does not reach the group of the running program. So the handler
 * passes it on, with time to clean up. */
static void end(int sig) {
  if (running) {
    kill(-running, SIGTERM);
    for (int ms = 0; ms < GRACE_MS && waitpid(running, NULL, WNOHANG) == 0; ms += 10)
      poll(NULL, 0, 10);
    kill(-running, SIGKILL);
  }
  for (int i = 0; i < SCRAPS; i++)
    if (scraps[i].path && scraps[i].dir)
      remove_files(scraps[i].path);
    else if (scraps[i].path)
      unlink(scraps[i].path);
  for (int i = 0; i < SCRAPS; i++)
    if (scraps[i].path)
      rmdir(scraps[i].path);
  raise(sig); /* SA_RESETHAND: this time without the handler */
}

/* Installs the handler. Signals that the program's caller ignores (nohup) stay ignored. */
static void watch(void) {
  struct sigaction act = {.sa_handler = end, .sa_flags = SA_RESETHAND | SA_RESTART}, old;
  for (int i = 0; i < ENDINGS; i++)
    sigaddset(&act.sa_mask, endings[i]);
  for (int i = 0; i < ENDINGS; i++)
    if (sigaction(endings[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
      sigaction(endings[i], &act, NULL);
}

static void add_scrap(const char *path, bool dir) {
  int i = 0;
  while (i < SCRAPS && scraps[i].path)
    i++;
  if (i < SCRAPS) {
    scraps[i].dir = dir;
    scraps[i].path = path;
  }
  watch();
}

void hd_scrap(const char *path) {
  add_scrap(path, false);
}

void hd_scrap_dir(const char *path) {
  add_scrap(path, true);
}

void hd_scrap_done(const char *path) {
  for (int i = 0; i < SCRAPS; i++)
    if (scraps[i].path == path)
      scraps[i].path = NULL;
}

/* In a child: forgets the parent's files, because children do not clean up after their parent. */
static void forget_scraps(void) {
  for (int i = 0; i < SCRAPS; i++)
    scraps[i].path = NULL;
}

/* Makes signals wait: in the caller until it knows of the child, in the child until they do no harm. */
static void hold_endings(sigset_t *before) {
  sigset_t hold;
  sigemptyset(&hold);
  for (int i = 0; i < ENDINGS; i++)
    sigaddset(&hold, endings[i]);
  sigprocmask(SIG_BLOCK, &hold, before);
}

static sigset_t outside; /* the mask before hd_hold_endings */

void hd_hold_endings(void) {
  hold_endings(&outside);
}

void hd_let_endings(void) {
  sigprocmask(SIG_SETMASK, &outside, NULL);
}

pid_t hd_fork(void) {
  sigset_t before;
  const pid_t parent = getpid();
  hold_endings(&before);
  const pid_t pid = fork();
  if (pid == 0) {
    forget_scraps();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
      _exit(127);
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
  return pid;
}

/* --- running -------------------------------------------------------------------------------------------- */

/* In the child: runs the program, in its own process group, so that a time-out also ends the programs that it
 * started. It ends with its parent, in whatever way that ends. */
static void become(const char *const argv[], const char *cwd, const char *log, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  int in = open("/dev/null", O_RDONLY);
  if (getppid() != parent || out < 0 || in < 0 || (cwd && chdir(cwd)))
    _exit(127);
  dup2(in, 0);
  dup2(out, 1);
  dup2(out, 2);
  execvp(argv[0], (char *const *)argv);
  _exit(127);
}

static pid_t start(const char *const argv[], const char *cwd, const char *log) {
  sigset_t before;
  watch();
  const pid_t parent = getpid();
  hold_endings(&before);
  const pid_t pid = fork();
  if (pid == 0) {
    forget_scraps();
    sigprocmask(SIG_SETMASK, &before, NULL);
    become(argv, cwd, log, parent);
  }
  if (pid > 0) {
    setpgid(pid, pid);
    running = pid;
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
  return pid;
}

/* Waits for the program. Returns its exit status, or HD_RUN_SIGNAL, or HD_RUN_TIMEOUT after killing it, or
 * HD_RUN_NOT_STARTED. */
static int await(pid_t pid, int timeout_s) {
  const struct timespec pause = {0, 2000000};
  struct timespec start, now;
  int status;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (;;) {
    const pid_t done = waitpid(pid, &status, WNOHANG);
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

int hd_run(const char *const argv[], const char *cwd, const char *log, int timeout_s) {
  const pid_t pid = start(argv, cwd, log);
  if (pid < 0)
    return HD_RUN_NOT_STARTED;
  const int status = await(pid, timeout_s);
  running = 0;
  return status;
}

char *hd_last_line(const char *log) {
  char *text = hd_slurp(log), *line = text;
  for (size_t n = text ? strlen(text) : 0; n && text[n - 1] == '\n';)
    text[--n] = 0;
  if (text && strrchr(text, '\n'))
    line = strrchr(text, '\n') + 1;
  char *copy = hd_format("%s", line ? line : "");
  free(text);
  return copy;
}

char *hd_find_tool(const char *name) {
  const char *path = strchr(name, '/') ? NULL : getenv("PATH");
  if (!path)
    return strchr(name, '/') && access(name, X_OK) == 0 ? hd_format("%s", name) : NULL;
  while (*path) {
    const size_t n = strcspn(path, ":");
    char *full = hd_format("%.*s/%s", (int)n, path, name);
    if (access(full, X_OK) == 0)
      return full;
    free(full);
    path += n + (path[n] == ':');
  }
  return NULL;
}

/* Returns true if the directory is there afterwards; else errno is set. */
static bool make_dir(const char *path) {
  if (mkdir(path, 0777) == 0)
    return true;
  const int reason = errno;
  struct stat what;
  if (stat(path, &what) == 0) {
    errno = ENOTDIR;
    return S_ISDIR(what.st_mode);
  }
  errno = reason;
  return false;
}

bool hd_make_dirs(const char *path) {
  char *copy = hd_format("%s", path);
  bool there = true;
  for (char *slash = strchr(copy + 1, '/'); there && slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    there = make_dir(copy);
    *slash = '/';
  }
  there = there && make_dir(copy);
  const int reason = errno;
  free(copy);
  errno = reason;
  return there;
}
