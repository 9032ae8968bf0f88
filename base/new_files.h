/* Several files of one directory that are written together.
 *
 * Invariant: no file gets its name before all are written.
 */
#ifndef HEDDLE_BASE_NEW_FILES_H
#define HEDDLE_BASE_NEW_FILES_H

#include "base/run.h"

struct hd_new_file {
  char *part, *path,
      *text; /* part: the name while not all files are written; text: NULL if the caller writes it */
};
struct hd_files { /* all 0: none yet */
  struct hd_new_file *file;
  size_t n;
};

/* A file dir/<stem><end> with this text, which it takes over; NULL aborts, as when memory is out. */
void hd_files_add(struct hd_files *files, const char *dir, const char *stem, const char *end, char *text);

/* Makes the directory if it is missing, and writes them; a file that has its text already keeps its time, for make. HD_INPUT: one can't
 * be written, or there is a directory of its name. None of them is new then. */
enum hd_rc hd_files_write(const struct hd_files *files, const char *dir, struct hd_why *why);

/* A file dir/<name>, in a directory that is there, which the caller writes and closes. NULL: it can't be written, errno says why. */
FILE *hd_files_open(struct hd_files *files, const char *dir, const char *name);
/* All that were opened take their names, or none: HD_INPUT, as hd_files_write; nothing is left then of what was written. */
enum hd_rc hd_files_place(const struct hd_files *files, struct hd_why *why);
/* Nothing is left of what was written and has not taken its name. */
void hd_files_drop(const struct hd_files *files);

void hd_files_free(struct hd_files *files);

#endif
