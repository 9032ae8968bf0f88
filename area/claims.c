/* What the papers say their designs cost, and how the storage they count compares with what is declared here.
 *
 * Invariant: a paper's figure is from the paper, ours is counted from the declaration.
 */
#include "arch/kit.h"
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
    {.name = "apcm",
     .where = "APCM, Hardware Cost, text to Table 3, memories by CACTI 6.5, the rest synthesised",
     .node_nm = 45,
     .area_mm2 = .0047,
     .cache_percent = .14},
    {.name = "loscache",
     .where = "LoSCache, Overhead Analysis, by CACTI 6.5; logic taken as three times the storage",
     .node_nm = 40,
     .area_mm2 = .449},
};
enum { CLAIMS = sizeof claims / sizeof *claims };

const struct hd_area_claim *hd_area_claim_of(const char *name) {
  for (size_t i = 0; name && i < CLAIMS; i++)
    if (!strcmp(claims[i].name, name))
      return &claims[i];
  return NULL;
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

/* Of all of "module.row ..."; a row that is not in this machine has none. */
static long bits_of_rows(const struct hd_design *design, const char *rows) {
  long bits = 0;
  for (const char *p = rows; *p; p += strspn(p, " ")) {
    char module[64], row[64];
    const size_t n = strcspn(p, " "), dot = strcspn(p, ".");
    snprintf(module, sizeof module, "%.*s", (int)dot, p);
    snprintf(row, sizeof row, "%.*s", (int)(n - dot - 1), p + dot + 1);
    bits += bits_of(hd_design_find(design, module), row);
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
  for (int i = 0; i < n; i++) {
    (*storage)[i] = (struct hd_area_storage){claim->item[i], bits_of_rows(design, claim->item[i].rows)};
    rest -= (*storage)[i].bits;
  }
  (*storage)[n] = (struct hd_area_storage){
      {"all else", 0, "", "registers of the pipelines and of the arithmetic, counters"}, rest};
  return n + 1;
}
