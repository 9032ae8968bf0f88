/* Reads a text file line by line, plain or xz, forward only.
 *
 * Invariant: memory does not depend on the file: a line has at most WL_TEXT_LINE bytes, and the memory of
 * the xz decoder is limited.
 */
#ifndef HEDDLE_WORKLOADS_ACCELSIM_ACCEL_TEXT_H
#define HEDDLE_WORKLOADS_ACCELSIM_ACCEL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WL_TEXT_LINE = 1 << 16, WL_TEXT_SLACK = 8 };

struct wl_text;

/* Opens the file. Returns NULL with one line in err. */
struct wl_text *wl_text_open(const char *path, char *err, size_t errlen);
/* Returns the next line, zero-terminated, without its newline. It is valid until the next call;
 * WL_TEXT_SLACK bytes behind it can be read, too. Returns NULL at the end of the file and on an error. */
char *wl_text_line(struct wl_text *t);
/* Returns the bytes of the last line. */
size_t wl_text_length(const struct wl_text *t);
/* Returns the number of the last line, from 1. */
uint64_t wl_text_number(const struct wl_text *t);
/* Returns the reason why wl_text_line returned NULL, or NULL at the end of the file. */
const char *wl_text_error(const struct wl_text *t);
void wl_text_close(struct wl_text *t);

#endif
