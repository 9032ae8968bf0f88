/* Counts reads, writes, masked writes, and rows that sleep and wake, at the pins of the RTL's memories. Compares the accesses with the
 * golden model's counts, and finds accesses of rows without power. See table.h.
 *
 * Invariant: the pins are sampled in the cycle before an edge. Cycles under reset do not count on either side. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "verif/harness/table.h"

static bool all_ones(const struct hd_dut_var *v) {
  for (unsigned bit = 0; bit < v->bits; bit++)
    if (!(v->data[bit / 8] >> bit % 8 & 1))
      return false;
  return true;
}

static void note_sleep(struct hd_ram *m, struct hd_ram_bank *b) {
  for (size_t i = 0; i < b->sleep.bytes; i++) {
    const unsigned was = b->slept[i], is = b->sleep.data[i];
    m->sleeps += (unsigned)__builtin_popcount(is & ~was);
    m->wakes += (unsigned)__builtin_popcount(was & ~is);
    for (unsigned woken = was & ~is; woken; woken &= woken - 1)
      b->woke[i * 8 + (unsigned)__builtin_ctz(woken)] = m->cycles;
  }
  m->asleep = m->sleeps - m->wakes;
  memcpy(b->slept, b->sleep.data, b->sleep.bytes);
}

/* Returns true if the accessed row has power, and has had it for `wake` cycles or more. */
static bool is_awake(const struct hd_ram *m, const struct hd_ram_bank *b, unsigned wake) {
  uint32_t row = 0;
  memcpy(&row, b->addr.data, b->addr.bytes);
  return row < m->mem->depth && !(b->sleep.data[row / 8] >> row % 8 & 1) && m->cycles - b->woke[row] >= wake;
}

void hd_note_accesses(struct hd_table *t) {
  for (struct hd_ram *m = t->ram; m < t->ram + t->n_rams; m++) {
    m->cycles++;
    for (unsigned i = 0; i < m->mem->banks; i++) {
      struct hd_ram_bank *b = &m->bank[i];
      const bool one = b->en.data != NULL, enabled = !one || *b->en.data, writes = enabled && *b->we.data;
      if (writes)
        *(b->wmask.data && !all_ones(&b->wmask) ? &m->seen.masked : &m->seen.writes) += 1;
      m->seen.reads += one ? enabled && !writes : b->re.data && *b->re.data;
      if (!b->sleep.data)
        continue;
      if (memcmp(b->slept, b->sleep.data, b->sleep.bytes))
        note_sleep(m, b);
      m->row_cycles += m->asleep;
      m->unpowered += enabled && !is_awake(m, b, t->wake);
    }
  }
}

bool hd_accesses_agree(const struct hd_table *t, char *text, size_t room) {
  for (const struct hd_ram *m = t->ram; m < t->ram + t->n_rams; m++) {
    if (m->unpowered) {
      snprintf(text, room,
               "memory %s%s: a row is accessed that has no power, or has not had it for %u cycles", m->path,
               m->mem->name, t->wake);
      return false;
    }
    const struct hd_accesses *model =
        (const struct hd_accesses *)(const void *)((const char *)m->st + m->mem->n_offset);
    if (m->seen.reads == model->reads && m->seen.writes == model->writes && m->seen.masked == model->masked)
      continue;
    snprintf(text, room,
             "accesses of memory %s%s: the RTL's are %" PRIu64 " reads, %" PRIu64 " writes, %" PRIu64
             " masked writes; the model's %" PRIu64 ", %" PRIu64 ", %" PRIu64,
             m->path, m->mem->name, m->seen.reads, m->seen.writes, m->seen.masked, model->reads,
             model->writes, model->masked);
    return false;
  }
  return true;
}

uint64_t hd_accesses_counted(const struct hd_table *t) {
  uint64_t n = 0;
  for (const struct hd_ram *m = t->ram; m < t->ram + t->n_rams; m++)
    n += m->seen.reads + m->seen.writes + m->seen.masked;
  return n;
}
