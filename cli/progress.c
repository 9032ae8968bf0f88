/* The progress line. A thread of its own draws it twice a second, so that it is updated while another tool
 * runs.
 *
 * Invariant: nothing is written unless stderr is a terminal that can erase a line; the line is never wider
 * than the terminal.
 */
#include "cli/progress.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { TICK_MS = 500, AFTER_S = 1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool off, ticks, shown;
/* The text, its pace, and the pace at its start. An empty text: no line. */
static char text[256];
static struct hd_pace pace, first;
/* since: the start of all; part_since: the start of the part that pace.of counts; done_at: when pace.done was reached. */
static double since, part_since, done_at;

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

size_t hd_pace_text(char *to, size_t size, const struct hd_pace *from, const struct hd_pace *at,
                    const struct hd_pace_times *s) {
  double rate = at->unit && s->all > 0 ? (at->count - from->count) / s->all : 0;
  const char *scale = rate >= 1e6 ? "M " : rate >= 1e3 ? "k " : "";
  rate /= rate >= 1e6 ? 1e6 : rate >= 1e3 ? 1e3 : 1;
  int n = 0;
  if (rate > 0)
    n += snprintf(to, size, ", %.*f %s%s/s", rate < 10 ? 1 : 0, rate, scale, at->unit);
  n += snprintf(to + n, size - (size_t)n, "; %.0f s", s->all);
  if (at->of > 0 && at->done > from->done && at->done <= at->of) {
    const double left = s->done / (at->done - from->done) * (at->of - at->done) - s->since;
    n += snprintf(to + n, size - (size_t)n, ", about %.0f s left", left > 0 ? left : 0);
  }
  return (size_t)n;
}

/* Call with the lock held. */
static void draw(void) {
  const double now = now_s();
  if (!*text || now - since < AFTER_S)
    return;
  char tail[128];
  const int n = (int)hd_pace_text(tail, sizeof tail, &first, &pace,
                                  &(struct hd_pace_times){done_at - part_since, now - done_at, now - since});
  struct winsize window = {.ws_col = 0};
  ioctl(STDERR_FILENO, TIOCGWINSZ, &window);
  const int room = (window.ws_col ? window.ws_col : 80) - 1;
  fprintf(stderr, "\r\033[K%.*s%.*s", room > n ? room - n : 0, text, room, tail);
  fflush(stderr);
  shown = true;
}

static void *tick(void *user) {
  for (;;) {
    nanosleep(&(struct timespec){0, TICK_MS * 1000000L}, NULL);
    pthread_mutex_lock(&lock);
    draw();
    pthread_mutex_unlock(&lock);
  }
  return user;
}

/* At the first call: finds out whether there is a terminal to draw on. Call with the lock held. */
static void begin(void) {
  static bool asked;
  if (asked)
    return;
  asked = true;
  const char *term = getenv("TERM");
  pthread_t thread;
  if (isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0)
    ticks = pthread_create(&thread, NULL, tick, NULL) == 0;
}

void hd_progress(struct hd_pace at, const char *format, ...) {
  if (off)
    return;
  pthread_mutex_lock(&lock);
  begin();
  if (ticks) {
    const bool fresh = !*text || at.count < pace.count;
    if (fresh) {
      since = now_s();
      first.count = at.count;
    }
    if (fresh || at.of != pace.of || at.done != pace.done)
      done_at = now_s();
    if (fresh || at.of != pace.of || at.done < pace.done) {
      part_since = done_at;
      first.done = at.done;
    }
    pace = at;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
  }
  pthread_mutex_unlock(&lock);
}

/* Call with the lock held. */
static void erase(void) {
  if (shown)
    fputs("\r\033[K", stderr);
  shown = false;
}

void hd_progress_say(const char *format, ...) {
  va_list args;
  va_start(args, format);
  pthread_mutex_lock(&lock);
  erase();
  vfprintf(stderr, format, args);
  pthread_mutex_unlock(&lock);
  va_end(args);
}

void hd_progress_end(void) {
  if (off)
    return;
  pthread_mutex_lock(&lock);
  erase();
  *text = 0;
  pthread_mutex_unlock(&lock);
}

void hd_progress_off(void) {
  off = true;
}
