/* Options: one table per verb. getopt_long reads it, and --help prints it. */
#include "base/nearest_name.h"
#include "cli/cli.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPTS = 24 };

static void *field_of(struct hd_args *args, const struct hd_opt *o) {
  return (char *)args + o->field;
}

static enum hd_rc append(const struct hd_opt *o, const char *text, struct hd_list *list, struct hd_why *why) {
  if (list->n == HD_MAX_LIST)
    return hd_because(why, HD_INPUT, "--%s: found more than %d; write them into a file", o->name,
                      HD_MAX_LIST);
  list->text[list->n++] = text;
  return HD_OK;
}

static enum hd_rc set_option(const struct hd_verb *verb, const struct hd_opt *o, char *text,
                             struct hd_args *args, struct hd_why *why) {
  char *end;
  switch (o->kind) {
  case HD_OPT_FLAG:
    *(bool *)field_of(args, o) = true;
    return HD_OK;
  case HD_OPT_TEXT:
    *(const char **)field_of(args, o) = text;
    return *text ? HD_OK
                 : hd_because(why, HD_INPUT, "--%s: found nothing; allowed %s; see heddle %s --help", o->name,
                              o->arg, verb->name);
  case HD_OPT_LIST:
    return append(o, text, field_of(args, o), why);
  case HD_OPT_COUNT:
    errno = 0;
    *(uint64_t *)field_of(args, o) = strtoull(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end && !errno)
      return HD_OK;
    return hd_because(why, HD_INPUT,
                      "--%s: found %s; allowed a whole number, 0 to 18446744073709551615; write one", o->name,
                      text);
  case HD_OPT_REAL:
    *(double *)field_of(args, o) = strtod(text, &end);
    if (end != text && !*end && isfinite(*(double *)field_of(args, o)) && *(double *)field_of(args, o) > 0)
      return HD_OK;
    return hd_because(why, HD_INPUT, "--%s: found %s; allowed a number above 0; write one", o->name, text);
  }
  return HD_INPUT;
}

/* Reports an argument that getopt does not know: an option, or a value without an option. */
static enum hd_rc no_option(const struct hd_verb *verb, const char *found, bool value, struct hd_why *why) {
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(found, "="), found);
  struct hd_near near = hd_near_to(name);
  char *option[MAX_OPTS];
  size_t n = 0;
  for (const struct hd_opt *o = verb->opts; o->name; o++)
    hd_near_try(&near, option[n++] = hd_format("--%s", o->name));
  hd_because(why, HD_INPUT, "no option %s%s; %ssee heddle %s --help", found, value ? " with a value" : "",
             hd_near_text(&near).text, verb->name);
  while (n)
    free(option[--n]);
  return HD_INPUT;
}

enum hd_rc hd_args_read(const struct hd_verb *verb, int argc, char **argv, struct hd_args *args, bool *help,
                        struct hd_why *why) {
  struct option longs[MAX_OPTS + 2] = {{"help", no_argument, NULL, 'h'}};
  char shorts[2 * MAX_OPTS + 4] = ":h", *letter = shorts + 2;
  bool given[MAX_OPTS] = {false};
  size_t n = 0;
  for (const struct hd_opt *o = verb->opts; o->name; o++, n++) {
    const int takes = o->kind == HD_OPT_FLAG ? no_argument : required_argument;
    longs[n + 1] = (struct option){o->name, takes, NULL, 256 + (int)n};
    if (o->letter) {
      *letter++ = o->letter;
      if (takes == required_argument)
        *letter++ = ':';
    }
  }
  *args = verb->defaults;
  *help = false;
  opterr = 0;
  for (int got; (got = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
    if (got == 'h') {
      *help = true;
      return HD_OK;
    }
    if (got == ':')
      return hd_because(why, HD_INPUT, "%s needs a value; see heddle %s --help", argv[optind - 1],
                        verb->name);
    if (got == '?' && optopt && optopt < 256)
      return hd_because(why, HD_INPUT, "no option -%c; see heddle %s --help", optopt, verb->name);
    if (got == '?')
      return no_option(verb, argv[optind - 1], optopt, why);
    size_t i = got >= 256 ? (size_t)got - 256 : 0;
    while (got < 256 && verb->opts[i].letter != got)
      i++;
    const struct hd_opt *o = &verb->opts[i];
    if (given[i] && o->kind != HD_OPT_LIST)
      return hd_because(why, HD_INPUT, "--%s: found twice; allowed once; remove one", o->name);
    given[i] = true;
    const enum hd_rc rc = set_option(verb, o, optarg, args, why);
    if (rc != HD_OK)
      return rc;
  }
  if (verb->operand && optind < argc)
    args->what = argv[optind++];
  if (optind < argc)
    return hd_because(why, HD_INPUT, "found %s, which belongs to no option; see heddle %s --help",
                      argv[optind], verb->name);
  if (verb->operand && !args->what)
    return hd_because(why, HD_INPUT, "%s is missing; see heddle %s --help", verb->operand, verb->name);
  for (size_t i = 0; i < n; i++)
    if (verb->opts[i].needed && !given[i])
      return hd_because(why, HD_INPUT, "--%s %s is missing; see heddle %s --help", verb->opts[i].name,
                        verb->opts[i].arg, verb->name);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n && given[i] && verb->opts[i].of; k++)
      if (!given[k] && !strcmp(verb->opts[k].name, verb->opts[i].of))
        return hd_because(why, HD_INPUT, "--%s: found without --%s; write --%s %s too", verb->opts[i].name,
                          verb->opts[k].name, verb->opts[k].name, verb->opts[k].arg);
  return HD_OK;
}

void hd_args_help(const struct hd_verb *verb, FILE *f) {
  fprintf(f, "heddle %s: %s\n\nusage: heddle %s%s%s", verb->name, verb->summary, verb->name,
          verb->operand ? " " : "", verb->operand ? verb->operand : "");
  for (const struct hd_opt *o = verb->opts; o->name; o++)
    if (o->needed)
      fprintf(f, " --%s %s", o->name, o->arg);
  fprintf(f, " [options]\n\n");
  for (const struct hd_opt *o = verb->opts; o->name; o++) {
    char *left = hd_format("%c%c%c --%s %s", o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
                           o->letter ? ',' : ' ', o->name, o->kind == HD_OPT_FLAG ? "" : o->arg);
    fprintf(f, "  %-26s %s%s\n", left, o->meaning, o->needed ? " (needed)" : "");
    free(left);
  }
  fprintf(f, "  %-26s %s\n\n%s\n", "-h, --help", "this page", verb->example);
}
