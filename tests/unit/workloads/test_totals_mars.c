/* Mars: the totals of the map launches, counted by hand; the statistics of the made-up texts; and the user's texts. */
#include "tests/unit/workloads/totals.h"
#include "workloads/mars/mars.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct vector table[] = {
    /* Records 768 .. 1023 are row 0 of m1 by rows 768 .. 1023 of m2. The output before a record is one element longer than the
     * record's number: five lines. */
    {"mm:paper", 16, 3, 0, 4096, "m1", WL_LOAD, 256, 32, 1, 32},
    {"mm:paper", 16, 3, 0, 4096, "m2", WL_LOAD, 256, 32, 32, 8192},
    {"mm:paper", 16, 3, 0, 4096, "inputKeys", WL_LOAD, 2, 32, 4, 32},
    {"mm:paper", 16, 3, 0, 4096, "inputVals", WL_LOAD, 3, 32, 4, 32},
    {"mm:paper", 16, 3, 0, 4096, "inputOffsets", WL_LOAD, 1, 32, 4, 32},
    {"mm:paper", 16, 3, 0, 4096, "psKeySizes", WL_LOAD, 2, 32, 1, 8},
    {"mm:paper", 16, 3, 0, 4096, "psValSizes", WL_LOAD, 2, 32, 1, 8},
    {"mm:paper", 16, 3, 0, 4096, "psCounts", WL_LOAD, 2, 32, 1, 8},
    {"mm:paper", 16, 3, 0, 4096, "keyValOffsets", WL_LOAD, 1, 32, 2, 16},
    {"mm:paper", 16, 3, 0, 4096, "keyValOffsets", WL_STORE, 1, 32, 2, 16},
    {"mm:paper", 16, 3, 0, 4096, "curIndex", WL_LOAD, 1, 32, 1, 8},
    {"mm:paper", 16, 3, 0, 4096, "curIndex", WL_STORE, 1, 32, 1, 8},
    {"mm:paper", 16, 3, 0, 4096, "interOffsets", WL_LOAD, 3, 32, 4.67, 33},
    {"mm:paper", 16, 3, 0, 4096, "interOffsets", WL_STORE, 2, 32, 5, 33},
    {"mm:paper", 16, 3, 0, 4096, "interKeys", WL_STORE, 4, 32, 1, 8},
    {"mm:paper", 16, 3, 0, 4096, "interVals", WL_STORE, 8, 32, 2, 16},
    /* The same, of four rows of m1 by 64 of m2. */
    {"mm:paper,tile=8", 16, 3, 0, 4096, "m1", WL_LOAD, 256, 32, 4, 128},
    {"mm:paper,tile=8", 16, 3, 0, 4096, "m2", WL_LOAD, 256, 32, 8, 2048},
    {"mm:paper,tile=8", 16, 3, 0, 4096, "inputKeys", WL_LOAD, 2, 32, 4, 32},
    {"mm:paper,tile=8", 16, 3, 0, 4096, "inputVals", WL_LOAD, 3, 32, 4, 32},
    {"mm:paper,tile=8", 16, 3, 0, 4096, "inputOffsets", WL_LOAD, 1, 32, 4, 32},
    {"mm:paper,tile=8", 16, 3, 0, 4096, "psKeySizes", WL_LOAD, 2, 32, 1, 8},
    {"mm:paper,tile=8", 16, 3, 0, 4096, "psValSizes", WL_LOAD, 2, 32, 1, 8},
    {"mm:paper,tile=8", 16, 3, 0, 4096, "psCounts", WL_LOAD, 2, 32, 1, 8},
    {"mm:paper,tile=8", 16, 3, 0, 4096, "keyValOffsets", WL_LOAD, 1, 32, 2, 16},
    {"mm:paper,tile=8", 16, 3, 0, 4096, "keyValOffsets", WL_STORE, 1, 32, 2, 16},
    {"mm:paper,tile=8", 16, 3, 0, 4096, "curIndex", WL_LOAD, 1, 32, 1, 8},
    {"mm:paper,tile=8", 16, 3, 0, 4096, "curIndex", WL_STORE, 1, 32, 1, 8},
    {"mm:paper,tile=8", 16, 3, 0, 4096, "interOffsets", WL_LOAD, 3, 32, 4.67, 33},
    {"mm:paper,tile=8", 16, 3, 0, 4096, "interOffsets", WL_STORE, 2, 32, 5, 33},
    {"mm:paper,tile=8", 16, 3, 0, 4096, "interKeys", WL_STORE, 4, 32, 1, 8},
    {"mm:paper,tile=8", 16, 3, 0, 4096, "interVals", WL_STORE, 8, 32, 2, 16},
    /* Documents 0 and 1 .. 256. */
    {"ss:paper", 16, 0, 0, 2046, "matrix", WL_LOAD, 128, 32, 16.5, 2056},
    {"ss:paper", 16, 0, 0, 2046, "inputKeys", WL_LOAD, 1, 32, 2, 16},
    {"ss:paper", 16, 0, 0, 2046, "inputVals", WL_LOAD, 3, 32, 4, 32},
    {"ss:paper", 16, 0, 0, 2046, "inputOffsets", WL_LOAD, 1, 32, 4, 32},
    {"ss:paper", 16, 0, 0, 2046, "psKeySizes", WL_LOAD, 2, 32, 1, 8},
    {"ss:paper", 16, 0, 0, 2046, "psValSizes", WL_LOAD, 2, 32, 1, 8},
    {"ss:paper", 16, 0, 0, 2046, "psCounts", WL_LOAD, 2, 32, 1, 8},
    {"ss:paper", 16, 0, 0, 2046, "keyValOffsets", WL_LOAD, 1, 32, 2, 16},
    {"ss:paper", 16, 0, 0, 2046, "keyValOffsets", WL_STORE, 1, 32, 2, 16},
    {"ss:paper", 16, 0, 0, 2046, "curIndex", WL_LOAD, 1, 32, 1, 8},
    {"ss:paper", 16, 0, 0, 2046, "curIndex", WL_STORE, 1, 32, 1, 8},
    {"ss:paper", 16, 0, 0, 2046, "interOffsets", WL_LOAD, 3, 32, 4.67, 33},
    {"ss:paper", 16, 0, 0, 2046, "interOffsets", WL_STORE, 2, 32, 5, 33},
    {"ss:paper", 16, 0, 0, 2046, "interKeys", WL_STORE, 4, 32, 1, 8},
    {"ss:paper", 16, 0, 0, 2046, "interVals", WL_STORE, 8, 32, 2, 16},
};

static void totals(void **state) {
  (void)state;
  check_totals(table, sizeof table / sizeof *table);
}

typedef bool (*prepare_fn)(struct wl_plan *p, char *err, size_t errlen);

static struct mars *prepare(prepare_fn make, uint64_t kib, uint64_t record, const char *file) {
  static struct wl_plan plan;
  char err[256];
  plan.key[0] = kib;
  plan.key[1] = record;
  plan.key[2] = 1;
  plan.file = file;
  if (!make(&plan, err, sizeof err))
    fail_msg("%s", err);
  return plan.data;
}

/* A tile covers only elements of the product. */
static void tiles_fit(void **state) {
  (void)state;
  static const struct {
    unsigned n, tile;
    bool fits;
  } cases[] = {{36, 32, true}, {36, 8, false},  {32, 8, true}, {24, 4, true},
               {20, 4, false}, {36, 12, false}, {32, 1, true}, {48, 1, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct wl_plan plan = {.key = {cases[i].n, 4, cases[i].tile}};
    char err[256];
    assert_int_equal(mars_mm_prepare(&plan, err, sizeof err), cases[i].fits);
    if (cases[i].fits)
      mars_release(plan.data);
    else
      assert_non_null(strstr(err, "found tile="));
  }
}

static bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}

/* In the suite's sample a record of 2 KB has 332 words, and emits 97.7 of them, 70 to 121. */
static void words_are_as_in_the_sample(void **state) {
  (void)state;
  struct mars *m = prepare(mars_wc_prepare, 2048, 2048, NULL);
  uint32_t words = 0;
  for (uint32_t i = 1; i < m->bytes; i++)
    words += is_capital(m->text[i - 1]) && !is_capital(m->text[i]);
  assert_in_range(m->records, 1000, 1024);
  assert_in_range(words / m->records, 332 - 6, 332 + 6);
  assert_in_range(m->first[m->records] / m->records, 96, 100);
  for (uint32_t i = 0; i + 1 < m->records; i++)
    assert_in_range(m->first[i + 1] - m->first[i], 60, 135);
  mars_release(m);
}

/* The suite's samples have 55 links in 27939 bytes. */
static void links_are_as_in_the_samples(void **state) {
  (void)state;
  struct mars *m = prepare(mars_ii_prepare, 4096, 1024, NULL);
  assert_in_range(m->bytes / m->first[m->records], 508 - 25, 508 + 25);
  assert_in_range(m->bytes / m->records, 1024 + 20, 1024 + 80);
  mars_release(m);
}

/* A user's text, in a file that exists only for the test. */
static struct mars *prepare_text(prepare_fn make, const char *text, uint64_t record) {
  char path[] = "/tmp/heddle-mars-XXXXXX";
  const int fd = mkstemp(path);
  assert_int_equal(write(fd, text, strlen(text)), strlen(text));
  close(fd);
  struct mars *m = prepare(make, 1, record, path);
  unlink(path);
  return m;
}

static void the_users_words(void **state) {
  (void)state;
  /* Of the first record, cut at the first separator from byte 32 on: `quantity` and `coffee`. Of the second: `window`. */
  struct mars *m = prepare_text(mars_wc_prepare, "any quantity of coffee, and tea. Window, pane\n", 32);
  assert_int_equal(m->records, 2);
  assert_int_equal(m->end[0], 32);
  assert_int_equal(m->first[1], 2);
  assert_int_equal(m->first_key[1], 9 + 7); /* with their zero bytes */
  assert_int_equal(m->first[2], 3);
  assert_int_equal(m->first_key[2], 9 + 7 + 7);
  mars_release(m);
}

static void the_users_links(void **state) {
  (void)state;
  const char text[] =
      "<A HREF=\"x.y\">one</A> <a name=\"n\"> <b href=\"no\">\n<a class=\"c\" href=\"second\"> "
      "<a href=\"not closed\n<a href=\"in the next record\">\n";
  struct mars *m = prepare_text(mars_ii_prepare, text, 60);
  assert_int_equal(m->records, 2);
  assert_int_equal(m->first[1], 2);
  assert_int_equal(m->first[2], 3);
  for (int i = 0; i < 3; i++) {
    static const char *const url[3] = {"x.y", "second", "in the next record"};
    assert_int_equal(m->link_end[i] - m->link[i], strlen(url[i]));
    assert_memory_equal(m->text + m->link[i], url[i], strlen(url[i]));
  }
  mars_release(m);
}

/* After the exchange of neighbours in the last launch, the scores are in order. */
static void the_group_stage_sorts(void **state) {
  (void)state;
  static struct wl_plan plan;
  char err[64];
  plan.key[0] = 40; /* 780 pairs, 1024 elements, 55 launches */
  plan.key[1] = 1;
  plan.key[2] = 1;
  assert_true(mars_ss_prepare(&plan, err, sizeof err));
  struct mars *m = plan.data;
  uint32_t launches = 0;
  for (wl_plan_begin(&plan); mars_ss(&plan, launches); wl_plan_begin(&plan))
    launches++;
  assert_int_equal(m->elements, 1024);
  assert_int_equal(launches, 1 + 3 * 3 + 1 + 55);
  assert_int_equal(m->length, 1024);
  assert_int_equal(m->distance, 1);
  for (uint32_t i = 0; i < m->elements; i += 2) {
    uint32_t *a = &m->order[i], *b = &m->order[i + 1];
    const bool swap = *b != UINT32_MAX && (*a == UINT32_MAX || m->rank[*a] > m->rank[*b]);
    const uint32_t first = swap ? *b : *a;
    *b = swap ? *a : *b;
    *a = first;
  }
  for (uint32_t i = 0; i < m->elements; i++) {
    assert_int_equal(m->order[i] == UINT32_MAX, i >= 780);
    assert_true(i == 0 || i >= 780 || m->rank[m->order[i - 1]] < m->rank[m->order[i]]);
  }
  mars_release(m);
}

static void a_missing_text_is_said(void **state) {
  (void)state;
  char err[128];
  assert_null(wl_open("wc:file=/nowhere/text", err, sizeof err));
  assert_string_equal(err, "/nowhere/text: not a readable file of 1 byte to 64 MiB");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(totals),
      cmocka_unit_test(tiles_fit),
      cmocka_unit_test(words_are_as_in_the_sample),
      cmocka_unit_test(links_are_as_in_the_samples),
      cmocka_unit_test(the_users_words),
      cmocka_unit_test(the_users_links),
      cmocka_unit_test(the_group_stage_sorts),
      cmocka_unit_test(a_missing_text_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
