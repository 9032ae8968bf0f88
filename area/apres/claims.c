/* The cost of APRES in its paper; see area/claims.c. */
#include "area/area.h"

static const struct hd_area_item apres_items[] = {
    {"LLT", 8 * 4 * 48, "laws.llt laws.llt_valid", "a valid bit a warp besides"},
    {"WGT", 48 * 3, "laws.wgt laws.wgt_valid", "a valid bit an entry besides"},
    {"DRQ", 8 * 8 * 32,
     "sap.drq sap.drq_s sap.drq_match sap.drq_head sap.drq_done sap.drq_tail sap.drq_count sap.drq_due",
     "each event that waits has its own warp, members, stride, outcome and an address of the machine; the "
     "paper's are 64-bit addresses alone"},
    {"WQ", 8 * 48, "sap.left", "a bit a warp instead of a byte"},
    {"PT", 8 * 21 * 10, "sap.pt_valid sap.pt_known sap.pt_pc sap.pt_wid sap.pt_cta sap.pt_addr sap.pt_stride",
     "the machine's address width instead of 64 bits; warps of as many bits as they need"},
    {"scheduling queue", 0, "laws.before laws.before_last laws.order",
     "not in the paper's table, though LAWS needs it"},
    {"CTA slots of warps", 0, "sap.cta", "not in the paper's table: groups end at the CTA (D-SAP-9)"},
    {"replacement of PT", 0, "sap.pt_lru", "not in the paper's table"},
    {NULL, 0, NULL, NULL},
};

const struct hd_area_claim apres_claims[] = {
    {.name = "apres",
     .where = "APRES, text to Table II: 724 B per SM, by CACTI 5.1; share of the evaluated L1",
     .node_nm = 45,
     .cache_percent = 2.06, /* of 32 KB: 8 ways, lines of 128 bytes */
     .module = {"laws", "sap"},
     .item = apres_items},
    {.name = NULL},
};
