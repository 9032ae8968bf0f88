/* A toy to wire: a core with two attachments and a buffer before it. */
#ifndef HEDDLE_TESTS_UNIT_WIRES_RIG_H
#define HEDDLE_TESTS_UNIT_WIRES_RIG_H

#include "arch/wires/wires.h"

/* A core with two attachments and a buffer before it, in `top`. */
#define PORT(c, nm, v, w, b)                                                                                 \
  { .cls = c, .name = nm, .var = v, .width_txt = #w, .count_txt = "1", .bundle = b, .count = 1, .width = w }
static struct hd_row core_rows[] = {
    PORT(HD_IN, "req_valid", "req_valid", 1, NULL),
    PORT(HD_OUT, "req_ready", "req_ready", 1, NULL),
    PORT(HD_IN, "req_line", "req_line", 8, NULL),
    PORT(HD_IN, "advice.bypass", "advice_bypass", 1, "advice"),
    PORT(HD_IN, "advice.among", "advice_among", 4, "advice"),
    PORT(HD_IN, "advice.again", "advice_again", 1, "advice"),
    PORT(HD_OUT, "hit", "hit", 1, NULL),
    PORT(HD_OUT, "count", "count", 4, NULL),
};
static struct hd_row a_rows[] = {
    PORT(HD_IN, "en", "en", 1, NULL),
    PORT(HD_IN, "hit", "hit", 1, NULL),
    PORT(HD_OUT, "advice.bypass", "advice_bypass", 1, "advice"),
    PORT(HD_OUT, "advice.among", "advice_among", 4, "advice"),
};
static struct hd_row b_rows[] = {
    PORT(HD_IN, "seen", "seen", 1, NULL),
    PORT(HD_OUT, "advice.bypass", "advice_bypass", 1, "advice"),
    PORT(HD_OUT, "advice.among", "advice_among", 4, "advice"),
    PORT(HD_OUT, "advice.again", "advice_again", 1, "advice"),
};
static struct hd_row buffer_rows[] = {
    PORT(HD_IN, "enq_valid", "enq_valid", 1, NULL), PORT(HD_MEALY, "enq_ready", "enq_ready", 1, NULL),
    PORT(HD_IN, "enq_line", "enq_line", 8, NULL),   PORT(HD_OUT, "deq_valid", "deq_valid", 1, NULL),
    PORT(HD_IN, "deq_ready", "deq_ready", 1, NULL), PORT(HD_OUT, "deq_line", "deq_line", 8, NULL),
};
static struct hd_row top_rows[] = {
    PORT(HD_IN, "in_valid", "in_valid", 1, NULL), PORT(HD_MEALY, "in_ready", "in_ready", 1, NULL),
    PORT(HD_IN, "in_line", "in_line", 8, NULL),   PORT(HD_IN, "en_a", "en_a", 1, NULL),
    PORT(HD_OUT, "sum", "sum", 5, NULL),
};
#define DECL(nm)                                                                                             \
  { .module = #nm, .room = #nm, .rows = nm##_rows, .n_rows = sizeof nm##_rows / sizeof *nm##_rows }
static const struct hd_decl core = DECL(core), a = DECL(a), b = DECL(b), buffer = DECL(buffer);
static struct hd_inst insts[] = {{.name = "u_buffer", .decl = &buffer, .when_text = "1"},
                                 {.name = "u_core", .decl = &core, .when_text = "1"},
                                 {.name = "u_a", .decl = &a, .when_text = "1"},
                                 {.name = "u_b", .decl = &b, .when_text = "1"}};

/* Returns `top` with the first n of its instances. */
static struct hd_decl top_of(size_t n) {
  return (struct hd_decl){.module = "top",
                          .rows = top_rows,
                          .n_rows = sizeof top_rows / sizeof *top_rows,
                          .insts = insts,
                          .n_insts = n};
}

/* Rows as the reader of .wires files makes them. */
#define AT .when_text = "1", .when = true, .file = "toy.wires"
#define SOCKET(nm, of)                                                                                       \
  { .kind = HD_W_SOCKET, .name = #nm, .inst = #of, AT }
#define CHANNEL(net, giver, taker)                                                                           \
  { .kind = HD_W_CHANNEL, .name = #net, .from = #giver, .to = #taker, AT }
#define NAME(net, output)                                                                                    \
  { .kind = HD_W_NAME, .name = #net, .from = #output, AT }
#define WIRE(of, port, expr)                                                                                 \
  { .kind = HD_W_WIRE, .inst = #of, .name = #port, .from = #expr, AT }
#define NET(nm, expr)                                                                                        \
  { .kind = HD_W_NET, .name = #nm, .from = #expr, .why = "why", AT }
#define DRIVE(port, expr)                                                                                    \
  { .kind = HD_W_DRIVE, .name = #port, .from = #expr, AT }
#define PART(part, of)                                                                                       \
  { .kind = HD_W_PART, .name = #part, .inst = #of, AT }
#define PULSE(nm, part, ...)                                                                                 \
  { .kind = HD_W_PULSE, .name = #nm, .to = #part, .from = #__VA_ARGS__, AT }
#define LEVEL(part, net)                                                                                     \
  { .kind = HD_W_LEVEL, .name = #net, .to = #part, .from = #net, AT }
#define NOTICES(of, part, f)                                                                                 \
  { .kind = HD_W_NOTICES, .inst = #of, .name = #f, .to = #part, AT }
#define HEARS(of, expr)                                                                                      \
  { .kind = HD_W_HEARS, .inst = #of, .from = #expr, AT }
#define TICKS(of, expr)                                                                                      \
  { .kind = HD_W_TICKS, .inst = #of, .from = #expr, AT }
#define LEADS(of, other, f)                                                                                  \
  { .kind = HD_W_LEADS, .inst = #of, .name = #f, .from = #other, AT }
#define SETS(of, other, f)                                                                                   \
  { .kind = HD_W_SETS, .inst = #of, .name = #f, .from = #other, AT }
#define HOOK(of, port, ...)                                                                                  \
  { .kind = HD_W_HOOK, .inst = #of, .name = #port, .from = #__VA_ARGS__, AT }

/* The correct rows 1 to 5, which all toys have. A test adds a row or two. */
#define GOOD                                                                                                 \
  SOCKET(queue, u_buffer), CHANNEL(in, own.in, queue.enq), CHANNEL(deq, queue.deq, u_core.req),              \
      HOOK(u_core, advice, OR, among                                                                         \
           : AND, again                                                                                      \
           : ONE),                                                                                           \
      WIRE(u_a, en, en_a)
#define SEES WIRE(u_b, seen, MEETS(deq) && !u_core.hit)
#define SUM DRIVE(sum, CAT(u_core.hit, u_core.count))

#endif
