/* Several files of one directory that are written together.
 *
 * Invariant: no file gets its name before all are written.
 */
#ifndef HEDDLE_BASE_NEW_FILES_H
#define HEDDLE_BASE_NEW_FILES_H

#include "base/run.h"

struct hd_new_file {
  /* part: the name until all files are written; path: the name after that; text: NULL if the caller writes the file */
  char *part, *path, *text;
  FILE *open; /* where the caller writes it, until it is closed */
};
struct hd_files { /* all 0: none yet */
  struct hd_new_file *file;
  size_t n;
};

/* Adds a file dir/<stem><end> with this text, and takes over the text. Aborts if the text is NULL, or if memory is out. */
void hd_files_add(struct hd_files *files, const char *dir, const char *stem, const char *end, char *text);

/* Makes the directory if it is missing, and writes the files. A file that already has its text keeps its time, for make. Returns HD_INPUT
 * if a file can't be written, or if there is a directory of its name. None of the files is new then, nor the directory (those
 * above it may be), unless the system refuses a name to one of them after it gave others theirs. */
enum hd_rc hd_files_write(const struct hd_files *files, const char *dir, struct hd_why *why);

/* Adds a file dir/<name> that the caller writes; the directory must exist. Returns NULL and adds nothing if the file can't be
 * written, or if there is a directory of its name. */
FILE *hd_files_open(struct hd_files *files, const char *dir, const char *name, struct hd_why *why);
/* Closes all opened files, and gives them their names. Returns HD_INPUT as hd_files_write does; the files that are not new are removed
 * then. */
enum hd_rc hd_files_place(const struct hd_files *files, struct hd_why *why);
/* Closes and removes the files that do not have their names yet. */
void hd_files_drop(const struct hd_files *files);

void hd_files_free(struct hd_files *files);

#endif
