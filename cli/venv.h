/* A package of Python's index in its own virtual environment, which is made when it is first needed.
 *
 * Invariant: the environment is complete, with the given version, or it is made anew.
 */
#ifndef HEDDLE_CLI_VENV_H
#define HEDDLE_CLI_VENV_H

#include "base/run.h"

struct hd_venv {
  const char *wanted;    /* argument of pip: NAME==VERSION, since another version gives other answers */
  const char *directory; /* name of the environment in the build directory or in the user's cache */
  const char *variable;  /* environment variable with which the user sets another place */
  const char *verb;      /* verb of `heddle` that needs it, for messages */
};

/* *program gets the path of a program in the environment's bin/, to be freed in any case. Returns HD_INPUT
 * if the user's place holds other files or cannot be written, and HD_TOOL if there is no Python or the
 * installation fails; the message has pip's last line. */
enum hd_rc hd_venv_program(const struct hd_venv *venv, const char *build_dir, const char *name,
                           char **program, struct hd_why *why);

#endif
