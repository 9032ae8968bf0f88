/* The cost of LoSCache in its paper; see area/claims.c. */
#include "area/area.h"

/* One table of an SM, and a slice of 1024 lines. */
static const struct hd_area_item loscache_items[] = {
    {"prediction table", 21 * 63, "pred_table.pc pred_table.block pred_table.count", ""},
    {"extra", 0, "pred_table.extra", "2 bits an entry, in the paper's text but not in its sum"},
    {"entries in use", 0, "pred_table.used pred_table.has",
     "one bit that it is used, one that it has a line"},
    {"access counts", 6 * 1024, "gate_ctrl.counts", ""},
    {"power of lines", 0, "gate_ctrl.power gate_ctrl.n",
     "the flip-flops that drive the power switches; and how many are on"},
    {NULL, 0, NULL, NULL},
};

const struct hd_area_claim loscache_claims[] = {
    {.name = "loscache",
     .where =
         "LoSCache, Overhead Analysis, by CACTI 6.5: tables of 15 SMs and counts of 6 banks; logic taken "
         "as three times the storage",
     .node_nm = 40,
     .area_mm2 = .449,
     .module = {"pred_table", "gate_ctrl"},
     .sms = 15,
     .banks = 6,
     .item = loscache_items},
    {.name = NULL},
};
