/* Reading a file at any offset, through a window: reads near to each other cost one system call.
 *
 * Invariant: the window holds the file's bytes as they were when they were read. Code that changes the file must call
 * hd_file_window_forget. */
#ifndef HEDDLE_BASE_FILE_WINDOW_H
#define HEDDLE_BASE_FILE_WINDOW_H

#include <stdint.h>
#include <sys/types.h>

enum { HD_FILE_WINDOW = 32768 }; /* bytes */

/* Must be all zeros at first. */
struct hd_file_window {
  uint64_t at; /* offset of the window's first byte in the file */
  size_t n;
  uint8_t bytes[HD_FILE_WINDOW];
};

/* Reads n bytes at offset `at` of the file. Returns n, or less if the file ends there, or -1 with errno set. */
ssize_t hd_file_window_read(struct hd_file_window *w, int fd, void *bytes, size_t n, uint64_t at);

/* Empties the window, because the file may have changed. */
void hd_file_window_forget(struct hd_file_window *w);

#endif
