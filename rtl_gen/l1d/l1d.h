/* Inside the L1D's behaviour: what rtl_gen/l1d/l1d.c and its parts, l1d_*.c, share.
 *
 * Invariant: the order in which l1d.c calls the parts declares every wire before it is used.
 */
#ifndef HEDDLE_RTL_GEN_L1D_L1D_H
#define HEDDLE_RTL_GEN_L1D_L1D_H

#include "rtl_gen/emit/emit.h"

/* A Verilog expression. */
struct hd_piece {
  char text[160];
};
/* The set and the tag of the line address in variable `line`. */
struct hd_piece hd_l1d_set_of(const struct hd_config *c, const char *line);
struct hd_piece hd_l1d_tag_of(const struct hd_config *c, const char *line);
/* What follows `place` in a ring of n places; n as the parameter `size`, a place has `width` bits. */
struct hd_piece hd_l1d_next(const char *place, const char *size, const char *width, unsigned n);
/* A value of from_bits in to_bits; both as the parameters `from`, `to` as well. */
struct hd_piece hd_l1d_widen(const char *value, const char *from, unsigned from_bits, const char *to,
                             unsigned to_bits);

/* Whether d's set is found anew in its line, as d_found_at, where much is chosen by it. */
bool hd_l1d_finds_set(const struct hd_config *c);

/* Each puts its items of the module. */
void hd_l1d_put_two_of(FILE *f);                              /* a function that the MSHRs need */
void hd_l1d_put_input(FILE *f, const struct hd_config *c);    /* a: requests come in */
void hd_l1d_put_prefetch(FILE *f);                            /* p: prefetches come in */
void hd_l1d_put_decide(FILE *f, const struct hd_config *c);   /* d: what becomes of a request */
void hd_l1d_put_victim(FILE *f, const struct hd_config *c);   /* the way a line is put in */
void hd_l1d_put_lines(FILE *f, const struct hd_config *c);    /* valid, reserved, recency */
void hd_l1d_put_mshrs(FILE *f, const struct hd_config *c);    /* who waits for which line */
void hd_l1d_put_table(FILE *f, const struct hd_config *c);    /* what the reuse-frequency table says */
void hd_l1d_put_pattern(FILE *f, const struct hd_config *c);  /* what APCM says of d's load */
void hd_l1d_put_pins(FILE *f);                                /* ways that APCM has pinned */
void hd_l1d_put_counters(FILE *f, const struct hd_config *c); /* how often lines are used again */
void hd_l1d_put_reuse(FILE *f, const struct hd_config *c);    /* what they know of their loads */
void hd_l1d_put_degree(FILE *f, const struct hd_config *c);   /* the locality degree of d's load */
void hd_l1d_put_probes(FILE *f, const struct hd_config *c);   /* probe units */
void hd_l1d_put_queue(FILE *f, const struct hd_config *c);    /* miss queue, memory port */
void hd_l1d_put_fills(FILE *f, const struct hd_config *c);    /* answers of the memory */
void hd_l1d_put_response(FILE *f, const struct hd_config *c); /* answers to the SM, data array */
void hd_l1d_put_verdict(FILE *f, const struct hd_config *c);  /* what became of loads */
void hd_l1d_put_access(FILE *f, const struct hd_config *c);   /* and of each of their requests, for APCM */

#endif
