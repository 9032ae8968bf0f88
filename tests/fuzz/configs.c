/* Configurations and --set as inputs. An accepted input reads back as the same machine. A refused input is reported line by line. */
#include "arch/config/config.h"
#include "tests/fuzz/inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SETS = 64 };

/* Reads the text. *said gets the messages; the caller frees them. Returns the number of problems. */
static unsigned load(struct hd_config *c, const char *text, const char *const *sets, size_t n, char **said) {
  size_t size;
  FILE *err = open_memstream(said, &size);
  fuzz_need(err, "no memory");
  const unsigned problems = hd_config_load_text(c, text, "input.yaml", NULL, sets, n, err);
  fclose(err);
  if (fuzz_planted("no sentence"))
    (*said)[0] = 0;
  char *found = strstr(*said, ": found ");
  if (found && fuzz_planted("no value"))
    memcpy(found, ": FOUND ", 8);
  found = strstr(*said, "; allowed ");
  if (found && fuzz_planted("no rule"))
    memcpy(found, "; ALLOWED ", 10);
  if (fuzz_planted("a line more") && **said && strchr(*said, '\n'))
    *strrchr(*said, '\n') = '!';
  if (fuzz_planted("no place") && **said)
    (*said)[0] = '?';
  fuzz_need(problems != HD_CONFIG_NO_MEMORY, "a small text, and memory is out");
  fuzz_need(!problems == !**said, "refused without a word, or taken with one");
  return problems;
}

/* Checks that each problem is a line "PLACE:LINE: ...found...", with the allowed values. */
static void check_messages(const char *said, unsigned problems) {
  unsigned lines = 0;
  for (const char *end; (end = strchr(said, '\n')); said = end + 1) {
    lines++;
    fuzz_need(!strncmp(said, "input.yaml:", 11) || !strncmp(said, "--set ", 6) || *said == '/',
              "a problem without its place");
    const char *found = strstr(said, ": found ");
    fuzz_need(found && found < end, "a problem that does not say what was found");
    const char *allowed = strstr(found, "allowed ");
    fuzz_need(allowed && allowed < end, "a problem that does not say what is allowed");
  }
  fuzz_need(!*said && lines == problems, "problems are not a line each");
}

/* Returns true if the configuration is accepted. */
static bool check_config(const char *text, const char *const *sets, size_t n) {
  static struct hd_config c, again;
  char *said, *printed;
  size_t size;
  const unsigned problems = load(&c, text, sets, n, &said);
  if (problems)
    check_messages(said, problems);
  free(said);
  if (problems)
    return false;
  FILE *f = open_memstream(&printed, &size);
  fuzz_need(f, "no memory");
  hd_config_print(&c, f);
  hd_config_describe(&c, "", "", f);
  fclose(f);
  free(printed);
  f = open_memstream(&printed, &size);
  fuzz_need(f, "no memory");
  hd_config_print(&c, f);
  fclose(f);
  if (fuzz_planted("a file cut short"))
    strcpy(printed, "name");
  if (fuzz_planted("another machine"))
    strcpy(printed, "name: x\n");
  fuzz_need(!load(&again, printed, NULL, 0, &said), "what was printed is refused");
  free(said);
  free(printed);
  size_t keys;
  const struct hd_key *key = hd_keys(&keys);
  for (size_t k = 0; k < keys; k++)
    fuzz_need(hd_config_idle(&c, &key[k]) || hd_config_get(&c, &key[k]) == hd_config_get(&again, &key[k]),
              "what was printed reads back as another machine");
  return true;
}

bool fuzz_config(const uint8_t *bytes, size_t n) {
  char *text = fuzz_text(bytes, n);
  const bool good = check_config(text, NULL, 0);
  free(text);
  return good;
}

bool fuzz_set(const uint8_t *bytes, size_t n) {
  char *text = fuzz_text(bytes, n), *rest = text;
  const char *set[MOST_SETS];
  size_t sets = 0;
  while (sets < MOST_SETS && (set[sets] = strsep(&rest, "\n")))
    sets++;
  const bool good = check_config("name: input\n", set, sets);
  free(text);
  return good;
}
