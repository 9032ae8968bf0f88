/* Takes the user's Verilog instead of generated RTL; see build.h. */
#include "verif/verilate/build.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Copies one file of the list. */
static enum hd_rc copy(const char *from, const char *list, const char *to, const char *name,
                       struct hd_why *why) {
  enum hd_rc rc = HD_OK;
  if (name[0] == '-' || name[0] == '+' || name[0] == '/' || strchr(name, '/'))
    return hd_because(why, HD_INPUT, "%s/%s: found %s; allowed: names of files in %s, one a line", from, list,
                      name, from);
  char *source = hd_format("%s/%s", from, name), *copied = hd_format("%s/%s", to, name),
       *text = hd_slurp(source);
  if (!text)
    rc = hd_because(why, HD_INPUT, "%s: no such file; %s/%s names it", source, from, list);
  else if (!hd_write_file(copied, text))
    rc = hd_because(why, HD_TOOL, "%s can't be written", copied);
  free(text);
  free(copied);
  free(source);
  return rc;
}

enum hd_rc hd_rtl_take(const char *from, const char *module, const char *to, struct hd_why *why) {
  DIR *dir = opendir(from);
  if (!dir)
    return hd_because(why, HD_INPUT, "%s: no such directory; allowed: one that heddle gen has written", from);
  closedir(dir);
  char *list = hd_format("%s.f", module), *path = hd_format("%s/%s", from, list), *names = hd_slurp(path);
  enum hd_rc rc = HD_OK;
  bool any = false;
  if (!names)
    rc = hd_because(why, HD_INPUT, "%s: no such file; allowed: the list that heddle gen -t %s has written",
                    path, module);
  else if (!hd_make_dirs(to))
    rc = hd_because(why, HD_TOOL, "%s can't be made", to);
  else
    rc = copy(from, list, to, list, why);
  for (char *rest = names, *name; rc == HD_OK && (name = strsep(&rest, "\n"));) {
    name[strcspn(name, " \t\r")] = 0;
    if (!*name || *name == '#' || !strncmp(name, "//", 2))
      continue;
    rc = copy(from, list, to, name, why);
    any = true;
  }
  if (rc == HD_OK && !any)
    rc = hd_because(why, HD_INPUT, "%s: found no file; allowed: names of files, one a line", path);
  free(names);
  free(path);
  free(list);
  return rc;
}

/* Finds the first line of the log that begins with `sign` and contains `words`. Returns it with the user's file names; the caller frees
 * it. Returns NULL if there is none. */
static char *complaint(const char *log, const char *sign, const char *words, const char *from) {
  for (const char *line = log; line && *line; line = strchr(line, '\n'), line += line != NULL) {
    const size_t n = strcspn(line, "\n");
    char *copied = hd_format("%.*s", (int)n, line), *said = NULL;
    if (!strncmp(copied, sign, strlen(sign)) && strstr(copied, words)) {
      const char *text = strchr(copied, ' ');
      text = text ? text + 1 : copied;
      said = !strncmp(text, "rtl/", 4) ? hd_format("%s/%s", from, text + 4) : hd_format("%s: %s", from, text);
    }
    free(copied);
    if (said)
      return said;
  }
  return NULL;
}

enum hd_rc hd_rtl_verdict(enum hd_rc rc, const char *dir, const char *from, struct hd_why *why) {
  char *path = hd_format("%s/verilator.log", dir), *log = hd_slurp(path);
  char *said = log ? complaint(log, "%Error", ":", from) : NULL;
  if (rc == HD_OK && log && !said)
    said = complaint(log, "%Warning-WIDTH", " port connection ", from);
  if (said)
    rc = hd_because(why, HD_INPUT, "%s", said);
  free(said);
  free(log);
  free(path);
  return rc;
}
