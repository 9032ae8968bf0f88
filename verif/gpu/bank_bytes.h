/* The bytes of SM 0 in a GPU whose models carry no bytes: the memory as SM 0 alone writes it, and the bytes of SM 0's requests in flight.
 *
 * A request is performed here when it leaves SM 0. Requests to one line all take the same path, so the L2 performs those of SM 0 in the
 * same order. Invariant: a load returns the line with all stores that left before it, and with none that left after it.
 */
#ifndef HEDDLE_VERIF_GPU_BANK_BYTES_H
#define HEDDLE_VERIF_GPU_BANK_BYTES_H

#include "arch/declaration/modules.h"
#include "verif/harness/env_common.h"

struct hd_bytes;

/* The bytes of a request of SM 0, or of its answer. */
struct hd_carried {
  uint64_t data[HD_MAX_WORDS],
      mask[HD_MAX_WORDS]; /* mask: the bytes that a store writes, or that an answer brings */
};

struct hd_bytes *hd_bytes_new(const struct hd_config *c); /* NULL: out of memory */
void hd_bytes_free(struct hd_bytes *b);

/* The memory port takes a request, or an answer. */
void hd_bytes_sent(struct hd_bytes *b, const struct sm_mem_out *out);
void hd_bytes_answered(struct hd_bytes *b, const struct srsp *rsp);
/* Returns the bytes of a load or store in flight, by the fields that name it. Returns NULL if there is none. */
const struct hd_carried *hd_bytes_of(const struct hd_bytes *b, uint64_t kind, uint64_t id, uint64_t wid,
                                     uint64_t slot, uint64_t num);

/* hd_bytes_foreign: another SM has written the bytes in `mask`. hd_bytes_own sets `mask` to the bytes that no other SM has written. */
void hd_bytes_foreign(struct hd_bytes *b, uint64_t line, const uint64_t *mask);
void hd_bytes_own(const struct hd_bytes *b, uint64_t line, uint64_t *mask);

#endif
