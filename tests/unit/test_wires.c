/* Connection rows on a toy: what they become in Verilog, and that each kind of mistake is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "arch/wires/wires.h"
#include "rtl_gen/emit/nets.h"

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
    PORT(HD_IN, "in_valid", "in_valid", 1, NULL), PORT(HD_OUT, "in_ready", "in_ready", 1, NULL),
    PORT(HD_IN, "in_line", "in_line", 8, NULL),   PORT(HD_IN, "en_a", "en_a", 1, NULL),
    PORT(HD_OUT, "sum", "sum", 5, NULL),
};
#define DECL(nm)                                                                                             \
  { .module = #nm, .rows = nm##_rows, .n_rows = sizeof nm##_rows / sizeof *nm##_rows }
static const struct hd_decl core = DECL(core), a = DECL(a), b = DECL(b), buffer = DECL(buffer);
static struct hd_inst insts[] = {{.name = "u_buffer", .decl = &buffer},
                                 {.name = "u_core", .decl = &core},
                                 {.name = "u_a", .decl = &a},
                                 {.name = "u_b", .decl = &b}};

/* `top` with the first n of its instances. */
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
#define HOOK(of, port, ...)                                                                                  \
  { .kind = HD_W_HOOK, .inst = #of, .name = #port, .from = #__VA_ARGS__, AT }

/* What is right of all toys, rows 1 to 5: the rest is a row or two more. */
#define GOOD                                                                                                 \
  SOCKET(queue, u_buffer), CHANNEL(in, own.in, queue.enq), CHANNEL(deq, queue.deq, u_core.req),              \
      HOOK(u_core, advice, OR, among                                                                         \
           : AND, again                                                                                      \
           : ONE),                                                                                           \
      WIRE(u_a, en, en_a)
#define SEES WIRE(u_b, seen, MEETS(deq) && !u_core.hit)
#define SUM DRIVE(sum, CAT(u_core.hit, u_core.count))

/* `line`: the number of the row that is to blame, LAST or NONE. */
enum { NONE, HOOK_ROW = 4, LAST = 99 };
static void assert_refused(size_t n_insts, struct hd_wire *rows, size_t n, int line, const char *sentence) {
  const struct hd_decl top = top_of(n_insts);
  struct hd_why why = {""};
  for (size_t i = 0; i < n; i++)
    rows[i].line = (int)i + 1;
  struct hd_wiring *w = hd_wiring_new(&top, rows, n, false, &why);
  char at[40] = "top: ";
  if (line != NONE)
    snprintf(at, sizeof at, "toy.wires:%d: ", line == LAST ? (int)n : line);
  if (w || strncmp(why.text, at, strlen(at)) != 0 || !strstr(why.text, sentence))
    fail_msg("%s%s: %s", at, sentence, w ? "taken" : why.text);
}
#define REFUSED(n_insts, line, sentence, ...)                                                                \
  do {                                                                                                       \
    struct hd_wire rows[] = {__VA_ARGS__};                                                                   \
    assert_refused(n_insts, rows, sizeof rows / sizeof *rows, line, sentence);                               \
  } while (0)

static char *verilog(size_t n_insts, const struct hd_wire *rows, size_t n) {
  struct hd_config c;
  hd_config_default(&c);
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  struct hd_design *design = hd_design_new(&c);
  const struct hd_decl top = top_of(n_insts);
  struct hd_why why;
  struct hd_wiring *w = hd_wiring_new(&top, rows, n, false, &why);
  if (!w)
    fail_msg("%s", why.text);
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  hd_put_wired(f, design, w, 6);
  fclose(f);
  hd_wiring_free(w);
  hd_design_free(design);
  return text;
}

static void assert_holds(const char *text, const char *part) {
  if (!strstr(text, part))
    fail_msg("no `%s` in\n%s", part, text);
}

static void rows_become_verilog(void **state) {
  (void)state;
  const struct hd_wire rows[] = {GOOD, SEES, SUM};
  char *text = verilog(4, rows, sizeof rows / sizeof *rows);
  assert_holds(text, ".enq_valid(in_valid),\n    .enq_ready(in_ready),\n    .enq_line(in_line),");
  assert_holds(text, ".req_line(deq_line)");
  assert_holds(text, ".deq_ready(deq_ready)");
  assert_holds(text, ".seen(deq_valid && deq_ready && !hit)");
  assert_holds(text, "  assign sum = {hit, count};\n");
  assert_null(strstr(text, "wire  in_ready")); /* a port */
  free(text);
}

/* Over all that offer the bundle: OR, AND, and one alone. */
static void hooks_join_all_that_are_there(void **state) {
  (void)state;
  const struct hd_wire rows[] = {GOOD, SEES, SUM};
  char *text = verilog(4, rows, sizeof rows / sizeof *rows);
  assert_holds(text, ".advice_bypass(a_advice_bypass | b_advice_bypass)");
  assert_holds(text, ".advice_among(a_advice_among & b_advice_among)");
  assert_holds(text, ".advice_again(b_advice_again)");
  assert_holds(text, ".advice_again(b_advice_again),\n");
  free(text);
  const struct hd_wire fewer[] = {GOOD, SUM};
  text = verilog(3, fewer, sizeof fewer / sizeof *fewer);
  assert_holds(text, ".advice_bypass(a_advice_bypass)");
  assert_holds(text, ".advice_again(1'b0)");
  free(text);
  text = verilog(2, fewer, sizeof fewer / sizeof *fewer);
  assert_holds(text, ".advice_bypass(1'b0)");
  assert_holds(text, ".advice_among({4{1'b1}})");
  free(text);
}

static void nets_have_names_and_expressions(void **state) {
  (void)state;
  const struct hd_wire rows[] = {GOOD,
                                 SUM,
                                 NAME(served, u_core.hit),
                                 NET(both, served && en_a),
                                 WIRE(u_b, seen, both),
                                 WIRE(u_a, hit, served)};
  char *text = verilog(4, rows, sizeof rows / sizeof *rows);
  assert_holds(text, "\n  wire both = served && en_a; // why\n");
  assert_holds(text, ".seen(both)");
  assert_holds(text, "wire        served;");
  free(text);
}

static void a_port_has_one_driver(void **state) {
  (void)state;
  REFUSED(4, NONE, "found u_b.seen without a driver", GOOD, SUM);
  REFUSED(4, LAST, "two drivers of u_b.seen", GOOD, SUM, SEES, WIRE(u_b, seen, u_core.hit));
  REFUSED(4, NONE, "found own.sum without a driver", GOOD, SEES);
  REFUSED(4, LAST, "two drivers of own.sum", GOOD, SEES, SUM, SUM);
  REFUSED(4, LAST, "two drivers of own.sum, the other by its name", GOOD, SEES, NAME(sum, u_core.count), SUM);
  REFUSED(4, LAST, "two drivers of the net deq_valid", GOOD, SEES, SUM, NAME(deq_valid, u_core.hit));
  REFUSED(4, LAST, "two names of u_core.hit", GOOD, SEES, SUM, NAME(x, u_core.hit), NAME(y, u_core.hit));
  REFUSED(4, LAST, "two names of u_core.req_ready", GOOD, SEES, SUM, CHANNEL(in, own.in, u_core.req));
  a_rows[2].name[0] = 'A'; /* two that give back are one too many */
  REFUSED(4, HOOK_ROW, "two drivers of u_core.advice.bypass", SOCKET(queue, u_buffer),
          CHANNEL(in, own.in, queue.enq), CHANNEL(deq, queue.deq, u_core.req), HOOK(u_core, advice, ONE),
          WIRE(u_a, en, en_a), SEES, SUM);
  a_rows[2].name[0] = 'a';
}

static void widths_agree(void **state) {
  (void)state;
  REFUSED(4, LAST, "u_b.seen: 4 bits, allowed: 1", GOOD, SUM, WIRE(u_b, seen, u_core.count));
  REFUSED(4, LAST, "own.sum: 4 bits, allowed: 5", GOOD, SEES, DRIVE(sum, u_core.count));
  REFUSED(4, LAST, "an operand of ! && ||: 4 bits, allowed: 1", GOOD, SUM, WIRE(u_b, seen, !u_core.count));
  REFUSED(4, LAST, "the right side of an operator: 4 bits, allowed: 1", GOOD, SUM,
          WIRE(u_b, seen, u_core.hit | u_core.count));
  b_rows[1].width = 2;
  REFUSED(4, HOOK_ROW, "u_b.advice.bypass: 2 bits, allowed: 1", GOOD, SEES, SUM);
  b_rows[1].width = 1;
}

static void names_are_known(void **state) {
  (void)state;
  REFUSED(4, LAST, "found `u_core.hid`", GOOD, SUM, WIRE(u_b, seen, u_core.hid));
  REFUSED(4, LAST, "found `hid`", GOOD, SUM, WIRE(u_b, seen, hid));
  REFUSED(4, LAST, "found `u_core.req_line`", GOOD, SUM, WIRE(u_b, seen, u_core.req_line)); /* an input */
  REFUSED(4, LAST, "found MEETS(dew), allowed: the name of a channel", GOOD, SUM,
          WIRE(u_b, seen, MEETS(dew)));
  REFUSED(4, LAST, "found sun, allowed: outputs of the module", GOOD, SEES, SUM, DRIVE(sun, u_core.hit));
}

/* What no machine has is found in a wiring of everything. */
static void rows_are_about_something(void **state) {
  (void)state;
  const struct hd_decl top = top_of(4);
  static const struct {
    struct hd_wire row;
    const char *sentence;
  } bad[] = {{WIRE(u_c, seen, u_core.hit), "found u_c, allowed: an instance"},
             {WIRE(u_b, see, u_core.hit), "found u_b.see, allowed: an input"},
             {NAME(x, u_core.hid), "found u_core.hid, allowed"},
             {CHANNEL(x, queue.den, u_core.req), "found queue.den, allowed"},
             {CHANNEL(x, own.in, u_core.req), "found x, allowed: the name of the module's own ports"},
             {HOOK(u_core, advise, OR), "found u_core.advise, allowed: an input"},
             {SOCKET(queue, u_queue), "found u_queue, allowed: an instance"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const struct hd_wire rows[] = {GOOD, SEES, SUM, bad[i].row};
    struct hd_why why;
    struct hd_wiring *w = hd_wiring_new(&top, rows, sizeof rows / sizeof *rows - 1, true, &why);
    assert_non_null(w);
    hd_wiring_free(w);
    assert_null(hd_wiring_new(&top, rows, sizeof rows / sizeof *rows, true, &why));
    assert_int_equal(strncmp(why.text, "toy.wires:", 10), 0);
    if (!strstr(why.text, bad[i].sentence))
      fail_msg("%s: %s", bad[i].sentence, why.text);
  }
}

static void expressions_are_expressions(void **state) {
  (void)state;
  REFUSED(4, LAST, "found the end, allowed: a name", GOOD, SUM, WIRE(u_b, seen, u_core.hit &&));
  REFUSED(4, LAST, "found + en_a, allowed: an operator", GOOD, SUM, WIRE(u_b, seen, u_core.hit + en_a));
  REFUSED(4, LAST, "allowed: CAT, ANY", GOOD, SUM, WIRE(u_b, seen, SOME(u_core.hit)));
  REFUSED(4, LAST, "allowed: two arguments", GOOD, SUM, WIRE(u_b, seen, GATED(u_core.hit)));
  REFUSED(4, LAST, "allowed: :", GOOD, SUM, WIRE(u_b, seen, u_core.hit ? en_a));
  REFUSED(4, HOOK_ROW, "allowed: OR, AND or ONE", SOCKET(queue, u_buffer), CHANNEL(in, own.in, queue.enq),
          CHANNEL(deq, queue.deq, u_core.req), HOOK(u_core, advice, XOR), WIRE(u_a, en, en_a), SEES, SUM);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_become_verilog),
      cmocka_unit_test(hooks_join_all_that_are_there),
      cmocka_unit_test(nets_have_names_and_expressions),
      cmocka_unit_test(a_port_has_one_driver),
      cmocka_unit_test(widths_agree),
      cmocka_unit_test(names_are_known),
      cmocka_unit_test(rows_are_about_something),
      cmocka_unit_test(expressions_are_expressions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
