/* An AXI4 subordinate for the environments. Moods decide how it answers a manager: with stalls, in any order, with the beats of several
 * reads interleaved, with errors, and now and then against the protocol.
 *
 * It checks only the manager: a valid channel stays the same until it is taken; each burst is a whole aligned line, INCR, of whole beats,
 * so that it crosses no 4 KB boundary; ids in flight differ; WLAST is in the last beat.
 *
 * Invariant: it answers only what was asked. The exceptions are violations of the protocol on purpose; it makes them only if the
 * environment knows their result.
 */
#ifndef HEDDLE_VERIF_AXI4_AXI_SUBORDINATE_H
#define HEDDLE_VERIF_AXI4_AXI_SUBORDINATE_H

#include "verif/harness/env_common.h"

enum { HD_AXI_IDS = 128, HD_AXI_BEAT_WORDS = 8, HD_AXI_GOOD = 0, HD_AXI_SLVERR = 2, HD_AXI_DECERR = 3 };

/* The ports of a manager. */
struct hd_axi_outputs {
  bool awvalid, wvalid, wlast, bready, arvalid, rready;
  uint64_t awid, awaddr, awlen, awsize, awburst, awuser, arid, araddr, arlen, arsize, arburst, aruser;
  const uint64_t *wdata, *wstrb;
};
struct hd_axi_inputs {
  uint64_t *awready, *wready, *bvalid, *bid, *bresp, *arready, *rvalid, *rid, *rresp, *rlast, *rdata;
};
#define HD_AXI_INPUTS(in)                                                                                    \
  &(const struct hd_axi_inputs) {                                                                            \
    &(in)->m_axi_awready, &(in)->m_axi_wready, &(in)->m_axi_bvalid, &(in)->m_axi_bid, &(in)->m_axi_bresp,    \
        &(in)->m_axi_arready, &(in)->m_axi_rvalid, &(in)->m_axi_rid, &(in)->m_axi_rresp, &(in)->m_axi_rlast, \
        (in)->m_axi_rdata                                                                                    \
  }
#define HD_AXI_OUTPUTS(o)                                                                                    \
  &(const struct hd_axi_outputs) {                                                                           \
    (o)->m_axi_awvalid, (o)->m_axi_wvalid, (o)->m_axi_wlast, (o)->m_axi_bready, (o)->m_axi_arvalid,          \
        (o)->m_axi_rready, (o)->m_axi_awid, (o)->m_axi_awaddr, (o)->m_axi_awlen, (o)->m_axi_awsize,          \
        (o)->m_axi_awburst, (o)->m_axi_awuser, (o)->m_axi_arid, (o)->m_axi_araddr, (o)->m_axi_arlen,         \
        (o)->m_axi_arsize, (o)->m_axi_arburst, (o)->m_axi_aruser, (o)->m_axi_wdata, (o)->m_axi_wstrb         \
  }

/* Violations of the protocol. */
enum hd_axi_fault {
  HD_AXI_NO_FAULT,
  HD_AXI_STRAY, /* an answer with an id that has nothing in flight */
  HD_AXI_SHORT, /* RLAST too early */
  HD_AXI_LONG,  /* no RLAST in the last beat */
  HD_AXI_EARLY  /* B before the whole write has come */
};

/* A transaction, from its address to its end. */
struct hd_axi_read {
  bool open;
  uint64_t line, user, order; /* order: the number of the read, from 0 */
  unsigned beats;             /* beats that have gone */
};
struct hd_axi_write {
  bool open, answering; /* B is offered, or taken */
  uint64_t id, line, user;
};
struct hd_axi_burst {
  uint64_t data[HD_MAX_WORDS], strobe[HD_MAX_WORDS];
};

/* Functions of the environment. The first three are called at the clock edge of their event; each returns false, with the text set, if
 * the event is an error. */
struct hd_axi_watch {
  void *ctx;
  bool (*read)(void *ctx, uint64_t id, uint64_t line, uint64_t user);
  /* The address of a write has come; the bytes of write number `nth`, in the order of addresses, have come. */
  bool (*write)(void *ctx, uint64_t id, uint64_t line, uint64_t user);
  bool (*bytes)(void *ctx, uint64_t nth, const struct hd_axi_burst *burst);
  /* Returns the present line for the next beat of a read. */
  const uint64_t *(*line)(void *ctx, uint64_t id);
  /* The manager gets a beat, or the answer to a write. `ends`: the last beat of a read. */
  void (*beat)(void *ctx, uint64_t id, uint64_t resp, bool ends, enum hd_axi_fault fault);
  void (*answer)(void *ctx, uint64_t id, uint64_t resp, enum hd_axi_fault fault);
  /* Returns true if a stray answer may have this id. NULL: the subordinate keeps the protocol. */
  bool (*stray)(void *ctx, bool write, uint64_t id);
  /* `due` returns true if the answer to a transaction is known; NULL: always. `resp` returns the response of the answer, or of the next
   * beat, which has its bytes even with an error; NULL: any response. */
  bool (*due)(void *ctx, bool write, uint64_t id);
  uint64_t (*resp)(void *ctx, bool write, uint64_t id);
};

struct hd_axi_subordinate {
  struct hd_env_base *p;
  struct hd_axi_watch watch;
  struct {
    unsigned aw, w, b, ar, r, errors, stray, odd;
    enum { HD_AXI_ANY, HD_AXI_OLDEST, HD_AXI_NEWEST } order;
    bool whole; /* the beats of a read come without other beats in between */
  } m;
  struct hd_axi_read reads[HD_AXI_IDS];
  uint64_t n_reads, current; /* reads taken; the read whose beats go */
  struct hd_axi_write writes[HD_AXI_IDS];
  /* Writes: addresses taken; bursts taken; n_answered: all writes before this one have come and are answered. */
  uint64_t n_addresses, n_bursts, n_answered;
  struct hd_axi_burst burst; /* the burst that is coming */
  unsigned burst_beats;
  bool aw_ready, w_ready, ar_ready, r_offered, b_offered;
  uint64_t r_id, r_resp, r_last, b_id, b_resp;
  enum hd_axi_fault r_fault, b_fault;
  uint64_t r_data[HD_AXI_BEAT_WORDS];
  bool strayed;      /* a stray answer went in this cycle */
  bool b_is_strange; /* a stray B is offered, or may still wait in the manager: its id must stay free */
  struct hd_held aw, w, ar;
};

void hd_axi_open(struct hd_axi_subordinate *s, struct hd_env_base *p, const struct hd_axi_watch *watch);
void hd_axi_mood(struct hd_axi_subordinate *s);
void hd_axi_drive(struct hd_axi_subordinate *s, const struct hd_axi_inputs *in);
/* The clock edge. Returns false if a check failed; the text says which. *moved: a handshake happened that was not of a stray answer. */
bool hd_axi_clock(struct hd_axi_subordinate *s, const struct hd_axi_outputs *out, bool *moved);
/* Returns true if no transaction is in flight. */
bool hd_axi_idle(const struct hd_axi_subordinate *s);

#endif
