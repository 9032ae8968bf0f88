/* The report of a failed run: as text, as JSON, and as a save file for GTKWave.
 *
 * Invariant: a signal's name, width and meaning in a report come from the declaration.
 */
#ifndef HEDDLE_VERIF_REPORT_MISMATCH_REPORT_H
#define HEDDLE_VERIF_REPORT_MISMATCH_REPORT_H

#include <stdio.h>

#include "verif/harness/run.h"

/* What the report needs besides the failed run. */
struct hd_scene {
  const struct hd_cosim_job *again; /* the shortest job that reproduces the failure */
  uint64_t again_cycle;             /* the failing cycle of that job */
  bool alone;                       /* the last segment alone reproduces it: `again` starts at its reset */
  char *config;                     /* path of the configuration, for the command */
  char *dir;                        /* the directory of the saved files */
  char *waves;                      /* NULL: wave.fst is written; else the reason why not */
  bool listed;                      /* with wave.fst: wave.gtkw is written too */
  char *unsaved;                    /* which other files could not be written, and why; NULL: none */
  uint64_t wave_from, wave_to;
};

/* Return the report as text, which the caller frees, and as JSON. */
char *hd_mismatch_text(const struct hd_run *run, const struct hd_scene *scene);
json_t *hd_mismatch_json(const struct hd_run *run, const struct hd_scene *scene);
/* Returns the command that reproduces the failure; the caller frees it. */
char *hd_mismatch_command(const struct hd_scene *scene);
/* Writes a save file for GTKWave: the signals that differ, then all declared signals by module. */
void hd_mismatch_gtkw(const struct hd_run *run, const struct hd_scene *scene, FILE *f);

/* hd_commas returns 1234567 as "1,234,567". */
struct hd_number {
  char text[32];
};
struct hd_number hd_commas(uint64_t n);

#endif
