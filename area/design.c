/* Lists the memories of declarations that have a price. A memory is priced as the RTL makes it: a RAM row is
 * a macro, a CAM row is flip-flops with comparators. */
#include <stdlib.h>
#include <string.h>

#include "arch/declaration/declaration.h"
#include "area/area.h"
#include "base/alloc.h"

struct list {
  struct hd_area_memory *memory;
  int n;
};

static void add(struct list *list, const char *module, const char *name, struct hd_memory mem, int count) {
  char *full = hd_format("%s.%s", module, name);
  for (int i = 0; i < list->n; i++)
    if (!strcmp(list->memory[i].name, full)) {
      list->memory[i].count += count;
      free(full);
      return;
    }
  list->memory = hd_resized(list->memory, (size_t)list->n + 1, sizeof *list->memory);
  list->memory[list->n++] = (struct hd_area_memory){.name = full, .mem = mem, .count = count};
}

static void walk(struct list *list, const struct hd_decl *d, int copies) {
  for (size_t i = 0; i < d->n_mems; i++) {
    const struct hd_mem *m = &d->mems[i];
    add(list, d->module, m->name, hd_memory_of(m->depth, m->width, m->ports), copies * (int)m->banks);
  }
  for (size_t i = 0; i < d->n_rows; i++) {
    const struct hd_row *r = &d->rows[i];
    if (r->cls == HD_CAM || r->latched)
      add(list, d->module, r->name,
          (struct hd_memory){(int)r->count, (int)r->width, HD_MEM_1R1W,
                             r->latched ? HD_MEM_LATCH_CAM : HD_MEM_FF_CAM},
          copies);
  }
  for (size_t i = 0; i < d->n_insts; i++)
    walk(list, d->insts[i].decl, copies);
}

int hd_area_memories_of(const struct hd_design *design, const struct hd_area_claim *claim,
                        const char *const *tops, int n, struct hd_area_memory **memories) {
  struct list list = {NULL, 0};
  *memories = NULL;
  for (int i = 0; i < n; i++) {
    const struct hd_decl *root = hd_design_find(design, tops[i]);
    if (!root) {
      hd_area_memories_free(list.memory, list.n);
      return -1;
    }
    walk(&list, root, hd_area_copies(design, claim, tops[i]));
  }
  *memories = list.memory;
  return list.n;
}

void hd_area_memories_free(struct hd_area_memory *memories, int n) {
  for (int i = 0; i < n; i++)
    free((char *)memories[i].name);
  free(memories);
}
