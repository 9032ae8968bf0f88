/* Messages about wrong Accel-Sim traces: the file, the line, what was found and what is expected. */
#include "tests/unit/trace/trace_rig.h"

#include "workloads/accelsim/accel_text.h"
#include "workloads/trace_open.h"

#include <lzma.h>

/* Returns the message about the file, without its path. */
static const char *complaint(const char *name, const void *bytes, size_t n) {
  static char err[512];
  struct wl_launch launch;
  const char *path = rig_path(name);
  rig_write(path, bytes, n);
  struct wl_source *source = wl_trace_open(path, err, sizeof err);
  if (source) {
    assert_false(source->ops->next_launch(source, &launch));
    assert_non_null(source->ops->error(source));
    snprintf(err, sizeof err, "%s", source->ops->error(source));
    source->ops->close(source);
  }
  if (strncmp(err, path, strlen(path)) != 0)
    fail_msg("does not begin with the path: %s", err);
  return err + strlen(path);
}

#define HEAD                                                                                                 \
  "-grid dim = (2,1,1)\n-block dim = (64,1,1)\n-binary version = 35\n-accelsim tracer version = 5\n#\n"
#define W0 "warp = 0\ninsts = 1\n0 1 0 EXIT 0 0 0\n"
#define W1 "warp = 1\ninsts = 1\n0 1 0 EXIT 0 0 0\n"
#define CTA(x) "#BEGIN_TB\nthread block = " #x ",0,0\n" W0 W1 "#END_TB\n"
#define LINE(text) HEAD "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 2\n" text "\n"

static void errors_have_file_and_line(void **state) {
  (void)state;
  static const char *const all[][2] = {
      {"hello\nworld\n", ": names no kernel"},
      {"", ": is empty"},
      {"-grid dim = (1,1,1)\n",
       ":1: the file ends after this line; expected the header's end, a line that begins with #"},
      {"-grid dim = (1,1,1)\nx\n", ":2: 'x' is no line of a header"},
      {"-grid dim = (1,1)\n#\n", ":1: '-grid dim = (1,1)' has no such value"},
      {"-nregs = many\n#\n", ":1: '-nregs = many' has no such value"},
      {"-kernel name = k\n-nregs = 256\n#\n", ":2: '-nregs = 256' has no such value"},
      {"-grid dim = (1,1,1)\n#\n", ":2: the header has no '-binary version = '"},
      {"-binary version = 35\n-grid dim = (1,1,1)\n#\n",
       ":3: the header gives no grid of 1 to 2^32-1 CTAs of 1 to 1024 threads"},
      {"-binary version = 35\n-grid dim = (65536,65536,1)\n-block dim = (1,1,1)\n#\n",
       ":4: the header gives no grid of 1 to 2^32-1 CTAs of 1 to 1024 threads"},
      {"-binary version = 35\n-grid dim = (1,1,1)\n-block dim = (1024,2,1)\n#\n",
       ":4: the header gives no grid of 1 to 2^32-1 CTAs of 1 to 1024 threads"},
      {HEAD, ":5: the file ends with 0 of 2 CTAs; the first missing is 0,0,0"},
      {HEAD CTA(0), ":14: the file ends with 1 of 2 CTAs; the first missing is 1,0,0"},
      {HEAD CTA(1), ":14: the file ends with 1 of 2 CTAs; the first missing is 0,0,0"},
      {HEAD CTA(0) CTA(0), ":16: thread block 0,0,0 is there twice"},
      {HEAD CTA(2), ":7: 'thread block = 2,0,0' where 'thread block = x,y,z' of the grid is expected"},
      {HEAD "warp = 0\n", ":6: 'warp = 0' where '#BEGIN_TB' is expected"},
      {HEAD "#BEGIN_TB\nthread block = 0,0,0\n" W0 "#END_TB\n",
       ":11: warp 1 of thread block 0,0,0 is missing"},
      {HEAD "#BEGIN_TB\nthread block = 0,0,0\n" W0 W0, ":11: warp 0 is there twice in CTA 0"},
      {HEAD "#BEGIN_TB\nthread block = 0,0,0\nwarp = 2\n",
       ":8: 'warp = 2' where 'warp = ' and 0 to 1 is expected"},
      {HEAD "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 0\n",
       ":9: 'insts = 0' where 'insts = ' and at least 1 is expected"},
      {HEAD "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 9\n0 1 0 NOP 0 0 0\n",
       ":10: the file ends after this line; expected more instructions of this warp"},
      {HEAD "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n0 1 0 NOP 0 0 0\n",
       ":10: the warp's last instruction is no EXIT"},
      {HEAD "#BEGIN_TB\nthread block = 0,0,0\n" W0 "0 1 0 EXIT 0 0 0\n",
       ":11: '0 1 0 EXIT 0 0 0' where 'warp = ' and 0 to 1 is expected"},
      {LINE("zz"), ":10: no pc and lane mask, as tracer version 5 writes them"},
      {LINE("100000000 1 0 NOP 0 0"), ":10: no pc and lane mask, as tracer version 5 writes them"},
      {LINE("0x 1 0 NOP 0 0"), ":10: no pc and lane mask, as tracer version 5 writes them"},
      {LINE("0 1g 0 NOP 0 0"), ":10: no pc and lane mask, as tracer version 5 writes them"},
      {LINE("0 1ffffffff 0 NOP 0 0"), ":10: no pc and lane mask, as tracer version 5 writes them"},
      {LINE("0 1 9 R1 R2 NOP 0 0"),
       ":10: no destinations: their number, at most 8, and that many of R0 to R255"},
      {LINE("0 1 2 R1 R256 NOP 0 0"),
       ":10: no destinations: their number, at most 8, and that many of R0 to R255"},
      {LINE("0 1 0 7 0 0"), ":10: '7 0 0' is no opcode"},
      {LINE("0 1 0 NOP 9 0"), ":10: no sources: their number, at most 8, and that many of R0 to R255"},
      {LINE("0 1 0 NOP 1 P0 0"), ":10: no sources: their number, at most 8, and that many of R0 to R255"},
      {LINE("0 1 0 NOP 0"), ":10: no width after the sources"},
      {LINE("0 1 0 LD 0 0"), ":10: a memory instruction of width 0"},
      {LINE("0 1 0 NOP 0 4x"), ":10: no width after the sources"},
      {LINE("0 1 0 NOP 0 18446744073709551616"), ":10: no width after the sources"},
      {LINE("0 1 0 LD 0 4 3 0x0"), ":10: the addresses have no mode 0, 1 or 2"},
      {LINE("0 1 0 LD 0 4 1 0x0"), ":10: the addresses have no base, or no stride"},
      {LINE("0 1 0 LD 0 4 1 0x10000000000000000 4"), ":10: the addresses have no base, or no stride"},
      {LINE("0 1 0 LD 0 4 1 0x0 -"), ":10: the addresses have no base, or no stride"},
      {LINE("0 5 0 LD 0 4 1 0x0 4"), ":10: a stride is given, but lanes 00000005 are no neighbours"},
      {LINE("0 7 0 LD 0 4 2 0x0 4"), ":10: fewer addresses than the 3 active lanes"},
      {LINE("0 7 0 LD 0 4 0 0x0 0x4 0x"), ":10: fewer addresses than the 3 active lanes"},
  };
  for (size_t n = 0; n < sizeof all / sizeof *all; n++)
    assert_string_equal(complaint("bad.traceg", all[n][0], strlen(all[n][0])), all[n][1]);
  char *line = malloc(WL_TEXT_LINE + 16);
  memset(line, '-', WL_TEXT_LINE + 16);
  assert_string_equal(complaint("bad.traceg", line, WL_TEXT_LINE + 16),
                      ": the line is longer than 65536 bytes");
  free(line);
  static const char list[] = "kernel-9.traceg\n";
  char err[512];
  struct wl_launch launch;
  rig_write(rig_path("kernelslist.g"), list, strlen(list));
  struct wl_source *source = rig_open_path(rig_path("kernelslist.g"));
  assert_false(source->ops->next_launch(source, &launch));
  snprintf(err, sizeof err, "%s: cannot be read: No such file or directory", rig_path("kernel-9.traceg"));
  assert_string_equal(source->ops->error(source), err);
  source->ops->close(source);
}

static void xz_that_is_cut_or_damaged(void **state) {
  (void)state;
  static const char text[] = HEAD CTA(0) CTA(1);
  uint8_t packed[4096];
  size_t n = 0;
  assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text, strlen(text),
                                           packed, &n, sizeof packed),
                   LZMA_OK);
  const char *path = rig_path("good.xz");
  rig_write(path, packed, n);
  struct wl_source *source = rig_open_path(path);
  struct wl_launch launch;
  assert_true(source->ops->next_launch(source, &launch));
  assert_int_equal(launch.ctas, 2);
  source->ops->close(source);
  assert_non_null(strstr(complaint("bad.xz", packed, n / 2), "the xz file is cut short"));
  packed[n / 2] ^= 1;
  assert_non_null(strstr(complaint("bad.xz", packed, n), "the xz file is damaged"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_have_file_and_line),
      cmocka_unit_test(xz_that_is_cut_or_damaged),
  };
  return cmocka_run_group_tests(tests, rig_begin, rig_end);
}
