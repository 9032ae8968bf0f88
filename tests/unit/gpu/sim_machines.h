/* Small, odd machines that together cover all that a run may depend on, and kernels for them.
 *
 * Each machine is a change of the defaults, so that one machine can be made from others. Invariant: every mechanism that is hardware
 * is in some machine, alone or beside the mechanisms that it meets. */
#ifndef HEDDLE_TESTS_UNIT_SIM_MACHINES_H
#define HEDDLE_TESTS_UNIT_SIM_MACHINES_H

#include "arch/config/config.h"

typedef void machine(struct hd_config *c);

/* ---- Settings that several machines share ---- */

static void short_mrpb(struct hd_config *c) {
  c->request_buffer.kind = HD_MRPB;
  c->request_buffer.depth = 4;
  c->request_buffer.latency = 3;
}

static void short_memsched(struct hd_config *c, enum hd_drain drain) {
  c->request_buffer.kind = HD_MEMSCHED;
  c->request_buffer.drain = drain;
  c->request_buffer.depth = 2;
}

static void small_rft(struct hd_config *c, enum hd_rft form) {
  c->rft.form = form;
  c->rft.entries = 4;
}

/* CASC by locality, with that table. */
static void locality(struct hd_config *c, enum hd_rft form) {
  c->casc.scheme = HD_CASC_LOCALITY;
  small_rft(c, form);
}

/* Few sets with narrow counters, and few places for misses. */
static void small_l1d(struct hd_config *c) {
  c->l1d.sets = 4;
  c->l1d.mshrs = 4;
  c->l1d.bypass_slots = 3;
  c->l1d.count_bits = 2;
  c->memory.latency = 30;
}

static void many_sms(struct hd_config *c, unsigned sms) {
  c->gpu.sms = sms;
  c->gpu.dispatch_latency = 9;
}

/* ---- The machines ---- */

static void fermi(struct hd_config *c) {
  hd_config_default(c);
}

static void mrpb(struct hd_config *c) {
  c->request_buffer.kind = HD_MRPB;
  c->request_buffer.bypass = HD_BYPASS_ASSOC;
}

/* Everything is small, so that everything fills up. The other choices of each key. */
static void narrow(struct hd_config *c) {
  short_mrpb(c);
  c->request_buffer.signature = HD_SIG_BLOCK;
  c->request_buffer.drain = HD_DRAIN_RR;
  c->request_buffer.greedy = true;
  c->request_buffer.bypass = HD_BYPASS_ALL;
  c->l1d.bypass_slots = 2;
  c->l1d.mshrs = 4;
  c->l1d.mshr_merge = 2;
  c->l1d.miss_queue = 2;
  c->sm.schedulers = 4;
  c->scheduler.policy = HD_GTO;
  c->memory.latency = 30;
  c->memory.bytes_per_cycle = 100;
}

static void on_fill(struct hd_config *c) {
  c->request_buffer.kind = HD_MRPB;
  c->request_buffer.signature = HD_SIG_IN_BLOCK;
  c->request_buffer.drain = HD_DRAIN_LONGEST;
  c->request_buffer.flush = false;
  c->l1d.allocate = HD_ON_FILL;
  c->l1d.set_index = HD_INDEX_FERMI;
  c->memory.bytes_per_cycle = 4;
  c->sm.schedulers = 1;
}

static void slot_gto(struct hd_config *c) {
  c->scheduler.policy = HD_GTO;
  c->l1d.set_index = HD_INDEX_XOR;
  c->l1d.ways = 6;
  c->sm.loads = 1;
}

static void apres(struct hd_config *c) {
  c->scheduler.policy = HD_LAWS;
  c->prefetch.kind = HD_PF_SAP;
}

/* Everything is small, with a buffer that reorders. */
static void apres_narrow(struct hd_config *c) {
  narrow(c);
  apres(c);
  c->laws.groups = 1;
  c->laws.queue = HD_LIST;
  c->prefetch.table = 2;
  c->prefetch.queue = 2;
  c->l1d.allocate = HD_ON_FILL;
  c->gpu.flush = true;
}

static void str_two_level(struct hd_config *c) {
  c->scheduler.policy = HD_TWO_LEVEL;
  c->prefetch.kind = HD_PF_STR;
  c->gpu.flush = true;
}

static void sld_pa(struct hd_config *c) {
  mrpb(c);
  c->scheduler.policy = HD_PA;
  c->scheduler.group = 3;
  c->prefetch.kind = HD_PF_SLD;
}

/* Divergent loads have more requests than there are ways. The L1D holds few lines. */
static void casc(struct hd_config *c, enum hd_casc scheme) {
  c->casc.scheme = scheme;
  c->casc.pc_bits = 3;
  c->casc.sample_bits = 2;
  small_l1d(c);
  c->l1d.ways = 2;
}

static void casc_per_set(struct hd_config *c) {
  casc(c, HD_CASC_PER_SET);
}

static void casc_locality(struct hd_config *c) {
  casc(c, HD_CASC_LOCALITY);
  c->scheduler.policy = HD_GTO;
  c->gpu.flush = true;
}

static void casc_mrpb(struct hd_config *c) {
  casc(c, HD_CASC_LAST);
  short_mrpb(c);
  c->request_buffer.signature = HD_SIG_BLOCK;
}

static void rft_bit(struct hd_config *c) {
  small_rft(c, HD_RFT_BIT);
  c->rft.queue = 1;
  c->rft.resample = 3;
  c->l1d.sets = 4;
  c->l1d.ways = 2;
  c->gpu.flush = true;
}

static void memsched(struct hd_config *c, enum hd_drain drain) {
  narrow(c);
  c->scheduler.policy = HD_LRR;
  short_memsched(c, drain);
  c->request_buffer.greedy = false;
  c->request_buffer.bypass = HD_BYPASS_OFF;
}

static void memsched_rr(struct hd_config *c) {
  memsched(c, HD_DRAIN_RR);
}

static void memsched_grr(struct hd_config *c) {
  memsched(c, HD_DRAIN_GRR);
  c->request_buffer.probes = 3;
}

static void one_set(struct hd_config *c) {
  c->l1d.set_index = HD_INDEX_FULL;
  c->l1d.sets = c->l1d.ways = 4;
}

static void early_probes(struct hd_config *c) {
  memsched_grr(c);
  c->request_buffer.probe_early = true;
}

static void memsched_off(struct hd_config *c) {
  memsched(c, HD_DRAIN_GRR);
  c->request_buffer.enable = false;
}

static void memsched_casc(struct hd_config *c) {
  memsched(c, HD_DRAIN_GRR);
  c->request_buffer.probes = 2;
  c->request_buffer.depth = 32;
  locality(c, HD_RFT_AVERAGE);
  c->l1d.ways = 2;
}

static void early_casc(struct hd_config *c) {
  memsched_casc(c);
  c->request_buffer.probe_early = true;
  c->request_buffer.tags = HD_PTAGS_FF;
  c->l1d.allocate = HD_ON_FILL;
}

/* Three SMs share one table. */
static void rft_shared(struct hd_config *c) {
  rft_bit(c);
  many_sms(c, 3);
  c->rft.sharers = 3;
  c->rft.latency = 4;
}

/* Four SMs: two tables, each shared by two SMs and one cycle away. */
static void rft_shared_near(struct hd_config *c) {
  rft_bit(c);
  many_sms(c, 4);
  c->rft.sharers = 2;
  c->rft.form = HD_RFT_AVERAGE;
  c->rft.latency = 1;
}

/* All tables are small. */
static void apcm(struct hd_config *c, enum hd_apcm manage) {
  c->apcm.manage = manage;
  c->apcm.loads = 4;
  c->apcm.entries = 8;
  c->apcm.threshold = 3;
  small_l1d(c);
}

static void apcm_both(struct hd_config *c) {
  apcm(c, HD_APCM_BOTH);
}

static void apcm_bypass(struct hd_config *c) {
  apcm(c, HD_APCM_BYPASS);
  c->apcm.ways = 2;
  short_mrpb(c);
}

/* All its loads have ids, all its lines have a place, and nothing is flushed between launches. */
static void apcm_protect(struct hd_config *c) {
  apcm(c, HD_APCM_PROTECT);
  c->apcm.loads = 16;
  c->apcm.entries = c->apcm.ways = 16;
  many_sms(c, 2);
  c->scheduler.policy = HD_GTO;
  c->gpu.flush = false;
}

static void apcm_casc(struct hd_config *c) {
  apcm_both(c);
  locality(c, HD_RFT_BIT);
}

static void apcm_memsched(struct hd_config *c) {
  apcm_both(c);
  short_memsched(c, HD_DRAIN_GRR);
  c->request_buffer.probes = 3;
}

static void apcm_swl(struct hd_config *c) {
  apcm_both(c);
  c->scheduler.limit = 2;
}

/* Fewer warps than a CTA has. The warps meet at barriers. */
static void swl(struct hd_config *c) {
  c->scheduler.limit = 1;
  c->scheduler.policy = HD_GTO;
}

/* LoSCache's tables in two SMs, whose queries cross the interconnect. Phases end soon. */
static void loscache(struct hd_config *c) {
  many_sms(c, 2);
  c->memory.kind = HD_MEM_L2;
  c->l2.banks = c->dram.channels = 2;
  c->l2.sets = 4;
  c->l2.ways = 2;
  c->loscache.gate = HD_GATE_ADAPTIVE;
  c->loscache.table = 5;
  c->loscache.phase = 20;
}

/* The same with a buffer and another scheduler. */
static void loscache_mrpb(struct hd_config *c) {
  loscache(c);
  short_mrpb(c);
  c->scheduler.policy = HD_GTO;
  c->loscache.gate = HD_GATE_NAIVE;
}

/* A warp limit in front of other schedulers, with warps that are to go first. */
static void apres_swl(struct hd_config *c) {
  apres(c);
  c->scheduler.limit = 2;
}

/* The same with rows that take time to wake. */
static void loscache_swl(struct hd_config *c) {
  loscache(c);
  c->scheduler.limit = 1;
  c->loscache.wake_cycles = 20;
  c->loscache.wake_limit = 2;
}

static void pa_swl(struct hd_config *c) {
  sld_pa(c);
  c->scheduler.limit = 2;
}

/* CCWS that throttles, with few tags and scores that fall soon. Variants: a prefetcher; a warp limit and another scheduler. */
static void ccws(struct hd_config *c) {
  c->ccws.throttle = HD_CCWS_ON;
  c->ccws.entries = 4;
  c->ccws.ways = 2;
  c->ccws.base = 20;
  c->ccws.queue = 3;
  c->ccws.count_bits = 12;
  c->scheduler.policy = HD_GTO;
}

static void ccws_str(struct hd_config *c) {
  ccws(c);
  c->prefetch.kind = HD_PF_STR;
}

static void ccws_apres(struct hd_config *c) {
  apres(c);
  ccws(c);
  c->scheduler.policy = HD_LAWS;
  c->scheduler.limit = 3;
}

/* MASCAR with a memory that saturates soon. Variants: another scheduler, a prefetcher and CCWS; only its queue. */
static void mascar(struct hd_config *c) {
  c->mascar.priority = HD_MASCAR_ON;
  c->request_buffer.kind = HD_REEXEC;
  c->request_buffer.depth = 3;
  c->l1d.mshrs = 6;
  c->l1d.miss_queue = 3;
}

static void mascar_apres(struct hd_config *c) {
  apres(c);
  mascar(c);
  c->ccws.throttle = HD_CCWS_ON;
  c->request_buffer.kind = HD_SLOT;
}

static void reexec_casc(struct hd_config *c) {
  casc_locality(c);
  mascar(c);
  c->mascar.priority = HD_MASCAR_OFF;
}

/* Fills that may take only some of the ways: APCM with CASC by locality, and PD beside CCWS. */
static void apcm_casc_fill(struct hd_config *c) {
  apcm_casc(c);
  c->l1d.allocate = HD_ON_FILL;
}

static void ccws_pd_fill(struct hd_config *c) {
  ccws(c);
  c->l1d.allocate = HD_ON_FILL;
  c->l1d.distance = 3;
}

static machine *const machines[] = {
    fermi,         mrpb,          narrow,         on_fill,         slot_gto,
    apres,         apres_narrow,  str_two_level,  sld_pa,          casc_per_set,
    casc_locality, casc_mrpb,     rft_bit,        memsched_rr,     memsched_grr,
    memsched_off,  memsched_casc, rft_shared,     rft_shared_near, apcm_both,
    apcm_bypass,   apcm_protect,  apcm_casc,      apcm_memsched,   apcm_swl,
    swl,           loscache,      loscache_mrpb,  apres_swl,       loscache_swl,
    pa_swl,        ccws,          ccws_str,       ccws_apres,      mascar,
    mascar_apres,  reexec_casc,   apcm_casc_fill, ccws_pd_fill,    early_probes,
    early_casc,    one_set};
enum { MACHINES = sizeof machines / sizeof *machines };

static struct hd_config built(machine *change) {
  struct hd_config c;
  fermi(&c);
  change(&c);
  return c;
}

static const char *const kernels[] = {"atax:n=64",
                                      "gesummv:n=64",
                                      "syr2k:tiny",
                                      "gemm:ni=64,nj=64,nk=32",
                                      "2dconv:tiny",
                                      "random:tiny",
                                      "random:seed=5,ctas=8,warps=6,insts=6,mem=90,barriers=20"};
enum { KERNELS = sizeof kernels / sizeof *kernels };

#endif
