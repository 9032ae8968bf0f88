/* A small machine that the test plays by hand for the scoreboard of sm_mem, one event a cycle. For test_scoreboard*.c. */
#ifndef HEDDLE_TESTS_UNIT_SCOREBOARD_RIG_H
#define HEDDLE_TESTS_UNIT_SCOREBOARD_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "cmodel/memory/memory.h"
#include "verif/sm/scoreboard.h"

enum { LOAD, STORE, ASIDE };

static struct {
  struct hd_config c;
  struct hd_design *design;
  const struct hd_decl *decl;
  struct hd_scoreboard *board;
  struct hd_sm_watch watch;
  struct sm_mem_in in;
  struct sm_mem_out out;
  struct wl_inst inst[8]; /* the last instruction of each warp */
  unsigned epoch[8];
  uint64_t seq;
  unsigned slot; /* the slot that the functions below use */
} b;

static inline void make(void) {
  assert_int_equal(hd_config_check(&b.c, NULL, NULL, stderr), 0);
  b.design = hd_design_new(&b.c);
  b.decl = hd_design_find(b.design, "sm_mem");
  assert_true(hd_alloc_in(b.decl, &b.in) && hd_alloc_out(b.decl, &b.out));
  b.board = hd_scoreboard_new(&b.c, false, false);
  b.watch = hd_scoreboard_watch(b.board);
}

/* Warps 0 to 3 are CTA 0, the others CTA 1. */
static inline void begin(enum hd_buffer kind, enum hd_signature signature) {
  memset(&b, 0, sizeof b);
  hd_config_default(&b.c);
  b.c.request_buffer.kind = kind;
  b.c.request_buffer.signature = signature;
  b.c.request_buffer.bypass = HD_BYPASS_ALL;
  make();
  b.in.mrpb_en = 1;
}

/* A machine with CASC and 2 ways in 2 sets, or with a reuse-frequency table. */
static inline void chooser(enum hd_casc scheme, uint64_t enabled) {
  memset(&b, 0, sizeof b);
  hd_config_default(&b.c);
  b.c.casc.scheme = scheme;
  b.c.rft.form = scheme == HD_CASC_OFF ? HD_RFT_BIT : HD_RFT_OFF;
  b.c.l1d.sets = b.c.l1d.ways = 2;
  make();
  b.in.casc_en = b.in.rft_en = enabled;
  b.in.memsched_en = 1;
}

/* A machine with SAP, which may prefetch from the first two pages, 1024 lines. */
static inline void prefetcher(uint64_t enabled) {
  memset(&b, 0, sizeof b);
  hd_config_default(&b.c);
  b.c.prefetch.kind = HD_PF_SAP;
  b.c.prefetch.last_page = 1;
  make();
  b.in.pf_en = enabled;
}

static inline void end(void) {
  hd_scoreboard_free(b.board);
  hd_free_in(b.decl, &b.in);
  hd_free_out(b.decl, &b.out);
  hd_design_free(b.design);
}

/* Runs a cycle with the ports as they are, then clears all valids. */
static inline void tick(void) {
  b.in.resp_ready = b.in.mreq_ready = b.out.issue_ready = b.out.mrsp_ready = 1;
  hd_scoreboard_clock(b.board, &b.in, &b.out);
  b.in.issue_valid = b.in.mrsp_valid = b.out.st_valid = b.out.resp_valid = b.out.mreq_valid = 0;
}

/* A machine with atomics. */
static inline void kinds(void) {
  memset(&b, 0, sizeof b);
  hd_config_default(&b.c);
  b.c.l1d.request_kinds = HD_KINDS_ATOMIC;
  make();
}

/* Issues an instruction in a slot of the warp. Each lane accesses 8 bytes of one line: `lines` lines from `line` on, in turn. The
 * instruction is picked, and a cycle later the coalescer takes it. `op` above STORE: ASIDE + the kind of uncached load or atomic. */
static inline void issue_lines(unsigned wid, int op, uint64_t line, unsigned lines) {
  struct wl_inst *i = &b.inst[wid];
  const uint8_t kind = op > STORE ? (uint8_t)(op - ASIDE) : 0;
  const enum wl_op of = op == STORE ? WL_STORE : kind > HD_UNCACHED ? WL_ATOMIC : WL_LOAD;
  *i = (struct wl_inst){.op = of, .kind = kind, .active = UINT32_MAX, .size = 8};
  for (unsigned l = 0; l < WL_LANES; l++) {
    i->addr[l] = (line + l % lines) * b.c.l1d.line_bytes;
    b.in.issue_line[l] = line + l % lines;
  }
  b.watch.issue(b.watch.ctx, &(struct hd_sm_mem_inst){.wid = wid,
                                                      .slot = b.slot,
                                                      .cta = wid / 4,
                                                      .warp_in_cta = wid % 4,
                                                      .inst = i,
                                                      .seq = b.seq++,
                                                      .epoch = b.epoch[wid]});
  tick();
  b.in.issue_valid = 1;
  b.in.issue_write = op != LOAD;
  b.in.issue_op = kind;
  b.in.issue_wid = wid;
  b.in.issue_slot = b.slot;
  b.in.issue_mask = UINT32_MAX;
  tick();
}

static inline void issue(unsigned wid, int op, uint64_t line) {
  issue_lines(wid, op, line, 1);
}

/* The SM gives the store's bytes: its first 8 bytes are all `byte`. */
static inline void give(unsigned wid, uint64_t byte) {
  memset(b.in.st_data, 0, b.c.d.WORDS * sizeof *b.in.st_data);
  memset(b.in.st_mask, 0, b.c.d.WORDS * sizeof *b.in.st_mask);
  b.in.st_data[0] = byte * UINT64_C(0x0101010101010101);
  b.in.st_mask[0] = 0xff;
  b.out.st_valid = 1;
  b.out.st_wid = wid;
  b.out.st_slot = b.slot;
  b.out.st_lanes = UINT32_MAX;
  tick();
}

/* A bypassed load asks: request `num` of several, not the last. */
static inline void ask_number(unsigned wid, uint64_t line, unsigned num) {
  b.out.mreq = (struct sreq){.kind = HD_BYPASSED, .line = line, .wid = wid, .slot = b.slot, .num = num};
  b.out.mreq_valid = 1;
  tick();
}

static inline void ask(uint64_t kind, unsigned wid, uint64_t line) {
  b.out.mreq =
      (struct sreq){.kind = kind, .line = line, .last = kind != HD_FILL, .wid = kind == HD_FILL ? 0 : wid};
  b.out.mreq.slot = kind == HD_FILL ? 0 : b.slot;
  b.out.mreq_valid = 1;
  if (kind == HD_STORE) { /* with the last bytes given */
    memcpy(b.out.mreq_wdata, b.in.st_data, b.c.d.WORDS * sizeof *b.out.mreq_wdata);
    memcpy(b.out.mreq_wmask, b.in.st_mask, b.c.d.WORDS * sizeof *b.out.mreq_wmask);
  }
  tick();
}

static inline void back(uint64_t kind, unsigned wid) {
  b.in.mrsp = (struct srsp){.kind = kind, .last = kind != HD_FILL, .wid = kind == HD_FILL ? 0 : wid};
  b.in.mrsp_valid = 1;
  tick();
}

static inline void answer(unsigned wid, bool write) {
  b.out.resp = (struct resp){.write = write, .wid = wid, .last = 1};
  b.out.resp_valid = 1;
  tick();
}

/* A load's answer: the line whose first 8 bytes are `byte`, or INITIAL for the initial contents. */
enum { INITIAL = 256 };
static inline void data(unsigned wid, uint64_t line, uint64_t byte) {
  for (unsigned w = 0; w < b.c.d.WORDS; w++)
    b.out.resp_data[w] = hd_memory_initial(line, w);
  if (byte != INITIAL)
    b.out.resp_data[0] = byte * UINT64_C(0x0101010101010101);
  answer(wid, false);
}

static inline void done(unsigned wid) {
  b.watch.done(b.watch.ctx, wid, 0);
}

/* A store from issue to acknowledgement. */
static inline void store(unsigned wid, uint64_t line, uint64_t byte) {
  issue(wid, STORE, line);
  give(wid, byte);
  ask(HD_STORE, wid, line);
  back(HD_STORE, wid);
  answer(wid, true);
  done(wid);
}

static inline void good(void) {
  assert_true(hd_scoreboard_finish(b.board));
  assert_string_equal(hd_scoreboard_text(b.board), "");
  assert_true(hd_scoreboard_checked(b.board) > 0);
  assert_int_equal(hd_scoreboard_inside(b.board), 0);
  end();
}

static inline void bad(const char *words) {
  const bool ok = hd_scoreboard_finish(b.board);
  if (ok || !strstr(hd_scoreboard_text(b.board), words))
    fail_msg("found \"%s\", expected \"%s\"", hd_scoreboard_text(b.board), words);
  end();
}

static inline void slot(void) {
  begin(HD_SLOT, HD_SIG_WARP);
}
static inline void buffer(enum hd_signature signature) {
  begin(HD_MRPB, signature);
}

#endif
