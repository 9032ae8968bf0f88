/* Saving and restoring models; see heddle.h.
 *
 * A checkpoint is a header and, part by part, everything that a model holds except pointers: registers (also those
 * that the machine does not have and the model keeps all the same), memories and what they read last, notes, event
 * counts, and the wires between parts. The wires are needed because a payload may be older than the last cycle.
 *
 * Invariant: a checkpoint is checked completely before the model is changed. */
#include "base/text.h"
#include "base/version.h"
#include "lib/objects.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FORMAT = 1, ORDER = 0x01020304 };
static const char MAGIC[8] = "HEDDLE:";

struct header {
  char magic[sizeof MAGIC];
  uint32_t order, format;
  char version[16], module[32], machine[64]; /* machine: its name, for messages */
  uint64_t hash, layout;                     /* hash of the machine's keys; hash of the model's layout */
  uint64_t data;                             /* 1: with line bytes */
  uint64_t size, sum;                        /* bytes in all; checksum of all bytes after the header */
};

/* Passes over a model's bytes: counts them, copies them out, or copies them in. */
struct tape {
  size_t at;
  char *out;      /* or NULL */
  const char *in; /* or NULL */
};

static void pass(struct tape *t, void *bytes, size_t n) {
  if (t->out)
    memcpy(t->out + t->at, bytes, n);
  if (t->in)
    memcpy(bytes, t->in + t->at, n);
  t->at += n;
}

/* ---- A part ---- */

enum side { INPUTS, OUTPUTS, STATE };

static bool is_on(enum side side, const struct hd_row *r) {
  return side == (r->cls == HD_IN ? INPUTS : hd_is_port(r->cls) ? OUTPUTS : STATE) && r->pointer;
}

static bool is_pointer(const struct hd_decl *d, enum side side, size_t offset) {
  for (size_t i = 0; i < d->n_rows; i++)
    if (is_on(side, &d->rows[i]) && d->rows[i].offset == offset)
      return true;
  for (size_t i = 0; side == STATE && i < d->n_mems; i++)
    if (d->mems[i].offset == offset || (!d->mems[i].bundle && d->mems[i].q_offset == offset))
      return true;
  return false;
}

static void *at(void *base, size_t offset) {
  return (char *)base + offset;
}

static void *pointed(void *base, size_t offset) {
  return *(void **)at(base, offset);
}

/* Passes over a struct X_in, X_out or X_st, and what its pointers point to. Every field has the size of a pointer,
 * except `end_`, its last byte. */
static void pass_struct(struct tape *t, const struct hd_decl *d, enum side side, void *base, size_t size) {
  for (size_t offset = 0; offset + sizeof(uint64_t) <= size; offset += sizeof(uint64_t))
    if (!is_pointer(d, side, offset))
      pass(t, at(base, offset), sizeof(uint64_t));
  for (size_t i = 0; i < d->n_rows; i++)
    if (is_on(side, &d->rows[i]) && d->rows[i].cls != HD_RAM)
      pass(t, pointed(base, d->rows[i].offset), d->rows[i].count * sizeof(uint64_t));
  for (size_t i = 0; side == STATE && i < d->n_mems; i++) {
    const struct hd_mem *m = &d->mems[i];
    pass(t, pointed(base, m->offset), m->depth * m->row_bytes);
    if (!m->bundle)
      pass(t, pointed(base, m->q_offset), m->row_bytes);
  }
}

/* Passes over a part, and the wires to the parts inside it. These parts have their own turn. */
static void pass_part(struct tape *t, struct hd_model *m) {
  const struct hd_decl *d = m->decl;
  pass(t, m->memo, sizeof m->memo);
  pass(t, m->ev, d->n_events * sizeof *m->ev);
  pass(t, at(m, d->late_offset), d->late_size);
  pass_struct(t, d, STATE, at(m, d->st_offset), d->st_size);
  for (size_t i = 0; i < d->n_insts; i++) {
    const struct hd_inst *inst = &d->insts[i];
    pass_struct(t, inst->decl, INPUTS, at(m, inst->in_offset), inst->decl->in_size);
    pass_struct(t, inst->decl, OUTPUTS, at(m, inst->out_offset), inst->decl->out_size);
  }
}

/* Passes over the whole model. Returns the number of bytes. */
static size_t pass_model(heddle_model *k, char *out, const char *in) {
  struct tape t = {0, out, in};
  pass(&t, &k->cycle, sizeof k->cycle);
  pass_struct(&t, k->decl, INPUTS, k->in, k->decl->in_size);
  pass_struct(&t, k->decl, OUTPUTS, k->out, k->decl->out_size);
  for (size_t p = 0; p < k->parts; p++)
    pass_part(&t, k->part[p].m);
  return t.at;
}

/* ---- The header ---- */

static uint64_t hash_number(uint64_t h, size_t number) {
  char text[24];
  snprintf(text, sizeof text, "%zu", number);
  return hd_hash_text(h, text);
}

static uint64_t layout_of(const heddle_model *k) {
  uint64_t h = HD_HASH_START;
  for (size_t p = 0; p < k->parts; p++) {
    const struct hd_decl *d = k->part[p].m->decl;
    h = hd_hash_text(h, d->module);
    h = hash_number(hash_number(h, d->st_size), d->n_events);
    for (size_t i = 0; i < d->n_rows; i++)
      h = hash_number(hd_hash_text(h, d->rows[i].name), d->rows[i].offset);
  }
  return h;
}

static uint64_t sum_of(const char *body, size_t n) {
  uint64_t h = HD_HASH_START;
  for (size_t i = 0; i < n; i++)
    h = (h ^ (unsigned char)body[i]) * UINT64_C(0x100000001b3);
  return h;
}

static struct header header_of(const heddle_model *k, size_t size) {
  struct header h = {.order = ORDER,
                     .format = FORMAT,
                     .hash = heddle_machine_hash(k->machine),
                     .layout = layout_of(k),
                     .data = k->m->data,
                     .size = size};
  memcpy(h.magic, MAGIC, sizeof MAGIC);
  snprintf(h.version, sizeof h.version, "%s", HD_VERSION);
  snprintf(h.module, sizeof h.module, "%s", k->decl->module);
  snprintf(h.machine, sizeof h.machine, "%s", k->machine->c.name);
  return h;
}

/* ---- Saving ---- */

size_t heddle_state_size(heddle_model *k) {
  return sizeof(struct header) + pass_model(k, NULL, NULL);
}

void heddle_save(heddle_model *k, void *buffer) {
  char *body = (char *)buffer + sizeof(struct header);
  const size_t n = pass_model(k, body, NULL);
  struct header h = header_of(k, sizeof h + n);
  h.sum = sum_of(body, n);
  memcpy(buffer, &h, sizeof h);
}

/* True if the path is a file or does not exist: it is then replaced as a whole. Devices, pipes and links are written to. */
static bool is_replaced(const char *path) {
  struct stat is;
  return lstat(path, &is) ? errno == ENOENT : S_ISREG(is.st_mode);
}

static bool put(const char *path, const char *bytes, size_t size) {
  FILE *f = fopen(path, "wb");
  if (!f)
    return false;
  const bool written = fwrite(bytes, 1, size, f) == size;
  return !fclose(f) && written;
}

heddle_status heddle_save_file(heddle_model *k, const char *path) {
  const size_t size = heddle_state_size(k);
  const bool replaced = is_replaced(path);
  char *bytes = malloc(size), *part = hd_try_format(replaced ? "%s.part" : "%s", path);
  int reason = ENOMEM;
  if (bytes && part) {
    heddle_save(k, bytes);
    const bool there = put(part, bytes, size) && (!replaced || !rename(part, path));
    reason = there ? 0 : errno;
    if (replaced && !there)
      unlink(part);
  }
  free(bytes);
  free(part);
  return !reason ? HEDDLE_OK
                 : hd_say(&k->said, reason == ENOMEM ? HEDDLE_ERR_MEMORY : HEDDLE_ERR_FILE,
                          "%s: the checkpoint cannot be written: %s", path, strerror(reason));
}

/* ---- Restoring ---- */

#define MISFIT(what, format, found, allowed)                                                                 \
  hd_say(&k->said, HEDDLE_ERR_FIT,                                                                           \
         "checkpoint: found one of " what " " format "; allowed: of " what " " format, found, allowed)

/* Returns HEDDLE_OK if the checkpoint can be restored. */
static heddle_status check_whole(heddle_model *k, const char *bytes, size_t size) {
  struct header h;
  if (size < sizeof h || memcmp(bytes, MAGIC, sizeof MAGIC) != 0)
    return hd_say(&k->said, HEDDLE_ERR_DAMAGED,
                  "checkpoint: found %zu bytes that are none; allowed: what heddle_save has written", size);
  memcpy(&h, bytes, sizeof h);
  h.version[sizeof h.version - 1] = h.module[sizeof h.module - 1] = h.machine[sizeof h.machine - 1] = 0;
  const struct header own = header_of(k, heddle_state_size(k));
  if (h.order != own.order)
    return hd_say(&k->said, HEDDLE_ERR_FIT,
                  "checkpoint: found one of a computer with another byte order; make it anew here");
  if (h.format != own.format)
    return MISFIT("format", "%u", h.format, own.format);
  if (strcmp(h.version, own.version) != 0)
    return MISFIT("Heddle", "%s", h.version, own.version);
  if (strcmp(h.module, own.module) != 0)
    return MISFIT("module", "%s", h.module, own.module);
  if (h.hash != own.hash)
    return hd_say(&k->said, HEDDLE_ERR_FIT,
                  "checkpoint: found one of configuration %s with keys of hash %016" PRIx64
                  "; allowed: %s, %016" PRIx64,
                  h.machine, h.hash, own.machine, own.hash);
  if (h.data != own.data)
    return hd_say(&k->said, HEDDLE_ERR_FIT,
                  "checkpoint: found one %s bytes of lines; allowed: as the model, which was opened %s "
                  "HEDDLE_NO_DATA",
                  h.data ? "with" : "without", own.data ? "without" : "with");
  if (h.layout != own.layout)
    return hd_say(&k->said, HEDDLE_ERR_FIT,
                  "checkpoint: found one of another build of Heddle %s; make it anew with this one",
                  h.version);
  if (h.size != own.size || size != own.size)
    return hd_say(&k->said, HEDDLE_ERR_DAMAGED, "checkpoint: found %zu bytes; allowed: %" PRIu64, size,
                  own.size);
  if (h.sum != sum_of(bytes + sizeof h, size - sizeof h))
    return hd_say(&k->said, HEDDLE_ERR_DAMAGED,
                  "checkpoint: found bytes that have changed since it was saved; make it anew");
  return HEDDLE_OK;
}

heddle_status heddle_restore(heddle_model *k, const void *buffer, size_t size) {
  const heddle_status status = check_whole(k, buffer, size);
  if (status)
    return status;
  pass_model(k, NULL, (const char *)buffer + sizeof(struct header));
  k->evaluated = false;
  return HEDDLE_OK;
}

heddle_status heddle_restore_file(heddle_model *k, const char *path) {
  const size_t most = heddle_state_size(k) + 1; /* one byte more shows that the file is too long */
  char *bytes = malloc(most);
  FILE *f = bytes ? fopen(path, "rb") : NULL;
  const size_t n = f ? fread(bytes, 1, most, f) : 0;
  heddle_status status;
  if (!f || ferror(f)) {
    const int reason = bytes ? errno : ENOMEM;
    status = hd_say(&k->said, reason == ENOMEM ? HEDDLE_ERR_MEMORY : HEDDLE_ERR_FILE,
                    "%s: the checkpoint cannot be read: %s", path, strerror(reason));
  } else {
    status = heddle_restore(k, bytes, n);
  }
  if (f)
    fclose(f);
  free(bytes);
  return status;
}
