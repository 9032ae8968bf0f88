/* What a design costs in silicon: all its memories, the logic around them, and how that compares with the
 * paper.
 *
 * Total = memories that are macros (SRAM, CAM) + logic. Memories of kind ff are rows of the table too, but
 * once the logic was synthesised their flip-flops are in its area and are not added again; without synthesis
 * they are priced per bit, and then the total leaves out all other logic, and says so.
 */
#ifndef HD_AREA_AREA_H
#define HD_AREA_AREA_H

#include <jansson.h>
#include <stdio.h>

#include "area/memory.h"
#include "synth/synth.h"

struct hd_design;
struct hd_area_claim;

struct hd_area_memory {
  const char *name; /* e.g. "l1d.tags" */
  struct hd_memory mem;
  int count; /* of them: banks times instances of the module times what a claim counts, >= 1 */
};

/* The memories of `n` modules of a design and of all below them, one row per
 * declaration, counted over banks and instances, as many of each module as `claim` counts (NULL: one): RAM rows as SRAM,
 * CAM rows as searched flip-flops. Registers are no memories: they are in the logic. The array and its names are to be
 * freed with hd_area_memories_free; -1: no such module. */
int hd_area_memories_of(const struct hd_design *design, const struct hd_area_claim *claim,
                        const char *const *tops, int n, struct hd_area_memory **memories);
void hd_area_memories_free(struct hd_area_memory *memories, int n);

/* A cache to compare with: per way one single-ported data array of port_bits words and one tag array. */
struct hd_area_cache {
  int size_bytes, ways, line_bytes;
  int port_bits; /* bits read from each way at once: decides the area, hence printed with every share */
  int tag_bits;  /* tag and state bits of a line */
};

/* A line of a paper's table of storage, and what holds it here. */
struct hd_area_item {
  const char *name;
  long paper_bits;  /* 0: it has no such line, or gives no number */
  const char *rows; /* "module.row ...", declared ones */
  const char *why;  /* the difference */
};

/* What a paper says of its design. Zero: it does not say. */
enum { HD_CLAIM_MODULES = 4 };
struct hd_area_claim {
  const char *name, *where;                           /* the mechanism; the paper and the place in it */
  double node_nm, area_mm2, clock_ghz, cache_percent; /* 0: not given */
  int cache_bytes, cache_ways, cache_line;            /* the cache it takes the share of */
  const char *module[HD_CLAIM_MODULES]; /* the modules that are the mechanism; up to the first NULL */
  int sms, banks; /* of the GPU whose modules the paper counts together; 0: it counts those of one SM */
  const struct hd_area_item *item; /* NULL: it has no such table; else up to the one without a name */
};
/* The papers' claims: the names in area/<room>/claims.c; NULL: none of that name. */
const struct hd_area_claim *hd_area_claim_of(const char *name);
/* How many of a module a claim counts in this machine: one, or if it is of a whole GPU as many as that has. NULL: one. */
int hd_area_copies(const struct hd_design *design, const struct hd_area_claim *claim, const char *module);
/* The claim of a mechanism that the design has, whole; NULL: it has none. */
const struct hd_area_claim *hd_area_claim_in(const struct hd_design *design);

struct hd_area_job {
  const struct hd_area_memory *memory;
  int memories;
  const struct hd_synth_report *synth; /* of each module: its first result is the logic around the memories */
  int synths;                          /* 0: not synthesised */
  struct hd_pricer pricer;
  const struct hd_area_claim *claim; /* NULL: no comparison */
  struct hd_area_cache cache;        /* what the claim's share is taken of; size 0: no share */
  const struct hd_design *design;    /* where the claim counts; NULL: none of its items, one of each module */
};

/* Bits of storage, the paper's and those declared here. */
struct hd_area_storage {
  struct hd_area_item of;
  long bits;
};

struct hd_area_row {
  struct hd_area_memory of;
  struct hd_mem_price price; /* of one instance */
  bool in_logic;             /* its flip-flops are in the logic's area */
};

struct hd_area_report {
  double node_nm;
  struct hd_area_row *row;
  int rows;
  double memories_mm2; /* of the rows that are not in_logic */
  double logic_mm2;    /* at node_nm when logic_scaled, else at the library's own node; 0 without synthesis */
  bool logic_there, logic_scaled;
  char logic_lib[64];
  double total_mm2, leak_mw; /* leakage: memories at 350 K plus logic at the library's temperature */
  double clock_ghz;          /* the slower of the logic's fmax and the memories' cycle; 0: neither is known */
  const struct hd_area_claim *claim;
  int sms, banks;                  /* of the machine, if the claim is of a GPU */
  struct hd_area_storage *storage; /* of each item of the claim; then of all else that its modules declare */
  int storages;
  struct hd_area_cache cache;
  double cache_mm2; /* 0: no cache was given */
};

/* The items of a claim, and last what else its modules declare, counted in a design; to be freed. Their number. */
int hd_area_storage_of(const struct hd_design *design, const struct hd_area_claim *claim,
                       struct hd_area_storage **storage);

/* Prices everything. HD_INPUT for a memory, cache or node out of range. hd_area_free may be called in
 * any case. */
enum hd_rc hd_area_run(const struct hd_area_job *job, struct hd_area_report *report, struct hd_why *why);
void hd_area_free(struct hd_area_report *report);

/* The price of the cache's arrays together (area, leakage; energies and time of one way's data array). */
enum hd_rc hd_area_cache_price(const struct hd_pricer *how, const struct hd_area_cache *cache,
                               struct hd_mem_price *price, struct hd_why *why);

void hd_area_print(const struct hd_area_report *report, FILE *out);
json_t *hd_area_json(
    const struct hd_area_report *report); /* {node_nm, total_mm2, memories: [...], ...}; new reference */

#endif
