/* The contents that a line of the memory may have: the data half of the scoreboard. scoreboard.c has the rule and the reason for it.
 *
 * Invariant: a line's stores are kept back to the oldest version that a load inside may still return. Older stores are merged into the
 * line's content. A line that was never stored to and has no access inside is removed.
 */
#ifndef HEDDLE_VERIF_SM_LINE_VERSIONS_H
#define HEDDLE_VERIF_SM_LINE_VERSIONS_H

#include "arch/declaration/modules.h"
#include "verif/harness/env_common.h"

/* The source of an access. It decides the order of accesses. */
struct hd_who {
  uint64_t stamp; /* the number of the instruction, in the order in which instructions enter the coalescer */
  uint32_t cta, place; /* CTA, number of the warp in it */
  unsigned epoch;      /* barriers that its CTA passed before */
};

/* A load or store of one line, embedded in the caller's request. */
struct hd_access {
  const struct hd_who *who;
  bool excluded; /* a load that always bypasses while a mechanism is enabled (`excludes` in allows.h) */
  bool may_fail; /* a load: a fetch of its line failed while it was inside */
  struct hd_line *line; /* NULL: not inside */
  uint64_t version;     /* of the line when it entered */
  /* Stores: the bytes, set before the store is sent. Loads: `mask` selects the answered bytes, set before the answer. */
  uint64_t data[HD_MAX_WORDS], mask[HD_MAX_WORDS];
  struct hd_access *prev, *next;
};

struct hd_versions;
struct hd_versions *hd_versions_new(const struct hd_config *c); /* NULL: out of memory */
void hd_versions_free(struct hd_versions *v);
/* Removes all accesses. Stores that were not sent never happened. */
void hd_versions_reset(struct hd_versions *v);

/* Returns true if an access was not recorded because memory ran out. */
bool hd_versions_no_memory(const struct hd_versions *v);

/* The access enters the coalescer. `line` is a unit as hd_unit numbers it: a line, or a sector if a miss fetches a sector. Returns
 * false if out of memory. */
bool hd_versions_enter(struct hd_versions *v, struct hd_access *a, uint64_t line, bool write);
/* Returns true if a load of the line is inside that may be cached. Excluded loads with a stamp of `stamp` or more may not: a mechanism
 * that excludes has been enabled since then. */
bool hd_versions_awaited(const struct hd_versions *v, uint64_t line, uint64_t stamp);

/* The functions below that return a text return NULL, or the error; the text is valid until the next call. After each of these calls
 * but hd_versions_failed the access has left. */
/* The memory port takes a store. */
const char *hd_versions_sent(struct hd_versions *v, struct hd_access *store);
/* hd_versions_failed: a fetch of the line has failed, so loads of it that are inside may be answered with an error.
 * hd_versions_dropped: the answer of such a load is taken. */
void hd_versions_failed(struct hd_versions *v, uint64_t line);
void hd_versions_dropped(struct hd_versions *v, struct hd_access *load);
/* The memory port takes an uncached load or atomic `op`. Afterwards a->data is the line before the operation. */
const char *hd_versions_performed(struct hd_versions *v, struct hd_access *a, uint64_t op);
/* The answer of a load is taken. */
const char *hd_versions_answered(struct hd_versions *v, struct hd_access *load, const uint64_t *data);

#endif
