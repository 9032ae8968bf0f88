/* Removing control characters from texts; see printable.h. */
#include "base/printable.h"

void hd_printable(char *text) {
  for (; *text; text++)
    if ((unsigned char)*text < ' ' || *text == 0x7f)
      *text = '?';
}
