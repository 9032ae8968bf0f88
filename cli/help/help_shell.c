/* Completion for bash and zsh: verbs, options, and values by the name of the value in the table. The names
 * of configurations, workloads, modules and keys come from the program when the user completes. */
#include "cli/help/help.h"

#include <string.h>

/* The kind of a value by its name in the table. `list`: the argument of `heddle list`. */
static const struct {
  const char *arg, *list;
  enum { NAMES, FILES, DIRS } kind;
} values[] = {{"CONFIG", "configs", NAMES}, {"WORKLOAD", "workloads", NAMES},
              {"MODULE", "modules", NAMES}, {"KEY=VALUE", "params", NAMES},
              {"FILE", NULL, FILES},        {"PATH", NULL, FILES},
              {"LIB", NULL, FILES},         {"DIR", NULL, DIRS}};

static void put_words(const struct hd_verb *const *verbs, FILE *f) {
  for (; *verbs; verbs++)
    fprintf(f, "%s ", (*verbs)->name);
  fputs("help --help --version", f);
}

/* Writes the words of "a|b|c". */
static void put_operand(const struct hd_verb *verb, FILE *f) {
  for (const char *c = verb->operand ? verb->operand : ""; *c; c++)
    fputc(*c == '|' ? ' ' : *c, f);
}

/* --- bash ----------------------------------------------------------------------------------------------- */

/* Writes the pattern of a case: a verb and an option with this kind of value. */
static void bash_options(const struct hd_verb *const *verbs, const char *arg, FILE *f) {
  const char *before = "    ";
  for (; *verbs; verbs++)
    for (const struct hd_opt *o = (*verbs)->opts; o->name; o++)
      if (o->kind != HD_OPT_FLAG && !strcmp(o->arg, arg)) {
        fprintf(f, "%s'%s --%s'", before, (*verbs)->name, o->name);
        before = " | ";
        if (o->letter)
          fprintf(f, " | '%s -%c'", (*verbs)->name, o->letter);
      }
  fputs(")\n", f);
}

void hd_help_bash(const struct hd_verb *const *verbs, FILE *f) {
  fputs("# Completion of heddle for bash; made by `heddle help --bash`.\n"
        "_heddle_names() {\n"
        "  local i config=()\n"
        "  for ((i = 2; i < COMP_CWORD - 1; i++)); do\n"
        "    case ${COMP_WORDS[i]} in -c | --config) config=(-c \"${COMP_WORDS[i + 1]}\") ;; esac\n"
        "  done\n"
        "  [ \"$2\" = modules ] || config=()\n"
        "  \"$1\" list \"$2\" --names \"${config[@]}\" 2>/dev/null\n"
        "}\n"
        "_heddle() {\n"
        "  local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]} "
        "words=\n"
        "  COMPREPLY=()\n"
        "  if [ \"$COMP_CWORD\" = 1 ] || { [ \"$COMP_CWORD\" = 2 ] && [ \"$verb\" = help ]; }; then\n"
        "    mapfile -t COMPREPLY < <(compgen -W '",
        f);
  put_words(verbs, f);
  fputs("' -- \"$cur\")\n    return\n  fi\n  case \"$verb $before\" in\n", f);
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    bash_options(verbs, values[i].arg, f);
    fputs("      mapfile -t COMPREPLY < <(", f);
    if (values[i].kind == NAMES)
      fprintf(f, "compgen -W \"$(_heddle_names \"$1\" %s)\" -- \"$cur\"; ", values[i].list);
    fprintf(f, "compgen -%c -- \"$cur\")\n", values[i].kind == DIRS ? 'd' : 'f');
    fputs("      return ;;\n", f);
  }
  fputs("  esac\n  case $verb in\n", f);
  for (const struct hd_verb *const *v = verbs; *v; v++) {
    fprintf(f, "    %s) words='", (*v)->name);
    put_operand(*v, f);
    for (const struct hd_opt *o = (*v)->opts; o->name; o++)
      fprintf(f, " --%s", o->name);
    fputs(" --help' ;;\n", f);
  }
  fputs("  esac\n  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n}\n"
        "complete -F _heddle heddle\n",
        f);
}

/* --- zsh ------------------------------------------------------------------------------------------------ */

/* Writes text inside '...[text]...' of _arguments. */
static void zsh_text(const char *s, FILE *f) {
  for (; *s; s++)
    if (*s == '\'')
      fputs("'\\''", f);
    else if (strchr("[]:\\", *s))
      fprintf(f, "\\%c", *s);
    else
      fputc(*s, f);
}

static void zsh_option(const struct hd_opt *o, FILE *f) {
  const char *repeat = o->kind == HD_OPT_LIST ? "*" : "";
  for (int form = o->letter ? 0 : 1; form < 2; form++) {
    fprintf(f, " \\\n        '%s", repeat);
    fprintf(f, form ? "--%s" : "-%.1s", form ? o->name : &o->letter);
    fputc('[', f);
    zsh_text(o->meaning, f);
    fputc(']', f);
    if (o->kind != HD_OPT_FLAG) {
      fputc(':', f);
      zsh_text(o->arg, f);
      fputc(':', f);
      for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (!strcmp(o->arg, values[i].arg) && values[i].kind == NAMES)
          fprintf(f, " _heddle_names %s", values[i].list); /* leading space: zsh adds no arguments */
        else if (!strcmp(o->arg, values[i].arg))
          fputs(values[i].kind == DIRS ? "_directories" : "_files", f);
    }
    fputc('\'', f);
  }
}

void hd_help_zsh(const struct hd_verb *const *verbs, FILE *f) {
  fputs("#compdef heddle\n# Completion of heddle for zsh; made by `heddle help --zsh`.\n"
        "_heddle_names() {\n"
        "  local -a names config\n"
        "  local at=${words[(I)(-c|--config)]}\n"
        "  [[ $1 = modules && $at -gt 0 ]] && config=(-c ${words[at + 1]})\n"
        "  names=(${(f)\"$(heddle list $1 --names $config 2>/dev/null)\"})\n"
        "  compadd -a names\n"
        "  _files\n"
        "}\n"
        "_heddle() {\n"
        "  local -a verbs\n"
        "  verbs=(",
        f);
  for (const struct hd_verb *const *v = verbs; *v; v++) {
    fprintf(f, "\n    '%s:", (*v)->name);
    zsh_text((*v)->summary, f);
    fputc('\'', f);
  }
  fputs("\n    'help:what a verb does')\n"
        "  if ((CURRENT == 2)); then\n    _describe verb verbs\n    _arguments '--help[all verbs]' "
        "'--version[the version]'\n"
        "    return\n  fi\n"
        "  local verb=$words[2]\n  shift words\n  ((CURRENT--))\n"
        "  case $verb in\n    help) _describe verb verbs ;;\n",
        f);
  for (const struct hd_verb *const *v = verbs; *v; v++) {
    fprintf(f, "    %s)\n      _arguments '--help[this page]'", (*v)->name);
    for (const struct hd_opt *o = (*v)->opts; o->name; o++)
      zsh_option(o, f);
    if ((*v)->operand) {
      fputs(" \\\n        '1:what:(", f);
      put_operand(*v, f);
      fputs(")'", f);
    }
    fputs(" ;;\n", f);
  }
  fputs("  esac\n}\n_heddle \"$@\"\n", f);
}
