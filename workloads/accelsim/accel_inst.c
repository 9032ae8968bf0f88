/* Reads one instruction line of an Accel-Sim trace; see accel.h. */
#include "workloads/accelsim/accel.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { REGISTERS = 64, RZ = 255, MAX_REGISTERS = 8 };

/* --- parts of a line ------------------------------------------------------------------------------------ */

/* Reading a trace spends most of its time here. So each byte is looked at once, with inlined functions
 * only. */

struct token {
  const char *at;
  int len;
};

static inline bool ends(char c) {
  return c == ' ' || c == '\t' || !c;
}

static inline const char *skip_blanks(const char *p) {
  while (*p == ' ' || *p == '\t')
    p++;
  return p;
}

static inline struct token cut(const char **line) {
  const char *at = skip_blanks(*line), *p = at;
  while (!ends(*p))
    p++;
  *line = p;
  return (struct token){at, (int)(p - at)};
}

/* Value of a hexadecimal digit, plus 1; 0: not a digit. */
static const uint8_t digits[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16};

static inline bool read_hex(const char **text, uint64_t *x) {
  const char *p = skip_blanks(*text);
  if (p[0] == '0' && (p[1] | ' ') == 'x')
    p += 2;
  const char *const first = p;
  uint64_t value = 0, lost = 0;
  for (unsigned d; (d = digits[(unsigned char)*p]); p++) {
    lost |= value >> 60;
    value = value << 4 | (d - 1);
  }
  *text = p;
  *x = value;
  return p > first && ends(*p) && !lost;
}

/* The number of bytes compared at a time. A compare may reach beyond the line. */
enum { WORD = WL_TEXT_SLACK };
_Static_assert(WORD == sizeof(uint64_t), "");

static inline uint64_t word_at(const char *p) {
  uint64_t x;
  memcpy(&x, p, sizeof x);
  return x;
}

/* Returns true if the next `len` bytes of the line are those of `text`. */
static inline bool goes_on(const char *line, const char *text, unsigned len) {
  unsigned i = 0;
  for (; i + WORD <= len; i += WORD)
    if (word_at(line + i) != word_at(text + i))
      return false;
  if (len >= WORD) /* the rest, together with bytes that were compared already */
    return word_at(line + len - WORD) == word_at(text + len - WORD);
  while (i < len && line[i] == text[i])
    i++;
  return i == len;
}

static inline bool read_mask(const char **text, uint64_t *mask) {
  const char *p = skip_blanks(*text);
  if (word_at(p) != word_at("ffffffff") || !ends(p[WORD]))
    return read_hex(text, mask) && *mask <= UINT32_MAX;
  *text = p + WORD;
  *mask = UINT32_MAX;
  return true;
}

static inline bool read_decimal(const char **text, uint64_t *x) {
  const char *p = skip_blanks(*text);
  const bool minus = *p == '-';
  p += minus;
  const char *const first = p;
  uint64_t value = 0;
  bool lost = false;
  for (unsigned d; (d = (unsigned)*p - '0') < 10; p++) {
    lost |= __builtin_mul_overflow(value, 10, &value);
    lost |= __builtin_add_overflow(value, d, &value);
  }
  *text = p;
  *x = minus ? -value : value;
  return p > first && ends(*p) && !lost;
}

bool wl_accel_number(const char **text, int base, uint64_t *x) {
  return base == 16 ? read_hex(text, x) : read_decimal(text, x);
}

/* --- opcodes -------------------------------------------------------------------------------------------- */

/* Adds the name to the list, unless it is there already or the list is full. */
static void note_unknown(struct wl_trace_notes *notes, const char *opcode) {
  const size_t n = strcspn(opcode, "."), used = strlen(notes->unknown_names);
  for (const char *p = notes->unknown_names; *p; p += strcspn(p, " "), p += *p == ' ')
    if (strcspn(p, " ") == n && memcmp(p, opcode, n) == 0)
      return;
  if (used + n + 2 <= sizeof notes->unknown_names)
    snprintf(notes->unknown_names + used, sizeof notes->unknown_names - used, "%s%.*s", used ? " " : "",
             (int)n, opcode);
}

static const struct wl_opcode *opcode_of(struct wl_accel_kernel *k, struct token t) {
  uint32_t h = 0;
  for (int i = 0; i < t.len; i++)
    h = h * 31 + (unsigned char)t.at[i];
  const uint32_t place = (h ^ h >> 6 ^ h >> 12) % WL_ACCEL_OPCODES;
  char *text = k->met[place].text;
  struct wl_opcode *opcode = &k->met[place].opcode;
  if (memcmp(text, t.at, (size_t)t.len) != 0 || text[t.len]) {
    memcpy(text, t.at, (size_t)t.len);
    text[t.len] = 0;
    *opcode = wl_opcode_of(text, k->version);
  }
  if (!opcode->known) {
    k->notes.unknown++;
    note_unknown(&k->notes, text);
  }
  return opcode;
}

/* --- registers ------------------------------------------------------------------------------------------ */

/* Returns our number of a register. A register below 64 keeps its number if that is free; any other gets
 * the highest free number. When all numbers are taken, further registers share numbers. */
static int8_t number_of(struct wl_accel_kernel *k, unsigned reg) {
  if (k->number[reg] == WL_NO_REG) {
    unsigned n = reg % REGISTERS;
    if (k->taken == UINT64_MAX)
      k->notes.registers++;
    else if (reg >= REGISTERS || k->taken >> n & 1)
      n = REGISTERS - 1 - (unsigned)__builtin_clzll(~k->taken);
    k->number[reg] = (int8_t)n;
    k->taken |= UINT64_C(1) << n;
  }
  return k->number[reg];
}

/* Reads a register such as "R12". Returns false if there is none. */
static bool read_register(struct wl_accel_kernel *k, const char **line, int8_t *ours) {
  uint64_t reg;
  *line = skip_blanks(*line);
  if (*(*line)++ != 'R' || !read_decimal(line, &reg) || reg > RZ)
    return false;
  *ours = reg == RZ ? WL_NO_REG : number_of(k, (unsigned)reg);
  return true;
}

/* --- addresses ------------------------------------------------------------------------------------------ */

enum { LIST, BASE_STRIDE, BASE_DELTAS };

/* Fills the addresses of all lanes, which are `stride` apart, from the address of the first active lane. */
static void spread(struct wl_inst *inst, uint64_t stride) {
  const unsigned first = (unsigned)__builtin_ctz(inst->active);
  uint64_t addr = inst->addr[first] - first * stride;
  for (int l = 0; l < WL_LANES; l++, addr += stride)
    inst->addr[l] = addr;
}

/* Reads the addresses of the active lanes; there is at least one. *bits gets all bits that are set in any
 * address, and maybe more. */
static bool read_addresses(const char *line, struct wl_inst *inst, uint64_t *bits,
                           struct wl_accel_stride *stride, const struct wl_accel_line *at) {
  const uint32_t rest = inst->active & (inst->active - 1);
  const unsigned first = (unsigned)__builtin_ctz(inst->active);
  const uint32_t run = inst->active >> first;
  uint64_t mode, base, step = 0;
  if (!read_decimal(&line, &mode) || mode > BASE_DELTAS)
    return wl_accel_error(at, "the addresses have no mode 0, 1 or 2");
  if (!read_hex(&line, &base) || (mode == BASE_STRIDE && !read_decimal(&line, &step)))
    return wl_accel_error(at, "the addresses have no base, or no stride");
  if (mode == BASE_STRIDE && run & (run + 1))
    return wl_accel_error(at, "a stride is given, but lanes %08" PRIx32 " are no neighbours", inst->active);
  *bits = base | step;
  inst->addr[first] = base;
  if (mode == BASE_STRIDE) { /* the usual mode, kept free of tests by lane */
    *stride = (struct wl_accel_stride){true, step};
    return true;
  }
  for (uint32_t lanes = rest; lanes; lanes &= lanes - 1) {
    if (!(mode == LIST ? read_hex : read_decimal)(&line, &step))
      return wl_accel_error(at, "fewer addresses than the %d active lanes", __builtin_popcount(inst->active));
    base = mode == LIST ? step : base + step;
    *bits |= base;
    inst->addr[__builtin_ctz(lanes)] = base;
  }
  return true;
}

/* For LD and ST from Maxwell on: the first address decides between global and shared memory. If the windows
 * are not known, it is shared memory, as in Accel-Sim. */
static void resolve(const struct wl_accel_kernel *k, struct wl_inst *inst) {
  const uint64_t first = inst->addr[__builtin_ctz(inst->active)];
  const bool known = k->shared_base && k->local_base;
  if (known && (first < k->shared_base || first >= k->local_base))
    return;
  inst->op = WL_SHARED;
  for (uint32_t rest = known ? inst->active : 0; rest; rest &= rest - 1)
    inst->addr[__builtin_ctz(rest)] -= k->shared_base;
}

static void align(struct wl_accel_kernel *k, struct wl_inst *inst) {
  uint64_t any = 0;
  for (uint32_t rest = inst->active; rest; rest &= rest - 1) {
    any |= inst->addr[__builtin_ctz(rest)];
    inst->addr[__builtin_ctz(rest)] &= ~(uint64_t)(inst->size - 1);
  }
  k->notes.misaligned += (any & (inst->size - 1U)) != 0;
}

/* --- the line ------------------------------------------------------------------------------------------- */

static bool carries_addresses(enum wl_op op) {
  return wl_is_memory(op) || op == WL_SHARED;
}

/* Skips the numbers before the pc, which depend on the version of the tracer. */
static bool skip_front(const struct wl_accel_kernel *k, const char **line) {
  uint64_t x;
  for (int n = k->tracer < 3 ? 4 : k->lines; n > 0; n--)
    if (!read_decimal(line, &x))
      return false;
  return true;
}

/* Reads the part after the mask up to the width: registers, opcode, width. Returns NULL after recording an
 * error. Most lines of a kernel were seen at their pc before, with the same text. Then the stored result is
 * returned. */
static const struct wl_accel_operation *read_operation(struct wl_accel_kernel *k, uint32_t pc,
                                                       const char **line, const struct wl_accel_line *at) {
  struct wl_accel_operation *o = &k->operations[pc / 8 % WL_ACCEL_OPERATIONS];
  *line = skip_blanks(*line);
  if (o->len && goes_on(*line, o->text, o->len) && ends((*line)[o->len])) {
    *line += o->len;
    return o;
  }
  const char *const first = *line;
  uint64_t count;
  int8_t reg = WL_NO_REG;
  bool good = read_decimal(line, &count) && count <= MAX_REGISTERS;
  const bool several = good && count > 1;
  o->len = 0;
  o->dst = WL_NO_REG;
  k->notes.destinations += several;
  for (bool dst = true; good && count; count--, dst = false) {
    good = read_register(k, line, &reg);
    if (dst)
      o->dst = reg;
  }
  if (!good) {
    wl_accel_error(at, "no destinations: their number, at most %d, and that many of R0 to R255",
                   MAX_REGISTERS);
    return NULL;
  }
  const struct token opcode = cut(line);
  if (!opcode.len || opcode.len >= WL_ACCEL_OPCODE || (*opcode.at >= '0' && *opcode.at <= '9')) {
    wl_accel_error(at, "'%.40s' is no opcode", opcode.at);
    return NULL;
  }
  o->src = 0;
  good = read_decimal(line, &count) && count <= MAX_REGISTERS;
  for (; good && count; count--) {
    good = read_register(k, line, &reg);
    if (good && reg != WL_NO_REG)
      o->src |= UINT64_C(1) << reg;
  }
  if (!good) {
    wl_accel_error(at, "no sources: their number, at most %d, and that many of R0 to R255", MAX_REGISTERS);
    return NULL;
  }
  o->opcode = *opcode_of(k, opcode);
  if (!read_decimal(line, &o->width)) {
    wl_accel_error(at, "no width after the sources");
    return NULL;
  }
  const size_t len = (size_t)(*line - first);
  if (len <= sizeof o->text && o->opcode.known && !several) { /* the other cases must be counted each time */
    memcpy(o->text, first, len);
    o->len = (uint8_t)len;
  }
  return o;
}

bool wl_accel_inst(struct wl_accel_kernel *k, const char *line, bool final, struct wl_inst *inst,
                   struct wl_accel_stride *stride, const struct wl_accel_line *at) {
  uint64_t pc, mask, bits = 0;
  stride->told = false;
  if (!skip_front(k, &line) || !read_hex(&line, &pc) || pc > UINT32_MAX || !read_mask(&line, &mask))
    return wl_accel_error(at, "no pc and lane mask, as tracer version %u writes them", k->tracer);
  const struct wl_accel_operation *o = read_operation(k, (uint32_t)pc, &line, at);
  if (!o)
    return false;
  inst->op = o->opcode.op;
  inst->pc = (uint32_t)pc;
  inst->active = (uint32_t)mask;
  inst->dst = o->dst;
  inst->src = o->src;
  inst->kind = 0;
  inst->size = 0;
  if (inst->op == WL_EXIT && !final) {
    k->notes.early_exit++;
    inst->op = WL_ALU;
  } else if (inst->op != WL_EXIT && final) {
    return wl_accel_error(at, "the warp's last instruction is no EXIT");
  }
  if (inst->op != WL_EXIT && !mask) {
    k->notes.off += carries_addresses(inst->op);
    inst->op = WL_ALU;
  }
  if (!carries_addresses(inst->op))
    return true;
  if (!o->width)
    return wl_accel_error(at, "a memory instruction of width 0");
  const bool power = o->width <= 16 && (o->width & (o->width - 1)) == 0;
  inst->size = o->opcode.size ? o->opcode.size : power ? (uint8_t)o->width : 4;
  if (!read_addresses(line, inst, &bits, stride, at))
    return false;
  if (stride->told && (o->opcode.generic || bits & (inst->size - 1U))) {
    spread(inst, stride->by);
    stride->told = false;
  }
  if (o->opcode.generic)
    resolve(k, inst);
  if ((inst->op == WL_SHARED && o->opcode.generic) || bits & (inst->size - 1U))
    align(k, inst);
  return true;
}
