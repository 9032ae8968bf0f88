/* A line on stderr that rewrites itself: progress, rate, elapsed time, time left. It appears on a terminal
 * only, after the first second, and disappears at the end. */
#ifndef HEDDLE_CLI_PROGRESS_H
#define HEDDLE_CLI_PROGRESS_H

#include <stddef.h>

/* The progress of some work. */
struct hd_pace {
  double done, of;  /* for the time left, in any unit; of 0: the end is unknown */
  double count;     /* for the rate */
  const char *unit; /* of the rate; NULL: no rate is printed */
};

/* Sets the line. It is drawn twice a second. A `count` that falls starts a new line. */
void hd_progress(struct hd_pace pace, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints a message on stderr above the line, also if stderr is no terminal. */
void hd_progress_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Removes the line. The next one starts its own time. */
void hd_progress_end(void);
/* Turns progress off from here on: for child processes. */
void hd_progress_off(void);

/* Seconds: from the start of the part that `of` counts until `done` was reached; since then; in all. */
struct hd_pace_times {
  double done, since, all;
};
/* Writes ", RATE UNIT/s; SECONDS s, about SECONDS s left", as far as these are known. `from` is the state
 * at the start. Returns the length. */
size_t hd_pace_text(char *to, size_t size, const struct hd_pace *from, const struct hd_pace *at,
                    const struct hd_pace_times *s);

#endif
