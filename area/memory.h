/* The price of one memory: area, energy, leakage, access time.
 *
 * There are three sources, and every answer names its own:
 *   cacti  CACTI 7 was run for exactly this memory (sliced into macros of at most HD_MEM_SLICE bits of word);
 *   model  a closed form fitted to CACTI 7 (errors in docs/pricing.md), if CACTI is absent or refuses the size;
 *   ff     flip-flops with their read multiplexers (or match lines), per bit, as synthesised.
 * Figures are of one read, one write, at 350 K, itrs-hp cells; no ECC, no BIST, no power ring: a lower bound
 * for SRAM. */
#ifndef HEDDLE_AREA_MEMORY_H
#define HEDDLE_AREA_MEMORY_H

#include <stdbool.h>

#include "arch/declaration/declaration.h"
#include "base/run.h"

enum hd_mem_kind {
  HD_MEM_SRAM,
  HD_MEM_FF,     /* flip-flops, one word written and one read at a time */
  HD_MEM_FF_CAM, /* flip-flops, all compared with a key each cycle */
  HD_MEM_GATED,  /* an SRAM with a power switch for each row */
  HD_MEM_CAM,    /* a CAM macro, for the prices of papers; the generated RTL has HD_MEM_FF_CAM instead */
  /* memories of cells behind their wrappers, one word written and one read at a time, with the registers
   * inside */
  HD_MEM_FF_RAM,
  HD_MEM_LATCH_RAM,
  HD_MEM_LATCH_CAM, /* HD_MEM_FF_CAM with latches */
};
/* True for a memory of library cells. Once the logic is synthesised, the logic's area contains it. */
bool hd_mem_is_cells(enum hd_mem_kind kind);
enum hd_mem_ports { HD_MEM_1RW, HD_MEM_1R1W, HD_MEM_2R1W };
enum hd_mem_source { HD_MEM_BY_CACTI, HD_MEM_BY_MODEL, HD_MEM_BY_FF };

enum {
  /* wider words become several macros side by side, because one macro's area grows as width^2 */
  HD_MEM_SLICE = 128,
  HD_MEM_MAX_DEPTH = 1 << 24,
  HD_MEM_MAX_WIDTH = 1 << 16,
  HD_MEM_NODE_MIN = 22, /* nm; the range that CACTI 7 and the fit cover */
  HD_MEM_NODE_MAX = 90,
};

struct hd_memory {
  int depth; /* words, 1..HD_MEM_MAX_DEPTH */
  int width; /* bits of a word, 1..HD_MEM_MAX_WIDTH */
  enum hd_mem_ports ports;
  /* a CAM is searched by its whole word each cycle; `ports` is for its reads and writes */
  enum hd_mem_kind kind;
};

/* One bank of a declared RAM. The result has no write masks, because neither CACTI nor the model knows them. */
struct hd_memory hd_memory_of(unsigned depth, unsigned width, enum hd_ports ports);

/* The power switches of rows, as a part of the memory's area, and the range in sources: docs/pricing.md,
 * "Power switches". */
#define HD_SWITCH_SHARE 0.05
#define HD_SWITCH_RANGE "4 to 13"

struct hd_mem_price {
  double area_mm2;   /* including switch_mm2 */
  double switch_mm2; /* of the power switches; 0 without */
  double wake_pj;    /* the charge of a row's cells when it is powered on: the least energy of a wake */
  double read_pj;    /* one read of a word; for a CAM one search */
  double write_pj;   /* one write of a word */
  double leak_mw;    /* the whole memory */
  double access_ns;  /* clock to data */
  double cycle_ns;   /* shortest time between two accesses */
  int slices;        /* macros side by side */
  bool outside; /* smaller than CACTI takes: the model is extrapolated, about 3 % in area, 60 % in time */
  enum hd_mem_source source;
};

/* How prices are found. All 0: embedded model, 45 nm. */
struct hd_pricer {
  double node_nm;    /* HD_MEM_NODE_MIN..HD_MEM_NODE_MAX; 0 = 45 */
  const char *cacti; /* the CACTI program; NULL = embedded model (see hd_cacti_find) */
  /* directory for configurations and cached answers, made when needed; required with cacti */
  const char *work_dir;
};

/* Finds CACTI: $CACTI, then build_dir/cacti/cacti, then PATH. Writes its absolute path, or returns false if
 * there is none. The program must have its tech_params directory beside it. $CACTI=none forbids it. */
bool hd_cacti_find(const char *build_dir, char *path, size_t room);

/* Prices one memory. Returns HD_INPUT if the memory or the node is out of range. If CACTI is missing, refuses
 * the memory or fails, that is no error: the embedded model answers, and `source` says so. */
enum hd_rc hd_mem_price(const struct hd_pricer *how, const struct hd_memory *mem, struct hd_mem_price *price,
                        struct hd_why *why);

const char *hd_mem_source_name(enum hd_mem_source source); /* "cacti", "model", "ff" */
const char *hd_mem_kind_name(
    enum hd_mem_kind kind); /* "sram", "ff", "ff-cam", "gated", "cam", "ff-ram", "latch", "latch-cam" */
const char *hd_mem_ports_name(enum hd_mem_ports ports); /* "1rw", "1r1w", "2r1w" */

/* --- internal parts, for tests ---------------------------------------------------------------------------- */

/* The closed form at 45 nm, scaled to the node; for SRAM and CAM. */
void hd_mem_model(const struct hd_memory *mem, double node_nm, struct hd_mem_price *price);

/* Flip-flops or latches at the node, with the logic that reads or compares them. */
void hd_mem_flipflops(const struct hd_memory *mem, double node_nm, struct hd_mem_price *price);

/* Runs CACTI for one macro (a word of at most HD_MEM_SLICE bits). Returns false with a reason if the size is
 * outside CACTI's range, the program failed, or it printed no complete result block. */
bool hd_cacti_price(const struct hd_pricer *how, const struct hd_memory *mem, struct hd_mem_price *price,
                    struct hd_why *why);

/* Reads the output of CACTI. Returns false unless every figure is there once and positive. */
bool hd_cacti_parse(const char *text, bool cam, struct hd_mem_price *price);

#endif
