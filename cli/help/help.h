/* The files that `make install` makes from the tables of options: the man page, and completion for two
 * shells. `verbs` ends with NULL. */
#ifndef HEDDLE_CLI_HELP_H
#define HEDDLE_CLI_HELP_H

#include "cli/cli.h"

/* Print the man page, for man(7), and the completion functions of bash and of zsh. */
void hd_help_man(const struct hd_verb *const *verbs, FILE *f);
void hd_help_bash(const struct hd_verb *const *verbs, FILE *f);
void hd_help_zsh(const struct hd_verb *const *verbs, FILE *f);

#endif
