/* The C code of a module's full run, made from connection rows: the order of mealy calls and of ticks, and calls that are not made. */
#include "tests/unit/wires/wiregen_rig.h"

/* A gate before the buffer. Its offer does not depend on whether the offer is taken. */
static struct hd_row gate_rows[] = {
    PORT(HD_IN, "in_valid", "in_valid", 1, NULL),   PORT(HD_MEALY, "in_ready", "in_ready", 1, NULL),
    PORT(HD_IN, "in_line", "in_line", 8, NULL),     PORT(HD_MEALY, "out_valid", "out_valid", 1, NULL),
    PORT(HD_IN, "out_ready", "out_ready", 1, NULL), PORT(HD_MEALY, "out_line", "out_line", 8, NULL),
};
static const struct hd_decl gate = DECL(gate);
enum { OUT_VALID = 3, OUT_LINE = 5 };

static char *text_of(const struct hd_decl *top, const struct hd_wire *rows, size_t n) {
  return c_of(top, NULL, rows, n);
}

static void channels_and_hooks(void **state) {
  (void)state;
  const struct hd_decl top = top_of(4);
  const struct hd_wire rows[] = {GOOD, SEES, SUM};
  char *text = text_of(&top, rows, sizeof rows / sizeof *rows);
  const char *at = after(text, "void top_mealy(");
  at = after(at, "m->u_buffer_in.enq_valid = in->in_valid;");
  at = after(at, "if (m->u_buffer_in.enq_valid) {\n    m->u_buffer_in.enq_line = in->in_line;\n  }");
  after(at, "buffer_mealy(");
  after(text, "m->u_core_in.advice.bypass = (m->u_a_out.advice.bypass | m->u_b_out.advice.bypass);");
  after(text, "m->u_core_in.advice.among = (m->u_a_out.advice.among & m->u_b_out.advice.among);");
  after(text,
        "m->u_b_in.seen = ((m->u_buffer_out.deq_valid && m->u_core_out.req_ready) && !m->u_core_out.hit);");
  after(text, "out->sum = (m->u_core_out.hit << ((4)) | m->u_core_out.count);");
  free(text);
}

/* An output that depends on inputs may not be an OUT. */
static void outputs_are_what_they_say(void **state) {
  (void)state;
  const struct hd_decl top = top_of(4);
  const struct hd_wire rows[] = {GOOD, SEES, SUM};
  top_rows[1].cls = HD_OUT;
  assert_null(text_of(&top, rows, sizeof rows / sizeof *rows));
  top_rows[1].cls = HD_MEALY;
  assert_non_null(strstr(why.text, "top: found in_ready, which depends on inputs"));
}

/* In a hook with AND, an absent attachment counts as all ones. */
static void absent_attachments(void **state) {
  (void)state;
  const struct hd_decl top = top_of(4);
  const struct hd_wire rows[] = {GOOD, SEES, SUM};
  insts[2].when_text = "APCM";
  char *text = text_of(&top, rows, sizeof rows / sizeof *rows);
  insts[2].when_text = "1";
  after(text, "among = ((d->APCM ? m->u_a_out.advice.among : hd_ones(4)) & m->u_b_out.advice.among);");
  after(text, "if (d->APCM) {\n    a_tick(");
  free(text);
}

#define GATED_IN                                                                                             \
  SOCKET(queue, u_buffer), CHANNEL(in, own.in, u_gate.in), CHANNEL(mid, u_gate.out, queue.enq),              \
      CHANNEL(deq, queue.deq, u_core.req), HOOK(u_core, advice, OR), WIRE(u_a, en, en_a), SEES, SUM

static void mealy_calls_have_an_order(void **state) {
  (void)state;
  struct hd_inst with_gate[] = {
      insts[0], insts[1], insts[2], insts[3], {.name = "u_gate", .decl = &gate, .when_text = "1"}};
  struct hd_decl top = top_of(5);
  top.insts = with_gate;
  const struct hd_wire rows[] = {GATED_IN};
  assert_null(text_of(&top, rows, sizeof rows / sizeof *rows));
  assert_non_null(
      strstr(why.text, "wait for each other: u_buffer for its enq_valid, u_gate for its out_ready"));
  gate_rows[OUT_VALID].sees = gate_rows[OUT_LINE].sees = "in_valid, in_line";
  char *text = text_of(&top, rows, sizeof rows / sizeof *rows);
  gate_rows[OUT_VALID].sees = gate_rows[OUT_LINE].sees = NULL;
  assert_non_null(text);
  const char *at = after(after(text, "void top_mealy("), "gate_mealy(");
  at = after(at, "m->u_buffer_in.enq_valid = m->u_gate_out.out_valid;");
  at = after(at, "buffer_mealy(");
  at = after(at, "m->u_gate_in.out_ready = m->u_buffer_out.enq_ready;");
  at = after(at, "gate_mealy(");
  after(at, "out->in_ready = m->u_gate_out.in_ready;");
  free(text);
}

static void ticks_follow_late_outputs(void **state) {
  (void)state;
  const struct hd_decl top = top_of(4);
  insts[0].decl = &a; /* before the core */
  insts[2].decl = &buffer;
  core_rows[HIT].cls = HD_LATE;
  const struct hd_wire swapped[] = {SOCKET(queue, u_a),
                                    CHANNEL(in, own.in, queue.enq),
                                    CHANNEL(deq, queue.deq, u_core.req),
                                    HOOK(u_core, advice, OR),
                                    WIRE(u_buffer, en, en_a),
                                    WIRE(u_b, seen, MEETS(deq)),
                                    DRIVE(sum, CAT(u_core.req_ready, u_core.count))};
  char *text = text_of(&top, swapped, sizeof swapped / sizeof *swapped);
  const char *at = after(text, "uint64_t top_tick(");
  at = after(at, "core_tick(");
  at = after(at, "m->u_buffer_in.hit = m->u_core->late.hit;");
  after(at, "a_tick(");
  assert_null(strstr(text, "m->u_core_out.hit"));
  free(text);
  insts[0].decl = &buffer;
  insts[2].decl = &a;
  core_rows[HIT].cls = HD_OUT;
}

static void show_all(const char *shown) {
  core_rows[REQ_READY].shows = core_rows[HIT].shows = shown;
  buffer_rows[DEQ_VALID].shows = buffer_rows[DEQ_LINE].shows = shown;
  a_rows[A_BYPASS].shows = a_rows[A_AMONG].shows = shown;
  b_rows[1].shows = b_rows[2].shows = b_rows[3].shows = shown;
}

/* A module of one part each: registers are read in place, X_moore is called only for outputs shown, and the tick says whether
 * something moves. */
static void one_part(void **state) {
  (void)state;
  const struct hd_decl top = top_of(4);
  const struct hd_wire rows[] = {GOOD,           SEES,          SUM, PART(ALL, u_buffer), PART(ALL, u_core),
                                 PART(ALL, u_a), PART(ALL, u_b)};
  assert_null(text_of(&top, rows, sizeof rows / sizeof *rows));
  assert_non_null(strstr(why.text, "top: found u_"));
  assert_non_null(strstr(why.text, ", which reads a LATE output, or one without a SHOW row"));
  show_all("r");
  core_rows[HIT].cls = HD_LATE;
  assert_null(text_of(&top, rows, sizeof rows / sizeof *rows));
  core_rows[HIT].cls = HD_OUT;
  char *text = text_of(&top, rows, sizeof rows / sizeof *rows);
  assert_non_null(text);
  const char *at = after(text, "core_moore(");
  assert_null(strstr(text, "buffer_moore("));
  at = after(at, "out->sum = (m->u_core->s.r << ((4)) | m->u_core_out.count);");
  at = after(at, "void top_mealy(");
  at = after(at, "m->u_core_in.req_valid = m->u_buffer->s.r;");
  at = after(after(at, "uint64_t ahead = 0;"), "ahead |= core_tick(m->u_core, &m->u_core_in);");
  after(at, "return ahead ? HD_MOVES : 0;");
  free(text);
  show_all(NULL);
}

/* An input that is read only in some cycles is set in these cycles, and its source is called in these; or never. */
static void asked_in_some_cycles(void **state) {
  (void)state;
  const struct hd_decl top = top_of(4);
  const struct hd_wire rows[] = {GOOD, SEES, SUM};
  core_rows[BYPASS].asked = core_rows[AMONG].asked = core_rows[AGAIN].asked = "busy";
  a_rows[A_BYPASS].cls = a_rows[A_AMONG].cls = HD_MEALY;
  a_rows[A_BYPASS].sees = "hit";
  for (unsigned i = 0; i < 2; i++) { /* if it may leave work to its tick, it is called in each cycle */
    a_rows[A_AMONG].sees = i ? "hit" : NULL;
    char *text = text_of(&top, rows, sizeof rows / sizeof *rows);
    const char *const call = "\n  a_mealy(", *const asked = "if (m->u_core->s.busy)\n    a_mealy(";
    after(text, i ? asked : call);
    assert_null(strstr(text, i ? call : asked));
    after(after(text, "if (m->u_core->s.busy) {"), "m->u_core_in.advice.bypass =");
    free(text);
  }
  b_rows[0].asked = "0";
  char *text = text_of(&top, rows, sizeof rows / sizeof *rows);
  assert_null(strstr(text, "m->u_b_in.seen ="));
  free(text);
  b_rows[0].asked = NULL;
  core_rows[BYPASS].asked = core_rows[AMONG].asked = core_rows[AGAIN].asked = NULL;
  a_rows[A_BYPASS].cls = a_rows[A_AMONG].cls = HD_OUT;
  a_rows[A_BYPASS].sees = a_rows[A_AMONG].sees = NULL;
}

/* Rows beyond the limits are refused, not left out. */
static void limits(void **state) {
  (void)state;
  const struct hd_wire rest[] = {GOOD, SUM}, one = WIRE(u_b, seen, u_core.hit);
  enum { REST = sizeof rest / sizeof *rest };
  struct hd_wire rows[REST + HD_CHOICES + 1];
  memcpy(rows, rest, sizeof rest);
  char when[HD_CHOICES + 1][16];
  for (size_t i = 0; i <= HD_CHOICES; i++) {
    snprintf(when[i], sizeof when[i], "WAYS == %zu", i);
    rows[REST + i] = one;
    rows[REST + i].when_text = when[i];
  }
  const struct hd_decl top = top_of(4);
  char *text = text_of(&top, rows, REST + HD_CHOICES);
  assert_non_null(text);
  free(text);
  assert_null(text_of(&top, rows, REST + HD_CHOICES + 1));
  assert_string_equal(why.text, "seen: found more than 16 rows that give it, allowed: 16");

  static struct hd_inst many[HD_INSTS + 1];
  for (size_t i = 0; i <= HD_INSTS; i++)
    many[i] = insts[i < 4 ? i : 3];
  struct hd_decl wide = top, plain = top_of(3);
  wide.insts = many;
  wide.n_insts = HD_INSTS + 1;
  struct hd_wiring w = {.decl = &wide};
  assert_false(hd_write_full(stderr, &w, &why));
  assert_string_equal(why.text, "top: found 65 instances, allowed: 64");
  why.text[0] = 0;
  assert_false(hd_write_lazy(stderr, &w, &plain, &why));
  assert_string_equal(why.text, "top: found 65 instances, allowed: 64");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(channels_and_hooks),        cmocka_unit_test(outputs_are_what_they_say),
      cmocka_unit_test(absent_attachments),        cmocka_unit_test(mealy_calls_have_an_order),
      cmocka_unit_test(ticks_follow_late_outputs), cmocka_unit_test(one_part),
      cmocka_unit_test(asked_in_some_cycles),      cmocka_unit_test(limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
