/* Converts any workload into .htrace; see trace_convert.h. */
#include "workloads/trace/trace_convert.h"
#include "workloads/trace/trace_file.h"
#include "workloads/walk.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct converting {
  struct wl_walker walker;
  struct wl_trace_writer *writer;
  const struct wl_trace_how *how;
  struct wl_trace_summary *summary;
  struct wl_launch launch;
  const struct wl_trace_launch *from; /* NULL if the source is no trace */
};

static bool launch(struct wl_walker *self, const struct wl_source *source, const struct wl_launch *l) {
  struct converting *c = (struct converting *)self;
  c->launch = *l;
  c->from = wl_trace_launch_of(source);
  c->summary->launches++;
  return wl_trace_write_launch(c->writer, l);
}

static bool warp(struct wl_walker *self, uint32_t cta, uint32_t number) {
  struct converting *c = (struct converting *)self;
  if (c->how->progress && !number)
    c->how->progress(c->how->user, &c->launch, c->summary->launches, cta);
  return wl_trace_write_warp(c->writer, cta, number);
}

static bool inst(struct wl_walker *self, const struct wl_inst *i) {
  struct converting *c = (struct converting *)self;
  c->summary->insts++;
  return wl_trace_write_inst(c->writer, i, NULL);
}

static bool launch_end(struct wl_walker *self) {
  struct converting *c = (struct converting *)self;
  return wl_trace_write_launch_end(c->writer, c->from ? &c->from->notes : NULL);
}

bool wl_trace_to_htrace(struct wl_source *source, int fd, const struct wl_trace_how *how,
                        struct wl_trace_summary *summary, char *err, size_t errlen) {
  *summary = (struct wl_trace_summary){0};
  struct converting c = {.walker = {launch, warp, inst, launch_end}, .how = how, .summary = summary};
  c.writer = wl_trace_write_begin(fd, false);
  errno = ENOMEM;
  const bool good = c.writer && wl_walk(source, &c.walker, err, errlen) && wl_trace_write_end(c.writer);
  if (!good && (!c.writer || !*err))
    snprintf(err, errlen, "the trace cannot be written: %s", strerror(errno));
  wl_trace_write_free(c.writer);
  return good;
}
