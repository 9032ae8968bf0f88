/* The cost of LASC in its paper; see area/claims.c. */
#include "area/area.h"

static const struct hd_area_item rft_items[] = {
    {"table", 64, "rft.reused rft.average", "a bit an entry; with rft.form: average as many as that needs"},
    {"known", 64, "rft.known",
     "the paper's entry holds a hashed PC, by which it is known; here the index is one"},
    {"reuse of lines", 128, "l1d.rr", ""},
    {"PC of lines", 6 * 128, "l1d.line_hpc", "hashed to what numbers 64 entries"},
    {"updates that wait", 0, "rft.q_hpc rft.q_reuse rft.q_head rft.q_tail rft.q_count", "not in the paper"},
    {NULL, 0, NULL, NULL},
};

const struct hd_area_claim lasc_claims[] = {
    {.name = "rft", .where = "Choo 5.3, which gives no area", .module = {"rft"}, .item = rft_items},
    {.name = NULL},
};
