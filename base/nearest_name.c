/* Nearness of names: see nearest_name.h. A name is near if it differs in at most a third of its letters (in two of a
 * short name), or if it begins alike and one of the two ends sooner. All marks between words count as the same
 * letter: gpu_apres is gpu/apres. */
#include "base/nearest_name.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool is_same_letter(char a, char b) {
  return a == b || (a && b && strchr("_/-.", a) && strchr("_/-.", b));
}

/* Returns the number of letters to change, add or drop. */
static size_t distance(const char *a, const char *b) {
  size_t row[64], nb = strlen(b);
  if (nb >= sizeof row / sizeof *row)
    return SIZE_MAX;
  for (size_t j = 0; j <= nb; j++)
    row[j] = j;
  for (size_t i = 1; a[i - 1]; i++) {
    size_t corner = row[0];
    row[0] = i;
    for (size_t j = 1; j <= nb; j++) {
      const size_t change = corner + !is_same_letter(a[i - 1], b[j - 1]),
                   drop = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
      corner = row[j];
      row[j] = change < drop ? change : drop;
    }
  }
  return row[nb];
}

struct hd_near hd_near_to(const char *found) {
  const size_t third = strlen(found) / 3;
  return (struct hd_near){found, NULL, 2 * (third > 2 ? third : 2) + 2};
}

/* Takes the name if it is nearer than the one before. `part`: `text` is only a part of the name, which counts as less
 * near. */
static void offer(struct hd_near *near, const char *text, const char *name, bool part) {
  const size_t nf = strlen(near->found), nt = strlen(text);
  const bool begun = nf && !strncasecmp(near->found, text, nf < nt ? nf : nt);
  const size_t d = begun ? nf != nt : distance(near->found, text);
  const size_t away = 2 * d + part;
  if (d < nt && (away < near->best ||
                 (near->name && away == near->best && begun && strlen(name) < strlen(near->name)))) {
    near->best = away;
    near->name = name;
  }
}

void hd_near_try(struct hd_near *near, const char *name) {
  const char *slash = strrchr(name, '/'), *dot = strchr(name, '.');
  offer(near, name, name, false);
  if (slash)
    offer(near, slash + 1, name, true);
  else if (dot)
    offer(near, dot + 1, name, true);
}

struct hd_near_text hd_near_text(const struct hd_near *near) {
  struct hd_near_text t = {""};
  if (near->name)
    snprintf(t.text, sizeof t.text, "did you mean %s? ", near->name);
  return t;
}
