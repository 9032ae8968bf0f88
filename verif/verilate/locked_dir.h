/* A directory in which something is made, to be renamed when it is whole.
 *
 * Invariant: it does not stay: what a killed process has left is removed by the next one that makes one beside
 * it. A process holds a lock on its own, so none of a living process is taken away.
 */
#ifndef HEDDLE_VERIF_VERILATE_LOCKED_DIR_H
#define HEDDLE_VERIF_VERILATE_LOCKED_DIR_H

#include "base/run.h"

struct hd_new_dir {
  char *dir;
  int lock;
};

/* A new directory PARENT/making.XXXXXX; the parent is made if need be. HD_INPUT: it cannot. hd_new_dir_close in
 * any case: it removes the directory if it is still there under that name. */
enum hd_rc hd_new_dir_open(struct hd_new_dir *s, const char *parent, struct hd_why *why);
void hd_new_dir_close(struct hd_new_dir *s);

/* The descriptor of the file `path`, made if missing, which is locked until that is closed; below 0: it can't be had, and `why` says
 * so. Another process that wants it waits. */
int hd_lock_file(const char *path, struct hd_why *why);

/* Removes a directory and all in it, if it is there. */
void hd_remove_tree(const char *path);

#endif
