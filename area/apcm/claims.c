/* The cost of APCM in its paper; see area/claims.c. */
#include "area/area.h"

/* The paper's machine: 128 lines, 48 warps, 16 loads, 32 entries. */
static const struct hd_area_item apcm_items[] = {
    {"tags of L1D lines", 11 * 128, "l1d.prot l1d.owner l1d.rr",
     "warp ids in a memory beside the tags, protection bits and counts in flip-flops"},
    {"MTA", 36 * 32, "mta.entry mta.word mta.valid mta.next", "a valid bit an entry besides"},
    {"CAIT", 11 * 16, "cait.count cait.keep cait.final",
     "a count of 1 is the method bypass, 0 says that nothing is known: no field for these"},
    {"LAT", 32 * 16, "lat.pc lat.used", "a bit an entry besides"},
    {"PSB", 6 * 48, "psb.on psb.last psb.loop", ""},
    {NULL, 0, NULL, NULL},
};

const struct hd_area_claim apcm_claims[] = {
    {.name = "apcm",
     .where = "APCM, Hardware Cost, text to Table 3, memories by CACTI 6.5, the rest synthesised",
     .node_nm = 45,
     .area_mm2 = .0047,
     .cache_percent = .14, /* of 16 KB: 4 ways, lines of 128 bytes */
     .module = {"lat", "mta", "cait", "psb"},
     .item = apcm_items},
    {.name = NULL},
};
