/* Counts requests by load instruction; see loads.h. A program has some ten load instructions, so a linear
 * search is enough. */
#include "cli/sim/loads.h"
#include "workloads/stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OUTCOMES = HEDDLE_UNCACHED + 1, KERNEL = sizeof((struct wl_launch *)0)->name };

struct hd_load_row {
  char kernel[KERNEL];
  uint32_t pc;
  uint64_t of[OUTCOMES];
};

enum hd_rc hd_loads_open(const struct hd_args *args, struct hd_by_load *l, struct hd_why *why) {
  *l = (struct hd_by_load){0};
  if (args->loads && !strcmp(args->loads, "-"))
    return hd_because(why, HD_INPUT, "--loads: found -; allowed the name of a file");
  return hd_out_open(&l->out, "loads", args->loads, why);
}

static struct hd_load_row *find(const struct hd_by_load *l, const heddle_access *access) {
  for (size_t i = 0; i < l->n; i++)
    if (l->load[i].pc == access->pc && !strcmp(l->load[i].kernel, access->kernel))
      return &l->load[i];
  return NULL;
}

/* Returns NULL if memory is out; then nothing has changed. */
static struct hd_load_row *add(struct hd_by_load *l, const heddle_access *access) {
  struct hd_load_row *load = realloc(l->load, (l->n + 1) * sizeof *load);
  if (!load)
    return NULL;
  l->load = load;
  load += l->n++;
  *load = (struct hd_load_row){.pc = access->pc};
  snprintf(load->kernel, sizeof load->kernel, "%s", access->kernel);
  return load;
}

void hd_loads_access(void *user, const heddle_access *access) {
  struct hd_by_load *l = user;
  if (access->level != 1 || access->kind != HEDDLE_ACCESS_LOAD)
    return;
  struct hd_load_row *load = find(l, access);
  if (!load && !(load = add(l, access)))
    l->no_memory = true;
  else
    load->of[access->outcome]++;
}

enum hd_rc hd_loads_close(struct hd_by_load *l, enum hd_rc rc, struct hd_why *why) {
  if (rc == HD_OK && l->no_memory)
    rc = hd_because(why, HD_TOOL, "--loads: out of memory");
  if (l->out.f)
    fputs("kernel,pc,loads,hits,hit_reserved,misses,bypasses\n", l->out.f);
  for (size_t i = 0; i < l->n; i++) {
    const struct hd_load_row *load = &l->load[i];
    const uint64_t *of = load->of;
    hd_cli_csv_text(load->kernel, l->out.f);
    fprintf(l->out.f, ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", load->pc,
            of[HEDDLE_HIT] + of[HEDDLE_MERGED] + of[HEDDLE_MISS] + of[HEDDLE_UNCACHED], of[HEDDLE_HIT],
            of[HEDDLE_MERGED], of[HEDDLE_MISS], of[HEDDLE_UNCACHED]);
  }
  free(l->load);
  return hd_out_close(&l->out, rc == HD_OK, rc, why);
}
