/* The cost of CCWS in its paper; see area/claims.c. */
#include "area/area.h"

static const struct hd_area_item ccws_items[] = {
    {"victim tags", 0, "ccws_vta.vta ccws_vta.known", "16 a warp, as in the paper, which gives no width"},
    {"warps of lines", 0, "ccws_vta.lines",
     "the paper adds a warp id to each tag of the L1; here tags and ids are in a memory of their own, since "
     "the tags' one port is taken"},
    {"misses that wait", 0, "ccws_vta.queue", "not in the paper: the victim tags take 4 to 7 cycles a miss"},
    {"scores", 0, "ccws_score.list", "in order, in a memory: no sorting network"},
    {NULL, 0, NULL, NULL},
};

const struct hd_area_claim ccws_claims[] = {
    {.name = "ccws",
     .where = "CCWS section 5.7, 0.17 % of the chip: the victim tags alone",
     .node_nm = 55,
     .area_mm2 = .026,
     .module = {"ccws_vta", "ccws_score"},
     .item = ccws_items},
    {.name = NULL},
};
