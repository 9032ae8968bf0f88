/* The readers of the user's files: graphs in all formats, Matrix Market, keys, FASTA; and their messages about wrong files. Messages
 * name file and line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "workloads/graph/graph.h"
#include "workloads/graph/matrix_market.h"
#include "workloads/plan/plan.h"
#include "workloads/rodinia/rodinia_data_genome.h"
#include "workloads/rodinia/rodinia_data_suffix.h"
#include "workloads/workloads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file that the current test has written. */
static char path[64];

static void write_file(const char *ending, const char *text) {
  snprintf(path, sizeof path, "/tmp/heddle_graph_XXXXXX%s", ending);
  FILE *file = fdopen(mkstemps(path, (int)strlen(ending)), "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

/* 0 -> 1 (5), 0 -> 2 (7), 2 -> 0 (1), in each format. Weights are there if the format has them. */
static void every_format_gives_the_graph(void **state) {
  (void)state;
  static const struct {
    const char *ending, *text;
    bool weights, both_ways;
  } want[] = {
      {"", "3\n0 2\n2 0\n2 1\n\n0\n\n3\n1 5\n2 7\n0 1\n", true, false},
      {".gr", "c two\nc comments\np sp 3 3\na 1 2 5\na 1 3 7\nc one\na 3 1 1\n", true, false},
      {".mtx", "%%MatrixMarket matrix coordinate integer general\n% comment\n3 3 3\n1 2 5\n1 3 7\n3 1 1\n",
       true, false},
      {".mtx", "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 -5.2\n1 3 6.9\n3 1 0.1\n", true,
       false},
      {".mtx", "%%matrixmarket MATRIX Coordinate Pattern General\r\n3 3 3\r\n1 2\r\n1 3\r\n3 1", false,
       false},
      {".txt", "# from to\n0\t1\n0\t2\n2\t0\n", false, false},
      {".csv", "0,1,5\n0,2,7\n\n% comment\n2,0,1\n", true, false},
      {".mtx", "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 5\n3 1 7\n", true, true},
      {".graph", "% comment\n3 2 1\n2 5 3 7\n1 5\n1 7\n", true, true},
      {".graph", "3 2\n2 3\n1\n1\n", false, true},
  };
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    static const uint32_t row[2][4] = {{0, 2, 2, 3}, {0, 2, 3, 4}}, col[2][4] = {{1, 2, 0}, {1, 2, 0, 0}},
                          weight[2][4] = {{5, 7, 1}, {5, 7, 5, 7}};
    const bool both = want[i].both_ways;
    struct wl_graph g;
    char err[512];
    write_file(want[i].ending, want[i].text);
    if (!wl_graph_get(&g, path, WL_GRAPH_RODINIA, 0, 0, err, sizeof err))
      fail_msg("%zu: %s", i, err);
    if (g.n != 3 || g.m != (both ? 4 : 3))
      fail_msg("%zu: %u nodes, %u edges", i, g.n, g.m);
    assert_memory_equal(g.row, row[both], sizeof row[both]);
    assert_memory_equal(g.col, col[both], g.m * sizeof *g.col);
    for (uint32_t e = 0; e < g.m; e++)
      assert_int_equal(g.weight[e], want[i].weights ? weight[both][e] : 1);
    wl_graph_free(&g);
    unlink(path);
  }
}

/* Opens the workload on the file. Its error must be "PATH:", then the text. */
static void check_error(const char *workload, const char *want) {
  char spec[128], err[512], text[256];
  snprintf(spec, sizeof spec, "%s:file=%s", workload, path);
  assert_null(wl_open(spec, err, sizeof err));
  snprintf(text, sizeof text, "%s:%s", path, want);
  assert_string_equal(err, text);
}

#define MM "%%MatrixMarket matrix coordinate "

static void wrong_files_are_named_by_line(void **state) {
  (void)state;
  static const struct {
    const char *workload, *ending, *text, *want;
  } wrong[] = {
      /* truncated */
      {"bfs", "", "", "1: the file ends; an edge must follow"},
      {"bfs", "", "3\n0 2\n2        0\n", "4: the file ends; a node must follow"},
      {"bfs", "", "3\n0 2\n2 0\n2 1\n\n0\n\n3\n1 5\n2 7\n", "11: the file ends; an edge must follow"},
      {"bfs", "", "3\n0 2\n2\n2 1\n", "3: the line ends; the degree must follow"},
      {"bfs", ".gr", "p sp 3 3\na 1 2 5\na 1 3 7\n", "4: the file ends; an arc must follow"},
      {"bfs", ".gr", "p sp 3\n", "1: the line ends; the number of arcs must follow"},
      {"bfs", ".gr", "c no more\n", "2: the file ends; the problem must follow"},
      {"bfs", ".graph", "3 2\n2 3\n1\n", "4: the file ends; a node's line must follow"},
      {"bfs", ".mtx", MM "pattern general\n3 3 2\n1 2\n", "4: the file ends; an entry must follow"},
      {"bfs", ".mtx", MM "real general\n3 3 1\n1 2\n", "3: the line ends; the value must follow"},
      {"bfs", ".mtx", "%%MatrixMarket matrix\n", "1: the line ends; the format must follow"},
      /* negative */
      {"bfs", "", "3\n0 2\n2 -1\n", "3: the degree is '-1'; allowed: 0..25165822"},
      {"bfs", ".gr", "p sp 3 1\na 1 2 -5\n", "2: the weight is '-5'; allowed: 0..10000000"},
      {"bfs", ".txt", "0 1\n-1 2\n", "2: the edge's start is '-1'; allowed: 0..8388607"},
      {"bfs", ".mtx", MM "pattern general\n3 -3 1\n",
       "2: the number of columns is '-3'; allowed: 1..8388608"},
      /* out of range */
      {"bfs", "", "3\n0 2\n2 0\n2 1\n0\n3\n1 5\n3 7\n0 1\n", "8: the target is '3'; allowed: 0..2"},
      {"bfs", "", "3\n0 2\n3 0\n", "3: the first edge is '3'; allowed: 2..2"},
      {"bfs", "", "3\n0 2\n2 0\n2 1\n0\n4\n", "6: the number of edges is '4'; allowed: 3..3"},
      {"bfs", "", "3\n0 2\n2 0\n2 1\n5\n", "5: the source is '5'; allowed: 0..2"},
      {"sssp", ".gr", "p sp 3 1\na 0 2 5\n", "2: the arc's start is '0'; allowed: 1..3"},
      {"sssp", ".gr", "p sp 3 1\na 1 4 5\n", "2: the arc's end is '4'; allowed: 1..3"},
      {"gc", ".graph", "3 2\n2 4\n", "2: the neighbour is '4'; allowed: 1..3"},
      {"gc", ".mtx", MM "pattern general\n3 3 1\n4 1\n", "3: the row is '4'; allowed: 1..3"},
      {"gc", ".mtx", MM "pattern general\n3 3 1\n1 0\n", "3: the column is '0'; allowed: 1..3"},
      /* huge counts */
      {"bfs", "", "8388608\n", "1: the number of nodes is 8388608, more than the file has room for"},
      {"bfs", "", "99999999999999999999\n",
       "1: the number of nodes is '99999999999999999999'; allowed: 0..8388608"},
      {"bfs", ".gr", "p sp 8388608 25165824\n",
       "1: the number of arcs is 25165824, more than the file has room for"},
      {"bfs", ".mtx", MM "pattern symmetric\n100 100 12000000\n",
       "2: the number of entries is 12000000, more than the file has room for"},
      {"bfs", ".mtx", MM "pattern general\n9000000 9000000 1\n",
       "2: the number of rows is '9000000'; allowed: 1..8388608"},
      {"ccl", ".graph", "8388608 1\n", "1: the number of nodes is 8388608, more than the file has room for"},
      {"ccl", ".txt", "0 4000000000\n", "1: the edge's end is '4000000000'; allowed: 0..8388607"},
      /* too many */
      {"bfs", "", "1\n0 0\n0\n0\n0 1\n", "5: an edge too many"},
      {"bfs", ".gr", "p sp 3 0\na 1 2 3\n", "2: an arc too many"},
      {"bfs", ".gr", "p sp 3 1\na 1 2 3 4\n", "2: '4' is too much on this line"},
      {"bfs", ".graph", "2 1\n2\n1 2\n", "3: 3 neighbours are listed, not two for each of the 1 edges"},
      {"bfs", ".graph", "2 1\n1 2\n", "3: the file ends; a node's line must follow"},
      /* neighbours that are not mutual */
      {"bfs", ".graph", "3 2\n2\n% one way\n3\n1 2\n",
       "2: node 1 lists node 2, which does not list it as often"},
      {"bfs", ".graph", "% c\n4 2 1\n2 5\n% c\n1 5 3 6\n4 6\n\n",
       "5: node 2 lists node 3, which does not list it as often"},
      {"gc", ".graph", "4 3\n2 2\n1\n4\n3 3\n", "2: node 1 lists node 2, which does not list it as often"},
      {"bfs", ".mtx", MM "pattern general\n3 3 0\n1 1\n", "3: an entry too many"},
      /* something else */
      {"bfs", "", "0\n0\n0\n", "1: the number of nodes is 0"},
      {"bfs", "", "one\n", "1: the number of nodes is 'one'; allowed: 0..8388608"},
      {"bfs", ".gr", "a 1 2 3\n", "1: the line 'p sp NODES ARCS' must come before the arcs"},
      {"bfs", ".gr", "p cut 3 3\n", "1: the problem is 'cut'; allowed: sp"},
      {"bfs", ".gr", "p sp 3 1\nb 1 2 3\n", "2: 'b'; allowed: c, a"},
      {"bfs", ".mtx", MM "complex general\n", "1: the field is 'complex'; allowed: real, integer, pattern"},
      {"bfs", ".mtx", MM "real hermitian\n", "1: the symmetry is 'hermitian'; allowed: general, symmetric"},
      {"bfs", ".mtx", "%%MatrixMarket matrix array real general\n",
       "1: the format is 'array'; allowed: coordinate"},
      {"bfs", ".mtx", MM "real symmetric\n3 4 1\n1 1 1\n",
       "2: a symmetric matrix has as many rows as columns"},
      {"bfs", ".mtx", MM "real general\n3 3 1\n1 1 nan\n", "3: the value is 'nan'; allowed: a number"},
      {"bfs", ".mtx", MM "pattern general\n3 4 1\n1 1\n",
       "2: the matrix has 3 rows and 4 columns; a graph's is square"},
      {"btree", "", "3\n1000\n", "3: the file ends; a key must follow"},
      {"btree", "", "3\n100\n-2\n", "3: the key is '-2'; allowed: 0..2147483646"},
      {"btree", "", "1000000\n1\n", "1: the number of keys is 1000000, more than the file has room for"},
      {"btree", "", "0\n", "1: the number of keys is 0"},
      {"btree", "", "1\n1\n2\n", "3: a key too many"},
      {"mummergpu", "", "ACGT\n", "1: a sequence must begin with '>'"},
      {"mummergpu", "", ">empty\n", "2: the reference is empty"},
      {"mummergpu", "", ">a\nACGT\nAC-T\n", "3: character 45 in a sequence; allowed: letters"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    write_file(wrong[i].ending, wrong[i].text);
    check_error(wrong[i].workload, wrong[i].want);
    unlink(path);
  }
  char err[512];
  assert_null(wl_open("bfs:file=/nowhere/graph.txt", err, sizeof err));
  assert_string_equal(err, "/nowhere/graph.txt: No such file or directory");
  assert_null(wl_open("bfs:file=/tmp", err, sizeof err));
  assert_string_equal(err, "/tmp: is not a regular file");
}

/* Every cut-off file is refused, or is a shorter correct file. */
static void any_beginning_of_a_file_is_survived(void **state) {
  (void)state;
  static const char *const whole[][2] = {
      {"", "3\n0 2\n2 0\n2 1\n\n0\n\n3\n1 5\n2 7\n0 1\n"},
      {".gr", "c a\np sp 3 3\na 1 2 5\na 1 3 7\na 3 1 1\n"},
      {".mtx", MM "real symmetric\n% b\n3 3 2\n2 1 5.5\n3 1 7\n"},
      {".graph", "% c\n3 2 1\n2 5 3 7\n1 5\n1 7\n"},
      {".txt", "# d\n0 1 5\n0 2 7\n2 0 1\n"},
  };
  int good = 0, bad = 0;
  for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
    for (size_t length = 0; length <= strlen(whole[i][1]); length++) {
      char text[128], err[512] = "";
      struct wl_graph g;
      snprintf(text, sizeof text, "%.*s", (int)length, whole[i][1]);
      write_file(whole[i][0], text);
      const bool ok = wl_graph_get(&g, path, WL_GRAPH_RODINIA, 0, 0, err, sizeof err);
      assert_true(ok || strstr(err, path) == err);
      good += ok;
      bad += !ok;
      if (ok)
        wl_graph_free(&g);
      unlink(path);
    }
  assert_in_range(good, 5, 60);
  assert_true(bad > 100);
}

/* Keeps the contents of a matrix. Refuses entries beyond its maximum. */
struct kept {
  uint32_t rows, cols, n;
  struct {
    uint32_t row, col;
    double value;
  } entry[4];
};

static bool keep_size(void *user, struct wl_scan *s, uint32_t rows, uint32_t cols) {
  (void)s;
  *(struct kept *)user = (struct kept){.rows = rows, .cols = cols};
  return true;
}

static bool keep_entry(void *user, struct wl_scan *s, uint32_t row, uint32_t col, double value) {
  struct kept *k = user;
  if (k->n == 4)
    return wl_scan_fail(s, "a fifth entry");
  k->entry[k->n].row = row;
  k->entry[k->n].col = col;
  k->entry[k->n++].value = value;
  return true;
}

static void matrix_keeps_its_values_and_order(void **state) {
  (void)state;
  struct kept k;
  struct wl_matrix_taker taker = {100, 100, keep_size, keep_entry, &k};
  char err[512], want[128];
  write_file(".mtx", MM "real symmetric\n% comment\n4 4 3\n1 1 2.5\n\n3 1 -1e3\n4 4 0\n");
  assert_true(wl_matrix_market_read(&taker, path, err, sizeof err));
  assert_int_equal(k.rows, 4);
  assert_int_equal(k.cols, 4);
  assert_int_equal(k.n, 4);
  static const struct kept is = {4, 4, 4, {{0, 0, 2.5}, {2, 0, -1000}, {0, 2, -1000}, {3, 3, 0}}};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(k.entry[i].row, is.entry[i].row);
    assert_int_equal(k.entry[i].col, is.entry[i].col);
    assert_true(k.entry[i].value == is.entry[i].value);
  }
  taker.max_rows = 3;
  assert_false(wl_matrix_market_read(&taker, path, err, sizeof err));
  taker.max_rows = 4;
  taker.max_entries = 5; /* may be mirrored: 6 */
  assert_false(wl_matrix_market_read(&taker, path, err, sizeof err));
  taker.max_entries = 6;
  assert_true(wl_matrix_market_read(&taker, path, err, sizeof err));
  unlink(path);
  write_file(".mtx", MM "pattern general\n2 3 5\n1 1\n1 2\n1 3\n2 1\n2 2\n");
  assert_false(wl_matrix_market_read(&taker, path, err, sizeof err));
  snprintf(want, sizeof want, "%s:7: a fifth entry", path);
  assert_string_equal(err, want);
  unlink(path);
}

/* Returns a digest of a workload's streams: all instructions of all launches, in order. */
static uint64_t digest(const struct wl_workload *w, const struct wl_input_values *input) {
  char err[512];
  struct wl_source *source = w->open(w, input, err, sizeof err);
  struct wl_launch launch;
  uint64_t sum = 0;
  if (!source)
    fail_msg("%s: %s", w->name, err);
  while (source->ops->next_launch(source, &launch)) {
    sum = 31 * sum + launch.ctas;
    for (uint32_t id = 0; id < launch.ctas * launch.warps_per_cta; id++) {
      void *stream = source->ops->open_warp(source, id / launch.warps_per_cta, id % launch.warps_per_cta);
      struct wl_inst inst;
      do {
        wl_next(source, stream, &inst);
        sum = 31 * sum + inst.op + inst.active + inst.pc;
        for (unsigned l = 0; wl_is_memory(inst.op) && l < WL_LANES; l++)
          if (inst.active >> l & 1)
            sum = 31 * sum + inst.addr[l];
      } while (inst.op != WL_EXIT);
      source->ops->close_warp(stream);
    }
  }
  source->ops->close(source);
  return sum;
}

/* A key that is refused beside the workload's file would change nothing. A key that is accepted changes something. */
static void keys_of_the_made_up_input_are_refused_beside_a_file(void **state) {
  (void)state;
  static const char graph[] =
      "0 1 5\n0 2 7\n2 0 1\n1 3 2\n3 4 1\n4 5 3\n5 0 1\n6 7 2\n7 8 1\n8 9 1\n9 15 4\n",
                    points[] = "1 0 0\n2 1 9\n3 9 1\n4 8 7\n5 3 3\n6 20 2\n7 2 30\n",
                    text[] = "several words of letters, and <a href=\"a.link\"> another sentence after that\n"
                             "again longer words follow <a href=\"another\"> until the very last of them\n";
  static const struct {
    const char *workload, *text;
  } file[] = {
      {"gc", graph},
      {"sssp", graph},
      {"ccl", graph},
      {"apsp", graph},
      {"bfs", graph},
      {"kmeans", points},
      {"kmn", points},
      {"spmv", MM "pattern general\n3 3 4\n1 2\n1 3\n2 1\n3 3\n"},
      {"wc", text},
      {"ii", text},
      {"btree", "12\n2\n4\n6\n8\n10\n12\n14\n16\n18\n20\n22\n1000\n"},
      {"mummergpu", ">r\nACGTTGCAACGTACGATTAGCCATGACTTAGGACCAGATTACAGG\n"},
  };
  size_t refused = 0, files = 0;
  const struct wl_workload *w;
  for (size_t i = 0; (w = wl_workload(i)); i++) {
    const char *content = NULL;
    for (size_t f = 0; f < sizeof file / sizeof *file; f++)
      content = strcmp(file[f].workload, w->name) ? content : file[f].text;
    if (!w->file != !content)
      fail_msg("%s: no file for it here", w->name);
    if (!content)
      continue;
    files++;
    write_file("", content);
    for (const struct wl_key *key = w->key; key->name; key++) {
      const size_t k = (size_t)(key - w->key);
      struct wl_input_values input = {.file = path};
      memcpy(input.value, w->input[0].value, sizeof input.value);
      const uint64_t before = digest(w, &input), old = input.value[k];
      input.value[k] = old > key->min ? key->min : old + 1;
      const bool changes = digest(w, &input) != before;
      if (changes == wl_made_up(w, key))
        fail_msg("%s: %s %s", w->name, key->name, changes ? "changes something" : "changes nothing");
      char spec[128], err[512], want[256] = "";
      snprintf(spec, sizeof spec, "%s:tiny,%s=%u,file=%s", w->name, key->name, (unsigned)input.value[k],
               path);
      assert_int_equal(wl_check(spec, err, sizeof err), changes);
      if (!changes) {
        snprintf(want, sizeof want,
                 "%s: key '%s' describes the input that is made up and changes nothing beside file=; leave "
                 "one out",
                 w->name, key->name);
        refused++;
        assert_null(wl_open(spec, err, sizeof err));
      }
      assert_string_equal(err, want);
    }
    size_t named = 0, known = 0;
    while (named < WL_MAX_KEYS && w->made_up[named])
      named++;
    for (const struct wl_key *key = w->key; key->name; key++)
      known += wl_made_up(w, key);
    assert_int_equal(named, known);
    unlink(path);
  }
  assert_int_equal(files, sizeof file / sizeof *file);
  assert_true(refused > 20);
}

static void fasta_gives_reference_and_queries(void **state) {
  (void)state;
  static const struct wl_genome_size size = {0, 7, 5, 3};
  struct wl_genome g;
  char err[512];
  write_file(".fna", ">ref some words\nACG\ntN\n>short\nAC\n>q1\nGAT\nT\n>q2\nACN\n");
  assert_true(wl_genome_get(&g, path, &size, 1, err, sizeof err));
  static const uint8_t reference[] = {0, 0, 1, 2, 3, 0, WL_SUFFIX_END},
                       query[] = {0, 2, 0, 3, 3, WL_SUFFIX_END, 0, 0, 1, WL_GENOME_OTHER, WL_SUFFIX_END};
  static const uint32_t at[] = {0, 6, 11};
  assert_int_equal(g.length, 5);
  assert_memory_equal(g.reference, reference, sizeof reference);
  assert_int_equal(g.queries, 2);
  assert_memory_equal(g.at, at, sizeof at);
  assert_memory_equal(g.query, query, sizeof query);
  wl_genome_free(&g);
  unlink(path);
  write_file(".fna", ">ref\nACGTACGTACGT\n");
  assert_true(wl_genome_get(&g, path, &size, 1, err, sizeof err));
  assert_int_equal(g.queries, 7);
  assert_int_equal(g.at[7], 49);
  wl_genome_free(&g);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_format_gives_the_graph),
      cmocka_unit_test(wrong_files_are_named_by_line),
      cmocka_unit_test(any_beginning_of_a_file_is_survived),
      cmocka_unit_test(matrix_keeps_its_values_and_order),
      cmocka_unit_test(fasta_gives_reference_and_queries),
      cmocka_unit_test(keys_of_the_made_up_input_are_refused_beside_a_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
