/* Machines that differ in all that a run may depend on, each small and odd, and kernels for them.
 *
 * Invariant: every mechanism is in one of them, alone or beside those that it meets. */
#ifndef HEDDLE_TESTS_UNIT_SIM_MACHINES_H
#define HEDDLE_TESTS_UNIT_SIM_MACHINES_H

#include "arch/config.h"

static struct hd_config fermi(void) {
  struct hd_config c;
  hd_config_default(&c);
  return c;
}

static struct hd_config mrpb(void) {
  struct hd_config c = fermi();
  c.request_buffer.kind = HD_MRPB;
  c.request_buffer.bypass = HD_BYPASS_ASSOC;
  return c;
}

/* Everything small, so that everything fills up; the other choices. */
static struct hd_config narrow(void) {
  struct hd_config c = fermi();
  c.request_buffer.kind = HD_MRPB;
  c.request_buffer.signature = HD_SIG_BLOCK;
  c.request_buffer.drain = HD_DRAIN_RR;
  c.request_buffer.greedy = true;
  c.request_buffer.depth = 4;
  c.request_buffer.latency = 3;
  c.request_buffer.bypass = HD_BYPASS_ALL;
  c.l1d.bypass_slots = 2;
  c.l1d.mshrs = 4;
  c.l1d.mshr_merge = 2;
  c.l1d.miss_queue = 2;
  c.sm.schedulers = 4;
  c.scheduler.policy = HD_GTO;
  c.memory.latency = 30;
  c.memory.bytes_per_cycle = 100;
  return c;
}

static struct hd_config on_fill(void) {
  struct hd_config c = fermi();
  c.request_buffer.kind = HD_MRPB;
  c.request_buffer.signature = HD_SIG_IN_BLOCK;
  c.request_buffer.drain = HD_DRAIN_LONGEST;
  c.request_buffer.flush = false;
  c.l1d.allocate = HD_ON_FILL;
  c.l1d.set_index = HD_INDEX_FERMI;
  c.memory.bytes_per_cycle = 4;
  c.sm.schedulers = 1;
  return c;
}

static struct hd_config slot_gto(void) {
  struct hd_config c = fermi();
  c.scheduler.policy = HD_GTO;
  c.l1d.set_index = HD_INDEX_XOR;
  c.l1d.ways = 6;
  c.sm.loads = 1;
  return c;
}

static struct hd_config apres(void) {
  struct hd_config c = fermi();
  c.scheduler.policy = HD_LAWS;
  c.prefetch.kind = HD_PF_SAP;
  return c;
}

/* Everything small, and a buffer that reorders. */
static struct hd_config apres_narrow(void) {
  struct hd_config c = narrow();
  c.scheduler.policy = HD_LAWS;
  c.laws.groups = 1;
  c.laws.queue = HD_LIST;
  c.prefetch.kind = HD_PF_SAP;
  c.prefetch.table = 2;
  c.prefetch.queue = 2;
  c.l1d.allocate = HD_ON_FILL;
  c.gpu.flush = true;
  return c;
}

static struct hd_config str_two_level(void) {
  struct hd_config c = fermi();
  c.scheduler.policy = HD_TWO_LEVEL;
  c.prefetch.kind = HD_PF_STR;
  c.gpu.flush = true;
  return c;
}

static struct hd_config sld_pa(void) {
  struct hd_config c = mrpb();
  c.scheduler.policy = HD_PA;
  c.scheduler.group = 3;
  c.prefetch.kind = HD_PF_SLD;
  return c;
}

/* Divergent loads have more requests than ways, and few lines are kept. */
static struct hd_config casc(enum hd_casc scheme) {
  struct hd_config c = fermi();
  c.casc.scheme = scheme;
  c.casc.pc_bits = 3;
  c.casc.sample_bits = 2;
  c.l1d.sets = 4;
  c.l1d.ways = 2;
  c.l1d.mshrs = 4;
  c.l1d.bypass_slots = 3;
  c.l1d.count_bits = 2;
  c.memory.latency = 30;
  return c;
}

static struct hd_config casc_per_set(void) {
  return casc(HD_CASC_PER_SET);
}

static struct hd_config casc_locality(void) {
  struct hd_config c = casc(HD_CASC_LOCALITY);
  c.scheduler.policy = HD_GTO;
  c.gpu.flush = true;
  return c;
}

static struct hd_config casc_mrpb(void) {
  struct hd_config c = casc(HD_CASC_LAST);
  c.request_buffer.kind = HD_MRPB;
  c.request_buffer.signature = HD_SIG_BLOCK;
  c.request_buffer.depth = 4;
  c.request_buffer.latency = 3;
  return c;
}

static struct hd_config rft_bit(void) {
  struct hd_config c = fermi();
  c.rft.form = HD_RFT_BIT;
  c.rft.entries = 4;
  c.rft.queue = 1;
  c.rft.resample = 3;
  c.l1d.sets = 4;
  c.l1d.ways = 2;
  c.gpu.flush = true;
  return c;
}

static struct hd_config memsched(enum hd_drain drain) {
  struct hd_config c = narrow();
  c.scheduler.policy = HD_LRR;
  c.request_buffer.kind = HD_MEMSCHED;
  c.request_buffer.drain = drain;
  c.request_buffer.depth = 2;
  c.request_buffer.greedy = false;
  c.request_buffer.bypass = HD_BYPASS_OFF;
  return c;
}

static struct hd_config memsched_rr(void) {
  return memsched(HD_DRAIN_RR);
}

static struct hd_config memsched_grr(void) {
  struct hd_config c = memsched(HD_DRAIN_GRR);
  c.request_buffer.probes = 3;
  return c;
}

static struct hd_config memsched_off(void) {
  struct hd_config c = memsched(HD_DRAIN_GRR);
  c.request_buffer.enable = false;
  return c;
}

static struct hd_config memsched_casc(void) {
  struct hd_config c = memsched(HD_DRAIN_GRR);
  c.request_buffer.probes = 2;
  c.request_buffer.depth = 32;
  c.casc.scheme = HD_CASC_LOCALITY;
  c.rft.form = HD_RFT_AVERAGE;
  c.rft.entries = 4;
  c.l1d.ways = 2;
  return c;
}

/* Three SMs and one table. */
static struct hd_config rft_shared(void) {
  struct hd_config c = rft_bit();
  c.gpu.sms = c.rft.sharers = 3;
  c.gpu.dispatch_latency = 9;
  c.rft.latency = 4;
  c.rft.queue = 1;
  return c;
}

/* Two tables of two SMs, at once there. */
static struct hd_config rft_shared_near(void) {
  struct hd_config c = rft_bit();
  c.gpu.sms = 4;
  c.rft.sharers = 2;
  c.gpu.dispatch_latency = 9;
  c.rft.form = HD_RFT_AVERAGE;
  c.rft.latency = 1;
  return c;
}

/* Little room in all tables. */
static struct hd_config apcm(enum hd_apcm manage) {
  struct hd_config c = fermi();
  c.apcm.manage = manage;
  c.apcm.loads = 4;
  c.apcm.entries = 8;
  c.apcm.threshold = 3;
  c.l1d.count_bits = 2;
  c.l1d.sets = 4;
  c.l1d.mshrs = 4;
  c.l1d.bypass_slots = 3;
  c.memory.latency = 30;
  return c;
}

static struct hd_config apcm_both(void) {
  return apcm(HD_APCM_BOTH);
}

static struct hd_config apcm_bypass(void) {
  struct hd_config c = apcm(HD_APCM_BYPASS);
  c.apcm.ways = 2;
  c.request_buffer.kind = HD_MRPB;
  c.request_buffer.depth = 4;
  c.request_buffer.latency = 3;
  return c;
}

/* All its loads have ids, all its lines a place; nothing is flushed between launches. */
static struct hd_config apcm_protect(void) {
  struct hd_config c = apcm(HD_APCM_PROTECT);
  c.apcm.loads = 16;
  c.apcm.entries = c.apcm.ways = 16;
  c.gpu.sms = 2;
  c.gpu.dispatch_latency = 9;
  c.scheduler.policy = HD_GTO;
  c.gpu.flush = false;
  return c;
}

static struct hd_config apcm_casc(void) {
  struct hd_config c = apcm(HD_APCM_BOTH);
  c.casc.scheme = HD_CASC_LOCALITY;
  c.rft.form = HD_RFT_BIT;
  c.rft.entries = 4;
  return c;
}

static struct hd_config apcm_memsched(void) {
  struct hd_config c = apcm(HD_APCM_BOTH);
  c.request_buffer.kind = HD_MEMSCHED;
  c.request_buffer.drain = HD_DRAIN_GRR;
  c.request_buffer.depth = 2;
  c.request_buffer.probes = 3;
  return c;
}

static struct hd_config apcm_swl(void) {
  struct hd_config c = apcm(HD_APCM_BOTH);
  c.scheduler.limit = 2;
  return c;
}

/* Fewer than the warps of a CTA, which meet at barriers. */
static struct hd_config swl(void) {
  struct hd_config c = fermi();
  c.scheduler.limit = 1;
  c.scheduler.policy = HD_GTO;
  return c;
}

static struct hd_config (*const machines[])(void) = {
    fermi,         mrpb,         narrow,          on_fill,
    slot_gto,      apres,        apres_narrow,    str_two_level,
    sld_pa,        casc_per_set, casc_locality,   casc_mrpb,
    rft_bit,       memsched_rr,  memsched_grr,    memsched_off,
    memsched_casc, rft_shared,   rft_shared_near, apcm_both,
    apcm_bypass,   apcm_protect, apcm_casc,       apcm_memsched,
    apcm_swl,      swl};
enum { MACHINES = sizeof machines / sizeof *machines };

static const char *const kernels[] = {"atax:n=64",
                                      "gesummv:n=64",
                                      "syr2k:tiny",
                                      "gemm:tiny",
                                      "2dconv:tiny",
                                      "random:tiny",
                                      "random:seed=5,ctas=8,warps=6,insts=60,mem=90,barriers=20"};
enum { KERNELS = sizeof kernels / sizeof *kernels };

#endif
