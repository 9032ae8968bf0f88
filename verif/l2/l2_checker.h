/* The environments of `l2_slice` and `l2_top`: what both share. l2_traffic.c makes requests and is the memory,
 * l2_checker.c checks, verif/loscache what lines that sleep add; env_l2_slice.c and env_l2_top.c have what is theirs alone.
 *
 * Checked at the ports, byte by byte: a flat image of all lines takes the stores in the order in which they are
 * taken, and a load brings its line as the image was when the load was taken. Each request is answered once, with
 * its fields; loads and stores of a line in the order in which they were taken, queries in theirs. A line is read
 * from the memory only while a request to it is inside, not twice at a time, for an MSHR that is free. What is
 * written there is the line as some store made it that came after the one written last, so that nothing is written
 * in vain and nothing old twice. What is offered stays until it is taken. At the end each line that was ever
 * stored to is read: the image is in the slice or in the memory.
 *
 * Where lines have sectors (docs/mechanisms/l2/sectors.md) all this is said of sectors: what is called a line here is then a
 * sector, with a number of its own, hd_slice_unit.
 *
 * Liveness: where answers and `out` are taken at once and the memory owes nothing, something moves within STUCK
 * cycles, and a request is not older than hd_slice_patience of such cycles.
 *
 * Where lines sleep: counts are within what the accesses of the line allow. Some runs begin *strict*: no set
 * has more lines than ways, each line's prediction never changes, the enable is high. Then they are known: a line that
 * is not in flight sleeps from the access that was predicted on, is found asleep by the next, and counts all between.
 * With nothing inside it is known which lines are powered. So it is where a run begins *low*, the enable low or
 * nothing predicted: all that fit.
 */
#ifndef HEDDLE_VERIF_L2_L2_CHECKER_H
#define HEDDLE_VERIF_L2_L2_CHECKER_H

#include "verif/harness/bits.h"
#include "verif/harness/env_common.h"

#include <uthash.h>

enum {
  STUCK = 64,   /* cycles in which something moves if everybody else does his part */
  SILENCE = 16, /* cycles with nothing inside and nothing at `out` after which nothing is on its way there */
  MAX_SETS = HD_MOST(l2, sets)
};
enum { HD_MT_WRITE_BACK = 1, HD_MT_INVALIDATE = 2 }; /* bits of a command */

struct l2_record;

/* A line of the pool, or a sector of one. */
struct l2_line {
  uint64_t addr;                 /* hd_slice_unit */
  unsigned set, rank;            /* rank: among those of the set in the pool, where they are neighbours */
  uint64_t now[HD_MAX_WORDS];    /* with all stores taken at req */
  uint64_t memory[HD_MAX_WORDS]; /* as the memory has it */
  uint64_t *version;             /* hashes of what the stores since the last write to the memory made of it */
  unsigned versions, room;
  struct l2_record *first, *last; /* loads and stores of it that are inside, the oldest first */
  bool stored, read_back;         /* ever; and has been read after the last store */
  bool reading;                   /* the memory is to bring it */
  uint64_t pred;                  /* what requests predict */
  uint64_t accesses, base;        /* loads and stores taken; before the one, or older, that read it last */
  uint64_t closer,
      woken;    /* of these, + 1: the latest that may have put it to sleep; that found it so; 0: none */
  uint64_t had; /* strict: accesses of those answered since the line was found asleep, or ever */
  uint64_t dropped,
      drops; /* accesses before it was made invalid last; how often it was, as of the latest answer */
  UT_hash_handle hh;
};

/* A request that is inside. */
struct l2_record {
  struct l2rsp name; /* fields of its answer; count 0 */
  struct l2_line *line;
  struct l2_record *next;      /* the next one of its line; queries: the next query */
  uint64_t data[HD_MAX_WORDS]; /* loads: the answer */
  uint64_t born;               /* fair cycles before it */
  uint64_t serial, closer;     /* loads and stores: which access of the line, + 1; its `closer` before it */
  uint64_t most;               /* that the count of its answer may be */
  uint64_t drops;              /* how often lines had been made invalid */
  bool alone;                  /* no load or store of its line was inside */
  bool exact;                  /* queries: the count is `most` */
  bool ending;                 /* taken after the last store of the run */
  UT_hash_handle hh;
};

/* A read that the memory owes. */
struct l2_read {
  struct l2_line *line;
  uint64_t id, data[HD_MAX_WORDS];
};

/* A request at req, valid or not. */
struct l2_offer {
  struct l2req r;
  uint64_t data[HD_MAX_WORDS], mask[HD_MAX_WORDS];
};

/* Maintenance commands. A busy slice takes no request; as one is done the memory has what was stored, if it was to be
 * written back, and what has become invalid is the memory's: somebody else writes lines there then. Behind a bus what was written
 * may still be on its way: nobody else writes, and what becomes invalid is written back. */
struct l2_commands {
  bool offered, going;         /* at the port; taken and not done */
  uint64_t op, taken_op, born; /* born: fair cycles before it was taken */
  uint64_t drops;              /* commands that have made lines invalid */
};

struct l2_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned offer, stores, queries, accept, send, answer, first, lines, step, repeat, full;
    enum { ANY, OLDEST, NEWEST } order;         /* of the memory's answers */
    bool sweep;                                 /* lines in turn, `step` apart */
    enum { OF_LINE, OF_MOOD, AT_RANDOM } whose; /* predictions */
    uint64_t pred;
    unsigned change;  /* how often a line's changes */
    unsigned enable;  /* how often the run-time enable is high */
    unsigned command; /* how often a maintenance command is offered */
  } m;
  struct l2_commands command;
  bool behind_bus; /* out and fill are those of something between the slice and the memory */
  bool bus_moves;  /* the same: something is on its way there in this cycle */
  bool enable;     /* there is a port for it; else low runs have no predictions */
  bool strict, low;
  uint64_t narrow; /* cycle from which it is neither */
  bool draining;   /* nothing is offered until nothing is inside */
  struct l2_line *pool, *by_addr;
  unsigned n_lines, of_set, swept, ended;
  unsigned sectors; /* of a line that follow each other in the pool; 1 where lines come whole */
  bool offering, rsp_ready, out_ready, filling, enabled;
  struct l2_offer next;
  struct l2_line *next_line;
  struct l2_record *records; /* by name; the oldest first */
  struct l2_record *query, *last_query;
  struct l2_read *reads;  /* in the order in which they left */
  unsigned n_reads, fill; /* `fill` is offered */
  uint64_t mshrs;         /* bit i = the memory owes MSHR i its line */
  struct hd_held rsp, out;
  unsigned still, silent; /* cycles in which nothing moved though it could; with nothing inside, or at out */
  uint64_t fair;          /* cycles in which everybody else did his part */
  uint64_t asked;         /* reads */
  struct {                /* where lines sleep */
    uint64_t power[MAX_SETS];
    uint64_t accesses, predicted; /* taken; with a prediction */
    uint64_t wakes, sleeps;
    uint64_t begun;   /* bit i = a row has been powered i cycles ago */
    unsigned settled; /* cycles with nothing inside */
  } watch;
};

/* The number of a line, or of this sector of it; the line of such a number, and its sector. */
uint64_t hd_slice_unit(const struct hd_derived *d, uint64_t line, uint64_t sector);
uint64_t hd_slice_line_of(const struct hd_derived *d, uint64_t unit);
unsigned hd_slice_sector_of(const struct hd_derived *d, uint64_t unit);

/* Ports that l2_slice and l2_top have in common. */
struct l2_inputs {
  uint64_t *req_valid, *req_wdata, *req_wmask, *rsp_ready, *out_ready, *fill_valid, *fill_id, *fill_data,
      *mt_valid, *mt_op;
  struct l2req *req;
};
struct l2_outputs {
  bool req_ready, rsp_valid, out_valid, fill_ready, mt_ready, mt_done;
  const struct l2rsp *rsp;
  const struct l2out *out;
  const uint64_t *rsp_data, *out_data;
};
#define HD_L2_INPUTS(in)                                                                                     \
  &(const struct l2_inputs) {                                                                                \
    &(in)->req_valid, (in)->req_wdata, (in)->req_wmask, &(in)->rsp_ready, &(in)->out_ready,                  \
        &(in)->fill_valid, &(in)->fill_id, (in)->fill_data, &(in)->mt_valid, &(in)->mt_op, &(in)->req        \
  }
#define HD_L2_OUTPUTS(o)                                                                                     \
  &(const struct l2_outputs) {                                                                               \
    (o)->req_ready, (o)->rsp_valid, (o)->out_valid, (o)->fill_ready, (o)->mt_ready, (o)->mt_done, &(o)->rsp, \
        &(o)->out, (o)->rsp_data, (o)->out_data                                                              \
  }

/* An environment of `size` bytes that begins with a struct l2_env. `enable`: there is a port for it. */
void *hd_slice_new(size_t size, bool enable, const struct hd_env_job *job, const struct hd_env_ops *ops,
                   struct hd_why *why);
/* hd_env_ops.close; frees what the environment has of its own as well. */
void hd_slice_close(struct hd_env *env);

/* Moods, the next request, the memory's answers: sets the inputs. True: a new mood has begun. */
bool hd_slice_drive(struct l2_env *e, const struct l2_inputs *in);
/* hd_env_ops.done, .finish. */
bool hd_slice_done(const struct hd_env *env);
bool hd_slice_finish(struct hd_env *env);

/* The clock edge. The caller has checked what is its own alone. */
bool hd_slice_check(struct l2_env *e, const struct l2_outputs *out);
/* Of the pool, by hd_slice_unit; NULL: none. */
struct l2_line *hd_slice_line(const struct l2_env *e, uint64_t unit);
/* Fair cycles in which a request is answered. */
uint64_t hd_slice_patience(const struct hd_derived *d);

/* Where lines sleep (verif/loscache). A request has been taken; an answer, of the record: NULL, or what is wrong with it. */
void hd_slice_note_taken(struct l2_env *e, struct l2_record *rec, uint64_t pred);
const char *hd_slice_check_early(struct l2_env *e, const struct l2_record *rec, const struct l2rsp *rsp);
/* A command has made all lines invalid: NULL, or what is wrong. */
const char *hd_slice_note_dropped(struct l2_env *e);
/* Which lines are powered, before the cycle's other outputs are checked. */
bool hd_slice_check_power(struct l2_env *e, const uint64_t *sleep, uint64_t awake);

#endif
