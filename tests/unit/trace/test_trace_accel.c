/* Reading Accel-Sim's traces: every address mode and tracer version, opcodes, registers, order. test_trace_errors.c checks the
 * messages about wrong files. */
#include "tests/unit/trace/trace_rig.h"

#include "workloads/accelsim/accel_opcode.h"

/* Returns the text of a kernel of one warp. `versions` are lines of the header, `insts` lines of instructions without the EXIT. */
static char *kernel(const char *versions, int count, const char *insts, const char *exit) {
  return hd_format(
      "-kernel name = k<int, 3>\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 48\n"
      "-nregs = 20\n%s\n#traces format = whatever\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\n"
      "insts = %d\n%s%s\n#END_TB\n",
      versions, count + 1, insts, exit);
}

#define KEPLER "-binary version = 35\n-accelsim tracer version = 5\n"
#define VOLTA "-binary version = 70\n-accelsim tracer version = 5\n"
#define WINDOWS VOLTA "-shmem base_addr = 0x7f0000000000\n-local mem base_addr = 0x7f0100000000\n"
#define EXIT "0100 ffffffff 0 EXIT 0 0 0\n"

enum { MOST = 80 };

/* Reads the only warp. Returns the number of instructions. */
static int read_warp(const char *text, struct wl_inst inst[MOST], struct wl_trace_launch *reported) {
  const char *path = rig_path("k.traceg");
  struct wl_launch launch;
  int n = 0;
  rig_write(path, text, strlen(text));
  struct wl_source *source = rig_open_path(path);
  if (!source->ops->next_launch(source, &launch))
    fail_msg("%s", source->ops->error(source));
  if (reported)
    *reported = *wl_trace_launch_of(source);
  void *stream = source->ops->open_warp(source, 0, 0);
  assert_non_null(stream);
  do
    wl_next(source, stream, &inst[n]);
  while (inst[n++].op != WL_EXIT && n < MOST);
  assert_int_equal(inst[n - 1].op, WL_EXIT);
  assert_null(source->ops->error(source));
  source->ops->close_warp(stream);
  assert_false(source->ops->next_launch(source, &launch));
  source->ops->close(source);
  return n;
}

/* The same, from instruction lines. */
static int read_insts(const char *versions, const char *insts, struct wl_inst inst[MOST],
                      struct wl_trace_launch *reported) {
  int count = 0;
  for (const char *p = insts; *p; p++)
    count += *p == '\n';
  char *text = kernel(versions, count, insts, EXIT);
  const int n = read_warp(text, inst, reported);
  assert_int_equal(n, count + 1);
  free(text);
  return n;
}

static void header_is_read(void **state) {
  (void)state;
  struct wl_inst inst[MOST];
  struct wl_trace_launch reported;
  read_insts(KEPLER "-some key nobody knows = 7\n-cuda stream id = 0\n", "", inst, &reported);
  assert_string_equal(reported.launch.name, "k<int, 3>");
  assert_int_equal(reported.launch.ctas, 1);
  assert_int_equal(reported.launch.warps_per_cta, 1);
  assert_int_equal(reported.launch.shared_bytes, 48);
  assert_int_equal(reported.launch.regs, 20);
  assert_int_equal(reported.insts[WL_EXIT], 1);
  assert_int_equal(reported.lanes, 32);
}

static void address_modes(void **state) {
  (void)state;
  struct wl_inst i[MOST];
  read_insts(KEPLER,
             "0040 ffffffff 1 R14 LD.E 1 R4 4 1 0x40000000 2048 0\n"
             "0048 00000ff0 1 R14 LD.E.64 1 R4 8 1 0x40000100 -16 0\n"
             "0050 0000000b 1 R15 LD.E 1 R13 4 2 0x4001e000 768 -772 0\n"
             "0058 00000003 0 ST.E 2 R8 R10 4 0 0x0000000040022000 0x0000000040022004 0\n"
             "0060 80000000 1 R15 LD.E.U8 1 R13 1 2 0x7fff40000003 0\n"
             "0068 ffffffff 1 R15 LD.E 1 R13 4 1 0x40 0\n",
             i, NULL);
  for (uint64_t l = 0; l < WL_LANES; l++) {
    assert_true(i[0].addr[l] == 0x40000000 + 2048 * l);
    assert_true(i[5].addr[l] == 0x40);
  }
  for (uint64_t l = 4; l < 12; l++)
    assert_true(i[1].addr[l] == 0x40000100 - 16 * (l - 4));
  assert_true(i[2].addr[0] == 0x4001e000 && i[2].addr[1] == 0x4001e300 && i[2].addr[3] == 0x4001dffc);
  assert_true(i[3].addr[0] == 0x40022000 && i[3].addr[1] == 0x40022004);
  assert_true(i[4].addr[31] == 0x7fff40000003);
  assert_int_equal(i[0].op, WL_LOAD);
  assert_int_equal(i[0].pc, 0x40);
  assert_int_equal(i[0].dst, 14);
  assert_true(i[0].src == UINT64_C(1) << 4);
  assert_int_equal(i[1].size, 8);
  assert_int_equal(i[1].active, 0xff0);
  assert_int_equal(i[3].op, WL_STORE);
  assert_int_equal(i[3].dst, WL_NO_REG);
  assert_true(i[3].src == (UINT64_C(1) << 8 | UINT64_C(1) << 10));
  assert_int_equal(i[4].size, 1);
}

static void tracer_versions(void **state) {
  (void)state;
  static const struct {
    const char *header, *front, *back;
  } versions[] = {
      {"-accelsim tracer version = 1\n", "3 0 0 7 ", ""},
      {"-accelsim tracer version = 2\n", "3 0 0 7 ", ""},
      {"-accelsim tracer version = 3\n", "", ""},
      {"-accelsim tracer version = 4\n", "", " 0"},
      {"-accelsim tracer version = 4\n-enable lineinfo = 1\n", "1234 ", ""},
      {"-accelsim tracer version = 5\n-enable lineinfo = 0\n", "", " 2"},
      {"-accelsim tracer version = 6\n-enable lineinfo = 1\n", "99 ", " 0 0"},
  };
  for (size_t v = 0; v < sizeof versions / sizeof *versions; v++) {
    struct wl_inst i[MOST];
    char *header = hd_format("-binary version = 75\n%s", versions[v].header);
    char *insts = hd_format("%s0010 00000007 1 R2 LDG.E.SYS 1 R4 4 2 0x1000 8 24%s\n", versions[v].front,
                            versions[v].back);
    char *exit = hd_format("%s0018 ffffffff 0 EXIT 0 0%s\n", versions[v].front, versions[v].back);
    char *text = kernel(header, 1, insts, exit);
    assert_int_equal(read_warp(text, i, NULL), 2);
    assert_int_equal(i[0].pc, 0x10);
    assert_true(i[0].addr[0] == 0x1000 && i[0].addr[1] == 0x1008 && i[0].addr[2] == 0x1020);
    assert_int_equal(i[1].pc, 0x18);
    free(header);
    free(insts);
    free(exit);
    free(text);
  }
}

static void opcodes(void **state) {
  (void)state;
  static const struct {
    const char *text;
    unsigned version;
    enum wl_op op;
    unsigned size;
    bool generic, known;
  } all[] = {
      {"LD.E", 35, WL_LOAD, 0, false, true},
      {"LD.E", 60, WL_LOAD, 0, true, true},
      {"LD.E.128", 70, WL_LOAD, 16, true, true},
      {"ST.E.U16", 75, WL_STORE, 2, true, true},
      {"LDG.E.64.SYS", 70, WL_LOAD, 8, false, true},
      {"LDG.E.S8", 70, WL_LOAD, 1, false, true},
      {"LDL", 80, WL_LOAD, 0, false, true},
      {"LDS.U.64", 70, WL_SHARED, 8, false, true},
      {"LDSM.16.M88.4", 75, WL_SHARED, 16, false, true},
      {"ATOMS.ADD", 70, WL_SHARED, 0, false, true},
      {"ATOMG.E.ADD.STRONG.GPU", 70, WL_ATOMIC, 0, false, true},
      {"RED.E.ADD.64", 70, WL_ATOMIC, 8, false, true},
      {"LDC.64", 35, WL_CONST, 8, false, true},
      {"TLD4S", 60, WL_TEX, 0, false, true},
      {"BAR.SYNC", 35, WL_BARRIER, 0, false, true},
      {"MEMBAR.SC.GPU", 70, WL_FENCE, 0, false, true},
      {"MUFU.RCP", 35, WL_SFU, 0, false, true},
      {"DFMA", 70, WL_SFU, 0, false, true},
      {"HMMA.16816.F32", 80, WL_SFU, 0, false, true},
      {"IMAD.MOV.U32", 70, WL_ALU, 4, false, true},
      {"DEPBAR.LE", 80, WL_ALU, 0, false, true},
      {"EXIT", 35, WL_EXIT, 0, false, true},
      {"FROB.64", 35, WL_ALU, 8, false, false},
      {"LDGX", 70, WL_ALU, 0, false, false},
      {".E", 70, WL_ALU, 0, false, false},
  };
  for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
    const struct wl_opcode c = wl_opcode_of(all[n].text, all[n].version);
    if (c.op != all[n].op || c.size != all[n].size || c.generic != all[n].generic || c.known != all[n].known)
      fail_msg("%s: op %d, size %u, generic %d, known %d", all[n].text, c.op, c.size, c.generic, c.known);
  }
}

static void generic_accesses_by_their_window(void **state) {
  (void)state;
  static const char insts[] = "0000 00000001 1 R0 LD.E 1 R2 4 2 0x7f0000000040 0\n"
                              "0008 00000001 1 R0 LD.E 1 R2 4 2 0x7f0100000040 0\n"
                              "0010 00000001 0 ST.E 1 R2 4 2 0x40000000 0\n";
  struct wl_inst i[MOST];
  read_insts(WINDOWS, insts, i, NULL);
  assert_int_equal(i[0].op, WL_SHARED);
  assert_true(i[0].addr[0] == 0x40);
  assert_int_equal(i[1].op, WL_LOAD);
  assert_true(i[1].addr[0] == 0x7f0100000040);
  assert_int_equal(i[2].op, WL_STORE);
  read_insts(VOLTA, insts, i, NULL); /* no windows: shared memory, as in Accel-Sim */
  assert_int_equal(i[2].op, WL_SHARED);
  assert_true(i[2].addr[0] == 0x40000000);
}

static void oddities_are_counted(void **state) {
  (void)state;
  struct wl_inst i[MOST];
  struct wl_trace_launch reported;
  read_insts(KEPLER,
             "0000 00000000 1 R0 LD.E 1 R2 4 1 0x0 0 0\n"
             "0008 00000000 0 BAR.SYNC 0 0 0\n"
             "0010 0000ffff 0 EXIT 0 0 0\n"
             "0018 00000003 1 R0 LD.E 1 R2 4 0 0x1003 0x1008 0\n"
             "0020 ffffffff 1 R255 FROB.X 2 R255 R3 0 0\n"
             "0028 ffffffff 1 R1 NEWOP 0 0 0\n"
             "0030 ffffffff 1 R1 FROB 0 0 0\n"
             "0038 ffffffff 4 R20 R21 R22 R23 HMMA.16816.F32 3 R20 R24 R26 0 0 0 NoVal\n",
             i, &reported);
  for (int n = 0; n < 3; n++)
    assert_int_equal(i[n].op, WL_ALU);
  assert_true(i[3].addr[0] == 0x1000 && i[3].addr[1] == 0x1008);
  assert_int_equal(i[4].dst, WL_NO_REG);
  assert_true(i[4].src == UINT64_C(1) << 3);
  assert_int_equal(reported.notes.off, 1);
  assert_int_equal(reported.notes.early_exit, 1);
  assert_int_equal(reported.notes.misaligned, 1);
  assert_int_equal(reported.notes.unknown, 3);
  assert_string_equal(reported.notes.unknown_names, "FROB NEWOP");
  assert_int_equal(reported.notes.registers, 0);
  assert_int_equal(reported.notes.destinations, 1);
  assert_int_equal(i[7].dst, 20);
}

/* Up to 64 registers stay distinct, whatever their names. Names below 64 keep their numbers if possible. */
static void registers_keep_apart(void **state) {
  (void)state;
  char insts[4096] = "";
  struct wl_inst i[MOST];
  struct wl_trace_launch reported;
  for (int r = 0; r < 64; r++)
    snprintf(insts + strlen(insts), sizeof insts - strlen(insts), "%04x ffffffff 1 R%d MOV 0 0 0\n", 8 * r,
             r < 32 ? r : 254 - r);
  read_insts(KEPLER, insts, i, &reported);
  uint64_t used = 0;
  for (int r = 0; r < 64; r++) {
    assert_true(r >= 32 || i[r].dst == r);
    used |= UINT64_C(1) << i[r].dst;
  }
  assert_true(used == UINT64_MAX);
  assert_int_equal(reported.notes.registers, 0);
  snprintf(insts + strlen(insts), sizeof insts - strlen(insts), "0400 ffffffff 1 R254 MOV 1 R40 0 0\n");
  read_insts(KEPLER, insts, i, &reported);
  assert_int_equal(reported.notes.registers, 2);
  assert_int_equal(i[64].dst, 254 % 64);
  assert_true(i[64].src == UINT64_C(1) << 40);
}

/* The reader keeps what a line holds after its mask, by its pc. Here the same line comes again, one digit longer, with other words,
 * and with another pc that is kept in the same place (256 places, 8 bytes a pc). */
static void lines_that_were_met(void **state) {
  (void)state;
  struct wl_inst i[MOST];
  struct wl_trace_launch reported;
  read_insts(KEPLER,
             "0040 ffffffff 1 R14 LD.E 1 R4 1 1 0x40000000 16 0\n"
             "0040 0000000f 1 R14 LD.E 1 R4 1 1 0x40000200 16 0\n"
             "0040 fffffff0 1 R14 LD.E 1 R4 16 1 0x40000400 16 0\n"
             "0040 ffffffff 1 R15 LD.E 1 R5 16 1 0x40000400 16 0\n"
             "0840 ffffffff 0 ST.E 2 R4 R15 4 1 0x40000400 4 0\n"
             "0040 ffffffff 1 R15 LD.E 1 R5 16 1 0x40000600 16 0\n"
             "0048 ffffffff 1 R1 NOSUCH 0 0 0\n"
             "0048 ffffffff 1 R1 NOSUCH 0 0 0\n"
             "0050 ffffffff 2 R1 R2 IADD 0 0 0\n"
             "0050 ffffffff 2 R1 R2 IADD 0 0 0\n",
             i, &reported);
  for (int n = 0; n < 6; n++)
    assert_int_equal(i[n].pc, n == 4 ? 0x840 : 0x40);
  assert_int_equal(i[1].active, 0xf);
  assert_true(i[1].addr[3] == 0x40000230);
  assert_true(i[0].size == 1 && i[1].size == 1 && i[2].size == 16 && i[3].size == 16 && i[4].size == 4);
  assert_true(i[2].dst == 14 && i[2].src == UINT64_C(1) << 4);
  assert_true(i[3].dst == 15 && i[3].src == UINT64_C(1) << 5);
  assert_true(i[4].op == WL_STORE && i[4].dst == WL_NO_REG);
  assert_true(i[5].op == WL_LOAD && i[5].dst == 15 && i[5].addr[31] == 0x400007f0);
  assert_int_equal(reported.notes.unknown, 2);
  assert_int_equal(reported.notes.destinations, 2);
}

/* All lanes are one stride apart except one. */
static void one_lane_apart(void **state) {
  (void)state;
  for (int odd = 1; odd < WL_LANES; odd++) {
    struct wl_inst i[MOST];
    char *line = hd_format("0040 ffffffff 1 R14 LD.E 1 R4 4 0");
    for (int l = 0; l < WL_LANES; l++) {
      char *more = hd_format("%s 0x%x", line, 0x1000 + 4 * l + (l == odd ? 0x100 : 0));
      free(line);
      line = more;
    }
    char *insts = hd_format("%s 0\n", line);
    read_insts(KEPLER, insts, i, NULL);
    for (int l = 0; l < WL_LANES; l++)
      assert_int_equal(i[0].addr[l], 0x1000 + 4 * l + (l == odd ? 0x100 : 0));
    free(insts);
    free(line);
  }
}

/* CTAs and warps in any order, with other keys among them, line ends of Windows, and two kernels in a list. */
static void order_does_not_matter(void **state) {
  (void)state;
  static const char text[] =
      "-grid dim = (2,1,1)\r\n-block dim = (64,1,1)\r\n-binary version = 35\r\n-accelsim tracer version = "
      "5\r\n#\r\n"
      "#BEGIN_TB\r\nthread block = 1,0,0\r\ncluster id = 0,0,0\r\nwarp = 1\r\ninsts = 1\r\n0018 1 0 EXIT 0 0 "
      "0\r\n"
      "warp = 0\r\ninsts = 1\r\n0010 1 0 EXIT 0 0 0\r\n#END_TB\r\n"
      "#BEGIN_TB \r\n \r\nthread block = 0,0,0\r\nwarp = 0\r\ninsts = 1\r\n0000 1 0 EXIT 0 0 0\r\n"
      "warp = 1\r\ninsts = 1\r\n0008 1 0 EXIT 0 0 0\r\n#END_TB";
  static const char list[] = "MemcpyHtoD,0x7f00,1024\n\nkernel-1.traceg\nMemcpyDtoH,0,1\nkernel-1.traceg\n";
  rig_write(rig_path("kernel-1.traceg"), text, strlen(text));
  const char *path = rig_path("kernelslist.g");
  rig_write(path, list, strlen(list));
  struct wl_source *source = rig_open_path(path);
  struct wl_launch launch;
  int launches = 0;
  for (; source->ops->next_launch(source, &launch); launches++)
    for (uint32_t n = 0; n < 4; n++) {
      struct wl_inst inst;
      void *stream = source->ops->open_warp(source, n / 2, n % 2);
      assert_non_null(stream);
      wl_next(source, stream, &inst);
      assert_int_equal(inst.op, WL_EXIT);
      assert_int_equal(inst.pc, 8 * n);
      source->ops->close_warp(stream);
    }
  assert_null(source->ops->error(source));
  assert_int_equal(launches, 2);
  source->ops->close(source);
}

enum { MANY = 1300, APART = 517 };

/* Writes a kernel of MANY CTAs of one warp, each APART from the one before, without the last `less` of them, then again the first
 * `more`. A warp's only instruction has its CTA's number as pc. */
static void write_many(const char *path, int less, int more) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fprintf(f, "-grid dim = (%d,1,1)\n-block dim = (32,1,1)\n" KEPLER "#\n", MANY);
  for (int n = 0; n < MANY - less + more; n++)
    fprintf(f, "#BEGIN_TB\nthread block = %d,0,0\nwarp = 0\ninsts = 1\n%x 1 0 EXIT 0 0 0\n#END_TB\n",
            (n < MANY - less ? n : n - MANY + less) * APART % MANY, (unsigned)(n * APART % MANY));
  assert_int_equal(fclose(f), 0);
}

/* More warps than the writer has at hand, with jumps back and forth among them. */
static void warps_far_apart(void **state) {
  (void)state;
  const char *path = rig_path("many.traceg");
  struct wl_launch launch;
  write_many(path, 0, 0);
  struct wl_source *source = rig_open_path(path);
  assert_true(source->ops->next_launch(source, &launch));
  for (uint32_t cta = 0; cta < MANY; cta++) {
    struct wl_inst inst;
    void *stream = source->ops->open_warp(source, cta, 0);
    assert_non_null(stream);
    wl_next(source, stream, &inst);
    assert_int_equal(inst.pc, cta);
    source->ops->close_warp(stream);
  }
  assert_null(source->ops->error(source));
  source->ops->close(source);

  char *missing = hd_format("the file ends with %d of %d CTAs; the first missing is %d,0,0", MANY - 1, MANY,
                            (MANY - 1) * APART % MANY);
  for (int twice = 0; twice < 2; twice++) {
    write_many(path, !twice, twice);
    source = rig_open_path(path);
    assert_false(source->ops->next_launch(source, &launch));
    assert_non_null(
        strstr(source->ops->error(source), twice ? "thread block 0,0,0 is there twice" : missing));
    source->ops->close(source);
  }
  free(missing);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(header_is_read),
      cmocka_unit_test(address_modes),
      cmocka_unit_test(tracer_versions),
      cmocka_unit_test(opcodes),
      cmocka_unit_test(generic_accesses_by_their_window),
      cmocka_unit_test(oddities_are_counted),
      cmocka_unit_test(registers_keep_apart),
      cmocka_unit_test(lines_that_were_met),
      cmocka_unit_test(one_lane_apart),
      cmocka_unit_test(order_does_not_matter),
      cmocka_unit_test(warps_far_apart),
  };
  return cmocka_run_group_tests(tests, rig_begin, rig_end);
}
