/* Declarations: the results of rows, storage, reset, elements, absent rows, hierarchy. Checked against hand counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "arch/declaration/modules.h"
#include "arch/wires/wires.h"
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

/* Enables are rows in the rooms. A port that a machine does not have is no row. */
static void enables_say_when_they_change(void **state) {
  (void)state;
  struct hd_config c;
  assert_int_equal(hd_config_load(&c, "configs/memsched_casc.yaml", stderr), 0);
  struct hd_design *d = hd_design_new(&c);
  const struct hd_decl *top = hd_design_find(d, "sm_mem");
  assert_int_equal(row_of(top, "casc_en")->enable, HD_ANY_TIME);
  assert_string_equal(row_of(top, "casc_en")->meaning, "run-time enable of CASC (D-MIX-2)");
  assert_int_equal(row_of(top, "memsched_en")->enable, HD_AT_REST);
  assert_string_equal(row_of(top, "memsched_en")->meaning,
                      "run-time enable of MemSched; changes only while nothing is inside (D-MIX-2)");
  assert_int_equal(row_of(top, "flush")->enable, HD_NO_ENABLE);
  assert_null(row_of(top, "rft_en"));
  hd_design_free(d);
}

/* 48 queues of 8: the sizes of MRPB Table 4 at 32-bit addresses and 128-byte lines. A header is 25 (line) + 1 (write) + 6 (warp) + 2
 * (slot) + 5 (number) + 1 (last) = 40 bits. */
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
  assert_null(row_of(m, "last"));    /* fixed priority keeps no last queue */
  const struct hd_row *line = row_of(m, "fifo.line"), *last = row_of(m, "fifo.last");
  assert_int_equal(line->lsb + line->width, 40); /* the first field has the highest bits */
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
  assert_int_equal(log.ring[2].arg[0], HD_LOG_SIZE + 2); /* the ring wrapped */
  assert_int_equal(log.ring[2].cycle, 12);
  hd_model_free(m);
  hd_design_free(d);
}

/* Returns true if an instance inside has a port with this Verilog name, by the declarations. */
static bool has_port(const struct hd_decl *d, const char *var, bool output) {
  for (size_t i = 0; i < d->n_insts; i++) {
    const struct hd_decl *inner = d->insts[i].decl;
    for (size_t k = 0; k < inner->n_rows; k++)
      if (hd_is_port(inner->rows[k].cls) && hd_is_output(inner->rows[k].cls) == output &&
          !strcmp(inner->rows[k].var, var))
        return true;
    if (has_port(inner, var, output))
      return true;
  }
  return false;
}

/* Returns true if a connection row of this machine reads the port of some instance. A field follows a dot there. */
static bool in_a_row(const struct hd_config *c, const char *var) {
  size_t n;
  struct hd_wire *rows = hd_wires_of(c, "sm_mem", &n);
  bool found = false;
  for (size_t i = 0; i < n && !found; i++) {
    char text[512] = "";
    for (size_t k = 0; rows[i].when && rows[i].from && rows[i].from[k] && k < sizeof text - 1; k++)
      text[k] = rows[i].from[k] == '.' ? '_' : rows[i].from[k];
    const char *at = strstr(text, var);
    found = at && at > text && at[-1] == '_';
  }
  free(rows);
  return found;
}

/* All configurations. */
static glob_t configurations(void) {
  glob_t found;
  assert_int_equal(glob("configs/*.yaml", 0, NULL, &found), 0);
  assert_int_equal(glob("configs/*/*.yaml", GLOB_APPEND, NULL, &found), 0);
  assert_int_equal(glob("configs/lockstep/*/*.yaml", GLOB_APPEND, NULL, &found), 0);
  assert_true(found.gl_pathc > 50);
  return found;
}

static void ports_are_heard_and_said(void **state) {
  (void)state;
  struct hd_config c = config();
  assert_int_equal(hd_hears(&c, "issue_mask"), 1); /* the coalescer; sm_mem itself does not count */
  assert_int_equal(hd_says(&c, "issue_mask"), 0);
  assert_int_equal(hd_hears(&c, "launch_valid"),
                   0); /* sched's port has no width; sm_mem's own port does not count */
  assert_int_equal(hd_hears(&c, "enq_line"), 1); /* a field of request_slot's bundle */
  assert_int_equal(hd_hears(&c, "enq_hpc"), 0);  /* a field without width */
  assert_int_equal(hd_hears(&c, "enq_lin"), 0);
  assert_int_equal(hd_says(&c, "evict_valid"), 0);
  assert_int_equal(hd_says(&c, "pick_valid"), 1); /* a vector */
  assert_int_equal(hd_hears(&c, "outcome_load"), 0);
  assert_int_equal(hd_wired(&c, "lack_again"), 0);
  c.rft.form = HD_RFT_BIT;
  c.memory.kind = HD_MEM_L2;
  c.loscache.gate = HD_GATE_NAIVE;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  assert_int_equal(hd_says(&c, "evict_valid"), 1);
  assert_int_equal(hd_hears(&c, "enq_hpc"), 1);
  assert_int_equal(hd_hears(&c, "mq_taken"), 1);   /* pred_table */
  assert_int_equal(hd_hears(&c, "looked_set"), 0); /* gate_ctrl, in l2_top: sm_mem does not hear it */
  c.scheduler.policy = HD_LAWS;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  assert_int_equal(hd_hears(&c, "outcome_first"),
                   1);                             /* read by a row for laws, whose port has another name */
  assert_int_equal(hd_hears(&c, "outcome_pc"), 0); /* read only by rows of sap, which is absent */
  c.request_buffer.kind = HD_MEMSCHED;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  assert_int_equal(hd_wired(&c, "lack_again"), 1);
}

/* In every machine hd_hears and hd_says agree with the declarations, for each port of each module. */
static void what_is_heard_is_declared(void **state) {
  (void)state;
  glob_t files = configurations();
  static char names[1000][64];
  size_t n = 0;
  for (unsigned pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < files.gl_pathc; i++) {
      struct hd_config c;
      assert_int_equal(hd_config_load(&c, files.gl_pathv[i], stderr), 0);
      struct hd_design *d = hd_design_new(&c);
      const struct hd_decl *sm = hd_design_find(d, "sm_mem");
      for (size_t m = 0; pass == 0 && m < d->n; m++)
        for (size_t k = 0; k < d->decls[m]->n_rows; k++) {
          const struct hd_row *row = &d->decls[m]->rows[k];
          size_t at = 0;
          while (at < n && strcmp(names[at], row->var) != 0)
            at++;
          assert_true(at < sizeof names / sizeof *names);
          if (at == n && hd_is_port(row->cls))
            strcpy(names[n++], row->var);
        }
      for (size_t k = 0; pass == 1 && k < n; k++)
        for (int output = 0; output < 2; output++) {
          const bool there = has_port(sm, names[k], output);
          if (!output && !there && hd_hears(&c, names[k]) && in_a_row(&c, names[k]))
            continue; /* heard by a port of another name */
          if ((output ? hd_says : hd_hears)(&c, names[k]) != there)
            fail_msg("%s: %s %s", files.gl_pathv[i], names[k], there ? "is there" : "is not there");
        }
      hd_design_free(d);
    }
  assert_true(n > 200);
  globfree(&files);
}

/* A size is derived after all that it depends on, so old values make no difference. */
static void sizes_are_derived_in_order(void **state) {
  (void)state;
  glob_t files = configurations();
  for (size_t i = 0; i < files.gl_pathc; i++) {
    struct hd_config c, other;
    assert_int_equal(hd_config_load(&c, files.gl_pathv[i], stderr), 0);
    other = c;
    memset(&other.d, 0x55, sizeof other.d);
    hd_config_derive(&other);
    assert_memory_equal(&other.d, &c.d, sizeof c.d);
    memset(&other.d, 0, sizeof other.d);
    hd_config_derive(&other);
    assert_memory_equal(&other.d, &c.d, sizeof c.d);
  }
  globfree(&files);
}

/* In this machine sm_mem takes the size from `least` up, whatever its own row says. */
static void takes_from(const char *config, const char *size, unsigned least) {
  struct hd_config c;
  assert_int_equal(hd_config_load(&c, config, stderr), 0);
  struct hd_design *d = hd_design_new(&c);
  const struct hd_decl *top = hd_design_find(d, "sm_mem");
  size_t i = 0;
  while (i < top->n_frees && strcmp(top->frees[i].name, size) != 0)
    i++;
  assert_in_range(i, 0, top->n_frees - 1);
  assert_int_equal(top->frees[i].least, least);
  hd_design_free(d);
}

static void insides_raise_the_least(void **state) {
  (void)state;
  takes_from("configs/mrpb.yaml", "MSHRS", 2);
  takes_from("configs/mascar.yaml", "MSHRS", 4); /* mascar counts them in quarters */
  takes_from("configs/mrpb.yaml", "DEPTH", 2);
  takes_from("configs/mrpb/stages.yaml", "DEPTH", 4);
  takes_from("configs/apb.yaml", "RR_BITS", 2); /* apb_regs */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hierarchy_follows_the_configuration),
      cmocka_unit_test(enables_say_when_they_change),
      cmocka_unit_test(mrpb_is_declared_as_sized),
      cmocka_unit_test(elements_and_reset),
      cmocka_unit_test(events_are_counted_logged_and_heard),
      cmocka_unit_test(ports_are_heard_and_said),
      cmocka_unit_test(what_is_heard_is_declared),
      cmocka_unit_test(sizes_are_derived_in_order),
      cmocka_unit_test(insides_raise_the_least),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
