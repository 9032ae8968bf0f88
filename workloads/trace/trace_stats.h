/* What a workload's loads do to an L1D that never evicts: the load characterisation of APRES, Table I, and the
 * locality types of APCM, Figure 3. docs/trace.md has the definitions.
 *
 * Invariant: no timing. CTAs are dealt to SMs in turn, as many at a time as fit, and their warps take turns, one
 * instruction each; so the figures are the workload's, not a machine's.
 */
#ifndef HEDDLE_WORKLOADS_TRACE_TRACE_STATS_H
#define HEDDLE_WORKLOADS_TRACE_TRACE_STATS_H

#include "workloads/stream.h"

#include <stddef.h>

/* A line's type, by who loads it after the load that brought it: nobody; other warps, the same static load among
 * what they load it with; the same warp; both; other warps, with other static loads only. */
enum wl_locality { WL_STREAMING, WL_INTER, WL_INTRA, WL_INTER_INTRA, WL_INTER_OTHER, WL_LOCALITIES };

enum { WL_STATS_STRIDES = 128, WL_STATS_LOADS = 1024 };

/* Lines by how often they are loaded after the load that brought them: not, once, 2 or 3 times, 4 to 7, more (APCM, Figure 4).
 * References to a line that is there by their distance: how many references of the SM after the last one to that line, up to
 * 16, 64, 256, 1024, 4096, or more (APCM, Figure 6). */
enum { WL_STATS_USES = 5, WL_STATS_DISTANCES = 6 };
enum wl_again { WL_BY_SAME_WARP, WL_BY_ANOTHER, WL_AGAIN }; /* as the warp that brought the line */

/* A static load of a kernel; all launches of that name together. */
struct wl_load {
  uint32_t kernel; /* of wl_stats.kernel */
  uint32_t pc;
  uint64_t execs;                  /* warp instructions */
  uint64_t refs;                   /* #R: lines requested, after coalescing */
  uint64_t lines;                  /* #L: different ones, for each SM and launch */
  uint64_t pairs;                  /* executions that follow one by a warp of another number on the SM */
  int64_t stride;                  /* the most frequent inter-warp stride of line addresses, bytes */
  uint64_t strides;                /* pairs that have it; too low by at most pairs / (WL_STATS_STRIDES + 1) */
  uint64_t brought[WL_LOCALITIES]; /* lines this load brought, by type */
};

struct wl_stats_kernel {
  char name[48];
  uint64_t launches, execs, refs, brought[WL_LOCALITIES];
  uint64_t threads; /* lanes that load, of all executions */
  uint64_t uses[WL_STATS_USES];
  uint64_t again[WL_AGAIN][WL_STATS_DISTANCES];
};

struct wl_stats {
  struct wl_stats_kernel *kernel;
  struct wl_load *load; /* by kernel, most references first */
  uint32_t kernels, loads;
  uint64_t left_out; /* warp loads of static loads beyond the first WL_STATS_LOADS */
  uint32_t sampled;  /* lines were counted in 1 of so many, in the launch with the most; 1: all */
};

struct wl_stats_how {
  uint32_t sms;        /* 1..256 */
  uint32_t line_bytes; /* a power of two, 32..4096 */
  void (*progress)(void *user, const struct wl_launch *launch, uint64_t number,
                   uint32_t cta); /* may be NULL */
  void *user;
};

/* Runs through the rest of the source. False: one line in err. */
bool wl_stats_run(struct wl_source *source, const struct wl_stats_how *how, struct wl_stats *stats, char *err,
                  size_t errlen);
/* Access pattern similarity (APCM, Equation 1): of the lines that loads bring, those of the type that is their load's most frequent one;
 * inter, whoever the other loads are, is one type of four. Of kernel k, or with k = stats->kernels of all. 0..1; negative: no line was
 * brought. */
double wl_similarity(const struct wl_stats *stats, uint32_t k);
void wl_stats_free(struct wl_stats *stats);

#endif
