/* The cost of CASC in its paper; see area/claims.c. */
#include "area/area.h"

/* Choo gives the widths of the fields, and no area. 128 lines of the 16 KB L1D. */
static const struct hd_area_item casc_items[] = {
    {"PC of lines", 7 * 128, "l1d.line_hpc", "a memory of one word a line"},
    {"re-references", 4 * 128, "l1d.rr", ""},
    {"re-reference table", 0, "rrt.update rrt.lookup rrt.known",
     "the paper names its fields, not their widths: sum and count here, twice, for updates and for lookups"},
    {"requests gathered", 0, "casc.lines casc.set casc.later",
     "not in the paper: two loads, so that one goes while the next comes"},
    {NULL, 0, NULL, NULL},
};
static const struct hd_area_item casc_by_set_items[] = {
    {"requests gathered", 0, "casc.lines casc.set casc.later",
     "not in the paper: two loads, so that one goes while the next comes"},
    {NULL, 0, NULL, NULL},
};

const struct hd_area_claim casc_claims[] = {
    {.name = "casc_locality",
     .where = "Choo 4.3.3, which gives no area",
     .module = {"casc", "rrt"},
     .item = casc_items},
    {.name = "casc",
     .where = "Choo 4.3.2, which gives no area",
     .module = {"casc"},
     .item = casc_by_set_items},
    {.name = NULL},
};
