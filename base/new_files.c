/* Files written together; see new_files.h. */
#include "base/new_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"

static struct hd_new_file *add(struct hd_files *files, const char *dir, const char *stem, const char *end,
                               char *text) {
  files->file = hd_resized(files->file, files->n + 1, sizeof *files->file);
  struct hd_new_file *file = &files->file[files->n++];
  *file = (struct hd_new_file){hd_format("%s/.%s%s.part", dir, stem, end),
                               hd_format("%s/%s%s", dir, stem, end), text, NULL};
  return file;
}

void hd_files_add(struct hd_files *files, const char *dir, const char *stem, const char *end, char *text) {
  if (!text)
    abort();
  add(files, dir, stem, end, text);
}

static bool holds(const char *path, const char *text) {
  char *old = hd_slurp(path);
  const bool same = old && !strcmp(old, text);
  free(old);
  return same;
}

static bool is_directory(const char *path) {
  struct stat at;
  return lstat(path, &at) == 0 && S_ISDIR(at.st_mode); /* a link to one gives way to the file */
}

static enum hd_rc cannot_write(const struct hd_new_file *file, int error, struct hd_why *why) {
  return hd_because(why, HD_INPUT, "cannot write %s: %s", file->path, strerror(error));
}

static void free_names(const struct hd_new_file *file) {
  free(file->part);
  free(file->path);
}

FILE *hd_files_open(struct hd_files *files, const char *dir, const char *name, struct hd_why *why) {
  struct hd_new_file *file = add(files, dir, name, "", NULL);
  int error = EISDIR;
  if (!is_directory(file->path)) {
    hd_scrap(file->part);
    file->open = fopen(file->part, "we"); /* programs that are run meanwhile do not have it */
    error = errno;
  }
  if (file->open)
    return file->open;
  cannot_write(file, error, why);
  hd_scrap_done(file->part);
  free_names(file);
  files->n--;
  return NULL;
}

static enum hd_rc close_opened(const struct hd_files *files, struct hd_why *why) {
  enum hd_rc rc = HD_OK;
  for (struct hd_new_file *f = files->file; f < files->file + files->n; f++) {
    if (f->open && !hd_close_written(f->open) && rc == HD_OK)
      rc = cannot_write(f, errno, why);
    f->open = NULL;
  }
  return rc;
}

enum hd_rc hd_files_place(const struct hd_files *files, struct hd_why *why) {
  enum hd_rc rc = close_opened(files, why);
  const struct hd_new_file *const end = files->file + files->n;
  for (const struct hd_new_file *f = files->file; f < end && rc == HD_OK; f++)
    if (is_directory(f->path))
      rc = cannot_write(f, EISDIR, why);
  hd_hold_endings(); /* all take their places, or none does */
  for (const struct hd_new_file *f = files->file; f < end && rc == HD_OK; f++)
    if (f->text && holds(f->path, f->text))
      unlink(f->part);
    else if (rename(f->part, f->path))
      rc = cannot_write(f, errno, why);
  for (const struct hd_new_file *f = files->file; f < end && rc == HD_OK; f++)
    hd_scrap_done(f->part);
  if (rc != HD_OK)
    hd_files_drop(files);
  hd_let_endings();
  return rc;
}

void hd_files_drop(const struct hd_files *files) {
  close_opened(files, NULL);
  for (size_t i = 0; i < files->n; i++) {
    unlink(files->file[i].part);
    hd_scrap_done(files->file[i].part);
  }
}

enum hd_rc hd_files_write(const struct hd_files *files, const char *dir, struct hd_why *why) {
  const bool made = access(dir, F_OK) != 0;
  if (made)
    hd_scrap(dir); /* it goes, if the program ends before a file has its name */
  if (!hd_make_dirs(dir)) {
    const int error = errno;
    if (made)
      hd_scrap_done(dir);
    return hd_because(why, HD_INPUT, "cannot make the directory %s: %s", dir, strerror(error));
  }
  enum hd_rc rc = HD_OK;
  for (size_t i = 0; i < files->n; i++)
    hd_scrap(files->file[i].part);
  for (size_t i = 0; i < files->n && rc == HD_OK; i++)
    if (!hd_write_file(files->file[i].part, files->file[i].text))
      rc = cannot_write(&files->file[i], errno, why);
  if (rc == HD_OK)
    rc = hd_files_place(files, why);
  else
    hd_files_drop(files);
  if (made && rc != HD_OK)
    rmdir(dir);
  if (made)
    hd_scrap_done(dir);
  return rc;
}

void hd_files_free(struct hd_files *files) {
  for (size_t i = 0; i < files->n; i++) {
    free_names(&files->file[i]);
    free(files->file[i].text);
  }
  free(files->file);
  *files = (struct hd_files){0};
}
