/* The cost of MemSched in its paper; see area/claims.c. */
#include "area/area.h"

static const struct hd_area_item memsched_items[] = {
    {"request queue", 0, "memsched.fifo", "48 x 32 in the paper, which does not say how wide a request is"},
    {"heads", 0,
     "memsched.h_line memsched.h_num memsched.h_last memsched.h_byp memsched.h_loc memsched.h_valid",
     "flip-flops, since four are looked at in a cycle"},
    {"tags to probe", 0, "l1d.tags_0 l1d.tags_1 l1d.tags_2 l1d.tags_3 l1d.ptag",
     "a copy for each probe unit, or one of flip-flops"},
    {NULL, 0, NULL, NULL},
};

const struct hd_area_claim memsched_claims[] = {
    {.name = "memsched",
     .where = "Choo 6.3, which gives no area",
     .module = {"memsched"},
     .item = memsched_items},
    {.name = NULL},
};
