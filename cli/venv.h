/* A package of Python's index in a virtual environment of its own, made when it is first wanted.
 *
 * Invariant: the environment is there whole, with the version that is named, or it is made anew.
 */
#ifndef HEDDLE_CLI_VENV_H
#define HEDDLE_CLI_VENV_H

#include "base/run.h"

struct hd_venv {
  const char *wanted;    /* what pip installs: NAME==VERSION, since another version gives other answers */
  const char *directory; /* its name, in the build directory or in the user's cache */
  const char *variable;  /* of the environment: a place that the user names instead */
  const char *verb;      /* of `heddle` that wants it, for messages */
};

/* *program: the path of a program in its bin/, to be freed, whatever the answer. HD_INPUT: the user's place holds other files, or
 * cannot be written; HD_TOOL: no Python, or the installation fails; the sentence has pip's last line. */
enum hd_rc hd_venv_program(const struct hd_venv *venv, const char *build_dir, const char *name,
                           char **program, struct hd_why *why);

#endif
