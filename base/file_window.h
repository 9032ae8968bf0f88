/* Reading a file at any place, through a window: places near to each other cost one system call.
 *
 * Invariant: what is in the window is what the file had when it was read; who changes the file forgets the window.
 */
#ifndef HEDDLE_BASE_FILE_WINDOW_H
#define HEDDLE_BASE_FILE_WINDOW_H

#include <stdint.h>
#include <sys/types.h>

enum { HD_FILE_WINDOW = 32768 }; /* bytes */

/* All zeros at first. */
struct hd_file_window {
  uint64_t at; /* offset in the file of the first byte */
  size_t n;
  uint8_t bytes[HD_FILE_WINDOW];
};

/* The n bytes at offset `at` of the file. Returns n; less: the file ends there; -1: errno says what is wrong. */
ssize_t hd_file_window_read(struct hd_file_window *w, int fd, void *bytes, size_t n, uint64_t at);

/* The file may have changed. */
void hd_file_window_forget(struct hd_file_window *w);

#endif
