/* Inside the L2 slice's behaviour: what rtl_gen/l2/l2_slice.c and its parts, l2_*.c, share.
 *
 * Invariant: the order in which l2_slice.c calls the parts declares every wire before it is used.
 */
#ifndef HEDDLE_RTL_GEN_L2_L2_H
#define HEDDLE_RTL_GEN_L2_L2_H

#include "rtl_gen/emit/emit.h"

/* A wire for each field of the group of rows `of` (a bundle's register or memory), named prefix + field. */
void hd_l2_put_fields(FILE *f, const struct hd_decl *decl, const char *of, const char *prefix);
/* The answer to the request in b: its own fields, and `count`, which the decision says. */
struct hd_fields hd_l2_left_by_b(const struct hd_decl *decl);

/* Each puts its items of the module. */
void hd_l2_put_requests(FILE *f, const struct hd_config *c,
                        const struct hd_decl *decl);        /* iq, q: requests come in */
void hd_l2_put_answers(FILE *f, const struct hd_config *c); /* rq, oq: what goes out */
void hd_l2_put_fills(FILE *f, const struct hd_config *c);   /* fq, f: lines come in */
void hd_l2_put_lookup(FILE *f, const struct hd_config *c);  /* what the tags say of b's line */
void hd_l2_put_spare(FILE *f, const struct hd_config *c);   /* the way a line that is not there may have */
void hd_l2_put_sets(FILE *f, const struct hd_config *c);    /* what is written to tags, recency, dirty bits */
void hd_l2_put_flight(FILE *f, const struct hd_config *c);  /* what the MSHRs say of b's line */
void hd_l2_put_decide(FILE *f, const struct hd_config *c);  /* what becomes of b's request */
void hd_l2_put_mshrs(FILE *f, const struct hd_config *c,
                     const struct hd_decl *decl); /* who waits for which line */
void hd_l2_put_step(FILE *f, const struct hd_config *c,
                    const struct hd_decl *decl);         /* one of them is answered */
void hd_l2_put_data(FILE *f, const struct hd_config *c); /* the data macro */
void hd_l2_put_gate(FILE *f, const struct hd_config *c); /* what gate_ctrl is told */
void hd_l2_put_leaves(FILE *f, const struct hd_config *c,
                      const struct hd_decl *decl); /* c: what a slot leaves */

#endif
