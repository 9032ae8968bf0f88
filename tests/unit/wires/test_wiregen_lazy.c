/* The C code of the lazy run, made from connection rows: parts, which part wakes which, and the order of calls. */
#include "tests/unit/wires/wiregen_rig.h"

/* Good rows. One of them wires the input `seen` of u_b. */
#define WIRED_BY(from) GOOD, WIRE(u_b, seen, from), SUM

/* Returns the lazy run of four instances. */
static char *lazy_text(const struct hd_wire *rows, size_t n) {
  const struct hd_decl top = top_of(4), plain = top_of(3);
  return c_of(&top, &plain, rows, n);
}

/* The lazy run has bits for channels between parts and for pulses, reads registers in place, and has a function for values from an
 * earlier part. */
static void lazily(void **state) {
  (void)state;
  const struct hd_wire rows[] = {WIRED_BY(MEETS(deq) && !u_core.hit),
                                 PART(CORE, u_core),
                                 PART(CORE, u_a),
                                 PART(QUEUE, u_buffer),
                                 PART(REST, u_b),
                                 PART(OUT, own.in),
                                 PULSE(HIT, CORE, u_core.hit)};
  core_rows[HIT].shows = "h";
  char *text = lazy_text(rows, sizeof rows / sizeof *rows);
  core_rows[HIT].shows = NULL;
  assert_non_null(text);
  after(text, "if (meet & IN)\n    parts |= OUT | QUEUE;");
  after(text, "if (meet & DEQ)\n    parts |= QUEUE | CORE | REST;");
  after(text, "if (meet & HIT)\n    parts |= CORE | REST;");
  const char *at = after(text, "void wire_u_buffer(");
  at = after(at, "m->u_buffer_in.enq_valid = ((meet & IN) != 0);");
  at = after(at, "m->u_buffer_in.deq_ready = ((meet & DEQ) != 0);");
  after(at, "if (m->u_buffer_in.enq_valid) {\n    m->u_buffer_in.enq_line = in->in_line;\n  }");
  after(after(text, "void wire_u_a("), "m->u_a_in.hit = ((meet & HIT) != 0);");
  after(text, "m->u_b_in.seen = ((((meet & DEQ) != 0) && ((meet & DEQ) != 0)) && !((meet & HIT) != 0));");
  after(after(text, "void wire_u_core("), "m->u_core_in.req_line = m->u_buffer_out.deq_line;");
  after(text, "m->u_core_in.advice.bypass = (m->u_a_out.advice.bypass | m->u_b_out.advice.bypass);");
  free(text);
}

/* Instances beside the first of a part: when they hear and tick, and what wakes their part. */
static void beside(void **state) {
  (void)state;
  const struct hd_wire rows[] = {WIRED_BY(MEETS(deq) && !u_core.hit),
                                 PART(L1D, u_core),
                                 PART(L1D, u_a),
                                 PART(QUEUE, u_buffer),
                                 PART(QUEUE, u_b),
                                 PART(OUT, own.in),
                                 HEARS(u_a, u_core.hit || in_valid),
                                 TICKS(u_a, u_core.hit),
                                 PULSE(GO, OUT, in_valid),
                                 LEVEL(OUT, en_a),
                                 NOTICES(u_b, OUT, b_notices())};
  core_rows[HIT].shows = "h";
  char *text = lazy_text(rows, sizeof rows / sizeof *rows);
  core_rows[HIT].shows = NULL;
  assert_non_null(text);
  const char *at = after(text, "uint64_t hear_L1D(");
  at = after(at, "if (there & UINT64_C(0x4)) {\n    if (there & UINT64_C(0x4))\n      news |= "
                 "-(uint64_t)m->u_core->s.h & UINT64_C(0x4);");
  at = after(at, "if (meet & (GO)) {\n      if (there & UINT64_C(0x4))\n        news |= -(uint64_t)((meet & "
                 "IN) != 0) & UINT64_C(0x4);");
  at = after(at, "const uint64_t hears = (asks | busy->ends) & there;");
  at = after(at, "busy->ends = news & there & UINT64_C(0x4);"); /* it has a TICKS row */
  at = after(at, "if (hears >> 2 & 1)\n    hear_u_a(m, in, meet);");
  at = after(at, "uint64_t tick_beside_L1D(");
  at = after(at, "ticks |= -(uint64_t)m->u_a_in.hit & UINT64_C(0x4);"); /* as it heard the input */
  after(at, "if (ticks >> 2 & 1)\n    moves |= (uint64_t)(tick_u_a(m, in, meet) != 0) << 2;");
  at = after(after(text, "unsigned changed_OUT("), "m->u_a_in.en != in->en_a)\n    parts |= L1D;");
  after(at, "if (HD_HAS(m, u_b) && b_notices(m, in))\n    parts |= QUEUE;");
  at = after(text, "unsigned follows("); /* u_b, which has no HEARS row */
  at = after(at, "if (HD_HAS(m, u_b) && parts & L1D)\n    follow |= QUEUE;");
  assert_null(strstr(text, "follow |= L1D;"));
  free(text);
}

/* An attachment with a NOTICES row for a part does not also hear that part's levels. */
static void notices_instead(void **state) {
  (void)state;
  const struct hd_wire rows[] = {
      WIRED_BY(u_buffer.enq_ready), PART(L1D, u_core), PART(L1D, u_a),
      PART(QUEUE, u_buffer),        PART(QUEUE, u_b),  PART(OUT, own.in),
      PULSE(GO, OUT, in_valid),     LEVEL(OUT, en_a),  NOTICES(u_a, OUT, a_notices())};
  char *text = lazy_text(rows, sizeof rows / sizeof *rows);
  assert_non_null(text);
  after(after(text, "unsigned changed_OUT("), "if (HD_HAS(m, u_a) && a_notices(m, in))\n    parts |= L1D;");
  assert_null(strstr(text, "m->u_a_in.en != in->en_a"));
  free(text);
}

/* A module that works on alone makes up for its cycles before it ticks. Its part wakes when the time is over. */
static void works_alone(void **state) {
  (void)state;
  const struct hd_wire rows[] = {WIRED_BY(u_buffer.enq_ready),
                                 PART(L1D, u_core),
                                 PART(L1D, u_b),
                                 PART(QUEUE, u_buffer),
                                 {.kind = HD_W_ALONE, .inst = "u_b", .when = true}};
  char *text = lazy_text(rows, sizeof rows / sizeof *rows);
  assert_non_null(text);
  const char *at = after(text, "uint64_t tick_u_b(");
  at = after(at, "_alone(m->u_b, &m->u_b_in, busy->now - busy->alone[0].since);");
  at = after(at, "_tick(m->u_b");
  after(at, "busy->alone[0].until = ahead & HD_ALONE ? next + cycles : UINT64_MAX;");
  at = after(text, "is_somebody_alone(");
  at = after(at, "return false || HD_HAS(m, u_b);");
  at = after(at, "if (HD_HAS(m, u_b) && busy[LAZY_L1D].alone[0].until < until)");
  at = after(at, "parts |= L1D, busy[LAZY_L1D].moves |= UINT64_C(1) << 3;");
  after(at, "busy[LAZY_L1D].alone[0].since = now;");
  free(text);
}

/* An attachment that another one wakes hears once more, so that its own move is seen. The first of the part reads both. */
static void woken_by_another(void **state) {
  (void)state;
  const struct hd_wire rows[] = {
      WIRED_BY(u_a.advice.bypass),  PART(L1D, u_core), PART(L1D, u_a), PART(L1D, u_b), HEARS(u_a, in_valid),
      HEARS(u_b, u_a.advice.bypass)};
  char *text = lazy_text(rows, sizeof rows / sizeof *rows);
  assert_non_null(text);
  after(text, "SEEN_L1D = UINT64_C(0xc);");
  after(after(text, "news |= -(uint64_t)m->u_a_out.advice.bypass & UINT64_C(0x8);"),
        "busy->ends = news & there & UINT64_C(0x8);");
  free(text);
  a_rows[2].cls = HD_MEALY; /* u_b then asks u_a, which ticks only by its own row */
  text = lazy_text(rows, sizeof rows / sizeof *rows);
  assert_non_null(text);
  after(after(text, "asks |= (uint64_t)((asks & UINT64_C(0x8)) != 0) << 2;"), "return hear;");
  after(text, "uint64_t ticks = busy->moves | (hear & ~UINT64_C(0x0));");
  free(text);
  a_rows[2].cls = HD_OUT;
}

/* The outputs of an instance reach others after all have ticked. An instance that reads an output at once comes after its source.
 * Two that read each other so wait for each other. */
static void who_says_first(void **state) {
  (void)state;
  const struct hd_wire rows[] = {WIRED_BY(u_a.advice.bypass), PART(L1D, u_core), PART(L1D, u_b),
                                 PART(L1D, u_a)};
  const struct hd_wire both[] = {GOOD,
                                 WIRE(u_b, seen, u_a.advice.bypass),
                                 WIRE(u_a, hit, u_b.advice.bypass),
                                 SUM,
                                 PART(L1D, u_core),
                                 PART(L1D, u_b),
                                 PART(L1D, u_a)};
  char *text = lazy_text(rows, sizeof rows / sizeof *rows);
  const char *at = after(text, "uint64_t tick_beside_L1D(");
  at = after(after(at, "tick_u_a("), "tick_u_b(");
  at = after(at, "a_moore(m->u_a, &m->u_a_out);");
  after(at, "wire_u_b_pushed_by_u_a(m, in, meet);");
  free(text);
  a_rows[2].cls = b_rows[1].cls = HD_MEALY;
  insts[2].when_text = insts[3].when_text = "THERE";
  text = lazy_text(rows, sizeof rows / sizeof *rows);
  assert_non_null(text);
  at = after(after(text, "uint64_t hear_L1D("), "hear_u_a(");
  after(at, "hear_u_b(");
  free(text);
  assert_null(lazy_text(both, sizeof both / sizeof *both));
  assert_non_null(strstr(why.text, "instances of the part L1D that wait for each other, one is u_a"));
  a_rows[2].cls = b_rows[1].cls = HD_OUT;
  insts[2].when_text = insts[3].when_text = "1";
}

/* Rows of a machine with a part whose first instance is in a socket. */
#define IN_A_SOCKET                                                                                          \
  WIRED_BY(MEETS(deq) && !u_core.hit), PART(CORE, u_core), PART(QUEUE, queue), PART(OUT, own.in)

/* A part whose first instance is in a socket. Functions of the part call those of the instance that is present. Ports are registers. */
static void sockets(void **state) {
  (void)state;
  const struct hd_wire rows[] = {IN_A_SOCKET, SOCKET(queue, u_a)};
  assert_null(lazy_text(rows, sizeof rows / sizeof *rows));
  assert_non_null(strstr(why.text, "top: found u_buffer.deq_valid without a SHOW row"));
  buffer_rows[DEQ_VALID].shows = "valid()";
  core_rows[HIT].shows = "h";
  assert_null(lazy_text(rows, sizeof rows / sizeof *rows));
  assert_non_null(strstr(why.text, "u_buffer.enq_ready without a SHOW row; allowed"));
  assert_non_null(strstr(why.text, "or SEES of one ready"));
  buffer_rows[ENQ_READY].sees = "deq_ready";
  char *text = lazy_text(rows, sizeof rows / sizeof *rows);
  assert_non_null(text);
  after(after(text, "model_QUEUE("),
        "if (HD_HAS(m, u_buffer)) {\n    return &m->u_buffer->base;\n  } else if (HD_HAS(m, u_a)) {");
  after(after(text, "void wire_QUEUE("),
        "wire_u_buffer(m, in, meet);\n    wire_u_buffer_beside(m, in, meet);");
  after(after(text, "tick_QUEUE("), "return buffer_tick(m->u_buffer, &m->u_buffer_in);");
  const char *at = after(text, "SHOWN_QUEUE = 0 | (IN << 1 * LAZY_PORTS) | (IN << 2 * LAZY_PORTS) | DEQ };");
  at = after(at, "buffer_enq_ready(m->u_buffer, false) * (IN << 1 * LAZY_PORTS)");
  at = after(at, "buffer_enq_ready(m->u_buffer, true) * (IN << 2 * LAZY_PORTS)");
  at = after(at, "(valid(m->u_buffer) != 0) * DEQ;");
  assert_null(strstr(text, "shows_sum(")); /* what X_moore computes */
  free(text);
  core_rows[COUNT].shows = "n";
  text = lazy_text(rows, sizeof rows / sizeof *rows);
  core_rows[COUNT].shows = core_rows[HIT].shows = buffer_rows[DEQ_VALID].shows = NULL;
  buffer_rows[ENQ_READY].sees = NULL;
  after(after(text, "shows_sum("), "return (m->u_core->s.h << ((4)) | m->u_core->s.n);");
  after(after(text, "void say_QUEUE("), "out->in_ready = m->u_buffer_out.enq_ready;");
  free(text);
}

/* The first of a part leads an instance that belongs to no part. That instance's work, and nothing else, comes after the first's
 * tick. */
static void led_by_the_first(void **state) {
  (void)state;
  const struct hd_wire rows[] = {IN_A_SOCKET, LEADS(u_buffer, u_b, b_steps())};
  buffer_rows[DEQ_VALID].shows = "valid()";
  core_rows[HIT].shows = "h";
  buffer_rows[ENQ_READY].sees = "deq_ready";
  char *text = lazy_text(rows, sizeof rows / sizeof *rows);
  assert_non_null(text);
  assert_null(strstr(text, "b_tick("));
  const char *at = after(text, "uint64_t tick_QUEUE(");
  after(at,
        "const uint64_t ahead = buffer_tick(m->u_buffer, &m->u_buffer_in);\n    if (HD_HAS(m, u_b))\n      "
        "return b_steps(m, ahead);\n    return ahead;");
  free(text);
  text = lazy_text(rows, sizeof rows / sizeof *rows - 1); /* without the row */
  assert_non_null(text);
  at = after(text, "uint64_t tick_QUEUE(");
  after(at, "return buffer_tick(m->u_buffer, &m->u_buffer_in);");
  free(text);
  core_rows[HIT].shows = buffer_rows[DEQ_VALID].shows = buffer_rows[ENQ_READY].sees = NULL;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lazily),      cmocka_unit_test(beside),           cmocka_unit_test(notices_instead),
      cmocka_unit_test(works_alone), cmocka_unit_test(woken_by_another), cmocka_unit_test(who_says_first),
      cmocka_unit_test(sockets),     cmocka_unit_test(led_by_the_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
