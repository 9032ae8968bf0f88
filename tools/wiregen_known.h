/* What is known at a point of a cycle: which inputs have been set, which outputs can be read; see wiregen_full.c. */
#ifndef HEDDLE_TOOLS_WIREGEN_KNOWN_H
#define HEDDLE_TOOLS_WIREGEN_KNOWN_H

#include "tools/wiregen.h"

struct hd_known {
  const struct hd_wiring *w;
  const struct hd_decl *decl;
  unsigned char *out[HD_INSTS]; /* of each instance and row: 1: a MEALY output is known */
  unsigned char *in[HD_INSTS];  /* 1: an input has been set */
  bool own;                     /* the module's inputs are known */
};

const struct hd_inst *hd_known_inst(const struct hd_known *x, size_t i);

/* Everything that the expression reads can be read. */
bool hd_known_expr(const struct hd_known *x, const struct hd_wire_expr *e);

/* Of an input: a LATE output may drive it; all that may drive it is known. All but the late ones are. */
bool hd_known_late(const struct hd_known *x, const struct hd_inst *inst, const struct hd_row *port);
bool hd_known_input(const struct hd_known *x, const struct hd_inst *inst, const struct hd_row *port);
bool hd_known_inputs(const struct hd_known *x, size_t number);

/* A MEALY output is not known. */
bool hd_known_lacks(const struct hd_known *x, size_t number);
/* SEES rows name all that MEALY outputs depend on: no mealy call leaves anything to the tick (cmodel/model/models.h). */
bool hd_known_leaves_nothing(const struct hd_inst *inst);
/* A mealy call that comes now makes outputs known: some could be that are not. Everything, or what sees enough. */
bool hd_known_could_learn(const struct hd_known *x, size_t number);
void hd_known_learn(struct hd_known *x, size_t number, bool everything);

#endif
