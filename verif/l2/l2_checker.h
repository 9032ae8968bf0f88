/* The common part of the environments of `l2_slice` and `l2_top`. l2_traffic.c makes requests and is the memory; l2_checker.c checks;
 * verif/loscache checks lines that sleep. env_l2_slice.c and env_l2_top.c have the rest of each.
 *
 * Checks at the ports, byte by byte, with a flat image of all lines:
 * - The image takes the stores in the order in which they are taken. A load returns its line as the image was when the load was taken.
 * - Each request is answered once, with its fields. Loads and stores of a line are answered in the order in which they were taken; queries
 *   keep their own order.
 * - A line is read from the memory only while a request to it is inside, not twice at a time, and for a free MSHR.
 * - A line written to the memory is the line after some store that came after the last written one. So no line is written without need,
 *   and no old line twice.
 * - A valid output stays until it is taken.
 * - At the end each line that was ever stored to is read: the image must be in the slice or in the memory.
 *
 * With sectors (docs/mechanisms/l2/sectors.md) a "line" here is a sector, with a number of its own: hd_slice_unit.
 *
 * Liveness. A cycle is *fair* if answers and `out` are taken at once and the memory owes nothing. Something moves within STUCK such cycles,
 * and a request is answered within hd_slice_patience of them.
 *
 * If lines sleep, counts are within the bounds that the accesses of the line allow. Some runs begin *strict*: no set has more lines than
 * ways, no prediction of a line changes, and the enable is high. Then counts are known exactly: a line that is not in flight sleeps from
 * its predicted access on, the next access finds it asleep, and counts include all accesses in between. When nothing is inside, the
 * powered lines are known. They are known too if a run begins *low*, with the enable low or without predictions: all lines that fit.
 */
#ifndef HEDDLE_VERIF_L2_L2_CHECKER_H
#define HEDDLE_VERIF_L2_L2_CHECKER_H

#include "verif/harness/env_common.h"

#include <uthash.h>

enum {
  STUCK = 64,   /* in so many fair cycles something moves */
  SILENCE = 16, /* after so many cycles with nothing inside and nothing at `out`, nothing comes there */
  MAX_SETS = HD_MOST(l2, sets)
};
enum { HD_MT_WRITE_BACK = 1, HD_MT_INVALIDATE = 2 }; /* bits of a command */

struct l2_record;

/* A line of the pool, or a sector of one. */
struct l2_line {
  uint64_t addr;      /* hd_slice_unit */
  unsigned set, rank; /* rank: its place among the lines of the set, which are neighbours in the pool */
  uint64_t now[HD_MAX_WORDS];    /* content with all stores taken at req */
  uint64_t memory[HD_MAX_WORDS]; /* content in the memory */
  uint64_t *version;             /* a hash of the line after each store since the last write to the memory */
  unsigned versions, room;
  struct l2_record *first, *last; /* its loads and stores that are inside, the oldest first */
  bool stored, read_back;         /* it was ever stored to; it was read after the last store */
  bool reading;                   /* the memory has still to bring it */
  uint64_t pred;                  /* the prediction of its requests */
  uint64_t accesses, base; /* loads and stores taken; those before the one that read it last, or fewer */
  /* Numbers of accesses, from 1: the last that may have put it to sleep; the last that found it asleep. 0: none. */
  uint64_t closer, woken;
  uint64_t had; /* strict: answered accesses since the line was last found asleep, or since the start */
  /* dropped: accesses before it was last made invalid. drops: commands that made it invalid, as of the latest answer. */
  uint64_t dropped, drops;
  UT_hash_handle hh;
};

/* A request that is inside. */
struct l2_record {
  struct l2rsp name; /* the fields of its answer; count 0 */
  struct l2_line *line;
  struct l2_record *next;      /* the next request of its line; queries: the next query */
  uint64_t data[HD_MAX_WORDS]; /* loads: the answer */
  uint64_t born;               /* number of fair cycles when it was taken */
  uint64_t serial, closer;     /* loads and stores: number of the access; the line's `closer` before it */
  uint64_t most;               /* the largest count of its answer */
  uint64_t drops;              /* number of commands that had made lines invalid */
  bool alone;                  /* no other load or store of its line was inside */
  bool exact;                  /* queries: the count must be `most` */
  bool ending;                 /* taken after the last store of the run */
  UT_hash_handle hh;
};

/* A read that the memory has not answered. */
struct l2_read {
  struct l2_line *line;
  uint64_t id, data[HD_MAX_WORDS];
};

/* A request at req, valid or not. */
struct l2_offer {
  struct l2req r;
  uint64_t data[HD_MAX_WORDS], mask[HD_MAX_WORDS];
};

/* Maintenance commands. A slice that runs one takes no request. After a command that writes back, the memory has all stores. After a
 * command that makes lines invalid, another writer changes lines in the memory. Behind a bus, written lines may still be on their way: then
 * there is no other writer, and every command that makes lines invalid also writes back. */
struct l2_commands {
  bool offered, going;         /* at the port; taken and not done */
  uint64_t op, taken_op, born; /* born: number of fair cycles when it was taken */
  uint64_t drops;              /* number of commands that made lines invalid */
};

struct l2_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned offer, stores, queries, accept, send, answer, first, lines, step, repeat, full;
    enum { ANY, OLDEST, NEWEST } order;         /* the order of the memory's answers */
    bool sweep;                                 /* lines come in turn, `step` apart */
    enum { OF_LINE, OF_MOOD, AT_RANDOM } whose; /* the source of predictions */
    uint64_t pred;
    unsigned change;  /* how often a line's prediction changes */
    unsigned enable;  /* how often the run-time enable is high */
    unsigned command; /* how often a maintenance command is offered */
  } m;
  struct l2_commands command;
  bool behind_bus; /* out and fill are ports on the far side of a bus between the slice and the memory */
  bool bus_moves;  /* with behind_bus: something is on its way on the bus in this cycle */
  bool enable;     /* the module has a port for the enable; else low runs have no predictions */
  bool strict, low;
  uint64_t narrow; /* from this cycle on the run is neither strict nor low */
  bool draining;   /* no request is offered until nothing is inside */
  struct l2_line *pool, *by_addr;
  unsigned n_lines, of_set, swept, ended;
  unsigned sectors; /* sectors of a line, which are neighbours in the pool; 1 if whole lines are fetched */
  bool offering, rsp_ready, out_ready, filling, enabled;
  struct l2_offer next;
  struct l2_line *next_line;
  struct l2_record *records; /* by name; the oldest first */
  struct l2_record *query, *last_query;
  struct l2_read *reads;  /* in the order in which they left */
  unsigned n_reads, fill; /* fill: the index of the read whose line is offered */
  uint64_t mshrs;         /* bit i = the memory has still to bring the line of MSHR i */
  struct hd_held rsp, out;
  unsigned still, silent; /* fair cycles without a move; cycles with nothing inside and nothing at out */
  uint64_t fair;          /* number of fair cycles */
  uint64_t asked;         /* number of reads */
  struct {                /* if lines sleep */
    uint64_t power[MAX_SETS];
    uint64_t accesses, predicted; /* accesses taken; those with a prediction */
    uint64_t wakes, sleeps;
    uint64_t begun;   /* bit i = a row was powered on i cycles ago */
    unsigned settled; /* cycles with nothing inside */
  } watch;
};

/* hd_slice_unit returns the number of a line, or of a sector of it. The others return the line and the sector of such a number. */
uint64_t hd_slice_unit(const struct hd_derived *d, uint64_t line, uint64_t sector);
uint64_t hd_slice_line_of(const struct hd_derived *d, uint64_t unit);
unsigned hd_slice_sector_of(const struct hd_derived *d, uint64_t unit);

/* The ports that l2_slice and l2_top share. */
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

/* Returns an environment of `size` bytes that begins with a struct l2_env. `enable`: the module has a port for the enable. Returns NULL and
 * sets *why if out of memory. */
void *hd_slice_new(size_t size, bool enable, const struct hd_env_job *job, const struct hd_env_ops *ops,
                   struct hd_why *why);
/* hd_env_ops.close: frees the whole environment. */
void hd_slice_close(struct hd_env *env);

/* Draws moods, the next request and the memory's answers, and sets the inputs. Returns true if a new mood has begun. */
bool hd_slice_drive(struct l2_env *e, const struct l2_inputs *in);
/* hd_env_ops.done, .finish. */
bool hd_slice_done(const struct hd_env *env);
bool hd_slice_finish(struct hd_env *env);

/* The clock edge. The caller has made its own checks before. Returns false if a check failed. */
bool hd_slice_check(struct l2_env *e, const struct l2_outputs *out);
/* Returns the line of the pool with this hd_slice_unit; NULL if there is none. */
struct l2_line *hd_slice_line(const struct l2_env *e, uint64_t unit);
/* Returns the number of fair cycles within which a request is answered. */
uint64_t hd_slice_patience(const struct hd_derived *d);

/* If lines sleep (verif/loscache). hd_slice_note_taken: a request was taken. hd_slice_check_early checks an answer; it returns NULL, or the
 * error. */
void hd_slice_note_taken(struct l2_env *e, struct l2_record *rec, uint64_t pred);
const char *hd_slice_check_early(struct l2_env *e, const struct l2_record *rec, const struct l2rsp *rsp);
/* A command has made all lines invalid. Returns NULL, or the error. */
const char *hd_slice_note_dropped(struct l2_env *e);
/* Checks which lines are powered; it comes before the checks of the cycle's other outputs. Returns false if it is wrong. */
bool hd_slice_check_power(struct l2_env *e, const uint64_t *sleep, uint64_t awake);

#endif
