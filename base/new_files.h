/* Several files of one directory that are written together.
 *
 * Invariant: no file gets its name before all are written.
 */
#ifndef HEDDLE_BASE_NEW_FILES_H
#define HEDDLE_BASE_NEW_FILES_H

#include "base/run.h"

struct hd_new_file {
  char *part, *path, *text; /* part: the name while not all files are written */
};
struct hd_files { /* all 0: none yet */
  struct hd_new_file *file;
  size_t n;
};

/* A file dir/<stem><end> with this text, which it takes over; NULL aborts, as when memory is out. */
void hd_files_add(struct hd_files *files, const char *dir, const char *stem, const char *end, char *text);

/* Makes the directory if it is missing, and writes them; a file that has its text already keeps its time, for make. HD_INPUT: it
 * can't. None of them is new then, but where a name can't be taken, as that of a directory: those before it may be. */
enum hd_rc hd_files_write(const struct hd_files *files, const char *dir, struct hd_why *why);

void hd_files_free(struct hd_files *files);

#endif
