/* Requests that move on. What no request of the machine carries is 0 in all of them and stays where it is: more than half of a request,
 * of most machines.
 *
 * Invariant: a request is copied whole, or by what is here; a field that is not there is never written otherwise than 0.
 *
 * Inlined: with calls instead, heddle sim executes 1.7 % more instructions; with whole requests 6.0 % (mascar on atax:n=128). */
#ifndef HEDDLE_CMODEL_MODEL_REQUEST_H
#define HEDDLE_CMODEL_MODEL_REQUEST_H

#include "arch/config/carried.h"
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"
#include "cmodel/model/specialized.h"

/* Bytes of what requests of all machines carry. */
enum { HD_REQUEST_OWN = offsetof(struct req, sectors) + sizeof(uint64_t) };
#define FIELD(bundle, field, width, meaning) +sizeof(uint64_t)
_Static_assert(sizeof(struct req) == HD_REQUEST_OWN HD_CARRIED(req) HD_DECIDED(req),
               "the rest is what only some carry");
#undef FIELD

#define FIELD(bundle, field, width, meaning)                                                                 \
  if (HD_THERE(width))                                                                                       \
    to->field = from->field;

static inline void hd_move_carried(struct req *to, const struct req *from) {
  HD_CARRIED(req) HD_DECIDED(req)
}

static inline void hd_move_request(struct req *to, const struct req *from) {
  memcpy(to, from, HD_REQUEST_OWN);
  hd_move_carried(to, from);
}

/* The same, of a request whose words have just been written one by one (hd_copy_words). */
static inline void hd_move_request_words(struct req *to, const struct req *from) {
  hd_copy_words(to, from, HD_REQUEST_OWN);
  hd_move_carried(to, from);
}

/* What OUTCOME tells of a request. */
static inline void hd_tell_request(struct outcome *to, const struct req *from) {
  to->line = from->line;
  to->wid = from->wid;
  to->slot = from->slot;
  to->num = from->num;
  to->first = from->num == 0;
  to->two = from->num < 2;
  to->last = from->last;
  to->sectors = from->sectors;
  HD_CARRIED(req) HD_DECIDED(req)
}

/* A load of which OUTCOME has told. */
static inline void hd_request_told(struct req *to, const struct outcome *from) {
  to->line = from->line;
  to->write = 0;
  to->wid = from->wid;
  to->slot = from->slot;
  to->num = from->num;
  to->last = from->last;
  to->sectors = from->sectors;
  HD_CARRIED(req) HD_DECIDED(req)
}

#undef FIELD

#endif
