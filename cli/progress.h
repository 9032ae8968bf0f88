/* A line on stderr that rewrites itself: what is done, how fast, since when, how much longer. On a terminal only, from the first
 * second on, gone at the end. */
#ifndef HEDDLE_CLI_PROGRESS_H
#define HEDDLE_CLI_PROGRESS_H

#include <stddef.h>

/* How far something has come. */
struct hd_pace {
  double done, of;  /* for the time left, in any unit; of 0: the end is not known */
  double count;     /* for the rate */
  const char *unit; /* of the rate; NULL: none is told */
};

/* Sets the line; it is drawn twice a second. A `count` that falls begins a new one. */
void hd_progress(struct hd_pace pace, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A sentence on stderr, in front of the line; wherever stderr goes. */
void hd_progress_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Takes the line away; the next one has a time of its own. */
void hd_progress_end(void);
/* From here on there is none: for children. */
void hd_progress_off(void);

/* Seconds: from the start of what `of` counts until so much was done; since then; in all. */
struct hd_pace_times {
  double done, since, all;
};
/* ", RATE UNIT/s; SECONDS s, about SECONDS s left" as far as it is known; `from` is how it began. Returns its length. */
size_t hd_pace_text(char *to, size_t size, const struct hd_pace *from, const struct hd_pace *at,
                    const struct hd_pace_times *s);

#endif
