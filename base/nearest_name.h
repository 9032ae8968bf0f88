/* Of the names that would have been right, the one nearest to what was found. */
#ifndef HEDDLE_BASE_NEAREST_NAME_H
#define HEDDLE_BASE_NEAREST_NAME_H

#include <stddef.h>

struct hd_near {
  const char *found, *name; /* name: the nearest so far, as it was offered; NULL: none is near */
  size_t best;              /* its distance, doubled */
};
struct hd_near hd_near_to(const char *found);
/* `name` must stay as long as near->name is used. Its last part may be what was meant: DIR/name,
 * section.key. */
void hd_near_try(struct hd_near *near, const char *name);

/* "did you mean NAME? ", or nothing. */
struct hd_near_text {
  char text[96];
};
struct hd_near_text hd_near_text(const struct hd_near *near);

#endif
