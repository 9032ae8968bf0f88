/* A temporary directory: something is made in it, and the directory is renamed when it is complete.
 *
 * Invariant: such a directory does not stay. If a process is killed, the next process that makes one in the same parent removes the old
 * one. A living process holds a lock on its directory, which therefore stays.
 */
#ifndef HEDDLE_VERIF_VERILATE_LOCKED_DIR_H
#define HEDDLE_VERIF_VERILATE_LOCKED_DIR_H

#include "base/run.h"

struct hd_new_dir {
  char *dir;
  int lock;
};

/* Makes a directory PARENT/making.XXXXXX, and the parent if it is missing. Returns HD_INPUT if that fails. Call hd_new_dir_close in any
 * case: it removes the directory if it still has that name. */
enum hd_rc hd_new_dir_open(struct hd_new_dir *s, const char *parent, struct hd_why *why);
void hd_new_dir_close(struct hd_new_dir *s);

/* Locks the file `path`, and makes it if it is missing. Waits while another process holds the lock. Returns the file's descriptor, which
 * holds the lock until it is closed. Returns a number below 0 and sets *why if the file cannot be locked. */
int hd_lock_file(const char *path, struct hd_why *why);

/* Removes a directory and all its contents, if it exists. */
void hd_remove_tree(const char *path);

#endif
