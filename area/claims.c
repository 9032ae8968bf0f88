/* What the papers say their designs cost, and how the storage they count compares with what is declared here.
 *
 * Invariant: a paper's figure is from the paper, ours is counted from the declaration.
 */
#include "arch/declaration/declaration.h"
#include "area/area.h"

#include <stdlib.h>
#include <string.h>

static const struct hd_area_item apres_items[] = {
    {"LLT", 8 * 4 * 48, "laws.llt laws.llt_valid", "a valid bit a warp besides"},
    {"WGT", 48 * 3, "laws.wgt laws.wgt_valid", "a valid bit an entry besides"},
    {"DRQ", 8 * 8 * 32, "sap.drq sap.drq_head sap.drq_tail sap.drq_count",
     "each event that waits has its own warp, PC, group and an address of the machine; the paper's are "
     "64-bit "
     "addresses alone"},
    {"WQ", 8 * 48, "sap.left", "a bit a warp instead of a byte"},
    {"PT", 8 * 21 * 10, "sap.pt_valid sap.pt_known sap.pt_pc sap.pt_wid sap.pt_addr sap.pt_stride",
     "the machine's address width instead of 64 bits; warps of as many bits as they need"},
    {"scheduling queue", 0, "laws.before laws.before_last laws.order",
     "not in the paper's table, though LAWS needs it"},
    {"replacement of PT", 0, "sap.pt_lru", "not in the paper's table"},
    {NULL, 0, NULL, NULL},
};

/* Choo says how wide the fields are, and of areas nothing. 128 lines of the 16 KB L1D. */
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
static const struct hd_area_item rft_items[] = {
    {"table", 64, "rft.reused rft.average", "a bit an entry; with rft.form: average as many as that needs"},
    {"known", 64, "rft.known",
     "the paper's entry holds a hashed PC, by which it is known; here the index is one"},
    {"reuse of lines", 128, "l1d.rr", ""},
    {"PC of lines", 6 * 128, "l1d.line_hpc", "hashed to what numbers 64 entries"},
    {"updates that wait", 0, "rft.q_hpc rft.q_reuse rft.q_head rft.q_tail rft.q_count", "not in the paper"},
    {NULL, 0, NULL, NULL},
};
static const struct hd_area_item memsched_items[] = {
    {"request queue", 0, "memsched.fifo", "48 x 32 in the paper, which does not say how wide a request is"},
    {"heads", 0,
     "memsched.h_line memsched.h_num memsched.h_last memsched.h_byp memsched.h_loc memsched.h_valid",
     "flip-flops, since four are looked at in a cycle"},
    {"tags to probe", 0, "l1d.tags_0 l1d.tags_1 l1d.tags_2 l1d.tags_3 l1d.ptag",
     "a copy for each probe unit, or one of flip-flops"},
    {NULL, 0, NULL, NULL},
};

/* Its machine: 128 lines, 48 warps, 16 loads, 32 entries. */
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

/* A table of an SM, a slice of 1024 lines. */
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

static const struct hd_area_claim claims[] = {
    {.name = "mrpb",
     .where = "MRPB section 6, by CACTI 6.5; share of a 16 KB L1 'with an area-efficient design'",
     .node_nm = 45,
     .area_mm2 = .0126,
     .clock_ghz = 2.6,
     .cache_percent = 10.5,
     .cache_bytes = 16384,
     .cache_ways = 4,
     .cache_line = 128,
     .module = {"mrpb"}},
    {.name = "apres",
     .where = "APRES, text to Table II: 724 B per SM, by CACTI 5.1; share of the evaluated L1",
     .node_nm = 45,
     .cache_percent = 2.06,
     .cache_bytes = 32768,
     .cache_ways = 8,
     .cache_line = 128,
     .module = {"laws", "sap"},
     .item = apres_items},
    {.name = "casc_locality",
     .where = "Choo 4.3.3, which gives no area",
     .module = {"casc", "rrt"},
     .item = casc_items},
    {.name = "casc",
     .where = "Choo 4.3.2, which gives no area",
     .module = {"casc"},
     .item = casc_by_set_items},
    {.name = "memsched",
     .where = "Choo 6.3, which gives no area",
     .module = {"memsched"},
     .item = memsched_items},
    {.name = "rft", .where = "Choo 5.3, which gives no area", .module = {"rft"}, .item = rft_items},
    {.name = "apcm",
     .where = "APCM, Hardware Cost, text to Table 3, memories by CACTI 6.5, the rest synthesised",
     .node_nm = 45,
     .area_mm2 = .0047,
     .cache_percent = .14,
     .cache_bytes = 16384,
     .cache_ways = 4,
     .cache_line = 128,
     .module = {"lat", "mta", "cait", "psb"},
     .item = apcm_items},
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
};
enum { CLAIMS = sizeof claims / sizeof *claims };

const struct hd_area_claim *hd_area_claim_of(const char *name) {
  for (size_t i = 0; name && i < CLAIMS; i++)
    if (!strcmp(claims[i].name, name))
      return &claims[i];
  return NULL;
}

int hd_area_copies(const struct hd_design *design, const struct hd_area_claim *claim, const char *module) {
  if (!design || !claim || !claim->sms)
    return 1;
  return (int)(hd_design_in_l2(design, module) ? design->c->l2.banks : design->c->gpu.sms);
}

const struct hd_area_claim *hd_area_claim_in(const struct hd_design *design) {
  for (size_t i = 0; i < CLAIMS; i++) {
    bool there = claims[i].module[0] != NULL;
    for (size_t m = 0; m < HD_CLAIM_MODULES && claims[i].module[m]; m++)
      there = there && hd_design_find(design, claims[i].module[m]);
    if (there)
      return &claims[i];
  }
  return NULL;
}

/* Bits of a declared row or memory, by its name; a bundle's fields together. */
static long bits_of(const struct hd_decl *d, const char *row) {
  long bits = 0;
  for (size_t i = 0; d && i < d->n_rows; i++)
    if ((d->rows[i].cls == HD_REG || d->rows[i].cls == HD_CAM) && !strcmp(d->rows[i].name, row))
      bits += (long)d->rows[i].count * d->rows[i].width;
  for (size_t i = 0; d && i < d->n_mems; i++)
    if (!strcmp(d->mems[i].name, row))
      bits += (long)d->mems[i].banks * d->mems[i].depth * d->mems[i].width;
  return bits;
}

static bool is_of(const struct hd_area_claim *claim, const char *module) {
  for (size_t m = 0; m < HD_CLAIM_MODULES && claim->module[m]; m++)
    if (!strcmp(claim->module[m], module))
      return true;
  return false;
}

/* Of all of "module.row ..."; a row that is not in this machine has none. `own` becomes less by those of the claim's own
 * modules. */
static long bits_of_rows(const struct hd_design *design, const struct hd_area_claim *claim, const char *rows,
                         long *own) {
  long bits = 0;
  for (const char *p = rows; *p; p += strspn(p, " ")) {
    char module[64], row[64];
    const size_t n = strcspn(p, " "), dot = strcspn(p, ".");
    snprintf(module, sizeof module, "%.*s", (int)dot, p);
    snprintf(row, sizeof row, "%.*s", (int)(n - dot - 1), p + dot + 1);
    const long more = bits_of(hd_design_find(design, module), row);
    bits += more;
    *own -= is_of(claim, module) ? more : 0;
    p += n;
  }
  return bits;
}

int hd_area_storage_of(const struct hd_design *design, const struct hd_area_claim *claim,
                       struct hd_area_storage **storage) {
  int n = 0;
  while (claim->item[n].name)
    n++;
  *storage = calloc((size_t)n + 1, sizeof **storage);
  if (!*storage)
    abort();
  long rest = 0;
  for (size_t m = 0; m < HD_CLAIM_MODULES && claim->module[m]; m++) {
    const struct hd_decl *d = hd_design_find(design, claim->module[m]);
    rest += d ? (long)hd_decl_ff_bits(d) + hd_decl_ram_bits(d) : 0;
  }
  for (int i = 0; i < n; i++)
    (*storage)[i] =
        (struct hd_area_storage){claim->item[i], bits_of_rows(design, claim, claim->item[i].rows, &rest)};
  (*storage)[n] = (struct hd_area_storage){
      {"all else", 0, "", "registers of the pipelines and of the arithmetic, counters"}, rest};
  return n + 1;
}
