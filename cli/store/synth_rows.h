/* Prices of modules, in the table `synth` of a store (docs/sweep/store.md). Synthesis takes minutes, and most
 * machines of a search share most of their modules.
 *
 * Invariant: a row is used only if its sum matches its key and its figures.
 */
#ifndef HEDDLE_CLI_STORE_SYNTH_ROWS_H
#define HEDDLE_CLI_STORE_SYNTH_ROWS_H

#include "cli/store/store.h"

/* All that a price depends on. */
struct hd_synth_key {
  const char *module, *lib, *tools; /* tools: with their versions, and that of the pricing of memories */
  struct hd_hash_text rtl;          /* hash of the Verilog of the module and of all modules in it */
};
struct hd_synth_figures {
  long cells, flipflops;
  double area_um2, leak_nw, fmax_mhz; /* fmax_mhz 0: no path from register to register */
};

/* Returns false if there is no valid row. */
bool hd_store_find_synth(struct hd_store *store, const struct hd_synth_key *key,
                         struct hd_synth_figures *figures);
/* The row is on the disk when this returns. Returns HD_INPUT if it cannot be written. */
enum hd_rc hd_store_keep_synth(struct hd_store *store, const struct hd_synth_key *key,
                               const struct hd_synth_figures *figures, double seconds, struct hd_why *why);

#endif
