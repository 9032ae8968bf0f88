/* How areas are added up: declared memories, logic, and the bits that a paper counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/declaration/declaration.h"
#include "area/area.h"

static const struct hd_pricer by_model = {.node_nm = 45};

static void assert_within(double got, double expected, double share) {
  if (fabs(got / expected - 1) > share)
    fail_msg("%g is not within %g %% of %g", got, 100 * share, expected);
}

static char *printed(const struct hd_area_report *r) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  hd_area_print(r, out);
  fclose(out);
  return text;
}

static void roll_up_counts_each_bit_once(void **state) {
  (void)state;
  const struct hd_area_memory memories[] = {{"queues", {384, 64, HD_MEM_1RW, HD_MEM_SRAM}, 1},
                                            {"table", {10, 32, HD_MEM_1R1W, HD_MEM_FF}, 2}};
  struct hd_synth_result top = {.name = "top", .net = {.area_um2 = 10000}, .timing = {.fmax_mhz = 1500}};
  struct hd_synth_report synth = {.lib = "heddle45", .result = &top, .results = 1};
  struct hd_area_job job = {.memory = memories,
                            .memories = 2,
                            .pricer = by_model,
                            .claim = hd_area_claim_of("mrpb"),
                            .cache = {16384, 4, 128, 256, 35}};
  struct hd_area_report r;
  struct hd_why why;

  assert_int_equal(hd_area_run(&job, &r, &why), HD_OK); /* no logic: both rows count */
  assert_within(r.total_mm2, r.row[0].price.area_mm2 + 2 * r.row[1].price.area_mm2, 1e-9);
  hd_area_free(&r);

  job.synth = &synth;
  job.synths = 1;
  assert_int_equal(hd_area_run(&job, &r, &why), HD_OK); /* the table's flip-flops are in the logic */
  assert_true(r.row[1].in_logic);
  assert_within(r.total_mm2, r.row[0].price.area_mm2 + .01, 1e-9);
  assert_within(r.clock_ghz, 1.5, 1e-9);
  json_t *json = hd_area_json(&r);
  assert_int_equal(json_array_size(json_object_get(json, "memories")), 2);
  assert_int_equal(
      json_integer_value(json_object_get(json_array_get(json_object_get(json, "memories"), 1), "bits")), 640);
  assert_int_equal(json_integer_value(json_object_get(
                       json_object_get(json_object_get(json, "claim"), "cache"), "port_bits")),
                   256);
  json_decref(json);

  char *text = printed(&r);
  assert_non_null(strstr(text, "read through a 256-bit port"));
  assert_non_null(strstr(text, "model"));
  assert_null(strstr(text, "memories at this node"));
  free(text);
  hd_area_free(&r);

  job.pricer.node_nm = 32; /* the logic keeps the library's clock, and the report says so */
  assert_int_equal(hd_area_run(&job, &r, &why), HD_OK);
  text = printed(&r);
  assert_non_null(strstr(text, "memories at this node"));
  free(text);
  hd_area_free(&r);

  job.cache.port_bits = 4096; /* wider than a line */
  assert_int_equal(hd_area_run(&job, &r, &why), HD_INPUT);
  assert_non_null(strstr(why.text, "impossible"));
  hd_area_free(&r);
  assert_null(hd_area_claim_of("nobody"));
}

static void memories_come_from_declarations(void **state) {
  (void)state;
  struct hd_row rows[] = {{.cls = HD_CAM, .name = "tags", .count = 16, .width = 32, .mem = -1},
                          {.cls = HD_REG, .name = "n", .count = 1, .width = 7, .mem = -1}};
  struct hd_mem mems[] = {{.name = "data", .banks = 4, .depth = 64, .width = 8, .ports = HD_1RW}};
  struct hd_decl inner = {.module = "inner", .rows = rows, .mems = mems, .n_rows = 2, .n_mems = 1};
  struct hd_inst insts[] = {{.name = "a", .decl = &inner}, {.name = "b", .decl = &inner}};
  struct hd_decl top = {.module = "top", .insts = insts, .n_insts = 2};
  struct hd_decl *decls[] = {&inner, &top};
  const struct hd_design design = {.decls = decls, .n = 2};

  struct hd_area_memory *m;
  const int n = hd_area_memories_of(&design, NULL, (const char *const[]){"top"}, 1, &m);
  assert_int_equal(n, 2);
  assert_string_equal(m[0].name, "inner.data");
  assert_true(m[0].count == 8 && m[0].mem.kind == HD_MEM_SRAM && m[0].mem.ports == HD_MEM_1RW &&
              m[0].mem.depth == 64);
  assert_string_equal(m[1].name, "inner.tags");
  assert_true(m[1].count == 2 && m[1].mem.kind == HD_MEM_FF_CAM && m[1].mem.width == 32);
  hd_area_memories_free(m, n);
  assert_int_equal(hd_area_memories_of(&design, NULL, (const char *const[]){"top", "nobody"}, 2, &m), -1);
}

/* APRES Table II: 724 bytes. Its items are found in the declarations and nothing is counted twice. */
static void storage_is_counted_in_the_declarations(void **state) {
  (void)state;
  struct hd_config c;
  assert_int_equal(hd_config_load(&c, "configs/apres.yaml", stderr), 0);
  struct hd_design *design = hd_design_new(&c);
  const struct hd_area_claim *claim = hd_area_claim_in(design);
  assert_string_equal(claim->name, "apres");
  struct hd_area_storage *s;
  const int n = hd_area_storage_of(design, claim, &s);
  long paper = 0, bits = 0, declared = 0;
  for (int i = 0; i < n; i++) {
    paper += s[i].of.paper_bits;
    bits += s[i].bits;
    assert_true(s[i].bits > 0);
  }
  static const char *const modules[] = {"laws", "sap"};
  for (int i = 0; i < 2; i++)
    declared += (long)hd_decl_ff_bits(hd_design_find(design, modules[i])) +
                (long)hd_decl_ram_bits(hd_design_find(design, modules[i]));
  assert_int_equal(paper, 724 * 8);
  assert_int_equal(bits, declared);
  assert_int_equal(s[0].bits, 48 * 32 + 48);    /* LLT */
  assert_int_equal(s[5].bits, 2 * 24 * 23 / 2); /* the queue: a bit a pair of each scheduler's warps */
  free(s);
  hd_design_free(design);
}

/* LoSCache's paper counts the tables of 15 SMs and the counters of 6 banks. */
static void a_claim_of_a_gpu_counts_its_sms_and_banks(void **state) {
  (void)state;
  struct hd_config c;
  assert_int_equal(hd_config_load(&c, "configs/loscache/adaptive.yaml", stderr), 0);
  struct hd_design *design = hd_design_new(&c);
  const struct hd_area_claim *claim = hd_area_claim_in(design);
  assert_string_equal(claim->name, "loscache");
  assert_int_equal(hd_area_copies(design, claim, "pred_table"), 15);
  assert_int_equal(hd_area_copies(design, claim, "gate_ctrl"), 6);
  assert_int_equal(hd_area_copies(design, hd_area_claim_of("mrpb"), "gate_ctrl"), 1);
  assert_int_equal(hd_area_copies(design, NULL, "gate_ctrl"), 1);

  struct hd_area_memory *m;
  const int n = hd_area_memories_of(design, claim, claim->module, 2, &m);
  assert_int_equal(n, 2);
  assert_string_equal(m[0].name, "pred_table.pc");
  assert_int_equal(m[0].count, 15);
  assert_string_equal(m[1].name, "gate_ctrl.counts");
  assert_int_equal(m[1].count, 6);

  /* the logic of each has the same multiplicity */
  struct hd_synth_result table = {.name = "pred_table", .net = {.area_um2 = 1000}},
                         gate = {.name = "gate_ctrl", .net = {.area_um2 = 10}};
  const struct hd_synth_report synth[] = {{.lib = "heddle45", .result = &table, .results = 1},
                                          {.lib = "heddle45", .result = &gate, .results = 1}};
  const struct hd_area_job job = {.memory = m,
                                  .memories = n,
                                  .synth = synth,
                                  .synths = 2,
                                  .pricer = by_model,
                                  .claim = claim,
                                  .design = design};
  struct hd_area_report r;
  struct hd_why why;
  assert_int_equal(hd_area_run(&job, &r, &why), HD_OK);
  assert_within(r.logic_mm2, .01506, 1e-9);
  char *text = printed(&r);
  assert_non_null(strstr(text, " %)"));
  free(text);
  hd_area_free(&r);
  c.gpu.sms = 1;
  assert_int_equal(hd_area_run(&job, &r, &why), HD_OK);
  assert_within(r.logic_mm2, .00106, 1e-9);
  text = printed(&r);
  assert_non_null(strstr(text, "of 15 SMs and 6 banks; here of 1 and 6"));
  assert_null(strstr(text, " %)"));
  free(text);
  hd_area_free(&r);
  hd_area_memories_free(m, n);

  static const char *const in_l2[] = {"l2_top", "l2_slice", "gate_ctrl"}, *const in_sm[] = {"sm_mem", "l1d",
                                                                                            "pred_table",
                                                                                            "nobody"};
  for (size_t i = 0; i < sizeof in_l2 / sizeof *in_l2; i++)
    assert_true(hd_design_in_l2(design, in_l2[i]));
  for (size_t i = 0; i < sizeof in_sm / sizeof *in_sm; i++)
    assert_false(hd_design_in_l2(design, in_sm[i]));
  hd_design_free(design);
}

static long ram_bits_of(const struct hd_decl *d) {
  long bits = hd_decl_ram_bits(d);
  for (size_t i = 0; i < d->n_insts; i++)
    bits += ram_bits_of(d->insts[i].decl);
  return bits;
}

/* In every machine the priced macros hold exactly the declared bits. */
static void every_ram_bit_is_priced_once(void **state) {
  (void)state;
  struct hd_config c;
  hd_config_default(&c);
  static const unsigned ways[] = {1, 4, 16};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    c.l1d.ways = ways[i];
    assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
    struct hd_design *design = hd_design_new(&c);
    for (size_t k = 0; k < design->n; k++) {
      struct hd_area_memory *m;
      const int n = hd_area_memories_of(design, NULL, &design->decls[k]->module, 1, &m);
      long bits = 0;
      for (int j = 0; j < n; j++)
        bits += m[j].mem.kind == HD_MEM_SRAM ? (long)m[j].count * m[j].mem.depth * m[j].mem.width : 0;
      assert_int_equal(bits, ram_bits_of(design->decls[k]));
      hd_area_memories_free(m, n);
    }
    hd_design_free(design);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memories_come_from_declarations),
      cmocka_unit_test(storage_is_counted_in_the_declarations),
      cmocka_unit_test(a_claim_of_a_gpu_counts_its_sms_and_banks),
      cmocka_unit_test(every_ram_bit_is_priced_once),
      cmocka_unit_test(roll_up_counts_each_bit_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
