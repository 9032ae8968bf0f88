/* heddle: hardware for GPU caches, its golden model, and its costs. A verb is a file here, or a folder. */
#include "base/nearest_name.h"
#include "base/version.h"
#include "cli/cli.h"
#include "cli/help/help.h"

#include <inttypes.h>
#include <string.h>
#include <sys/statvfs.h>

static const struct hd_verb *const verbs[] = {
    &hd_verb_gen,   &hd_verb_sim,    &hd_verb_sweep,  &hd_verb_explore,
    &hd_verb_cosim, &hd_verb_prove,  &hd_verb_synth,  &hd_verb_area,
    &hd_verb_power, &hd_verb_list,   &hd_verb_trace,  &hd_verb_wave,
    &hd_verb_demo,  &hd_verb_report, &hd_verb_doctor, NULL};
enum { VERBS = sizeof verbs / sizeof *verbs - 1 };

static void usage(FILE *f) {
  fprintf(f, "usage: heddle VERB [options]        heddle VERB --help        heddle --version\n\n");
  for (int i = 0; i < VERBS; i++)
    fprintf(f, "  %-7s %s\n", verbs[i]->name, verbs[i]->summary);
  fprintf(f, "\nexit: 0 good; 1 a check failed; 2 usage or input; 3 a program is missing or broken\n"
             "try:  heddle sim -c mrpb -w atax\n");
}

/* Checks that the output was written: a full disk is an error like any other. */
static int finish(enum hd_rc rc) {
  hd_progress_end();
  if (fflush(stdout) || ferror(stdout)) {
    fprintf(stderr, "heddle: stdout cannot be written\n");
    return rc == HD_OK ? HD_INPUT : (int)rc;
  }
  return rc;
}

/* After a failure: warns if the disk of the working directory is nearly full, since that may be the cause. */
static void tell_room(const char *verb, const char *work) {
  enum { LITTLE_MB = 256 }; /* largest file of lockstep: precompiled headers, 65 MB */
  struct statvfs disk;
  if (!work || statvfs(work, &disk))
    return;
  const uint64_t mb = (uint64_t)disk.f_bavail * disk.f_frsize >> 20;
  if (mb < LITTLE_MB)
    fprintf(stderr, "heddle %s: the disk of %s has %" PRIu64 " MB left, which may be why\n", verb, work, mb);
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "";
  if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
    printf("heddle %s\n", HD_VERSION);
    return finish(HD_OK);
  }
  /* `help VERB` is `VERB --help`. The other forms of `help` are for make install. */
  const bool asks = !strcmp(name, "help");
  if (!strcmp(name, "--help") || !strcmp(name, "-h") || (asks && argc == 2)) {
    usage(stdout);
    return finish(HD_OK);
  }
  if (asks)
    name = argv[2];
  static const struct {
    const char *name;
    void (*put)(const struct hd_verb *const *verbs, FILE *f);
  } pages[] = {{"--man", hd_help_man}, {"--bash", hd_help_bash}, {"--zsh", hd_help_zsh}};
  for (size_t i = 0; asks && i < sizeof pages / sizeof *pages; i++)
    if (!strcmp(name, pages[i].name)) {
      pages[i].put(verbs, stdout);
      return finish(HD_OK);
    }
  const struct hd_verb *verb = NULL;
  for (int i = 0; i < VERBS; i++)
    if (!strcmp(name, verbs[i]->name))
      verb = verbs[i];
  if (verb && asks) {
    hd_args_help(verb, stdout);
    return finish(HD_OK);
  }
  if (!verb) {
    struct hd_near near = hd_near_to(name);
    for (int i = 0; i < VERBS; i++)
      hd_near_try(&near, verbs[i]->name);
    if (*name)
      fprintf(stderr, "heddle: no verb %s; %sallowed:\n\n", name, hd_near_text(&near).text);
    usage(stderr);
    return HD_INPUT;
  }

  struct hd_args args;
  struct hd_why why = {""};
  bool help;
  enum hd_rc rc = hd_args_read(verb, argc - 1, argv + 1, &args, &help, &why);
  if (rc == HD_OK && help)
    hd_args_help(verb, stdout);
  else if (rc == HD_OK)
    rc = verb->run(&args, &why);
  hd_progress_end();
  fflush(stdout); /* so that the answer comes first if both go to one place */
  if (rc != HD_OK && *why.text)
    fprintf(stderr, "heddle %s: %s\n", verb->name, why.text);
  if (rc == HD_TOOL)
    tell_room(verb->name, args.work);
  return finish(rc);
}
