/* The inputs that are set, and the outputs that can be read, at a point of a cycle; see wiregen_full.c. */
#ifndef HEDDLE_TOOLS_WIREGEN_KNOWN_H
#define HEDDLE_TOOLS_WIREGEN_KNOWN_H

#include "tools/wiregen.h"

struct hd_known {
  const struct hd_wiring *w;
  const struct hd_decl *decl;
  unsigned char *out[HD_INSTS]; /* of each instance and row; 1: this MEALY output is known */
  unsigned char *in[HD_INSTS];  /* 1: this input is set */
  bool own;                     /* the module's inputs are known */
};

const struct hd_inst *hd_known_inst(const struct hd_known *x, size_t i);

/* True if everything that the expression reads can be read. */
bool hd_known_expr(const struct hd_known *x, const struct hd_wire_expr *e);

/* hd_known_late: true if a LATE output may drive the input. hd_known_input: true if all its possible drivers
 * are known. hd_known_inputs: true if all inputs of instance `number` are known, LATE ones excepted. */
bool hd_known_late(const struct hd_known *x, const struct hd_inst *inst, const struct hd_row *port);
bool hd_known_input(const struct hd_known *x, const struct hd_inst *inst, const struct hd_row *port);
bool hd_known_inputs(const struct hd_known *x, size_t number);

/* True if some MEALY output is not known. */
bool hd_known_lacks(const struct hd_known *x, size_t number);
/* True if SEES rows name everything that the MEALY outputs depend on. A mealy call then leaves nothing to the
 * tick (cmodel/model/models.h). */
bool hd_known_leaves_nothing(const struct hd_inst *inst);
/* hd_known_could_learn: true if a mealy call now would make another output known. hd_known_learn: marks the
 * outputs of such a call as known: everything, or those whose inputs are known. */
bool hd_known_could_learn(const struct hd_known *x, size_t number);
void hd_known_learn(struct hd_known *x, size_t number, bool everything);

#endif
