/* The energy of the L2 in a run: accesses and leakage of its memories, and the additions of LoSCache;
 * docs/pricing.md, "Energy".
 *
 * The golden model counts the accesses of the data macro and of the counts, and the looks. Those of the
 * other macros are derived from its counts of requests, since each request accesses these macros in a known
 * way.
 *
 * Invariant: every price is the embedded model's.
 */
#include <string.h>

#include "arch/declaration/declaration.h"
#include "area/energy.h"
#include "cli/sim/sim.h"

enum { USES = 32 };
struct uses {
  struct hd_energy_use use[USES];
  int n, data, added; /* use[data]: the data macro; from use[added] on: LoSCache's own memories */
};

/* Adds a memory of a module, with one copy per slice. reads, writes: accesses of a row, which is all its
 * banks. */
static struct hd_energy_use *add(struct uses *u, const struct hd_design *design, const char *module,
                                 const char *name, double reads, double writes) {
  const struct hd_decl *d = hd_design_find(design, module);
  for (size_t i = 0; i < d->n_mems; i++) {
    const struct hd_mem *m = &d->mems[i];
    if (strcmp(m->name, name) != 0)
      continue;
    struct hd_energy_use *use = &u->use[u->n++];
    *use = (struct hd_energy_use){.name = m->name,
                                  .mem = hd_memory_of(m->depth, m->width, m->ports),
                                  .copies = (double)design->c->l2.banks * m->banks,
                                  .reads = reads * m->banks,
                                  .writes = writes};
    return use;
  }
  return NULL; /* this machine does not have it */
}

static void add_slice(struct uses *u, const struct hd_design *design, const struct hd_memsys_stats *s) {
  const struct hd_bank_stats *p = &s->l2;
  const double asked = (double)(p->reads + p->writes + p->queries), looks = (double)p->looks,
               waited = (double)(p->misses + p->merges - p->no_store_writes),
               stored = (double)(p->writes - p->write_hits - p->no_store_writes),
               sent = (double)(s->dram_reads + s->dram_writes);
  /* a few less in fact: a request that is not stored for lack of a way touches no row */
  const double touched = (double)(p->reads + p->writes + p->writebacks);
  const char *const m = "l2_slice";
  add(u, design, m, "tags", looks, (double)(p->misses - p->sector_misses));
  add(u, design, m, "lru", looks, touched);
  add(u, design, m, "dirty", looks, touched);
  add(u, design, m, "present", looks, touched);
  u->data = u->n;
  add(u, design, m, "data", (double)p->data_reads, (double)p->data_writes)->wakes = (double)p->wakes;
  add(u, design, m, "iq", looks, asked);
  add(u, design, m, "iq_wdata", looks, asked);
  add(u, design, m, "iq_wmask", looks, asked);
  add(u, design, m, "waiting", waited, waited);
  add(u, design, m, "sb", waited, stored);
  add(u, design, m, "sb_mask", waited, stored);
  add(u, design, m, "fq_id", (double)s->dram_reads, (double)s->dram_reads);
  add(u, design, m, "fq_data", (double)s->dram_reads, (double)s->dram_reads);
  add(u, design, m, "rq", asked, asked);
  add(u, design, m, "rq_data", asked, asked);
  add(u, design, m, "oq", sent, sent);
  add(u, design, m, "oq_data", sent, sent);
}

static void add_loscache(struct uses *u, const struct hd_design *design, const struct hd_sim_result *r) {
  const struct hd_config *c = design->c;
  const struct hd_bank_stats *p = &r->memsys.l2;
  const double issued = (double)(r->sm.loads + r->sm.stores), sent = (double)(p->reads + p->writes),
               sms = c->gpu.sms;
  add(u, design, "gate_ctrl", "counts", (double)p->looks, (double)p->count_writes);
  u->use[u->n++] =
      (struct hd_energy_use){.name = "power",
                             .mem = {(int)c->d.L2_SETS, (int)c->d.L2_WAYS, HD_MEM_1R1W, HD_MEM_FF},
                             .copies = c->l2.banks,
                             .reads = (double)p->looks,
                             .writes = (double)(p->wakes + p->closes_last + p->closes_fill)};
  u->use[u->n++] = (struct hd_energy_use){.name = "pc",
                                          .mem = {(int)c->d.LPT, (int)c->d.PC_W, HD_MEM_1R1W, HD_MEM_FF_CAM},
                                          .copies = sms,
                                          .reads = issued,
                                          .writes = (double)r->figures.prediction.entries};
  u->use[u->n++] = (struct hd_energy_use){
      .name = "predictions",
      .mem = {(int)c->d.LPT, (int)(c->d.LINE_W + c->d.CNT_W + c->d.EXTRA_W + 2), HD_MEM_1R1W, HD_MEM_FF},
      .copies = sms,
      .reads = sent,
      .writes = (double)(r->figures.prediction.entries + r->figures.prediction.queries +
                         r->figures.prediction.answers + r->figures.prediction.early)};
}

/* Returns the share of the lines' cycles; a run may have none. */
static double share(const struct hd_bank_stats *p, uint64_t cycles) {
  return p->line_cycles ? (double)cycles / (double)p->line_cycles : 0;
}

enum hd_rc hd_sim_energy(const struct hd_design *design, const struct hd_sim_result *r,
                         struct hd_l2_energy *energy, struct hd_why *why) {
  const struct hd_bank_stats *p = &r->memsys.l2;
  struct uses u = {.n = 0};
  struct hd_energy each[USES];
  add_slice(&u, design, &r->memsys);
  u.added = u.n;
  if (design->c->d.LOS)
    add_loscache(&u, design, r);
  /* the wakes of the oracle: the data macro's; there are no other ones in that run */
  u.use[u.n] = u.use[u.data];
  u.use[u.n].copies = u.use[u.n].reads = u.use[u.n].writes = 0;
  u.use[u.n].wakes = (double)p->generations.lived;
  const double seconds = 1e-6 * (double)r->sm.cycles / design->c->sm.clock_mhz;
  const enum hd_rc rc = hd_energy_of(u.use, u.n + 1, seconds, design->c->energy.node_nm, each, why);
  *energy = (struct hd_l2_energy){.ideal = !design->c->d.LOS || !design->c->loscache.enable};
  for (int i = 0; rc == HD_OK && i < u.n; i++) {
    if (i >= u.added) {
      energy->added_nj += each[i].access_nj + each[i].leak_nj;
      continue;
    }
    /* the oracle powers only the lines that will still be used; everything else is equal */
    const bool data = i == u.data;
    energy->access_nj += each[i].access_nj;
    energy->leak_nj += each[i].leak_nj * (data ? share(p, p->awake_cycles) : 1);
    energy->wake_nj += each[i].wake_nj;
    energy->wake_low_nj += each[i].wake_low_nj;
    energy->ideal_nj +=
        each[i].access_nj + each[i].leak_nj * (data ? share(p, p->generations.live_cycles) : 1);
  }
  if (rc == HD_OK)
    energy->ideal_nj += each[u.n].wake_nj;
  energy->total_nj = energy->access_nj + energy->leak_nj + energy->wake_nj + energy->added_nj;
  return rc;
}
