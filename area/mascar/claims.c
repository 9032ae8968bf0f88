/* The storage of MASCAR. We have no cost figures of its paper; see area/claims.c. */
#include "area/area.h"

static const struct hd_area_item mascar_items[] = {
    {"re-execution queue", 0, "reexec.fifo", "32 loads in the paper"},
    {"places of warps", 0, "reexec.mine", "a store must not overtake a load of its warp that comes again"},
    {NULL, 0, NULL, NULL},
};

const struct hd_area_claim mascar_claims[] = {
    {.name = "mascar",
     .where = "MASCAR; those who compare with it give no area",
     .module = {"mascar", "reexec"},
     .item = mascar_items},
    {.name = NULL},
};
