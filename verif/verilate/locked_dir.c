/* Directories that a process locks while it uses them; see locked_dir.h. */
#include "verif/verilate/locked_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define PREFIX "making."

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *walk) {
  (void)st, (void)type, (void)walk;
  return remove(path);
}
void hd_remove_tree(const char *path) {
  nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Locks a directory until the returned descriptor is closed. Returns -1 if another process holds the lock or the directory cannot be
 * opened. */
static int hold(const char *dir, int how) {
  const int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0 || flock(fd, how) == 0)
    return fd;
  close(fd);
  return -1;
}

int hd_lock_file(const char *path, struct hd_why *why) {
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd >= 0 && flock(fd, LOCK_EX) != 0) {
    close(fd);
    fd = -1;
  }
  if (fd < 0)
    (void)hd_because(why, HD_TOOL, "%s can't be locked", path);
  return fd;
}

static void sweep(const char *parent) {
  DIR *all = opendir(parent);
  for (struct dirent *e; all && (e = readdir(all));) {
    if (strncmp(e->d_name, PREFIX, strlen(PREFIX)) != 0)
      continue;
    char *dir = hd_format("%s/%s", parent, e->d_name);
    const int fd = hold(dir, LOCK_EX | LOCK_NB);
    if (fd >= 0) {
      hd_remove_tree(dir);
      close(fd);
    }
    free(dir);
  }
  if (all)
    closedir(all);
}

enum hd_rc hd_new_dir_open(struct hd_new_dir *s, const char *parent, struct hd_why *why) {
  *s = (struct hd_new_dir){hd_format("%s/" PREFIX "XXXXXX", parent), -1};
  const bool there = hd_make_dirs(parent);
  /* One process at a time: otherwise one could remove a directory that another has made and not locked yet. */
  const int turn = there ? hold(parent, LOCK_EX) : -1;
  const bool made = there && mkdtemp(s->dir);
  const int reason = errno;
  if (made)
    s->lock = hold(s->dir, LOCK_EX | LOCK_NB);
  else
    *s->dir = 0;
  if (turn >= 0 && s->lock >= 0)
    sweep(parent);
  if (turn >= 0)
    close(turn);
  return made ? HD_OK : hd_because(why, HD_INPUT, "%s cannot be written: %s", parent, strerror(reason));
}

void hd_new_dir_close(struct hd_new_dir *s) {
  hd_remove_tree(s->dir);
  if (s->lock >= 0)
    close(s->lock);
  free(s->dir);
}
