/* Texts of users in sentences for people.
 *
 * Invariant: what is printed is one line, and no terminal takes it for a command.
 */
#ifndef HEDDLE_BASE_PRINTABLE_H
#define HEDDLE_BASE_PRINTABLE_H

/* Each control character of the text becomes '?'. */
void hd_printable(char *text);

#endif
