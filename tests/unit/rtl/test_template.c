/* Templates: the output of each directive, and the text of each error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "rtl_gen/template/template.h"

#define PSB "rtl_gen/apcm/psb.v"

/* A template of module psb, beside the parts that it may name. */
static struct hd_templates templates(const char *text, struct hd_template_file file[4]) {
  file[0] = (struct hd_template_file){PSB, text};
  file[1] =
      (struct hd_template_file){"rtl_gen/apcm/half.v", "half\n//@ def twice(x)\n/*@x*/+/*@x*/\n//@ end\n"};
  file[2] = (struct hd_template_file){"rtl_gen/l1d/other.v", "other\n"};
  file[3] = (struct hd_template_file){"rtl_gen/l1d/keyed.v", "\n//@ keys l1d.ways\n"};
  return (struct hd_templates){file, 4};
}

static bool expanded_for(const struct hd_config *c, const char *text, struct hd_template_text *out,
                         struct hd_why *why) {
  struct hd_template_file file[4];
  const struct hd_templates all = templates(text, file);
  const struct hd_design design = {.c = c};
  const struct hd_decl decl = {.module = "psb"};
  struct hd_size_role *roles = hd_size_roles_of(c, &decl, false, why);
  assert_non_null(roles);
  const struct hd_template_module module = {.design = &design, .decl = &decl, .roles = roles};
  const bool ok = hd_template_expand(&all, hd_template_of(&all, "psb"), &module, out, why);
  hd_size_roles_free(roles);
  return ok;
}

static bool expanded(const char *text, enum hd_policy policy, struct hd_template_text *out,
                     struct hd_why *why) {
  struct hd_config c;
  hd_config_default(&c);
  c.scheduler.policy = policy;
  hd_config_derive(&c);
  return expanded_for(&c, text, out, why);
}

/* The default has 48 warps, 32 lanes, 4 ways, no LAWS. */
static const struct {
  const char *text, *plain, *laws; /* laws NULL: the same */
} expansions[] = {
    {"", "", NULL},
    {"a // b\n\n/* c */\n", "a // b\n\n/* c */\n", NULL},
    {"a\n//@ # unseen\n  //@ # unseen too\nb\n", "a\nb\n", NULL},
    {"//@ if LAWS\na\n//@ end\nb\n", "b\n", "a\nb\n"},
    {"//@ if !LAWS\na\n//@ elif WARPS == 48\nb\n//@ else\nc\n//@ end\n", "a\n", "b\n"},
    {"//@ if LAWS && GTO\na\n//@ elif 0\nb\n//@ else\nc\n//@ end\n", "c\n", NULL},
    {"//@ if 1\n//@ if LAWS\na\n//@ else\nb\n//@ end\nc\n//@ end\n", "b\nc\n", "a\nc\n"},
    {"x/*@if LAWS*/ && a/*@end*/;\n", "x;\n", "x && a;\n"},
    {"x/*@if LAWS*/a/*@elif LANES > 1*/b/*@else*/c/*@end*/;\n", "xb;\n", "xa;\n"},
    {"x/*@if 1*/a/*@if LAWS*/b/*@else*/c/*@end*/d/*@end*/\n", "xacd\n", "xabd\n"},
    {"  /*@if LAWS*/a/*@end*/\nb\n", "b\n", "  a\nb\n"}, /* a line of directives that leave nothing */
    {"//@ if scheduler.policy == laws\na\n//@ end\n", "", "a\n"},
    {"//@ if scheduler.policy != laws\na\n//@ end\n", "a\n", ""},
    {"/*@= scheduler.policy*/ /*@= sm.warps*/ /*@= WARPS / 2 - 1*/\n", "lrr 48 23\n", "laws 48 23\n"},
    {"/*@= (2 + 3) * 4 % 7*/ /*@= 6 & 3*/ /*@= -1 < 0 ? 5 : 6*/ /*@= !0 || 1 / 0*/\n", "6 2 5 1\n", NULL},
    {"/*@= 1 << 3 + 1*/ /*@= 48 >> 2*/ /*@= 1 << 2 < 5*/\n", "16 12 1\n", NULL},
    {"/*@= 1 >= 2*/ /*@= 2 <= 2*/ /*@= 1 && 0*/ /*@= 1 != 2*/ /*@= WARPS & WARPS - 1*/\n", "0 1 0 1 32\n",
     NULL},
    {"//@ for u 3\na_/*@u*/ = /*@= u + 1*//*@if u == 1*/ b/*@end*/;\n//@ end\n",
     "a_0 = 1;\na_1 = 2 b;\na_2 = 3;\n", NULL},
    {"//@ for u LAWS\na\n//@ end\n", "", "a\n"},
    {"//@ def m(a, b)\n    /*@a*/ - /*@b*/\n//@ end\nx = /*@m(y[1,2], f(z, 1))*/;\n",
     "x = y[1,2] - f(z, 1);\n", NULL},
    {"//@ def m(n)\n/*@if n > 8*/wide/*@else*/slim/*@end*/\n//@ end\n/*@m(WARPS)*/ /*@m(3)*/\n",
     "wide slim\n", NULL},
    {"//@ def in(x)\n</*@x*/>\n//@ end\n//@ def out(y)\n/*@in(a@y)*/\n//@ end\n/*@out(1)*/ /*@in(@in(2))*/\n",
     "<a1> <<2>>\n", NULL},
    /* alone in its line, a macro's lines move to its column */
    {"//@ def m\n\n  a\n    b\n//@ end\n    /*@m*/\n/*@m*/\n", "\n    a\n      b\n\na\n  b\n", NULL},
    {"//@ terms t ||\n//@ | LAWS : a\n//@ | WARPS ? 1 : 0 : b/*@if LAWS*/ && c/*@end*/\n//@ end\nx = "
     "/*@t*/;\n",
     "x = b;\n", "x = a || b && c;\n"},
    {"//@ terms t &&\n//@ | LAWS : a\n//@ end\n//@ if t\nx = /*@t*/;\n//@ else\ny\n//@ end\n", "y\n",
     "x = a;\n"},
    {"/*@{target d_*_q}*/\n", "{d_wid_q, d_slot_q, d_num_q, d_last_q}\n", NULL},
    {"/*@{outcome *}*/\n", "{}\n", "{first, gid}\n"}, /* fields that are not there are left out */
    {"//@ for u 1\n/*@{target f@(u)_*, num=a[{1, 2}], wid=@u}*/\n//@ end\n",
     "{0, f0_slot, a[{1, 2}], f0_last}\n", NULL},
    {"/*@{target h_*[w*# +: #], last=h_last[w]}*/\n",
     "{h_wid[w*WID_W +: WID_W], h_slot[w*SLOT_W +: SLOT_W], h_num[w*LANE_W +: LANE_W], h_last[w]}\n", NULL},
    {"//@ each target f\n/*@f*/ [/*@f_width*/]\n//@ end\n",
     "wid [WID_W]\nslot [SLOT_W]\nnum [LANE_W]\nlast [1]\n", NULL},
    {"//@ each target f\nwire /*@f_range*/ /*@f*/;\n//@ end\n",
     "wire [WID_W-1:0]  wid;\nwire [SLOT_W-1:0] slot;\nwire [LANE_W-1:0] num;\nwire              last;\n",
     NULL},
    {"//@ each outcome f\n/*@f*/ /*@f_place*/ of /*@f_number*/\n//@ end\n", "", "first 0 of 4\ngid 1 of 8\n"},
    {"//@ each target f but slot last\n/*@f*/\n//@ end\n", "wid\nnum\n", NULL},
    {"//@ part half\n/*@twice(a)*/\n//@ part l1d/other\n", "half\na+a\nother\n", NULL},
};

static void directives_leave_what_they_should(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof expansions / sizeof *expansions; i++)
    for (int laws = 0; laws < 2; laws++) {
      struct hd_why why;
      struct hd_template_text out;
      const char *right = laws && expansions[i].laws ? expansions[i].laws : expansions[i].plain;
      if (!expanded(expansions[i].text, laws ? HD_LAWS : HD_LRR, &out, &why))
        fail_msg("%s: %s", expansions[i].text, why.text);
      if (strcmp(out.text, right) != 0)
        fail_msg("%s: found\n%s, and not\n%s", expansions[i].text, out.text, right);
      assert_null(out.keys[0]);
      hd_template_free(&out);
    }
}

static struct hd_template_text right(const char *text) {
  struct hd_why why;
  struct hd_template_text out;
  if (!expanded(text, HD_LRR, &out, &why))
    fail_msg("%s: %s", text, why.text);
  return out;
}

static void keys_are_reported(void **state) {
  (void)state;
  struct hd_template_text out = right("//@ keys l1d.ways scheduler.policy\n//@ keys apcm.ways\na\n");
  assert_string_equal(out.text, "a\n");
  assert_string_equal(out.keys[0], "l1d.ways");
  assert_string_equal(out.keys[1], "scheduler.policy");
  assert_string_equal(out.keys[2], "apcm.ways");
  assert_null(out.keys[3]);
  hd_template_free(&out);
}

static void functions_are_the_library_s(void **state) {
  (void)state;
  struct hd_template_text out = right("//@ pick p N W\n//@ lowest l N\n//@ number n N W\n//@ xor_fold f A B "
                                      "2\n//@ check c 4 4\n//@ mend d 4 4\n");
  const char *const text = out.text;
  assert_non_null(strstr(text, "function [W-1:0] p(input [N-1:0] at, input [N*W-1:0] v);"));
  assert_non_null(strstr(text, "function [N-1:0] l(input [N-1:0] v);"));
  assert_non_null(strstr(text, "function [W-1:0] n(input [N-1:0] v);"));
  assert_non_null(strstr(text, "function [B-1:0] f(input [A-1:0] v);"));
  assert_non_null(strstr(text, "for (i = 2; i < A; i = i + 1)"));
  hd_template_free(&out);
}

/* The lines of the output, and where each comes from: a part, the body of a loop, the use of a macro. */
static void lines_come_from_the_template(void **state) {
  (void)state;
  struct hd_template_text out =
      right("//@ # 1\na\n//@ part half\n//@ for u 2\nb\n//@ end\n//@ def m\nc\nd\n//@ end\n"
            "/*@m*/\n//@ pick p N W\n");
  static const struct {
    const char *text, *path;
    unsigned line;
  } from[] = {{"a\n", PSB, 2},
              {"half", "rtl_gen/apcm/half.v", 1},
              {"b\nb", PSB, 5},
              {"b\nc", PSB, 5},
              {"c\n", PSB, 11},
              {"d\n", PSB, 11},
              {"// the element", PSB, 12}};
  for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
    const struct hd_text_line *line =
        hd_template_line_at(&out, (size_t)(strstr(out.text, from[i].text) - out.text));
    assert_string_equal(line->path, from[i].path);
    assert_int_equal(line->line, from[i].line);
  }
  hd_template_free(&out);
}

/* The line of an error, and its text. All errors but those of `late` are found when the program is built. */
static const struct {
  const char *text;
  unsigned line;
  const char *sentence, *path; /* path NULL: psb's */
} errors[] = {
    {"a\n//@ unless X\n", 2, "found directive unless, allowed keys small looks part if", NULL},
    {"a; //@ if X\n", 1, "found //@ behind text, allowed alone in its line", NULL},
    {"//@ if LAWZ\n//@ end\n", 1, "found LAWZ, allowed a name of arch/config/derived.def", NULL},
    {"//@ if 1\n//@ if 0 && LAWZ\n//@ end\n//@ end\n", 2, "found LAWZ", NULL},
    {"//@ if 0\n/*@= LAWZ*/\n//@ end\n", 2, "found LAWZ", NULL},
    {"//@ if WARPS\n//@ else\n/*@if LAWZ*/a/*@end*/\n//@ end\n", 3, "found LAWZ", NULL},
    /* in psb WARPS is free from 2 up, and WID_W follows from it */
    {"//@ if WARPS > 1 && WID_W\n//@ end\n//@ if !LAWS && WARPS > 2\n//@ end\n", 3,
     "found WARPS, which free sizes change, allowed what is so from the least of them up (FREE rows)", NULL},
    {"//@ for i WID_W\n//@ end\n", 1,
     "found WID_W, which free sizes change, allowed bound sizes in a number of the text", NULL},
    {"//@ def m(a)\n//@ if a > 3\n//@ end\n//@ end\n/*@m(WARPS)*/\n", 2,
     "found WARPS, which free sizes change", NULL},
    {"//@ if l1d.wais\n//@ end\n", 1, "found l1d.wais", NULL},
    {"//@ if scheduler.policy == fifo\n//@ end\n", 1,
     "found fifo, allowed for scheduler.policy: lrr gto laws", NULL},
    {"//@ if scheduler.policy\n//@ end\n", 1, "found scheduler.policy alone, allowed with == or !=", NULL},
    {"//@ if\n//@ end\n", 1, "found \"\", allowed a name, a number, ! - or (", NULL},
    {"//@ if (WARPS\n//@ end\n", 1, "found \"\", allowed an operator or )", NULL},
    {"//@ if WARPS ? 1\n//@ end\n", 1, "found \"\", allowed an operator or :", NULL},
    {"//@ if WARPS LANES\n//@ end\n", 1, "found \"LANES\", allowed the end of the directive", NULL},
    {"a\n//@ if WARPS\nb\n", 2, "found if without end, allowed //@ end behind it", NULL},
    {"//@ for u 2\n//@ if 1\n//@ end\n", 1, "found for without end", NULL},
    {"//@ end\n", 1, "found end, allowed behind a directive that it belongs to", NULL},
    {"//@ if 1\n//@ else\n//@ elif 1\n//@ end\n", 3, "found elif in else, allowed in if", NULL},
    {"//@ for u 2\n//@ else\n//@ end\n", 2, "found else in for, allowed in if", NULL},
    {"//@ end of if\n", 1, "found \"of if\", allowed the end of the directive", NULL},
    {"a/*@if 1*/b\n", 1, "found the line's end, allowed /*@end*/ before it", NULL},
    {"a/*@end*/b\n", 1, "found /*@end*/, allowed behind an /*@if*/ of the same line", NULL},
    {"a/*@if 1*/b/*@else*/c/*@else*/d/*@end*/\n", 1, "found else behind else, allowed end", NULL},
    {"a/*@if 1\n*/\n", 1, "found /*@ without */, allowed both in one line", NULL},
    {"a/*@if 1 2*/b/*@end*/\n", 1, "found \"2\", allowed the end of the directive", NULL},
    {"a/*@= 1 2*/\n", 1, "found \"2\", allowed the end of the directive", NULL},
    {"a/*@+*/\n", 1, "found \"@+\", allowed if elif else end = { or a name", NULL},
    {"\n/*@m(1)*/\n//@ def m(a)\n//@ end\n", 2,
     "found m, allowed a parameter, a loop's variable, a macro or terms", NULL},
    {"//@ def m(a)\n//@ end\n/*@m*/\n", 3, "found 0 arguments of m, allowed 1", NULL},
    {"//@ def m(a)\n//@ end\n/*@m(1, 2)*/\n", 3, "found 2 arguments of m, allowed 1", NULL},
    {"//@ def m(a)\n//@ end\n/*@m(1*/\n", 3, "found \"(1\", allowed (text, text)", NULL},
    {"//@ def m(a)\n/*@b*/\n//@ end\n", 2, "found b, allowed", NULL},
    {"//@ def m(a)\n//@ end\n//@ def m(b)\n//@ end\n", 3,
     "found a second m, allowed one: it is defined at " PSB ":1", NULL},
    {"//@ def m(a\n//@ end\n", 1, "found \"\", allowed def name(a, b)", NULL},
    {"//@ def 1\n//@ end\n", 1, "found \"1\", allowed the name of a macro", NULL},
    {"//@ def m\n/*@m*/\n//@ end\n/*@m*/\n", 2, "found m inside itself", NULL},
    {"//@ if 1\n//@ def m\n//@ end\n//@ end\n", 2, "found def inside another directive, allowed outside",
     NULL},
    {"//@ def m(a)\n/*@if a > 1*/b/*@end*/\n//@ end\n/*@m(b[1])*/\n", 2,
     "found a in a condition, allowed: its text", NULL},
    {"//@ def m\n/*@= LAWZ*/\n//@ end\n", 2, "found LAWZ", NULL}, /* that nothing uses it is no excuse */
    {"//@ part psb\n", 1, "found psb inside itself", NULL},
    {"//@ terms t ||\n//@ | 1 a\n//@ end\n", 2, "found no : behind the condition, allowed | E : text", NULL},
    {"//@ terms t ||\n//@ | LAWZ : a\n//@ end\n", 2, "found LAWZ", NULL},
    {"//@ terms t ||\n//@ if 1\n//@ end\n", 2, "found \"if 1\" in terms, allowed | E : text or end", NULL},
    {"//@ terms t ||\na\n", 1, "found terms without end", NULL},
    {"//@ terms t\n//@ end\n", 1, "found no operator, allowed terms NAME OP", NULL},
    {"//@ terms t ||\n//@ | 1 : a\n//@ end\n/*@t(1)*/\n", 4, "found arguments of terms t, allowed none",
     NULL},
    {"//@ for u 2\n/*@u(1)*/\n//@ end\n", 2, "found arguments of u, allowed none", NULL},
    {"/*@{targets d_*}*/\n", 1, "found bundle targets, allowed those of arch/declaration/bundles.def", NULL},
    {"/*@{target d_*, line=a}*/\n", 1, "found field line, allowed those of bundle target", NULL},
    {"//@ pick p@(u N W\n", 1, "found \"@(u\", allowed @name, @name(text) or @(name)", NULL},
    {"/*@{target d_*, num}*/\n", 1, "found field num without a text, allowed field=text", NULL},
    {"/*@{target d_*, num=}x*/\n", 1, "found \"x\", allowed the end of the directive", NULL},
    {"/*@{target d_*, num=a*/\n", 1, "found no }, allowed {bundle pattern, field=text}", NULL},
    {"/*@{target d_}*/\n", 1, "found no * in \"d_\", allowed a pattern with * for the field", NULL},
    {"//@ each targets f\n//@ end\n", 1, "found bundle targets", NULL},
    {"//@ each target f but line\n//@ end\n", 1, "found field line, allowed those of bundle target", NULL},
    {"//@ each target f num\n//@ end\n", 1, "found \"num\", allowed the end of the directive", NULL},
    {"//@ pick p N\n", 1, "found 2 words behind pick, allowed 3", NULL},
    {"//@ part third\n", 1, "found part third, allowed: a template, and there is no rtl_gen/apcm/third.v",
     NULL},
    {"//@ part\n", 1, "found no name, allowed one", NULL},
    {"//@ wiring LAWZ\n", 1, "found LAWZ", NULL},
    {"//@ wiring 1 2\n", 1, "found \"2\", allowed the end of the directive", NULL},
    {"//@ keys ways\n", 1, "found ways, allowed keys of the configuration: section.key", NULL},
    {"//@ part half\n//@ part half\n", 2, "found a second twice", "rtl_gen/apcm/half.v"},
    {"//@ part l1d/keyed\n", 2, "found keys in a part, allowed in the module's template",
     "rtl_gen/l1d/keyed.v"},
};

static char *checked(const struct hd_templates *all, unsigned n) {
  char *said;
  size_t size;
  FILE *f = open_memstream(&said, &size);
  assert_int_equal(hd_template_check(all, f), n);
  fclose(f);
  return said;
}

static void errors_are_found_when_built(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
    struct hd_template_file file[4];
    const struct hd_templates all = templates(errors[i].text, file);
    char *said = checked(&all, 1);
    char *right =
        hd_format("%s:%u: %s", errors[i].path ? errors[i].path : PSB, errors[i].line, errors[i].sentence);
    if (strncmp(said, right, strlen(right)) != 0)
      fail_msg("%s: found\n%s, and not\n%s", errors[i].text, said, right);
    free(right);
    free(said);
  }
}

/* Errors that depend on the configuration. */
static void errors_are_found_when_expanded(void **state) {
  (void)state;
  static const struct {
    const char *text, *sentence;
  } late[] = {{"\n/*@= WARPS / LAWS*/\n", PSB ":2: found a division by 0, allowed another divisor"},
              {"//@ terms t ||\n//@ | LAWS : a\n//@ end\n/*@t*/\n",
               PSB ":4: found no term of t that holds, allowed inside if t"}};
  for (size_t i = 0; i < sizeof late / sizeof *late; i++) {
    struct hd_why why;
    struct hd_template_text out;
    assert_false(expanded(late[i].text, HD_LRR, &out, &why));
    assert_string_equal(why.text, late[i].sentence);
  }
}

static void a_template_is_a_module_s_or_a_part(void **state) {
  (void)state;
  struct hd_template_file file[4];
  const struct hd_templates all = templates("//@ part half\n", file);
  char *said = checked(&all, 2);
  assert_string_equal(
      said,
      "rtl_gen/l1d/other.v:1: found a template that nothing names, allowed: a module's, or a "
      "part of one\n"
      "rtl_gen/l1d/keyed.v:1: found a template that nothing names, allowed: a module's, or a part of one\n");
  free(said);
}

/* Returns the next block of Verilog of a page; the caller frees it. *page then points behind it. */
static char *block(const char **page) {
  const char *const open = "```verilog\n";
  const char *text = strstr(*page, open);
  assert_non_null(text);
  text += strlen(open);
  *page = strstr(text, "```\n");
  assert_non_null(*page);
  char *copy = hd_format("%.*s", (int)(*page - text), text);
  *page += 4;
  return copy;
}

/* docs/templates.md shows a template and its output for a machine with CASC and without prefetching. */
static void the_page_s_example_is_right(void **state) {
  (void)state;
  char *page = hd_slurp("docs/templates.md");
  assert_non_null(page);
  const char *rest = page;
  char *from = block(&rest), *to = block(&rest);
  struct hd_config c;
  struct hd_template_text out;
  struct hd_why why;
  hd_config_default(&c);
  c.casc.scheme = HD_CASC_ALL;
  hd_config_derive(&c);
  if (!expanded_for(&c, from, &out, &why))
    fail_msg("%s", why.text);
  assert_string_equal(out.text, to);
  hd_template_free(&out);
  free(from);
  free(to);
  free(page);
}

static void those_of_the_program_are_right(void **state) {
  (void)state;
  char *said = checked(&hd_templates, 0);
  assert_string_equal(said, "");
  free(said);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(directives_leave_what_they_should),  cmocka_unit_test(keys_are_reported),
      cmocka_unit_test(functions_are_the_library_s),        cmocka_unit_test(lines_come_from_the_template),
      cmocka_unit_test(errors_are_found_when_built),        cmocka_unit_test(errors_are_found_when_expanded),
      cmocka_unit_test(a_template_is_a_module_s_or_a_part), cmocka_unit_test(the_page_s_example_is_right),
      cmocka_unit_test(those_of_the_program_are_right),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
