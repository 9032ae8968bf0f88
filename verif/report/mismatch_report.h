/* What went wrong in a run, for people, for programs and for GTKWave.
 *
 * Invariant: everything a report says of a signal (name, width, meaning) comes from the declaration.
 */
#ifndef HEDDLE_VERIF_REPORT_MISMATCH_REPORT_H
#define HEDDLE_VERIF_REPORT_MISMATCH_REPORT_H

#include <stdio.h>

#include "verif/harness/run.h"

/* Around the failure itself. */
struct hd_scene {
  const struct hd_cosim_job *again; /* the shortest job that shows it */
  uint64_t again_cycle;             /* where in that */
  bool alone;                       /* the segment alone shows it: `again` starts at its reset */
  char *config;                     /* path of the configuration, for the command */
  char *dir;                        /* of what is saved */
  char *waves;                      /* NULL: written; else why not */
  bool listed;                      /* if they are: wave.gtkw is written too */
  char *unsaved;                    /* which other files can't be written, and why; NULL: none */
  uint64_t wave_from, wave_to;
};

/* The report, to be freed. */
char *hd_mismatch_text(const struct hd_run *run, const struct hd_scene *scene);
json_t *hd_mismatch_json(const struct hd_run *run, const struct hd_scene *scene);
/* The command that runs it again, to be freed. */
char *hd_mismatch_command(const struct hd_scene *scene);
/* A save file for GTKWave: the signals that differ, then the declared ones by module. */
void hd_mismatch_gtkw(const struct hd_run *run, const struct hd_scene *scene, FILE *f);

/* 1234567 as "1,234,567". */
struct hd_number {
  char text[32];
};
struct hd_number hd_commas(uint64_t n);

#endif
