/* The declaration kit: what rows become, storage, reset, elements, absent rows, hierarchy; against hand counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "arch/declaration/modules.h"
#include "cmodel/model/models.h"

static struct hd_config config(void) {
  struct hd_config c;
  hd_config_default(&c);
  return c;
}

static const struct hd_row *row_of(const struct hd_decl *d, const char *name) {
  for (size_t i = 0; i < d->n_rows; i++)
    if (!strcmp(d->rows[i].name, name))
      return &d->rows[i];
  return NULL;
}

static void hierarchy_follows_the_configuration(void **state) {
  (void)state;
  struct hd_config c = config();
  struct hd_design *d = hd_design_new(&c);
  assert_non_null(hd_design_find(d, "request_slot"));
  assert_null(hd_design_find(d, "mrpb"));
  assert_string_equal(d->decls[d->n - 1]->module, "sm_mem");
  assert_int_equal(d->decls[d->n - 1]->n_insts, 4);
  assert_null(hd_design_find(d, "nonsense"));
  hd_design_free(d);

  c.request_buffer.kind = HD_MRPB;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  d = hd_design_new(&c);
  assert_null(hd_design_find(d, "request_slot"));
  assert_non_null(hd_design_find(d, "mrpb"));
  hd_design_free(d);
}

/* 48 queues of 8: the numbers of MRPB Table 4 at 32-bit addresses and 128-byte lines. A header is
 * 25 (line) + 1 (write) + 6 (warp) + 2 (slot) + 5 (number) + 1 (last) = 40 bits. */
static void mrpb_is_declared_as_sized(void **state) {
  (void)state;
  struct hd_config c = config();
  c.request_buffer.kind = HD_MRPB;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  struct hd_design *d = hd_design_new(&c);
  const struct hd_decl *m = hd_design_find(d, "mrpb");
  assert_int_equal(m->n_mems, 1);
  assert_string_equal(m->mems[0].name, "fifo");
  assert_int_equal(m->mems[0].depth, 384);
  assert_int_equal(m->mems[0].width, 40);
  assert_int_equal(hd_decl_ram_bits(m), 384 * 40);
  const struct hd_row *count = row_of(m, "count");
  assert_int_equal(count->count, 48);
  assert_int_equal(count->width, 4);
  assert_string_equal(count->var, "count_q");
  assert_string_equal(count->width_txt, "COUNT_W");
  assert_string_equal(row_of(m, "enq.line")->var, "enq_line");
  assert_int_equal(row_of(m, "enq.line")->width, 25);
  assert_null(row_of(m, "enq_sig")); /* the warp id is the signature */
  assert_null(row_of(m, "last"));    /* fixed priority remembers nothing */
  const struct hd_row *line = row_of(m, "fifo.line"), *last = row_of(m, "fifo.last");
  assert_int_equal(line->lsb + line->width, 40); /* first field on top */
  assert_int_equal(last->lsb, 0);
  hd_design_free(d);
}

static void elements_and_reset(void **state) {
  (void)state;
  struct hd_config c = config();
  struct hd_design *d = hd_design_new(&c);
  struct l1d *m = hd_model_new(d, "l1d", true, NULL);
  const struct hd_decl *decl = m->base.decl;
  assert_ptr_equal(hd_elem(decl, row_of(decl, "valid"), &m->s, 0, 5), &m->s.valid[5]);
  assert_ptr_equal(hd_elem(decl, row_of(decl, "d.line"), &m->s, 0, 0), &m->s.d.line);
  assert_ptr_equal(hd_elem(decl, row_of(decl, "merged.num"), &m->s, 7, 0), &m->s.merged[7].num);
  assert_ptr_equal(hd_elem(decl, row_of(decl, "tags"), &m->s, 3, 2), &m->s.tags[3 * 4 + 2]);
  assert_ptr_equal(hd_elem(decl, row_of(decl, "data"), &m->s, 9, 1), &m->s.data[9 * 16 + 1]);
  m->s.valid[5] = 3;
  m->s.mshr_line[1] = 77;
  m->s.data_wr = 4;
  hd_model_reset(m);
  assert_int_equal(m->s.valid[5], 0);
  assert_int_equal(m->s.mshr_line[1], 77); /* no reset value: kept */
  assert_int_equal(m->s.data_wr, -1);
  hd_model_free(m);
  hd_design_free(d);
}

struct heard {
  unsigned n;
  uint64_t arg0;
};
static void hear(void *ctx, const struct hd_model *m, unsigned event, const uint64_t arg[4]) {
  struct heard *h = ctx;
  assert_string_equal(m->decl->events[event].name, "take");
  h->n++;
  h->arg0 = arg[0];
}

static void events_are_counted_logged_and_heard(void **state) {
  (void)state;
  struct hd_config c = config();
  struct hd_design *d = hd_design_new(&c);
  struct heard heard = {0, 0};
  struct hd_log log = {.cycle = 12, .hook = hear, .ctx = &heard};
  struct request_slot *m = hd_model_new(d, "request_slot", true, &log);
  for (unsigned i = 0; i < HD_LOG_SIZE + 3; i++)
    HD_EV(m, request_slot_take, i, 0, 0, 0);
  assert_int_equal(m->base.ev[EV_request_slot_take], HD_LOG_SIZE + 3);
  assert_int_equal(heard.n, HD_LOG_SIZE + 3);
  assert_int_equal(heard.arg0, HD_LOG_SIZE + 2);
  assert_int_equal(log.ring[2].arg[0], HD_LOG_SIZE + 2); /* the ring went round */
  assert_int_equal(log.ring[2].cycle, 12);
  hd_model_free(m);
  hd_design_free(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hierarchy_follows_the_configuration),
      cmocka_unit_test(mrpb_is_declared_as_sized),
      cmocka_unit_test(elements_and_reset),
      cmocka_unit_test(events_are_counted_logged_and_heard),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
