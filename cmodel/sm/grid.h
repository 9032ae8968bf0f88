/* The CTA dispatcher of a GPU: one launch after the other, its CTAs to the SMs in turn.
 *
 * A launch begins when no CTA of the one before is left; its CTAs go to SM 0, 1, ..., one a cycle to each, until each
 * holds as many as fit; from then on, where a CTA ends the next one starts. gpu.dispatch_latency cycles lie between an
 * end and the next start, and the SMs of a GPU of several are told in hd_grid_settle: they may be run apart, as far
 * ahead of each other as gpu.dispatch_latency - 1 cycles. An SM alone is told at once.
 *
 * Invariant: which CTA goes where and when depends on the cycles of the ends alone, not on when they are reported.
 */
#ifndef HEDDLE_CMODEL_SM_GRID_H
#define HEDDLE_CMODEL_SM_GRID_H

#include "arch/declaration/modules.h"
#include "base/run.h"
#include "workloads/stream.h"

struct hd_grid;
struct hd_sm;

/* `source` stays the caller's and must outlive the grid. HD_INPUT: the first launch does not fit (see
 * hd_grid_error). */
enum hd_rc hd_grid_new(const struct hd_config *c, struct wl_source *source, struct hd_grid **grid,
                       struct hd_why *why);
void hd_grid_free(struct hd_grid *grid);

/* CTAs of such a launch that an SM holds at a time; 0: not one. */
unsigned hd_grid_fit(const struct hd_config *c, const struct wl_launch *launch);

/* An SM, and what the grid asks of it: a launch begins; a CTA of it takes a slot in cycle `at`, or as soon after as no
 * other does. */
struct hd_grid_sm {
  struct hd_sm *sm;
  void (*launch)(struct hd_sm *sm);
  void (*give)(struct hd_sm *sm, uint32_t cta, uint64_t at);
};

enum { HD_GRID_FULL = 1 << 30 };
/* By an SM that is made: its number, the next one; HD_GRID_FULL: all gpu.sms have joined. Not before is anything handed out. */
unsigned hd_grid_join(struct hd_grid *grid, const struct hd_grid_sm *sm);

/* By an SM: one of its CTAs ended in cycle `at`. Several SMs may say so at the same time, if there are several. */
void hd_grid_ended(struct hd_grid *grid, unsigned sm, uint64_t at);
/* By who runs several SMs: all of them have been run up to one cycle. Hands out CTAs for those that ended. */
void hd_grid_settle(struct hd_grid *grid);

/* Between two settlings: a CTA of the launch has been passed over to its end (cmodel/sm/forward.h), and the next one that nobody has
 * goes on in its place. False, and nothing happens: there is none. */
bool hd_grid_pass_cta(struct hd_grid *grid, uint32_t *cta);
/* From now on it is asked of each launch that is read whether it is to run; those that are not are as if they were not there. */
struct hd_grid_gate {
  bool (*runs)(void *ctx, struct wl_source *source, const struct wl_launch *launch);
  void *ctx;
};
void hd_grid_set_gate(struct hd_grid *grid, const struct hd_grid_gate *gate);

/* The launch that runs. The source it comes from. */
const struct wl_launch *hd_grid_launch(const struct hd_grid *grid);
struct wl_source *hd_grid_source(const struct hd_grid *grid);
unsigned hd_grid_residents(const struct hd_grid *grid);  /* CTAs of it that an SM holds at most */
uint64_t hd_grid_launches(const struct hd_grid *grid);   /* begun */
uint32_t hd_grid_ended_ctas(const struct hd_grid *grid); /* of the launch that runs */
uint64_t hd_grid_cycles(const struct hd_grid *grid);     /* up to the last end of a CTA, included */

uint32_t hd_grid_given(const struct hd_grid *grid); /* of it, handed out or passed */
uint64_t
hd_grid_began(const struct hd_grid *grid); /* the cycle behind the last end of the launch before; 0 */

/* No CTA is left, or the workload is at fault. */
bool hd_grid_done(const struct hd_grid *grid);
/* NULL, or what is wrong with a launch: it needs more of something than an SM has, or can't be read. */
const char *hd_grid_error(const struct hd_grid *grid);

#endif
