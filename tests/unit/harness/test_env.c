/* The environments: golden models pass in many configurations with every event seen, and the same seed gives the same run. */
#include "tests/unit/harness/env_rig.h"

#include "workloads/workloads.h"

/* A rare event need not happen with every seed. One of three seeds must show it. */
static void sees_all(struct play machine) {
  struct play p = machine;
  for (unsigned seed = 1; seed <= 3; seed++) {
    p = machine;
    p.seed = seed;
    p.cycles = 300000;
    p.want_all = true;
    passes(&p);
    if (!p.unseen)
      return;
  }
  fail_msg("%s: %u events not seen", p.module, p.unseen);
}

static void test_simple_modules(void **state) {
  (void)state;
  sees_all(of("request_slot"));
  sees_all(of("coalescer"));
  sees_all(of("sched"));
  struct play p = of("sched");
  p.c.scheduler.policy = HD_GTO;
  sees_all(p);
}

/* Works with every scheduler except two_level, which lockstep does not have. */
static void test_limit(void **state) {
  (void)state;
  static const enum hd_policy policies[] = {HD_LRR, HD_GTO, HD_LAWS};
  for (unsigned how = 0; how < 3; how++) {
    struct play p = of("warp_limit");
    p.c.scheduler.policy = policies[how];
    p.c.scheduler.limit = 1 + 3 * how;
    p.c.sm.schedulers = 1 << how;
    p.c.sm.warps = 24 + 7 * how;
    sees_all(p);
    p.module = policies[how] == HD_LAWS ? "laws" : "sched";
    sees_all(p);
    p.module = "sm_mem";
    sees_all(p);
  }
}

static void test_mrpb(void **state) {
  (void)state;
  static const unsigned latency[] = {5, 3, 18};
  for (int drain = HD_DRAIN_FIXED; drain <= HD_DRAIN_RR; drain++)
    for (int how = 0; how < 4; how++) {
      struct play p = of("mrpb");
      p.c.request_buffer.drain = (enum hd_drain)drain;
      p.c.request_buffer.signature = (enum hd_signature)((drain + how) % 3);
      p.c.request_buffer.greedy = how & 1;
      p.c.request_buffer.flush = how & 2;
      p.c.request_buffer.depth = drain == HD_DRAIN_FIXED ? 4 : 8;
      p.c.request_buffer.latency = latency[(drain + how) % 3];
      sees_all(p);
    }
}

static void test_l1d(void **state) {
  (void)state;
  for (int how = 0; how < 6; how++) {
    struct play p = of("l1d");
    p.c.l1d.allocate = how & 1 ? HD_ON_FILL : HD_ON_MISS;
    p.c.request_buffer.bypass = how < 2 ? HD_BYPASS_OFF : how == 2 ? HD_BYPASS_ASSOC : HD_BYPASS_ALL;
    if (how == 1) {
      p.c.l1d.ways = 6;
      p.c.l1d.sets = 64;
      p.c.l1d.set_index = HD_INDEX_FERMI;
    } else if (how == 4) {
      p.c.l1d.ways = 1;
      p.c.l1d.mshrs = 4;
      p.c.l1d.mshr_merge = p.c.l1d.miss_queue = 2;
      p.c.l1d.set_index = HD_INDEX_XOR;
    }
    sees_all(p);
  }
}

static void test_laws(void **state) {
  (void)state;
  static const unsigned warps[] = {48, 8, 33, 64, 12, 47}, schedulers[] = {2, 1, 4, 4, 2, 1};
  for (unsigned how = 0; how < 6; how++) {
    struct play p = apres("laws", HD_LAWS, how % 3 ? HD_PF_SAP : HD_PF_OFF);
    p.c.sm.warps = warps[how];
    p.c.sm.schedulers = schedulers[how];
    p.c.laws.queue = how & 1 ? HD_LIST : HD_MATRIX;
    p.c.laws.on_miss = (enum hd_on_miss)(how % 3);
    p.c.laws.groups = how == 1 ? 8 : how == 2 ? 1 : 3 + how % 2;
    sees_all(p);
  }
}

static void test_sap(void **state) {
  (void)state;
  sees_all(apres("sap", HD_LAWS, HD_PF_SAP));
  sees_all(apres("sap", HD_LRR, HD_PF_SAP));
  sees_all(apres("sap", HD_LAWS, HD_PF_STR));
  struct play p = apres("sap", HD_LAWS, HD_PF_SAP); /* the least */
  p.c.sm.warps = 8;
  p.c.prefetch.table = 1;
  p.c.prefetch.queue = 2;
  p.c.sm.addr_bits = 20;
  p.c.prefetch.reach = HD_REACH_SM;
  sees_all(p);
  p = apres("sap", HD_LRR, HD_PF_STR); /* the most, and only some pages */
  p.c.sm.warps = 64;
  p.c.sm.addr_bits = 48;
  p.c.prefetch.table = 32;
  p.c.prefetch.queue = 64;
  p.c.prefetch.degree = 63;
  p.c.prefetch.first_page = 100;
  p.c.prefetch.last_page = 103;
  sees_all(p);
}

static void test_casc(void **state) {
  (void)state;
  for (int scheme = HD_CASC_ALL; scheme <= HD_CASC_LOCALITY; scheme++) {
    struct play p = of("casc");
    p.c.casc.scheme = (enum hd_casc)scheme;
    sees_all(p);
    p.c.l1d.set_index = scheme % 2 ? HD_INDEX_FERMI : HD_INDEX_XOR;
    p.c.l1d.ways = scheme % 2 ? 6 : 1;
    sees_all(p);
  }
  struct play p = of("casc"); /* each load of more requests than ways has a request per lane */
  p.c.sm.lanes = 4;
  p.c.l1d.ways = 3;
  p.c.request_buffer.kind = HD_MRPB;
  p.c.request_buffer.signature = HD_SIG_BLOCK;
  sees_all(p);
}

static void test_rrt(void **state) {
  (void)state;
  sees_all(of("rrt"));
  struct play p = of("rrt");
  p.c.casc.pc_bits = 3;
  p.c.casc.sample_bits = 2;
  p.c.l1d.count_bits = 1;
  sees_all(p);
  p.c.casc.pc_bits = 8;
  p.c.casc.sample_bits = 12;
  p.c.l1d.count_bits = 6;
  sees_all(p);
  p.c.casc.pc_bits = 3; /* and hashes wider than pc_bits */
  p.c.rft.form = HD_RFT_BIT;
  p.c.rft.entries = 64;
  sees_all(p);
}

static void test_rft(void **state) {
  (void)state;
  static const unsigned sharers[] = {1, 3, 16, 2}, queue[] = {1, 4, 3, 16}, entries[] = {4, 64, 16, 8};
  for (unsigned how = 0; how < 8; how++) {
    struct play p = of("rft");
    p.c.rft.form = how / 4 ? HD_RFT_AVERAGE : HD_RFT_BIT;
    p.c.rft.sharers = p.c.gpu.sms = sharers[how % 4];
    p.c.gpu.dispatch_latency = 2;
    p.c.rft.queue = queue[how % 4];
    p.c.rft.entries = entries[how % 4];
    p.c.rft.forget = 1 + how % 4 * how % 6;
    p.c.rft.threshold = how % 2 ? 16 : 40;
    sees_all(p);
    p.c.casc.scheme = HD_CASC_LOCALITY; /* hashes and counters longer than the table's */
    sees_all(p);
  }
}

static void test_memsched(void **state) {
  (void)state;
  static const unsigned warps[] = {48, 8, 33, 64}, depth[] = {8, 2, 4, 32};
  for (unsigned how = 0; how < 7; how++) {
    struct play p = of("memsched");
    p.c.request_buffer.drain = how == 0   ? HD_DRAIN_FIXED
                               : how == 1 ? HD_DRAIN_RR
                               : how == 6 ? HD_DRAIN_LONGEST
                                          : HD_DRAIN_GRR;
    p.c.request_buffer.probes = how < 2 || how == 6 ? 4 : how - 1;
    p.c.request_buffer.depth = depth[how % 4];
    p.c.sm.warps = warps[how % 4];
    p.c.sm.lanes = how == 1 ? 4 : 32;
    p.c.casc.scheme = how == 3 ? HD_CASC_LOCALITY : how == 4 ? HD_CASC_FIRST : HD_CASC_OFF;
    p.c.scheduler.policy = how == 5 ? HD_LAWS : HD_LRR;
    sees_all(p);
  }
}

static void test_attachments(void **state) {
  (void)state;
  static const char *const modules[] = {"line_uses", "locality_degree", "rft_line",
                                        "apcm_line", "tag_probe",       "warp_limit"};
  for (unsigned i = 0; i < sizeof modules / sizeof modules[0]; i++)
    for (unsigned how = 0; how < 4; how++) {
      struct play p = of(modules[i]);
      p.c.l1d.ways = how % 2 ? 3 : how ? 1 : 4;
      p.c.l1d.count_bits = how % 2 ? 1 : 4;
      p.c.l1d.set_index = how == 1 ? HD_INDEX_XOR : how == 2 ? HD_INDEX_FERMI : HD_INDEX_LINEAR;
      p.c.request_buffer.probes = 2 + how % 3;
      p.c.request_buffer.tags = how % 2 ? HD_PTAGS_FF : HD_PTAGS_RAM;
      p.c.apcm.threshold = 1;
      if (i != 4)
        p.c.request_buffer.bypass = HD_BYPASS_ALL;
      else if (how == 3)
        p.c.l1d.allocate = HD_ON_FILL;
      if (i == 2)
        p.c.rft.resample = how == 2 ? 0 : 2 + how;
      if (i == 3)
        p.c.apcm.manage = how == 1 ? HD_APCM_BYPASS : how == 2 ? HD_APCM_PROTECT : HD_APCM_BOTH;
      if (i == 0 && how > 1) { /* all modules that ask */
        p.c.apcm.manage = HD_APCM_BOTH;
        p.c.rft.form = HD_RFT_AVERAGE;
      }
      sees_all(p);
    }
}

static void test_ccws(void **state) {
  (void)state;
  static const char *const modules[] = {"ccws_vta", "ccws_score", "sm_mem"};
  static const unsigned warps[] = {48, 8, 33, 64}, entries[] = {16, 4, 9, 8}, ways[] = {8, 1, 9, 2};
  for (unsigned i = 0; i < sizeof modules / sizeof modules[0]; i++)
    for (unsigned how = 0; how < 4; how++) {
      struct play p = of(modules[i]);
      p.c.ccws.throttle = HD_CCWS_ON;
      p.c.sm.warps = warps[how];
      p.c.sm.schedulers = how == 1 ? 4 : 2;
      p.c.ccws.entries = entries[how];
      p.c.ccws.ways = ways[how];
      p.c.ccws.queue = 2 + 3 * how;
      p.c.ccws.base = how % 2 ? 3 : 100;
      p.c.ccws.k = 1 + 7 * how;
      p.c.ccws.count_bits = 12;
      p.c.scheduler.policy = how == 3 ? HD_LAWS : how ? HD_GTO : HD_LRR;
      p.c.prefetch.kind = how > 1 ? HD_PF_STR : HD_PF_OFF;
      if (i < 2)
        sees_all(p);
      else
        passes(&p);
    }
}

static void test_mascar(void **state) {
  (void)state;
  static const char *const modules[] = {"mascar", "reexec", "l1d", "sm_mem"};
  static const unsigned warps[] = {48, 8, 33, 64}, depth[] = {32, 2, 5, 64};
  for (unsigned i = 0; i < sizeof modules / sizeof modules[0]; i++)
    for (unsigned how = 0; how < 4; how++) {
      struct play p = of(modules[i]);
      p.c.mascar.priority = how == 3 ? HD_MASCAR_OFF : HD_MASCAR_ON;
      p.c.request_buffer.kind = HD_REEXEC;
      p.c.request_buffer.depth = depth[how];
      p.c.sm.warps = warps[how];
      p.c.l1d.mshrs = how == 1 ? 4 : 16;
      p.c.l1d.miss_queue = 2 + how;
      p.c.mascar.mshrs = how;
      p.c.mascar.places = how % 2;
      p.c.scheduler.policy = how == 3 ? HD_LAWS : how ? HD_GTO : HD_LRR;
      p.c.casc.scheme = how == 2 ? HD_CASC_LOCALITY : HD_CASC_OFF;
      if (i < 2 && (i || how < 3))
        sees_all(p);
      else if (i)
        passes(&p);
    }
}

static void test_l1d_prefetch(void **state) {
  (void)state;
  for (int how = 0; how < 6; how++) {
    static const enum hd_prefetch kind[] = {HD_PF_SAP, HD_PF_STR, HD_PF_SAP, HD_PF_OFF, HD_PF_SLD, HD_PF_SAP};
    struct play p = apres("l1d", how % 2 ? HD_LAWS : HD_LRR, kind[how]);
    p.c.l1d.allocate = how & 2 ? HD_ON_FILL : HD_ON_MISS;
    p.c.request_buffer.bypass = how < 3 ? HD_BYPASS_OFF : HD_BYPASS_ALL;
    if (how == 5) {
      p.c.l1d.ways = 1;
      p.c.l1d.mshrs = 4;
      p.c.l1d.miss_queue = 2;
    }
    sees_all(p);
  }
}

static void test_sm_mem(void **state) {
  (void)state;
  sees_all(of("sm_mem"));
  struct play p = of("sm_mem");
  p.c.request_buffer.kind = HD_MRPB;
  p.c.request_buffer.bypass = HD_BYPASS_ALL;
  sees_all(p);
  p = of("sm_mem"); /* few lanes and short addresses: the work is fitted to them */
  p.c.sm.warps = 8;
  p.c.sm.lanes = 4;
  p.c.sm.addr_bits = 20;
  p.c.l1d.line_bytes = 32;
  passes(&p);
  static const enum hd_prefetch kinds[] = {HD_PF_SAP, HD_PF_SAP, HD_PF_STR};
  for (unsigned i = 0; i < 3; i++) {
    p = apres("sm_mem", i == 1 ? HD_LRR : HD_LAWS, kinds[i]);
    passes(&p);
    p.c.prefetch.reach = HD_REACH_SM; /* within a CTA few prefetches of random loads are useful */
    sees_all(p);
  }
  p = apres("sm_mem", HD_PA, HD_PF_SLD); /* golden model only */
  passes(&p);
}

static void test_workload(void **state) {
  (void)state;
  char err[256];
  struct play p = of("sm_mem");
  p.c.request_buffer.kind = HD_MRPB;
  p.cycles = 1000000; /* more than it needs */
  p.source = wl_open("random:tiny,launches=1", err, sizeof err);
  assert_non_null(p.source);
  passes(&p);
  p.source->ops->close(p.source);
}

static void test_same_seed_same_run(void **state) {
  (void)state;
  static const char *const modules[] = {
      "sched",    "coalescer", "request_slot", "mrpb",       "memsched", "casc",       "rrt",
      "rft",      "l1d",       "laws",         "sap",        "sm_mem",   "line_uses",  "locality_degree",
      "rft_line", "apcm_line", "tag_probe",    "warp_limit", "ccws_vta", "ccws_score", "mascar",
      "reexec"};
  for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i++) {
    struct play a = of(modules[i]);
    if (!strcmp(modules[i], "laws") || !strcmp(modules[i], "sap"))
      a = apres(modules[i], HD_LAWS, HD_PF_SAP);
    a.traced = true;
    struct play b = a, other = a;
    other.seed = 2;
    passes(&a);
    passes(&b);
    passes(&other);
    assert_true(a.trace == b.trace);
    assert_true(a.trace != other.trace);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_simple_modules),
      cmocka_unit_test(test_limit),
      cmocka_unit_test(test_mrpb),
      cmocka_unit_test(test_l1d),
      cmocka_unit_test(test_laws),
      cmocka_unit_test(test_sap),
      cmocka_unit_test(test_casc),
      cmocka_unit_test(test_rrt),
      cmocka_unit_test(test_rft),
      cmocka_unit_test(test_memsched),
      cmocka_unit_test(test_attachments),
      cmocka_unit_test(test_ccws),
      cmocka_unit_test(test_mascar),
      cmocka_unit_test(test_l1d_prefetch),
      cmocka_unit_test(test_sm_mem),
      cmocka_unit_test(test_workload),
      cmocka_unit_test(test_same_seed_same_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
