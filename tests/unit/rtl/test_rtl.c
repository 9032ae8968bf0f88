/* The generator: what a behaviour may not do, the texts of the frame, the behaviour of the memory wrappers, and that files are
 * written whole or not at all.
 *
 * Over 400 lines: the tests of the files written for a design share the functions that read them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/programs.h"
#include "rtl_gen/emit/emit.h"
#include "rtl_gen/emit/files.h"
#include "rtl_gen/rtl.h"
#include "rtl_gen/verilog/sizes.h"
#include "rtl_gen/verilog/verilog.h"

static struct hd_design *machine(enum hd_buffer buffer, enum hd_policy policy) {
  static struct hd_config c;
  hd_config_default(&c);
  c.request_buffer.kind = buffer;
  c.scheduler.policy = policy;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  return hd_design_new(&c);
}

/* A complete behaviour of request_slot, and the text that follows it. */
static bool passes(const struct hd_design *d, const char *more, const char *where, struct hd_why *why) {
  char *text = hd_format("always @(posedge clk) begin valid_q <= 1'b0; wdata_q[63:0] <= 0; wmask_q <= 0;\n"
                         "{r_line_q, r_write_q, r_wid_q, r_slot_q, r_num_q, r_last_q} <= 0; end\n%s",
                         more);
  const char *at;
  const bool ok = hd_scan_state(hd_design_find(d, "request_slot"), text, &at, why);
  if (!ok && strncmp(at, where, strlen(where)) != 0)
    fail_msg("%s: at %s, and not at %s", more, at, where);
  free(text);
  return ok;
}

static void state_must_be_declared(void **state) {
  (void)state;
  struct hd_design *d = machine(HD_SLOT, HD_LRR);
  struct hd_why why;
  assert_true(passes(d, "// reg comment_q; comment_q <= 1\n", "", &why));
  assert_true(passes(d, "assign a = b <= c; wire x = (valid_q <= y);\n", "", &why)); /* a comparison */
  assert_true(
      passes(d, "function f(input v); reg r; integer i; begin r = v; f = r; end endfunction\n", "", &why));
  static const struct {
    const char *text, *at, *sentence;
  } refused[] = {
      {"reg hidden_q;\n", "reg", "declares a variable (\"reg hidden_q\")"},
      {"integer i;\n", "integer", "declares a variable (\"integer i\")"},
      {"always @(posedge clk) hidden_q <= 1'b1;\n",
       "hidden_q <=", "assigns hidden_q, which is not a declared register"},
      {"always @(posedge clk) begin : b hidden_q[valid_q] <= 1'b1; end\n", "hidden_q[", "assigns hidden_q"},
      {"always @(posedge clk) if (a) {valid_q, other_q} <= 2'b0;\n", "other_q", "assigns other_q"},
      {"hd_ram_1rw u_ram (.clk(clk));\n", "hd_ram_1rw u_ram", "holds a memory"},
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    assert_false(passes(d, refused[i].text, refused[i].at, &why));
    if (!strstr(why.text, refused[i].sentence))
      fail_msg("%s: %s", refused[i].text, why.text);
  }
  hd_design_free(d);
}

static void declared_state_must_be_assigned(void **state) {
  (void)state;
  struct hd_design *d = machine(HD_SLOT, HD_LRR);
  struct hd_why why;
  const char *at;
  assert_false(hd_scan_state(hd_design_find(d, "request_slot"), "// nothing\n", &at, &why));
  assert_null(at);
  assert_non_null(strstr(why.text, "nothing assigns the declared register valid"));
  /* a name inside an index is read, not assigned */
  assert_false(
      hd_scan_state(hd_design_find(d, "sched"), "always @(posedge clk) x[last_q] <= 1;\n", &at, &why));
  hd_design_free(d);
}

static bool uses_warps(const char *text) {
  bool used[hd_n_sizes];
  hd_scan_sizes(text, used);
  for (size_t i = 0; i < hd_n_sizes; i++)
    if (used[i])
      assert_string_equal(hd_sizes[i].name, "WARPS");
  return used[0];
}

static void names_are_whole_words(void **state) {
  (void)state;
  assert_string_equal(hd_sizes[0].name, "WARPS");
  assert_true(uses_warps("wire [WARPS-1:0] a;"));
  assert_false(uses_warps("wire [MY_WARPS-1:0] a; // WARPS"));
  assert_true(uses_warps(".X(WARPS)"));
  assert_false(uses_warps(".WARPS(X)"));
}

static void ranges_and_fields(void **state) {
  (void)state;
  struct hd_config c;
  hd_config_default(&c);
  assert_string_equal(hd_fields_of(&c, "target", "t_", "_q").text, "{t_wid_q, t_slot_q, t_num_q, t_last_q}");
  assert_null(strstr(hd_fields_of(&c, "req", "r_", "").text, "r_gid")); /* no LAWS */
  c.scheduler.policy = HD_LAWS;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  assert_non_null(strstr(hd_fields_of(&c, "req", "r_", "").text, "r_last, r_gid}"));
  const struct hd_row vector = {.width_txt = "LINE_W", .count_txt = "LANES"},
                      bit = {.width_txt = "1", .count_txt = "1"}, two = {.width_txt = "2", .count_txt = "1"},
                      flagged = {.width_txt = "GTO * CTA_W", .count_txt = "1"},
                      sum = {.width_txt = "A + 1", .count_txt = "N"};
  assert_string_equal(hd_range_of(&vector).text, "[LANES*LINE_W-1:0]");
  assert_string_equal(hd_range_of(&bit).text, "");
  assert_string_equal(hd_range_of(&two).text, "[1:0]");
  assert_string_equal(hd_range_of(&flagged).text, "[CTA_W-1:0]"); /* GTO is 1 if the row exists */
  assert_string_equal(hd_range_of(&sum).text, "[N*(A + 1)-1:0]");
}

/* Every text has exactly the declared registers, is plain ASCII, has no directive, and is the same when written again. */
static void texts_are_what_is_declared(void **state) {
  (void)state;
  for (int which = 0; which < 4; which++) {
    struct hd_design *d = machine(which & 1 ? HD_MRPB : HD_SLOT, which & 2 ? HD_GTO : HD_LRR);
    for (size_t i = 0; i < d->n; i++) {
      const struct hd_decl *m = d->decls[i];
      struct hd_why why;
      char *text = hd_rtl_module_text(d, m->module, &why), *again = hd_rtl_module_text(d, m->module, &why);
      assert_non_null(text);
      assert_string_equal(text, again);
      for (const char *p = text; *p; p++)
        assert_true(*p == '\n' || (*p >= ' ' && *p <= '~'));
      assert_null(strstr(text, "lint_"));
      assert_null(strchr(text, '`'));
      size_t declared = 0, written = 0;
      for (size_t r = 0; r < m->n_rows; r++)
        declared += m->rows[r].cls == HD_REG || m->rows[r].cls == HD_CAM;
      for (const char *p = text; (p = strstr(p, "\n  reg ")); p++)
        written++;
      assert_int_equal(written, declared);
      free(text);
      free(again);
    }
    hd_design_free(d);
  }
}

static void put(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  assert_int_equal(fclose(f), 0);
}

static void remove_all(const char *dir) {
  const char *const argv[] = {"rm", "-rf", dir, NULL};
  assert_int_equal(hd_run(argv, NULL, "/dev/null", 10), 0);
}

static void files_come_whole_or_not_at_all(void **state) {
  (void)state;
  struct hd_design *d = machine(HD_MRPB, HD_LRR);
  struct hd_why why;
  char dir[] = "/tmp/test_rtl.XXXXXX";
  assert_non_null(mkdtemp(dir));
  static const char *const files[] = {"mrpb.v",    "hd_ram_1r1w.v", "mrpb.f",        "mrpb.json",
                                      "mrpb.core", "mrpb.sdc",      "mrpb.synth.tcl"};
  enum { FILES = sizeof files / sizeof *files };
  char *path[FILES], *rtl = hd_format("%s/a/b", dir);
  assert_int_equal(hd_rtl_write(d, "request_slot", rtl, &why), HD_INPUT); /* not in this machine */
  assert_int_equal(access(rtl, F_OK), -1);

  /* a directory has one of the names: the rename fails, and the files not yet renamed are removed */
  char *taken = hd_format("%s/mrpb.v/x", rtl);
  assert_true(hd_make_dirs(taken));
  assert_int_equal(hd_rtl_write(d, "mrpb", rtl, &why), HD_INPUT);
  assert_non_null(strstr(why.text, "mrpb.v"));
  for (int i = 1; i < FILES; i++) {
    path[i] = hd_format("%s/%s", rtl, files[i]);
    assert_int_equal(access(path[i], F_OK), -1);
    free(path[i]);
  }
  assert_int_equal(rmdir(taken), 0);
  *strrchr(taken, '/') = 0;
  assert_int_equal(rmdir(taken), 0);

  /* a file in the earlier list is removed; a file in no list stays */
  assert_int_equal(hd_rtl_write(d, "mrpb", rtl, &why), HD_OK);
  char *list = hd_format("%s/mrpb.f", rtl), *stale = hd_format("%s/stale.v", rtl),
       *foreign = hd_format("%s/foreign.v", rtl);
  put(stale, "");
  put(foreign, "");
  put(list, "stale.v\nmrpb.v\n");
  assert_int_equal(hd_rtl_write(d, "mrpb", rtl, &why), HD_OK);
  assert_int_equal(access(stale, F_OK), -1);
  assert_int_equal(unlink(foreign), 0);
  free(list);
  free(stale);
  free(foreign);
  for (int i = 0; i < FILES; i++) {
    path[i] = hd_format("%s/%s", rtl, files[i]);
    assert_int_equal(unlink(path[i]), 0);
    free(path[i]);
  }
  assert_int_equal(rmdir(rtl), 0); /* the directory was otherwise empty */
  *strrchr(rtl, '/') = 0;
  assert_int_equal(rmdir(rtl), 0);
  assert_int_equal(rmdir(dir), 0);
  free(taken);
  free(rtl);
  hd_design_free(d);
}

/* --- memories with write masks, with rows that sleep ---------------------------------------------------- */

static struct hd_mem *memory_of(const struct hd_design *d, const char *module, const char *name) {
  const struct hd_decl *decl = hd_design_find(d, module);
  for (size_t i = 0; i < decl->n_mems; i++)
    if (!strcmp(decl->mems[i].name, name))
      return &decl->mems[i];
  fail_msg("%s has no memory %s", module, name);
  return NULL;
}

static void expect(bool there, const char *text, const char *part) {
  if (!strstr(text, part) == there)
    fail_msg("'%s' is %s", part, there ? "missing" : "there");
}

static void memory_kinds_have_their_signals(void **state) {
  (void)state;
  struct hd_design *d = machine(HD_SLOT, HD_LRR);
  struct hd_mem *data = memory_of(d, "l1d", "data"), *merged = memory_of(d, "l1d", "merged");
  struct hd_why why;
  for (enum hd_ports p = 0; p < HD_PORT_KINDS; p++) {
    data->ports = p;
    char *text = hd_rtl_module_text(d, "l1d", &why);
    char *head = hd_format("  hd_ram_%s #(.DEPTH(DATA_ROWS), .WIDTH(DATA_WORD_W)%s) u_data (\n",
                           hd_ports_name(p), hd_masked(p) ? ", .MASK_W(8*WORDS)" : "");
    assert_non_null(text);
    expect(true, text, head);
    expect(hd_masked(p), text, "  wire [8*WORDS-1:0] data_wmask;\n");
    expect(hd_masked(p), text, "    .wmask(data_wmask),\n");
    expect(p == HD_1RW_M_SLEEP, text, "  wire [DATA_ROWS-1:0] data_sleep;\n");
    expect(p == HD_1RW_M_SLEEP, text, "    .sleep(data_sleep),\n");
    expect(hd_one_port(p), text, "    .en(data_en),\n");
    expect(!hd_one_port(p), text, "    .raddr(data_raddr),\n");
    free(head);
    free(text);
  }
  merged->ports = HD_1R1W_M; /* a bundle, whose fields have no eighths */
  assert_null(hd_rtl_module_text(d, "l1d", &why));
  assert_non_null(strstr(why.text, "l1d: memory merged has write masks"));
  hd_design_free(d);
}

/* A register whose key says so becomes an instance. The behaviour may then not assign it. */
static void registers_of_latches(void **state) {
  (void)state;
  struct hd_design *d = machine(HD_SLOT, HD_LRR);
  const char *at;
  struct hd_why why;
  struct hd_decl *l1d = (struct hd_decl *)(uintptr_t)hd_design_find(d, "l1d");
  char *text = hd_rtl_module_text(d, "l1d", &why);
  expect(true, text, "  reg [MSHRS*LINE_W-1:0] ");
  expect(false, text, HD_TABLE_WRAPPER);
  assert_true(hd_scan_state(l1d, "  always @(posedge clk)\n    mshr_line_q <= 0;\n", &at, &why) ||
              !strstr(why.text, "latches"));
  free(text);
  for (size_t i = 0; i < l1d->n_rows; i++)
    if (!strcmp(l1d->rows[i].name, "mshr_line"))
      l1d->rows[i].latched = true;
  assert_false(hd_scan_state(l1d, "  always @(posedge clk)\n    mshr_line_q <= 0;\n", &at, &why));
  assert_non_null(strstr(why.text, "l1d: the behaviour assigns mshr_line_q, which is made of latches"));
  struct hd_decl_cells cells = {0};
  hd_decl_add_cells(l1d, &cells);
  const unsigned bits = d->c->l1d.mshrs * d->c->d.LINE_W;
  assert_int_equal(cells.latches, bits);
  assert_int_equal(cells.rows, d->c->l1d.mshrs);
  assert_int_equal(cells.flipflops, hd_decl_ff_bits(l1d) - bits + d->c->d.LINE_W);
  assert_int_equal(cells.macro_bits, hd_decl_ram_bits(l1d));
  memory_of(d, "l1d", "mq")->ports = HD_1R1W_LATCH;
  memory_of(d, "l1d", "sdata")->ports = HD_1R1W_FF;
  const struct hd_mem *mq = memory_of(d, "l1d", "mq"), *sdata = memory_of(d, "l1d", "sdata");
  struct hd_decl_cells more = {0};
  hd_decl_add_cells(l1d, &more);
  assert_int_equal(more.latches, cells.latches + (long)mq->depth * mq->width);
  assert_int_equal(more.rows, cells.rows + mq->depth);
  assert_int_equal(more.flipflops, cells.flipflops + 2 * mq->width + (sdata->depth + 1L) * sdata->width);
  assert_int_equal(more.macro_bits,
                   cells.macro_bits - (long)mq->depth * mq->width - (long)sdata->depth * sdata->width);
  assert_int_equal(hd_decl_known_cells(l1d, false, "this", &why), HD_INPUT);
  assert_string_equal(
      why.text, "this: found storage.l1d_mshr_line that is not ff, of which it knows nothing; allowed ff");
  hd_design_free(d);
}

static void wrappers_that_are_used_are_written(void **state) {
  (void)state;
  struct hd_design *d = machine(HD_SLOT, HD_LRR);
  struct hd_why why;
  char dir[] = "/tmp/test_rtl.XXXXXX";
  assert_non_null(mkdtemp(dir));
  memory_of(d, "l1d", "data")->ports = HD_1RW_M_SLEEP;
  assert_int_equal(hd_rtl_write(d, "l1d", dir, &why), HD_OK);
  static const struct {
    const char *file;
    bool there[HD_PORT_KINDS];
    const char *before, *after;
  } named[] = {{"l1d.f", {false, true, false, false, true}, "hd_ram_", ".v\n"},
               {"l1d.core", {false, true, false, false, true}, "      - hd_ram_", ".v\n"},
               {"l1d.json", {false, true, false, false, true}, "\"ports\": \"", "\""}};
  for (size_t i = 0; i < sizeof named / sizeof *named; i++)
    for (enum hd_ports p = 0; p < HD_PORT_KINDS; p++) {
      char *path = hd_format("%s/%s", dir, named[i].file), *text = hd_slurp(path);
      char *name = hd_format("%s%s%s", named[i].before, hd_ports_name(p), named[i].after);
      char *file = hd_format("%s/hd_ram_%s.v", dir, hd_ports_name(p));
      assert_non_null(text);
      expect(named[i].there[p], text, name);
      assert_int_equal(access(file, F_OK) == 0, named[i].there[p]);
      free(path);
      free(text);
      free(name);
      free(file);
    }
  remove_all(dir);
  hd_design_free(d);
}

static void put_wrappers(const char *dir) {
  struct hd_design *d = machine(HD_SLOT, HD_LRR);
  for (unsigned p = 0; p < HD_WRAPPERS; p++) {
    const struct hd_text name = p < HD_PORT_KINDS    ? hd_ram_name((enum hd_ports)p)
                                : p == HD_PORT_KINDS ? (struct hd_text){HD_TABLE_WRAPPER}
                                                     : (struct hd_text){HD_ICG_WRAPPER};
    char *path = hd_format("%s/%s.v", dir, name.text), *text = hd_wrapper_text(d, name.text);
    put(path, text);
    free(path);
    free(text);
  }
  hd_design_free(d);
}

/* Runs the program in `dir` and returns its output. */
static char *said(const char *const argv[], const char *dir, int *status) {
  char *log = hd_format("%s/log", dir);
  *status = hd_run(argv, dir, log, 60);
  char *text = hd_slurp(log);
  free(log);
  assert_non_null(text);
  return text;
}

static void need(enum hd_program_id program) {
  if (!hd_program_find(program, NULL))
    skip();
}

static void wrappers_do_what_they_say(void **state) {
  (void)state;
  need(HD_ICARUS);
  char dir[] = "/tmp/test_rtl.XXXXXX", *bench = realpath("tests/rtl/wrappers.v", NULL);
  assert_non_null(mkdtemp(dir));
  assert_non_null(bench);
  put_wrappers(dir);
  const char *const compile[] = {"iverilog",
                                 "-g2005",
                                 "-Wall",
                                 "-s",
                                 "wrappers",
                                 "-o",
                                 "bench",
                                 bench,
                                 "hd_ram_1rw_m.v",
                                 "hd_ram_1r1w_m.v",
                                 "hd_ram_1rw_m_sleep.v",
                                 NULL};
  const char *const run[] = {"vvp", "-n", "bench", NULL};
  int status;
  char *text = said(compile, dir, &status);
  assert_string_equal(text, "");
  assert_int_equal(status, 0);
  free(text);
  text = said(run, dir, &status);
  if (status || !strstr(text, "74 checks, 0 failed"))
    fail_msg("%s", text);
  free(text);
  free(bench);
  remove_all(dir);
}

static void wrappers_pass_lint_in_every_size(void **state) {
  (void)state;
  need(HD_VERILATOR);
  char dir[] = "/tmp/test_rtl.XXXXXX";
  assert_non_null(mkdtemp(dir));
  put_wrappers(dir);
  static const int sizes[][3] = {{2, 1, 1}, {3, 8, 8}, {5, 1024, 128}, {16384, 64, 8}};
  for (enum hd_ports p = 0; p < HD_PORT_KINDS; p++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      if (p == HD_1R1W_LATCH && sizes[i][0] > 64) /* one process per row */
        continue;
      char *name = hd_format("hd_ram_%s.v", hd_ports_name(p)), *depth = hd_format("-GDEPTH=%d", sizes[i][0]),
           *width = hd_format("-GWIDTH=%d", sizes[i][1]), *mask = hd_format("-GMASK_W=%d", sizes[i][2]);
      const char *const lint[] = {
          "verilator", "--lint-only", "-Wall", name, depth, width, hd_masked(p) ? mask : NULL, NULL};
      int status;
      char *text = said(lint, dir, &status);
      if (status || *text)
        fail_msg("%s %s %s: %s", name, depth, width, text);
      free(text);
      free(name);
      free(depth);
      free(width);
      free(mask);
    }
  remove_all(dir);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(registers_of_latches),
      cmocka_unit_test(state_must_be_declared),
      cmocka_unit_test(declared_state_must_be_assigned),
      cmocka_unit_test(names_are_whole_words),
      cmocka_unit_test(ranges_and_fields),
      cmocka_unit_test(texts_are_what_is_declared),
      cmocka_unit_test(files_come_whole_or_not_at_all),
      cmocka_unit_test(memory_kinds_have_their_signals),
      cmocka_unit_test(wrappers_that_are_used_are_written),
      cmocka_unit_test(wrappers_do_what_they_say),
      cmocka_unit_test(wrappers_pass_lint_in_every_size),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
