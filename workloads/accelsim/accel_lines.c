/* Printing instructions for Accel-Sim; see accel_lines.h. */
#include "workloads/accelsim/accel_lines.h"

/* From this binary version on, global accesses have their own opcodes. */
enum { VOLTA = 70, SHARED_BYTES = 4 };

static char *put_text(char *p, const char *text) {
  while (*text)
    *p++ = *text++;
  return p;
}

/* With at least `digits` digits. */
static char *put_hex(char *p, uint64_t x, int digits) {
  int n = 16;
  while (n > digits && x >> 4 * (n - 1) == 0)
    n--;
  while (n--)
    *p++ = "0123456789abcdef"[x >> 4 * n & 15];
  return p;
}

static char *put_signed(char *p, int64_t x) {
  char digits[20];
  int n = 0;
  uint64_t rest = (uint64_t)x;
  if (x < 0) {
    *p++ = '-';
    rest = -rest;
  }
  do
    digits[n++] = (char)('0' + rest % 10);
  while (rest /= 10);
  while (n)
    *p++ = digits[--n];
  return p;
}

static const char *name_of(const struct wl_inst *i, unsigned version) {
  const bool volta = version >= VOLTA, load = i->dst != WL_NO_REG;
  switch (i->op) {
  case WL_SFU:
    return "MUFU.RCP";
  case WL_SHARED:
    return load ? "LDS" : "STS";
  case WL_CONST:
    return "LDC";
  case WL_TEX:
    return "TEX";
  case WL_LOAD:
    return volta ? "LDG.E" : "LD.E";
  case WL_STORE:
    return volta ? "STG.E" : "ST.E";
  case WL_ATOMIC:
    return !load ? "RED.E.ADD" : volta ? "ATOMG.E.ADD" : "ATOM.E.ADD";
  case WL_FENCE:
    return "MEMBAR";
  case WL_BARRIER:
    return "BAR.SYNC";
  case WL_EXIT:
    return "EXIT";
  default:
    return "IADD";
  }
}

static const char *size_of(unsigned bytes) {
  return bytes == 1 ? ".U8" : bytes == 2 ? ".U16" : bytes == 8 ? ".64" : bytes == 16 ? ".128" : "";
}

static char *put_register(char *p, unsigned reg) {
  *p++ = 'R';
  p = put_signed(p, reg);
  *p++ = ' ';
  return p;
}

/* As the tracer does: one stride if possible, else distances. */
static char *put_addresses(char *p, uint32_t active, const uint64_t addr[WL_LANES]) {
  if (!active)
    return put_text(p, "1 0x0 0 ");
  const unsigned first = (unsigned)__builtin_ctz(active), lanes = (unsigned)__builtin_popcount(active);
  const uint32_t run = active >> first;
  bool even = lanes > 1 && (run & (run + 1)) == 0;
  const int64_t stride = even ? (int64_t)(addr[first + 1] - addr[first]) : 0;
  even = even && stride == (int32_t)stride;
  for (unsigned l = first; even && l + 1 < first + lanes; l++)
    even = addr[l + 1] - addr[l] == (uint64_t)stride;
  p = put_text(p, even ? "1 0x" : "2 0x");
  p = put_hex(p, addr[first], 1);
  *p++ = ' ';
  if (even) {
    p = put_signed(p, stride);
    *p++ = ' ';
    return p;
  }
  uint64_t before = addr[first];
  for (uint32_t rest = active & (active - 1); rest; rest &= rest - 1) {
    const uint64_t now = addr[__builtin_ctz(rest)];
    p = put_signed(p, (int64_t)(now - before));
    *p++ = ' ';
    before = now;
  }
  return p;
}

size_t wl_accel_print(const struct wl_inst *inst, unsigned version, char line[WL_ACCEL_LINE]) {
  const bool accesses = wl_is_memory(inst->op) || inst->op == WL_SHARED;
  const unsigned size = accesses && !inst->size ? SHARED_BYTES : inst->size;
  char *p = put_hex(line, inst->pc, 4);
  *p++ = ' ';
  p = put_hex(p, inst->active, 8);
  p = put_text(p, inst->dst == WL_NO_REG ? " 0 " : " 1 ");
  if (inst->dst != WL_NO_REG)
    p = put_register(p, (unsigned)inst->dst);
  p = put_text(p, name_of(inst, version));
  p = put_text(p, accesses ? size_of(size) : "");
  const int sources = __builtin_popcountll(inst->src);
  const int written = sources < WL_ACCEL_SOURCES ? sources : WL_ACCEL_SOURCES;
  *p++ = ' ';
  p = put_signed(p, written);
  *p++ = ' ';
  uint64_t rest = inst->src;
  for (int n = 0; n < written; n++, rest &= rest - 1)
    p = put_register(p, (unsigned)__builtin_ctzll(rest));
  p = put_signed(p, accesses ? size : 0);
  *p++ = ' ';
  if (accesses && inst->size) {
    p = put_addresses(p, inst->active, inst->addr);
  } else if (accesses) { /* each lane in its own bank */
    uint64_t addr[WL_LANES];
    for (uint64_t l = 0; l < WL_LANES; l++)
      addr[l] = l * SHARED_BYTES;
    p = put_addresses(p, inst->active, addr);
  }
  p = put_text(p, "0\n");
  return (size_t)(p - line);
}
