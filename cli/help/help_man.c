/* The man page, for man(7). */
#include "base/version.h"
#include "cli/help/help.h"

#include <string.h>

/* Writes text for roff: escapes our backslashes, and a request at the start of a line. */
static void text(const char *s, FILE *f) {
  if (*s == '.')
    fputs("\\&", f);
  for (; *s; s++)
    if (*s == '\\')
      fputs("\\e", f);
    else if (*s == '-')
      fputs("\\-", f);
    else if (*s == '`' || *s == '\'')
      fputs("\\(aq", f); /* the same on every device */
    else
      fputc(*s, f);
}

static void put_option(const struct hd_opt *o, FILE *f) {
  fputs(".TP\n", f);
  if (o->letter)
    fprintf(f, "\\fB\\-%c\\fR, ", o->letter);
  fputs("\\fB\\-\\-", f);
  text(o->name, f);
  fputs("\\fR", f);
  if (o->kind != HD_OPT_FLAG) {
    fputs(" \\fI", f);
    text(o->arg, f);
    fputs("\\fR", f);
  }
  fputc('\n', f);
  text(o->meaning, f);
  fputs(o->needed ? " (needed)\n" : "\n", f);
}

/* Writes lines without filling them. */
static void put_lines(const char *lines, FILE *f) {
  fputs(".PP\n.nf\n", f);
  while (*lines) {
    char line[256];
    const size_t n = strcspn(lines, "\n");
    snprintf(line, sizeof line, "%.*s", (int)n, lines);
    text(line, f);
    fputc('\n', f);
    lines += n + (lines[n] != 0);
  }
  fputs(".fi\n", f);
}

static void put_verb(const struct hd_verb *verb, FILE *f) {
  fputs(".SS heddle ", f);
  text(verb->name, f);
  if (verb->operand) {
    fputc(' ', f);
    text(verb->operand, f);
  }
  fputs("\n", f);
  text(verb->summary, f);
  fputs(".\n", f);
  for (const struct hd_opt *o = verb->opts; o->name; o++)
    put_option(o, f);
  put_lines(verb->example, f);
}

void hd_help_man(const struct hd_verb *const *verbs, FILE *f) {
  fputs(".TH HEDDLE 1 \"\" \"heddle " HD_VERSION "\" \"User Commands\"\n"
        ".SH NAME\nheddle \\- hardware for GPU caches: Verilog, golden model, and what both cost\n"
        ".SH SYNOPSIS\n\\fBheddle\\fR \\fIVERB\\fR [\\fIoptions\\fR]\n.br\n"
        "\\fBheddle\\fR \\fIVERB\\fR \\fB\\-\\-help\\fR\n.br\n\\fBheddle\\fR \\fB\\-\\-version\\fR\n"
        ".SH DESCRIPTION\n"
        "A YAML file describes a machine: one SM's memory path, or a whole GPU, with mechanisms of cache "
        "management.\n"
        "From it heddle writes synthesizable Verilog, runs a cycle\\-exact golden model of the same machine, "
        "compares\n"
        "the two in every output and every bit of state, and prices the hardware.\n"
        ".SH VERBS\n",
        f);
  for (; *verbs; verbs++)
    put_verb(*verbs, f);
  fputs(
      ".SH EXIT STATUS\n.TP\n0\ngood\n.TP\n1\na check failed\n.TP\n2\nusage or input\n.TP\n3\n"
      "a program is missing or broken\n"
      ".SH ENVIRONMENT\n.TP\nHEDDLE_CONFIGS\na directory of configurations that comes before heddle's own\n"
      ".TP\nCACTI\nthe program that prices memories; none: the embedded model does\n"
      ".TP\nVERILATOR, CXX, YOSYS, STA, IVERILOG, VVP\ncommands that are run for verilator, g++, yosys, sta, "
      "iverilog and vvp; heddle doctor shows which\n"
      ".SH FILES\n.TP\nPREFIX/share/heddle/configs\nthe configurations that were installed\n"
      ".TP\nPREFIX/share/doc/heddle\nthe pages; README.md leads to the others\n",
      f);
}
