/* The bytes of SM 0 in a GPU whose models carry none: the memory as SM 0 alone makes it, and what its requests on their way carry.
 *
 * A request is performed here as it leaves SM 0: requests to one line go one way, so that is the order in which the L2 performs
 * those of SM 0. Invariant: a load brings the line as all stores that left before it, and none that left after it, have made it.
 */
#ifndef HEDDLE_VERIF_GPU_BANK_BYTES_H
#define HEDDLE_VERIF_GPU_BANK_BYTES_H

#include "arch/declaration/modules.h"
#include "verif/harness/env_common.h"

struct hd_bytes;

/* What a request of SM 0 carries there, or what its answer is to carry back. */
struct hd_carried {
  uint64_t data[HD_MAX_WORDS],
      mask[HD_MAX_WORDS]; /* mask: of a store; of an answer: the bytes that it brings */
};

struct hd_bytes *hd_bytes_new(const struct hd_config *c); /* NULL: out of memory */
void hd_bytes_free(struct hd_bytes *b);

/* The memory port takes a request, or an answer. */
void hd_bytes_sent(struct hd_bytes *b, const struct sm_mem_out *out);
void hd_bytes_answered(struct hd_bytes *b, const struct srsp *rsp);
/* Of a load or a store on its way, by the fields that name it; NULL: there is none. */
const struct hd_carried *hd_bytes_of(const struct hd_bytes *b, uint64_t kind, uint64_t id, uint64_t wid,
                                     uint64_t slot, uint64_t num);

/* Another SM has written these bytes of a line; those that it has not written, one bit a byte as in a mask. */
void hd_bytes_foreign(struct hd_bytes *b, uint64_t line, const uint64_t *mask);
void hd_bytes_own(const struct hd_bytes *b, uint64_t line, uint64_t *mask);

#endif
