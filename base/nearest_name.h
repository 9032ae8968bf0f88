/* The name nearest to a wrong one, among the names that would be right. */
#ifndef HEDDLE_BASE_NEAREST_NAME_H
#define HEDDLE_BASE_NEAREST_NAME_H

#include <stddef.h>

struct hd_near {
  const char *found, *name; /* name: the nearest so far, as given to hd_near_try; NULL: none is near */
  size_t best;              /* its distance, doubled */
};
struct hd_near hd_near_to(const char *found);
/* Compares `name`, which must stay valid as long as near->name is used. Also compares its last part (DIR/name,
 * section.key), because that may have been meant. */
void hd_near_try(struct hd_near *near, const char *name);

/* Returns "did you mean NAME? ", or "". */
struct hd_near_text {
  char text[96];
};
struct hd_near_text hd_near_text(const struct hd_near *near);

#endif
