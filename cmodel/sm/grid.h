/* The CTA dispatcher of a GPU. It runs one launch after the other and hands the CTAs to the SMs in turn.
 *
 * A launch begins when all CTAs of the launch before have ended. Its CTAs go to SM 0, 1, ..., one CTA a cycle to each SM, until each SM
 * holds as many as fit. From then on the next CTA starts where one ends. gpu.dispatch_latency cycles lie between an end and the next
 * start. If the GPU has several SMs, they get their CTAs in hd_grid_settle, so they may be run apart: up to gpu.dispatch_latency - 1
 * cycles ahead of each other. A single SM gets the next CTA at once.
 *
 * Invariant: which CTA goes where and when depends only on the cycles in which CTAs end, not on when these ends are reported. */
#ifndef HEDDLE_CMODEL_SM_GRID_H
#define HEDDLE_CMODEL_SM_GRID_H

#include "arch/declaration/modules.h"
#include "base/run.h"
#include "workloads/stream.h"

struct hd_grid;
struct hd_sm;

/* Makes the dispatcher. The caller keeps `source`, which must outlive the grid. Returns HD_INPUT if the first launch does not fit (see
 * hd_grid_error). */
enum hd_rc hd_grid_new(const struct hd_config *c, struct wl_source *source, struct hd_grid **grid,
                       struct hd_why *why);
void hd_grid_free(struct hd_grid *grid);

/* Returns how many CTAs of this launch an SM can hold at a time; 0: not one. */
unsigned hd_grid_fit(const struct hd_config *c, const struct wl_launch *launch);

/* An SM, and the functions that the grid calls. `launch`: a launch begins. `give`: a CTA of it takes a slot in cycle `at`, or in the
 * first cycle after that in which no other CTA takes one. */
struct hd_grid_sm {
  struct hd_sm *sm;
  void (*launch)(struct hd_sm *sm);
  void (*give)(struct hd_sm *sm, uint32_t cta, uint64_t at);
};

enum { HD_GRID_FULL = 1 << 30 };
/* An SM that is made joins the grid. Returns its number, which is the next one, or HD_GRID_FULL if all gpu.sms SMs have joined. The grid
 * hands out no CTA before all have. */
unsigned hd_grid_join(struct hd_grid *grid, const struct hd_grid_sm *sm);

/* An SM calls this: one of its CTAs ended in cycle `at`. On a GPU of several SMs, they may call it at the same time. */
void hd_grid_ended(struct hd_grid *grid, unsigned sm, uint64_t at);
/* The code that runs several SMs calls this when all of them have been run up to one cycle. The next CTAs go to where CTAs ended. */
void hd_grid_settle(struct hd_grid *grid);

/* A CTA of the launch has been passed to its end (cmodel/sm/forward.h): the next CTA takes its place. Call it between two settlings. Sets
 * *cta to a CTA that no SM has. Returns false, and does nothing, if none is left. */
bool hd_grid_pass_cta(struct hd_grid *grid, uint32_t *cta);
/* From now on `runs` decides for each launch that is read whether it runs. The grid skips the others, as if they did not exist. */
struct hd_grid_gate {
  bool (*runs)(void *ctx, struct wl_source *source, const struct wl_launch *launch);
  void *ctx;
};
void hd_grid_set_gate(struct hd_grid *grid, const struct hd_grid_gate *gate);

/* The launch that runs, and the source from which it comes. */
const struct wl_launch *hd_grid_launch(const struct hd_grid *grid);
struct wl_source *hd_grid_source(const struct hd_grid *grid);
unsigned hd_grid_residents(const struct hd_grid *grid);  /* CTAs of this launch that an SM holds at most */
uint64_t hd_grid_launches(const struct hd_grid *grid);   /* launches that have begun */
uint32_t hd_grid_ended_ctas(const struct hd_grid *grid); /* ended CTAs of the launch that runs */
/* Cycles up to the last end of a CTA, that one included. */
uint64_t hd_grid_cycles(const struct hd_grid *grid);

uint32_t hd_grid_given(const struct hd_grid *grid); /* CTAs of the launch that were handed out or passed */
/* The first cycle after the launch before; 0 for the first launch. */
uint64_t hd_grid_began(const struct hd_grid *grid);

/* True if no CTA is left, or if the workload has an error. */
bool hd_grid_done(const struct hd_grid *grid);
/* Returns NULL, or what is wrong with a launch: it needs more of something than an SM has, or it can't be read. */
const char *hd_grid_error(const struct hd_grid *grid);

#endif
