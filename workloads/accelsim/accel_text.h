/* A text file read line by line, plain or xz, forward only.
 *
 * Invariant: memory does not depend on the file: a line is at most WL_TEXT_LINE bytes, and what xz may ask for is
 * limited.
 */
#ifndef HEDDLE_WORKLOADS_ACCELSIM_ACCEL_TEXT_H
#define HEDDLE_WORKLOADS_ACCELSIM_ACCEL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WL_TEXT_LINE = 1 << 16, WL_TEXT_SLACK = 8 };

struct wl_text;

/* Opens the file; NULL: one line in err. */
struct wl_text *wl_text_open(const char *path, char *err, size_t errlen);
/* The next line without its end, terminated, until the next call; WL_TEXT_SLACK bytes behind that can be read, too. NULL: no more, or
 * an error. */
char *wl_text_line(struct wl_text *t);
/* Its bytes. */
size_t wl_text_length(const struct wl_text *t);
/* The number of that line, from 1. */
uint64_t wl_text_number(const struct wl_text *t);
/* Why wl_text_line gave NULL; NULL: the file is at its end. */
const char *wl_text_error(const struct wl_text *t);
void wl_text_close(struct wl_text *t);

#endif
