/* The costs that the papers claim for their designs, and the storage that they count beside the storage
 * declared here. The claims of a mechanism are <room>_claims in area/<room>/claims.c; the list ends with a
 * claim without a name.
 *
 * Invariant: a paper's figure is from the paper, ours is counted from the declaration. */
#include "arch/declaration/declaration.h"
#include "area/area.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define ROOM(room) extern const struct hd_area_claim room##_claims[];
#include "area/rooms.h"
#undef ROOM
static const struct hd_area_claim *const claims[] = {
#define ROOM(room) room##_claims,
#include "area/rooms.h"
#undef ROOM
};

/* The first claim that `fits`. Returns NULL if there is none. */
static const struct hd_area_claim *first(bool (*fits)(const struct hd_area_claim *claim, const void *what),
                                         const void *what) {
  for (size_t i = 0; i < sizeof claims / sizeof *claims; i++)
    for (const struct hd_area_claim *c = claims[i]; c->name; c++)
      if (fits(c, what))
        return c;
  return NULL;
}

static bool is_called(const struct hd_area_claim *claim, const void *name) {
  return !strcmp(claim->name, name);
}

const struct hd_area_claim *hd_area_claim_of(const char *name) {
  return name ? first(is_called, name) : NULL;
}

int hd_area_copies(const struct hd_design *design, const struct hd_area_claim *claim, const char *module) {
  if (!design || !claim || !claim->sms)
    return 1;
  return (int)(hd_design_in_l2(design, module) ? design->c->l2.banks : design->c->gpu.sms);
}

static bool is_there(const struct hd_area_claim *claim, const void *design) {
  bool there = claim->module[0] != NULL;
  for (size_t m = 0; m < HD_CLAIM_MODULES && claim->module[m]; m++)
    there = there && hd_design_find(design, claim->module[m]);
  return there;
}

const struct hd_area_claim *hd_area_claim_in(const struct hd_design *design) {
  return first(is_there, design);
}

/* The bits of a declared row or memory by its name; for a bundle the sum of its fields. */
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

/* The bits of all of "module.row ..."; a row that this machine does not have counts 0. Subtracts from `own`
 * the bits of rows in the claim's own modules. */
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
  *storage = hd_zeroed((size_t)n + 1, sizeof **storage);
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
