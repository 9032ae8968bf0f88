/* What the lines of the memory may hold: the data half of the scoreboard. The rule and why it holds:
 * scoreboard.c.
 *
 * Invariant: a line's stores are kept back to the oldest version that a load inside may still return; older
 * ones are merged into its content. A line that was never stored to and has no access inside is forgotten.
 */
#ifndef HEDDLE_VERIF_SM_LINE_VERSIONS_H
#define HEDDLE_VERIF_SM_LINE_VERSIONS_H

#include "arch/declaration/modules.h"
#include "verif/harness/env_common.h"

/* Who makes an access: what order is decided by. */
struct hd_who {
  uint64_t stamp;      /* counts the instructions as they enter the coalescer */
  uint32_t cta, place; /* CTA, number of the warp in it */
  unsigned epoch;      /* barriers its CTA has passed before */
};

/* A load or store of one line, embedded in the caller's request. */
struct hd_access {
  const struct hd_who *who;
  bool excluded;        /* a load that something, while enabled, does not cache */
  bool may_fail;        /* a load: a fetch of its line failed while it was inside */
  struct hd_line *line; /* NULL: not inside */
  uint64_t version;     /* of the line when it entered */
  uint64_t data[HD_MAX_WORDS],
      mask[HD_MAX_WORDS]; /* stores: the bytes, to be set before it is sent; loads: mask: the bytes that are answered, to be set before */
  struct hd_access *prev, *next;
};

struct hd_versions;
struct hd_versions *hd_versions_new(const struct hd_config *c); /* NULL: out of memory */
void hd_versions_free(struct hd_versions *v);
/* Nothing is inside any more: what was not sent never happened. */
void hd_versions_reset(struct hd_versions *v);

/* Something could not be kept for want of memory. */
bool hd_versions_no_memory(const struct hd_versions *v);

/* The access enters the coalescer: of a line or, where a miss fetches a sector, of a sector, as hd_unit numbers them. False:
 * out of memory. */
bool hd_versions_enter(struct hd_versions *v, struct hd_access *a, uint64_t line, bool write);
/* Whether a load of the line is inside that may be cached: what excludes has been enabled since `stamp`. */
bool hd_versions_awaited(const struct hd_versions *v, uint64_t line, uint64_t stamp);

/* The memory port takes the store; the answer of the load is taken. NULL, or what is wrong (valid until the
 * next call); the access has left. */
const char *hd_versions_sent(struct hd_versions *v, struct hd_access *store);
/* A fetch of the line has failed: loads of it that are inside may be answered with an error; such an answer is taken, and
 * the access has left. */
void hd_versions_failed(struct hd_versions *v, uint64_t line);
void hd_versions_dropped(struct hd_versions *v, struct hd_access *load);
/* The same of an uncached load, or of atomic `op`: from then on `data` is the line before it. */
const char *hd_versions_performed(struct hd_versions *v, struct hd_access *a, uint64_t op);
const char *hd_versions_answered(struct hd_versions *v, struct hd_access *load, const uint64_t *data);

#endif
