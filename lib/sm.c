/* An SM that runs a workload on sm_mem; see heddle.h.
 *
 * Invariant: scoreboard and SM see the same ports. */
#include "lib/objects.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/memory/atomics.h"
#include "cmodel/memory/memory.h"
#include "cmodel/sm/grid.h"
#include "cmodel/sm/sm.h"
#include "verif/sm/scoreboard.h"
#include "workloads/workloads.h"

struct heddle_sm {
  heddle_model *model;
  char *workload;
  uint64_t resets;
  struct hd_config c; /* the machine as one SM */
  struct wl_source *source;
  struct hd_grid *grid;
  struct hd_sm *sm;
  struct hd_scoreboard *board;
  struct hd_said said;
};

static heddle_status no_memory(heddle_sm *k) {
  return hd_say(&k->said, HEDDLE_ERR_MEMORY, "out of memory");
}

static void close_workload(heddle_sm *k) {
  if (k->sm)
    hd_sm_free(k->sm);
  if (k->grid)
    hd_grid_free(k->grid);
  if (k->source)
    k->source->ops->close(k->source);
  k->sm = NULL;
  k->grid = NULL;
  k->source = NULL;
}

/* Opens the workload at its beginning, on an SM that has done nothing yet. After a reset it stores other bytes than
 * before. */
static heddle_status open_workload(heddle_sm *k) {
  char wrong[256];
  k->source = wl_open(k->workload, wrong, sizeof wrong);
  if (!k->source)
    return hd_say(&k->said, HEDDLE_ERR_WORKLOAD, "%s", wrong);
  struct hd_why why;
  const enum hd_rc rc = hd_grid_new(&k->c, k->source, &k->grid, &why);
  if (rc != HD_OK)
    return hd_say(&k->said, rc == HD_TOOL ? HEDDLE_ERR_MEMORY : HEDDLE_ERR_WORKLOAD, "%s", why.text);
  const struct hd_sm_options options = {.data = true, .seed = 1 + k->resets};
  const struct hd_sm_watch watch = hd_scoreboard_watch(k->board);
  k->sm = hd_sm_new(&k->c, k->grid, &options, &watch);
  return k->sm ? HEDDLE_OK : no_memory(k);
}

heddle_status heddle_sm_open(heddle_model *model, const char *workload, heddle_sm **sm) {
  heddle_sm *k = *sm = calloc(1, sizeof *k);
  if (!k)
    return HEDDLE_ERR_MEMORY;
  if (strcmp(model->decl->module, "sm_mem"))
    return hd_say(&k->said, HEDDLE_ERR_ARGUMENT,
                  "model: found one of %s; allowed: of sm_mem; open that module", model->decl->module);
  if (!model->m->data)
    return hd_no_bytes(&k->said);
  k->model = model;
  k->c = model->machine->c;
  k->c.gpu.sms = 1;
  k->workload = strdup(workload);
  k->board = hd_scoreboard_new(&k->c, false, false);
  return k->workload && k->board ? open_workload(k) : no_memory(k);
}

heddle_status heddle_sm_reset(heddle_sm *k) {
  k->resets++;
  close_workload(k);
  return hd_scoreboard_reset(k->board) ? open_workload(k) : no_memory(k);
}

void heddle_sm_close(heddle_sm *k) {
  if (!k)
    return;
  close_workload(k);
  if (k->board)
    hd_scoreboard_free(k->board);
  free(k->workload);
  free(k);
}

const char *heddle_sm_message(const heddle_sm *k) {
  return k ? k->said.text : "out of memory";
}

heddle_status heddle_sm_hear(heddle_sm *k, size_t value, const uint32_t *words) {
  return hd_put_output(k->model, value, words);
}

void heddle_sm_drive(heddle_sm *k) {
  hd_sm_drive(k->sm, k->model->out, k->model->in);
  k->model->evaluated = false;
}

/* Returns the scoreboard's failure, with its message. */
static heddle_status found(heddle_sm *k) {
  return hd_say(&k->said, hd_scoreboard_no_memory(k->board) ? HEDDLE_ERR_MEMORY : HEDDLE_ERR_CHECK, "%s",
                hd_scoreboard_text(k->board));
}

heddle_status heddle_sm_clock(heddle_sm *k) {
  const struct sm_mem_in *in = k->model->in;
  const struct sm_mem_out *out = k->model->out;
  const bool good = hd_scoreboard_clock(k->board, in, out);
  if (good)
    hd_sm_clock(k->sm, in, out);
  if (*hd_scoreboard_text(k->board))
    return found(k);
  if (hd_sm_error(k->sm))
    return hd_say(&k->said, HEDDLE_ERR_WORKLOAD, "%s", hd_sm_error(k->sm));
  if (hd_sm_done(k->sm) && !hd_scoreboard_inside(k->board) && !hd_scoreboard_finish(k->board))
    return found(k);
  return HEDDLE_OK;
}

int heddle_sm_done(const heddle_sm *k) {
  return hd_sm_done(k->sm) && !hd_scoreboard_inside(k->board);
}

uint64_t heddle_sm_instructions(const heddle_sm *k) {
  return hd_sm_stats(k->sm)->instructions;
}

uint64_t heddle_sm_checked(const heddle_sm *k) {
  return hd_scoreboard_checked(k->board);
}

void heddle_memory_atomic(unsigned op, uint8_t *line, const uint8_t *operand, const uint8_t *enabled,
                          size_t bytes) {
  enum { WORD = 8 };
  for (size_t w = 0; w + WORD <= bytes; w += WORD) {
    uint64_t old = 0, x = 0, mask = 0;
    for (size_t b = 0; b < WORD; b++) {
      old |= (uint64_t)line[w + b] << 8 * b;
      x |= (uint64_t)operand[w + b] << 8 * b;
      mask |= (uint64_t)(enabled[w + b] != 0) << b;
    }
    hd_atomic(op, &old, &x, &mask, 1);
    for (size_t b = 0; b < WORD; b++)
      line[w + b] = (uint8_t)(old >> 8 * b);
  }
}

uint64_t heddle_memory_initial(uint64_t line, unsigned word) {
  return hd_memory_initial(line, word);
}
