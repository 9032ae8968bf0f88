/* The common part of the two files of the environment of `axi4_manager`: manager_traffic.c makes the requests,
 * env_axi4_manager.c checks. */
#ifndef HEDDLE_VERIF_AXI4_MANAGER_ENV_H
#define HEDDLE_VERIF_AXI4_MANAGER_ENV_H

#include "verif/axi4/axi_subordinate.h"

enum {
  POOL = 80,    /* lines */
  INSIDE = 512, /* transactions, in a ring */
  SETTLED = 4,  /* after so many cycles with nothing inside, all counts have followed */
  EITHER = 16   /* a bit of an error: it may be SLVERR or not; the time at which the write came decides */
};

struct line {
  uint64_t addr, now[HD_MAX_WORDS], memory[HD_MAX_WORDS];
};

/* A request, from req to its answer. */
struct txn {
  enum { FREE, TAKEN, ADDRESSED, WHOLE } state; /* WHOLE: the bus has answered */
  bool write;
  struct busreq r;
  struct line *line;
  uint64_t id, error;
  uint64_t data[HD_MAX_WORDS], mask[HD_MAX_WORDS]; /* a write's bytes; a read's line */
};

struct manager_env {
  struct hd_env_base p;
  struct hd_axi_subordinate bus;
  struct { /* the mood */
    unsigned offer, stores, bypassed, accept, lines, first, clear;
    bool sweep; /* lines in turn */
  } m;
  struct line pool[POOL];
  unsigned n_lines;
  bool offering;
  struct txn next;
  struct txn txn[INSIDE];                /* in the order in which they are taken */
  uint64_t n_txn, n_bypassed, n_written; /* taken: all; bypassed loads; writes */
  uint64_t oldest;                       /* all transactions before this one are answered */
  uint64_t reads, writes, bytes;         /* the next read or write whose address, or bytes, must come */
  struct txn *read[HD_AXI_IDS], *wrote[HD_AXI_IDS]; /* by their ids on the bus */
  uint64_t mshrs;                                   /* bit i = MSHR i reads */
  unsigned bypasses;                                /* bypassed loads inside */
  struct hd_held rsp;
  uint64_t errors;
  bool fault, exact;            /* exact: the counts are known */
  uint64_t due[4], reported[4]; /* errors of a slice's writes, by code: to be reported; reported */
  uint64_t perhaps;             /* writes that may be reported as SLVERR */
  unsigned settled;
  unsigned unheard; /* cycles for which an answer at B has waited */
};

/* Draws the lines of the pool. */
void hd_manager_pool(struct manager_env *e);
/* hd_env_ops.drive. */
void hd_manager_drive(struct hd_env *env, const void *out, void *in);
/* The request at req is taken. */
void hd_manager_take(struct manager_env *e);

#endif
