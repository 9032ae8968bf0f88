/* How the lazy run's wires are made. The files: wiregen_parts.c (which part an instance belongs to, which
 * parts take part), wiregen_wake.c (all else that wakes parts), wiregen_inputs.c, wiregen_order.c,
 * wiregen_active.c, wiregen_beside.c, wiregen_sockets.c, wiregen_lazy.c.
 *
 * A channel between two parts, and a PULSE, is a bit of `meet`. The bit is the channel's valid and ready; the
 * payload moves only if it is set. Registers that ports show (SHOW rows) are read in place. All other outputs
 * are read in <inst>_out, which the lazy run has set. Line bytes are not carried. Inputs from another
 * instance of the same part, or from a part that ticks before the instance is wired, have a function of their
 * own, wire_X_from_Y. So have inputs from LATE outputs, wire_X_late. */
#ifndef HEDDLE_TOOLS_WIREGEN_LAZY_H
#define HEDDLE_TOOLS_WIREGEN_LAZY_H

#include "tools/wiregen_parts.h"

struct hd_lazy_writer {
  struct hd_copier c;
  const struct hd_decl *plain;
};

/* --- wiregen_wake.c ---------------------------------------------------------------------------------------- */

/* Writes the ports between the parts as an enum of sets with one element. */
void hd_put_ports(const struct hd_copier *x);
/* Writes pulses_<PART>, changed_<PART>, is_level_heard_<PART> and follows. */
void hd_put_wakes(const struct hd_copier *x);

/* --- wiregen_inputs.c --------------------------------------------------------------------------------------- */

/* A net as the lazy run reads it in C: a bit of `meet`, an input of the module, a register in place, or an
 * output as it was made last. */
struct hd_text_of hd_read_lazily(const struct hd_copier *x, const struct hd_net *net, bool by_path);

/* When an input is set. HERE: in wire_X. MORE: an input that not every machine has, of an instance that
 * always exists. FROM: it reads one other instance, and is set if that exists. AFTER: it reads MEALY outputs
 * of the first of the part, and is set after these are made. PUSH: it is set whenever the instance that makes
 * it has ticked. PLACE: a vector that is read in place during the tick. LATE: it reads LATE outputs, which
 * the ticks of others have left. */
enum hd_group { HERE, MORE, FROM, AFTER, PUSH, PLACE, LATE };
enum hd_group hd_group_of(const struct hd_lazy_writer *x, const struct hd_inst *inst,
                          const struct hd_row *port, const struct hd_inst **from);
/* Writes the assignments of the inputs of one group and one channel ("": inputs of no channel). Returns true
 * if there are any. With `dry` it writes nothing. */
bool hd_put_group(struct hd_lazy_writer *x, const struct hd_inst *inst, enum hd_group group,
                  const struct hd_inst *from, const char *channel, bool dry);
/* Begins the function wire_<inst><rest>. */
void hd_open_wire(struct hd_lazy_writer *x, const struct hd_inst *inst, const char *rest);
/* Writes all functions that set inputs of the instance. */
void hd_put_inputs(struct hd_lazy_writer *x, const struct hd_inst *inst);
/* Writes the calls of wire_X_from_Y: for Y in X's own part, or else for Y in parts that tick before X is
 * wired. */
void hd_put_calls_from(struct hd_lazy_writer *x, int depth, const struct hd_inst *inst, bool own_part);

/* --- wiregen_sockets.c -------------------------------------------------------------------------------------- */

/* Writes for each part whose first is in a socket: model_<PART>, wire_<PART>, tick_<PART>, say_<PART>
 * (X_mealy, and its outputs that leave the module), shows_<PART> (its bits of ports; SHOWN_<PART>: all bits
 * that it decides). Writes shows_<output> for each scalar output of the module that depends on registers
 * alone. */
void hd_put_sockets(struct hd_lazy_writer *x);

/* --- wiregen_beside.c --------------------------------------------------------------------------------------- */

/* Writes wire_X_beside for the first of each part. */
void hd_put_heads(struct hd_lazy_writer *x);
/* Writes hear_<PART>, hear_after_<PART>, tick_beside_<PART>, begin_beside, wire_before_ticks. */
void hd_put_beside(struct hd_lazy_writer *x);

#endif
