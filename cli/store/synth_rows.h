/* What modules cost, in the table `synth` of a store (docs/store.md): synthesis takes minutes, and most machines of a search share most
 * of their modules.
 *
 * Invariant: a row is believed only if its sum is that of its key and its figures.
 */
#ifndef HEDDLE_CLI_STORE_SYNTH_ROWS_H
#define HEDDLE_CLI_STORE_SYNTH_ROWS_H

#include "cli/store/store.h"

/* What a price depends on. */
struct hd_synth_key {
  const char *module, *lib, *tools; /* tools: with their versions, and what prices the memories */
  struct hd_hash_text rtl;          /* over the Verilog of the module and all in it */
};
struct hd_synth_figures {
  long cells, flipflops;
  double area_um2, leak_nw, fmax_mhz; /* fmax_mhz 0: no path from register to register */
};

/* False: there is none that can be believed. */
bool hd_store_find_synth(struct hd_store *store, const struct hd_synth_key *key,
                         struct hd_synth_figures *figures);
/* It is there for good when this returns. HD_INPUT: it cannot be written. */
enum hd_rc hd_store_keep_synth(struct hd_store *store, const struct hd_synth_key *key,
                               const struct hd_synth_figures *figures, double seconds, struct hd_why *why);

#endif
