/* The nearest name, by hand. */
#include "base/nearest_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *near_of(const char *found, const char *const *names) {
  struct hd_near near = hd_near_to(found);
  for (; *names; names++)
    hd_near_try(&near, *names);
  return near.name ? near.name : "none";
}

static void one_is_near(void **state) {
  (void)state;
  static const char *const names[] = {"choo/mrpb",         "mrpb",     "mrpb/hash", "memsched",
                                      "loscache/adaptive", "l1d.sets", NULL};
  static const struct {
    const char *found, *near;
  } want[] = {
      {"mrp", "mrpb"},            /* a whole name wins over part of one */
      {"mrpb", "mrpb"},           /* itself */
      {"MRPB", "mrpb"},           /* capitals do not count */
      {"mrbp", "mrpb"},           /* two letters changed */
      {"memsch", "memsched"},     /* the beginning */
      {"memsched_x", "memsched"}, /* longer than the name */
      {"adaptive", "loscache/adaptive"},
      {"adaptve", "loscache/adaptive"},
      {"set", "l1d.sets"},
      {"mrpb_hash", "mrpb/hash"}, /* not mrpb, which begins the same way */
      {"xyz", "none"},            /* all three letters differ */
      {"mamshed", "memsched"},    /* two of seven: a, c */
      {"", "none"},
  };
  for (size_t i = 0; i < sizeof want / sizeof *want; i++)
    assert_string_equal(near_of(want[i].found, names), want[i].near);
}

static void a_long_name_is_no_trouble(void **state) {
  (void)state;
  char found[200], name[100];
  memset(found, 'a', sizeof found - 1);
  memset(name, 'b', sizeof name - 1);
  found[sizeof found - 1] = name[sizeof name - 1] = 0;
  const char *const names[] = {name, "b", NULL};
  assert_string_equal(near_of(found, names), "none");
  assert_string_equal(near_of("a", names), "none");
}

static void the_text_asks(void **state) {
  (void)state;
  struct hd_near near = hd_near_to("sim");
  assert_string_equal(hd_near_text(&near).text, "");
  hd_near_try(&near, "simulate");
  assert_string_equal(hd_near_text(&near).text, "did you mean simulate? ");
}

/* Of two names that begin the same way the shorter one wins. A name with another beginning does not win by its length. */
static void the_shorter_one(void **state) {
  (void)state;
  const char *const rooms[] = {"mrpb/base_l", "mrpb", NULL}, *const sections[] = {"l1d", "l2", NULL};
  assert_string_equal(near_of("mrp", rooms), "mrpb");
  assert_string_equal(near_of("l1", sections), "l1d");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_is_near), cmocka_unit_test(the_shorter_one),
                                     cmocka_unit_test(a_long_name_is_no_trouble),
                                     cmocka_unit_test(the_text_asks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
