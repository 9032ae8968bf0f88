/* Files written together; see new_files.h. */
#include "base/new_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

void hd_files_add(struct hd_files *files, const char *dir, const char *stem, const char *end, char *text) {
  files->file = realloc(files->file, (files->n + 1) * sizeof *files->file);
  if (!files->file || !text)
    abort();
  files->file[files->n++] = (struct hd_new_file){hd_format("%s/.%s%s.part", dir, stem, end),
                                                 hd_format("%s/%s%s", dir, stem, end), text};
}

static bool holds(const char *path, const char *text) {
  char *old = hd_slurp(path);
  const bool same = old && !strcmp(old, text);
  free(old);
  return same;
}

enum hd_rc hd_files_write(const struct hd_files *files, const char *dir, struct hd_why *why) {
  if (!hd_make_dirs(dir))
    return hd_because(why, HD_INPUT, "cannot make the directory %s: %s", dir, strerror(errno));
  enum hd_rc rc = HD_OK;
  for (size_t i = 0; i < files->n; i++)
    hd_scrap(files->file[i].part);
  for (size_t i = 0; i < files->n && rc == HD_OK; i++)
    if (!hd_write_file(files->file[i].part, files->file[i].text))
      rc = hd_because(why, HD_INPUT, "cannot write %s: %s", files->file[i].path, strerror(errno));
  hd_hold_endings(); /* all take their places, or none does */
  for (size_t i = 0; i < files->n && rc == HD_OK; i++)
    if (holds(files->file[i].path, files->file[i].text))
      unlink(files->file[i].part);
    else if (rename(files->file[i].part, files->file[i].path))
      rc = hd_because(why, HD_INPUT, "cannot write %s: %s", files->file[i].path, strerror(errno));
  for (size_t i = 0; i < files->n; i++) {
    if (rc != HD_OK)
      unlink(files->file[i].part);
    hd_scrap_done(files->file[i].part);
  }
  hd_let_endings();
  return rc;
}

void hd_files_free(struct hd_files *files) {
  for (size_t i = 0; i < files->n; i++) {
    free(files->file[i].part);
    free(files->file[i].path);
    free(files->file[i].text);
  }
  free(files->file);
  *files = (struct hd_files){0};
}
