/* Internal: the objects of heddle.h. For the files of lib/, and for the program `heddle`, which needs the parts of a
 * machine.
 *
 * Invariant: a machine without a message has a design. */
#ifndef HEDDLE_LIB_OBJECTS_H
#define HEDDLE_LIB_OBJECTS_H

#include "cmodel/gpu/sim.h"
#include "cmodel/model/models.h"
#include "lib/heddle.h"

struct heddle_machine {
  struct hd_config c;
  struct hd_design *design; /* NULL: it could not be loaded */
  heddle_module *module;    /* one for each declaration of the design */
  char *message;            /* NULL: no memory */
};

/* A message. */
struct hd_said {
  char text[1024];
};

/* A module of a model: the model's own module, or one inside it. */
struct hd_part {
  heddle_model *owner;
  struct hd_model *m;
  char path[96]; /* "", or "u_l1d." */
  size_t first;  /* index of the first of its events among the owner's */
  struct hd_log log;
};

/* A value, and its place in the model. */
struct hd_place {
  heddle_value value;
  char name[192];
  const struct hd_decl *decl;
  const struct hd_row *row;
  void *base; /* the struct that the row's offset is in */
};

struct hd_happening {
  heddle_event event;
  char name[192];
  const uint64_t *total;
  unsigned number; /* its number in its module */
  struct hd_part *part;
};

struct heddle_model {
  const struct heddle_machine *machine;
  struct hd_design *own; /* a drop-in's; else NULL */
  const struct hd_decl *decl;
  const struct hd_model_ops *ops;
  struct hd_model *m;
  void *in, *out;
  bool evaluated; /* heddle_eval has run since an input or the state last changed */
  uint64_t cycle;
  struct hd_part *part;
  struct hd_place *place;
  struct hd_happening *happening;
  size_t parts, places, happenings;
  heddle_listener listener;
  void *user;
  struct hd_said said;
};

struct heddle_run {
  const struct heddle_machine *machine;
  struct wl_source *source; /* NULL: it could not be opened */
  struct hd_sim_job job;
  struct hd_sim_result result;
  bool done;
  heddle_progress_fn progress;
  heddle_access_fn access;
  heddle_interval_fn interval;
  heddle_span_fn span;
  void *progress_user, *access_user, *interval_user, *span_user;
  heddle_figure *figure;
  size_t figures;
  struct hd_said said;
};

/* Sets the message, and returns `status`. */
heddle_status hd_say(struct hd_said *said, heddle_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns HEDDLE_ERR_ARGUMENT with a message: the model has HEDDLE_NO_DATA, but its line bytes are to be compared. */
heddle_status hd_no_bytes(struct hd_said *said);

/* heddle_load, or heddle_load_text if `text` is not NULL. Bases are also searched where `find` (may be NULL) says.
 * *problems gets the number of problems. */
heddle_status hd_machine_load(heddle_machine **machine, const char *text, const char *path,
                              hd_config_find *find, const char *const *sets, size_t n_sets,
                              unsigned *problems);

/* Fill the model's lists of values and events. Return false if memory runs out. Call hd_values_free and
 * hd_events_free in any case. */
bool hd_values_list(heddle_model *k);
void hd_values_free(heddle_model *k);
/* Writes words to an output of the module, for users of the model that need only its ports. */
heddle_status hd_put_output(heddle_model *k, size_t value, const uint32_t *words);
bool hd_events_list(heddle_model *k);
void hd_events_free(heddle_model *k);
/* heddle_run_sample, for numbers of any size. */
heddle_status hd_run_sample(heddle_run *r, uint64_t one_in, uint64_t cycles, uint64_t seed);
/* Allocates the run's figures. Returns false if memory runs out. */
bool hd_figures_list(heddle_run *r);
/* Fills the figures from the run's result. */
void hd_figures_fill(heddle_run *r);

#endif
