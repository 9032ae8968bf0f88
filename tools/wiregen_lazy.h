/* How the lazy run's wires are made, for the files they are made in: wiregen_parts.c (who is of which part, and takes part),
 * wiregen_wake.c (what wakes them else), wiregen_inputs.c, wiregen_order.c, wiregen_active.c, wiregen_beside.c, wiregen_sockets.c,
 * wiregen_lazy.c.
 *
 * A channel between two parts, and a PULSE, is a bit of `meet`: its valid and its ready are that bit, its payload moves only
 * if the bit is set. Registers that ports show (SHOW rows) are read in place. All other outputs are read in <inst>_out,
 * which the lazy run has set. Line bytes are not carried. What an instance takes from another of its own part, or from
 * a part that ticks before its own is wired, is a function of its own, wire_X_from_Y; so is what LATE outputs bring,
 * wire_X_late. */
#ifndef HEDDLE_TOOLS_WIREGEN_LAZY_H
#define HEDDLE_TOOLS_WIREGEN_LAZY_H

#include "tools/wiregen_parts.h"

struct hd_lazy_writer {
  struct hd_copier c;
  const struct hd_decl *plain;
};

/* --- wiregen_wake.c ---------------------------------------------------------------------------------------- */

/* The ports between the parts, as an enum of sets of one. */
void hd_put_ports(const struct hd_copier *x);
/* pulses_<PART>, changed, follows, asked. */
void hd_put_wakes(const struct hd_copier *x);

/* --- wiregen_inputs.c --------------------------------------------------------------------------------------- */

/* A net as C of the lazy run reads it: a bit of `meet`, an input of the module, a register in
 * place, or an output as it was made last. */
struct hd_text_of hd_read_lazily(const struct hd_copier *x, const struct hd_net *net, bool by_path);

/* When an input is set. MORE: of an instance that is always there, what not every machine has. FROM one other instance, if
 * that is there. AFTER: the first of the part, whose MEALY outputs it reads, has said. PUSH: whenever another, which makes
 * it, has ticked. PLACE: a vector that is read in place while it ticks. LATE: what ticks leave, and the ticks of others
 * read. */
enum hd_group { HERE, MORE, FROM, AFTER, PUSH, PLACE, LATE };
enum hd_group hd_group_of(const struct hd_lazy_writer *x, const struct hd_inst *inst,
                          const struct hd_row *port, const struct hd_inst **from);
/* Assignments of the inputs of one group and one channel ("": of none); dry: says whether there are some. */
bool hd_put_group(struct hd_lazy_writer *x, const struct hd_inst *inst, enum hd_group group,
                  const struct hd_inst *from, const char *channel, bool dry);
/* Begins the function wire_<inst><rest>. */
void hd_open_wire(struct hd_lazy_writer *x, const struct hd_inst *inst, const char *rest);
/* All functions that set inputs of the instance. */
void hd_put_inputs(struct hd_lazy_writer *x, const struct hd_inst *inst);
/* Calls of wire_X_from_Y: of those of its own part, or of parts that tick before it is wired. */
void hd_put_calls_from(struct hd_lazy_writer *x, int depth, const struct hd_inst *inst, bool own_part);

/* --- wiregen_sockets.c -------------------------------------------------------------------------------------- */

/* Of each part of a socket: model_<PART>, wire_<PART>, tick_<PART>, say_<PART> (X_mealy, and what leaves the module of it),
 * shows_<PART> (its bits of ports; SHOWN_<PART>: all of them). Of each scalar output of the module that is made of registers
 * alone: shows_<output>. */
void hd_put_sockets(struct hd_lazy_writer *x);

/* --- wiregen_beside.c --------------------------------------------------------------------------------------- */

/* wire_X_beside, of the first of each part. */
void hd_put_heads(struct hd_lazy_writer *x);
/* hear_<PART>, hear_after_<PART>, tick_beside_<PART>, begin_beside, wire_before_ticks. */
void hd_put_beside(struct hd_lazy_writer *x);

#endif
