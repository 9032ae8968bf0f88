/* Connection rows on a toy: their Verilog, and the detection of each kind of mistake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "arch/wires/wires.h"
#include "rtl_gen/template/nets.h"
#include "tests/unit/wires/wires_rig.h"

/* `line`: the number of the wrong row, LAST or NONE. */
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
  bool used[hd_n_sizes]; /* no size is used */
  struct hd_module inside[sizeof insts / sizeof *insts];
  memset(used, 0, sizeof used);
  for (size_t i = 0; i < n_insts; i++)
    inside[i] = (struct hd_module){.decl = insts[i].decl, .used = used};
  const struct hd_modules written = {inside, n_insts};
  const struct hd_decl top = top_of(n_insts);
  struct hd_why why;
  struct hd_wiring *w = hd_wiring_new(&top, rows, n, false, &why);
  if (!w)
    fail_msg("%s", why.text);
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  hd_put_wired(f, &c, w, &written, 6);
  fclose(f);
  hd_wiring_free(w);
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

/* A hook joins all that offer the bundle: by OR, by AND, and a single one. */
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
  a_rows[2].name[0] = 'A'; /* two that give back: one too many */
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

/* Rows for things that no machine has are found in a wiring of everything. */
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
             {SOCKET(queue, u_queue), "found u_queue, allowed: an instance"},
             {PART(X, u_c), "found u_c, allowed: an instance"},
             {PULSE(X, Y, u_core.hit, u_core.hid), "found `u_core.hid`, allowed"},
             {LEVEL(X, en_b), "found `en_b`, allowed"},
             {NOTICES(u_c, X, f()), "found u_c, allowed: an instance"},
             {NOTICES(u_a, X, f), "found f, allowed: a function of the lazy run, f()"},
             {HEARS(u_c, u_core.hit), "found u_c, allowed: an instance"},
             {HEARS(u_a, u_core.hid), "found `u_core.hid`, allowed"},
             {TICKS(u_a, u_core.hit ||), "toy.wires:"},
             {LEADS(u_c, u_core, f()), "found u_c, allowed: an instance"},
             {LEADS(u_a, u_c, f()), "found u_c, allowed: an instance"},
             {LEADS(u_a, u_core, f), "found f, allowed: a function of the lazy run, f()"},
             {SETS(u_c, u_core, f()), "found u_c, allowed: an instance"}};
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

/* More attachments than an expression may have arguments. */
static void a_hook_joins_so_many(void **state) {
  (void)state;
  enum { MANY = HD_X_ARGS + 1 };
  struct hd_inst many[1 + MANY] = {{.name = "u_core", .decl = &core, .when_text = "1"}};
  char name[1 + MANY][8];
  for (size_t i = 1; i <= MANY; i++) {
    snprintf(name[i], sizeof name[i], "u_a%zu", i);
    many[i] = (struct hd_inst){.name = name[i], .decl = &a, .when_text = "1"};
  }
  struct hd_decl top = top_of(0);
  const struct hd_wire rows[] = {WIRE(u_core, req_valid, 1), WIRE(u_core, req_line, 0),
                                 HOOK(u_core, advice, OR)};
  struct hd_why why;
  top.insts = many;
  top.n_insts = 1 + MANY;
  assert_null(hd_wiring_new(&top, rows, 3, true, &why));
  if (!strstr(why.text, "allowed: fewer outputs"))
    fail_msg("%s", why.text);
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
      cmocka_unit_test(a_hook_joins_so_many),
      cmocka_unit_test(expressions_are_expressions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
