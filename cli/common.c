/* Shared by the verbs: the number of cores, and the files of an answer. */
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

size_t hd_cli_jobs(const struct hd_args *args) {
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return args->jobs ? args->jobs : cores > 0 ? (size_t)cores : 1;
}

json_t *hd_cli_text_json(const char *text) {
  json_t *string = json_string(text);
  return string ? string : json_null();
}

json_t *hd_cli_now(void) {
  char text[32];
  const time_t t = time(NULL);
  struct tm utc;
  strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", gmtime_r(&t, &utc));
  return json_string(text);
}

json_t *hd_cli_config_json(const struct hd_config *c) {
  size_t n;
  const struct hd_key *keys = hd_keys(&n);
  json_t *o = json_pack("{s:s, s:o}", "name", c->name, "path", hd_cli_text_json(c->path));
  for (size_t i = 0; i < n; i++) {
    const long value = hd_config_get(c, &keys[i]);
    json_t *section = json_object_get(o, keys[i].section);
    if (!section)
      json_object_set_new(o, keys[i].section, section = json_object());
    json_object_set_new(section, keys[i].key,
                        keys[i].type == HD_KEY_INT    ? json_integer(value)
                        : keys[i].type == HD_KEY_BOOL ? json_boolean(value)
                                                      : json_string(hd_key_text(&keys[i], value).text));
  }
  return o;
}

void hd_cli_each_leaf(json_t *json, const char *path, void (*leaf)(void *to, const char *path, json_t *value),
                      void *to) {
  const char *key;
  json_t *inner;
  size_t i;
  if (!json_is_object(json) && !json_is_array(json)) {
    leaf(to, path, json);
    return;
  }
  json_object_foreach(json, key, inner) {
    char *name = hd_format("%s%s%s", path, *path ? "." : "", key);
    hd_cli_each_leaf(inner, name, leaf, to);
    free(name);
  }
  json_array_foreach(json, i, inner) {
    char *name = hd_format("%s.%zu", path, i);
    hd_cli_each_leaf(inner, name, leaf, to);
    free(name);
  }
}

/* --- the answer ----------------------------------------------------------------------------------------- */

enum hd_rc hd_out_open(struct hd_out *o, const char *option, const char *path, struct hd_why *why) {
  *o = (struct hd_out){.option = option, .path = path};
  if (!path)
    return HD_OK;
  if (!strcmp(path, "-")) {
    o->f = stdout;
    return HD_OK;
  }
  struct stat what;
  const bool special = stat(path, &what) == 0 && !S_ISREG(what.st_mode); /* a pipe or device: no renaming */
  if (!special)
    o->part = hd_format("%s.part", path);
  hd_scrap(o->part);
  o->f = fopen(special ? path : o->part, "w");
  if (o->f)
    return HD_OK;
  const int reason = errno;
  hd_scrap_done(o->part);
  free(o->part);
  o->part = NULL;
  return hd_because(why, HD_INPUT, "--%s: %s cannot be written: %s", option, path, strerror(reason));
}

enum hd_rc hd_out_close(struct hd_out *o, bool whole, enum hd_rc rc, struct hd_why *why) {
  if (!o->f)
    return rc;
  bool good = o->f == stdout ? !fflush(stdout) && !ferror(stdout) : hd_close_written(o->f);
  if (o->part && whole && good)
    good = !rename(o->part, o->path);
  const int reason = errno;
  if (o->part && (!whole || !good))
    unlink(o->part);
  hd_scrap_done(o->part);
  free(o->part);
  o->f = NULL;
  return good ? rc
              : hd_because(why, HD_INPUT, "--%s: %s cannot be written: %s", o->option, o->path,
                           strerror(reason));
}

enum hd_rc hd_answer_open(const struct hd_args *args, struct hd_answer *a, struct hd_why *why) {
  const bool alone = args->json && !strcmp(args->json, "-");
  *a = (struct hd_answer){.report = alone ? fopen("/dev/null", "w") : stdout};
  if (!a->report)
    return hd_because(why, HD_TOOL, "/dev/null cannot be written: %s", strerror(errno));
  const enum hd_rc rc = hd_out_open(&a->json, "json", args->json, why);
  if (rc != HD_OK && a->report != stdout)
    fclose(a->report);
  return rc;
}

enum hd_rc hd_answer_close(struct hd_answer *a, json_t *json, enum hd_rc rc, struct hd_why *why) {
  const char *path = a->json.f ? a->json.path : NULL;
  if (a->report != stdout)
    fclose(a->report);
  if (a->json.f && json && !json_dumpf(json, a->json.f, JSON_INDENT(2) | JSON_REAL_PRECISION(10)))
    fputc('\n', a->json.f);
  const enum hd_rc closed = hd_out_close(&a->json, json, rc, why);
  if (path && !json && rc == HD_OK && closed == HD_OK)
    return hd_because(why, HD_INPUT, "--json: %s cannot be written: a name in the answer is not UTF-8", path);
  json_decref(json);
  return closed;
}

enum hd_rc hd_cli_answer(const struct hd_args *args, hd_work *work, struct hd_why *why) {
  heddle_machine *machine;
  struct hd_answer answer;
  json_t *json = NULL;
  enum hd_rc rc = hd_cli_machine(args, args->top, &machine, why);
  if (rc == HD_OK)
    rc = hd_answer_open(args, &answer, why);
  if (rc == HD_OK) {
    const struct hd_design *design = machine->design;
    struct hd_args all = *args;
    if (all.top && !hd_design_find(design, all.top)) /* drop-ins are found by the name of their room */
      all.top = design->decls[design->n - 1]->module;
    rc = work(&all, machine, answer.report, &json, why);
    if (json)
      json_object_set_new(json, "config", hd_cli_config_json(&machine->c));
    rc = hd_answer_close(&answer, json, rc, why);
  }
  heddle_unload(machine);
  return rc;
}

void hd_cli_csv_text(const char *text, FILE *f) {
  const bool quoted = strpbrk(text, ",\"\r\n");
  if (quoted)
    fputc('"', f);
  for (; *text; text++) {
    if (*text == '"')
      fputc('"', f);
    fputc(*text, f);
  }
  if (quoted)
    fputc('"', f);
}
