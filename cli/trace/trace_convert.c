/* heddle trace convert: converts a workload into a trace file. The whole file appears at the end, or none. */
#include "cli/trace/trace.h"
#include "workloads/accelsim/accel_write.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum form { HTRACE, ACCELSIM, ACCELSIM_XZ, FORMS };
static const char *const forms[FORMS] = {"htrace", "accelsim", "accelsim-xz"};

static bool ends_in(const char *text, const char *end) {
  const size_t n = strlen(text), m = strlen(end);
  return n > m && !strcmp(text + n - m, end);
}

/* Returns FORMS with a message if there is no such form. */
static enum form find_form(const struct hd_args *args, struct hd_why *why) {
  enum form form = HTRACE;
  if (!args->out)
    hd_because(why, HD_INPUT, "--out PATH is missing; see heddle trace --help");
  else if (args->binary != 35 && args->binary != 70)
    hd_because(why, HD_INPUT, "--binary: found %llu; allowed 35, 70; write one of these",
               (unsigned long long)args->binary);
  else if (args->form) {
    while (form < FORMS && strcmp(args->form, forms[form]) != 0)
      form++;
    if (form == FORMS)
      hd_because(why, HD_INPUT, "--form: found %s; allowed htrace, accelsim, accelsim-xz; write one of these",
                 args->form);
    return form;
  } else if (ends_in(args->out, ".htrace"))
    return HTRACE;
  else if (ends_in(args->out, "/"))
    return ACCELSIM;
  else
    hd_because(why, HD_INPUT, "--out: found %s; allowed PATH.htrace, or PATH/ for Accel-Sim; or say --form",
               args->out);
  return FORMS;
}

static void progress(void *user, const struct wl_launch *launch, uint64_t number, uint32_t cta) {
  (void)user;
  hd_progress(hd_trace_pace(launch, cta), "kernel %llu, %s: CTA %u of %u", (unsigned long long)number,
              launch->name, cta, launch->ctas);
}

/* Removes the files that a conversion left in its directory, and the directory. */
static void remove_part(const char *part) {
  DIR *dir = opendir(part);
  const struct dirent *e;
  while (dir && (e = readdir(dir)))
    if (!strcmp(e->d_name, "kernelslist.g") || !strncmp(e->d_name, "kernel-", 7))
      unlinkat(dirfd(dir), e->d_name, 0);
  if (dir)
    closedir(dir);
  rmdir(part);
}

static enum hd_rc cannot(const char *path, struct hd_why *why) {
  return hd_because(why, HD_INPUT, "--out: %s cannot be written: %s", path, strerror(errno));
}

static enum hd_rc to_htrace(struct wl_source *source, const char *out, const struct wl_trace_how *how,
                            struct wl_trace_summary *summary, struct hd_why *why) {
  char *part = hd_format("%s.part", out);
  hd_scrap(part);
  const int fd = open(part, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  enum hd_rc rc = HD_OK;
  if (fd < 0)
    rc = cannot(part, why);
  else if (!wl_trace_to_htrace(source, fd, how, summary, why->text, sizeof why->text))
    rc = HD_INPUT;
  if (fd >= 0 && close(fd) && rc == HD_OK)
    rc = cannot(part, why);
  if (rc == HD_OK && rename(part, out))
    rc = cannot(out, why);
  if (rc != HD_OK && fd >= 0)
    unlink(part);
  hd_scrap_done(part);
  free(part);
  return rc;
}

static enum hd_rc must_be_new(const char *path, struct hd_why *why) {
  if (access(path, F_OK))
    return HD_OK;
  return hd_because(why, HD_INPUT,
                    "--out: %s is there already; allowed a new directory; remove it, or name another", path);
}

static enum hd_rc to_accel(struct wl_source *source, const char *out, const struct wl_trace_how *how,
                           struct wl_trace_summary *summary, struct hd_why *why) {
  const int n = (int)strlen(out) - ends_in(out, "/");
  char *dir = hd_format("%.*s", n, out), *part = hd_format("%.*s.part", n, out);
  enum hd_rc rc = must_be_new(dir, why);
  if (rc == HD_OK) {
    remove_part(part); /* left by a conversion that was killed */
    rc = must_be_new(part, why);
  }
  if (rc == HD_OK) {
    hd_scrap_dir(part);
    if (!hd_make_dirs(part))
      rc = cannot(part, why);
    else if (!wl_trace_to_accel(source, part, how, summary, why->text, sizeof why->text))
      rc = HD_INPUT;
    else if (rename(part, dir))
      rc = cannot(dir, why);
    if (rc != HD_OK)
      remove_part(part);
    hd_scrap_done(part);
  }
  free(dir);
  free(part);
  return rc;
}

enum hd_rc hd_trace_convert(const struct hd_args *args, struct wl_source *source, FILE *report, json_t **json,
                            struct hd_why *why) {
  const enum form form = find_form(args, why);
  struct wl_trace_summary summary = {0};
  if (form == FORMS)
    return HD_INPUT;
  const struct wl_trace_how how = {
      .version = (unsigned)args->binary, .xz = form == ACCELSIM_XZ, .progress = progress};
  const enum hd_rc rc = form == HTRACE ? to_htrace(source, args->out, &how, &summary, why)
                                       : to_accel(source, args->out, &how, &summary, why);
  if (rc != HD_OK)
    return rc;
  fprintf(report, "%s: %llu launches, %llu instructions of warps, as %s\n", args->out,
          (unsigned long long)summary.launches, (unsigned long long)summary.insts, forms[form]);
  const struct {
    uint64_t n;
    const char *what;
  } lost[] = {
      {summary.sources, "instructions have more than 4 sources: their 4 lowest registers are written"},
      {summary.shared, "shared-memory accesses say no address: written with one bank a lane"},
      {summary.exits, "EXITs are of other lanes than the warp has: written with all it has"}};
  for (size_t i = 0; i < sizeof lost / sizeof *lost; i++)
    if (lost[i].n)
      fprintf(report, "  %llu %s\n", (unsigned long long)lost[i].n, lost[i].what);
  *json = json_pack("{s:o, s:o, s:s, s:I, s:I, s:I, s:I, s:I}", "workload", hd_cli_text_json(args->workload),
                    "out", hd_cli_text_json(args->out), "form", forms[form], "launches",
                    (json_int_t)summary.launches, "instructions", (json_int_t)summary.insts,
                    "sources_dropped", (json_int_t)summary.sources, "shared_without_address",
                    (json_int_t)summary.shared, "exits_widened", (json_int_t)summary.exits);
  return HD_OK;
}
