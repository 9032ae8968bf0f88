/* Makes users' texts safe to print in messages.
 *
 * Invariant: the printed text is one line, and no terminal takes it for a command. */
#ifndef HEDDLE_BASE_PRINTABLE_H
#define HEDDLE_BASE_PRINTABLE_H

/* Replaces each control character of the text by '?'. */
void hd_printable(char *text);

#endif
