/* The cost of MRPB in its paper; see area/claims.c. */
#include "area/area.h"

const struct hd_area_claim mrpb_claims[] = {
    {.name = "mrpb",
     .where = "MRPB section 6, by CACTI 6.5; share of a 16 KB L1 'with an area-efficient design'",
     .node_nm = 45,
     .area_mm2 = .0126,
     .clock_ghz = 2.6,
     .cache_percent = 10.5, /* of 16 KB: 4 ways, lines of 128 bytes */
     .module = {"mrpb"}},
    {.name = NULL},
};
