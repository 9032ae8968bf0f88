/* Statistics of a workload's loads on an L1D that never evicts: the load characterisation of APRES, Table
 * I, and the locality types of APCM, Figure 3. docs/trace.md has the definitions.
 *
 * Invariant: no timing. CTAs are dealt to SMs in turn, as many at a time as fit. Their warps take turns,
 * one instruction each. So the figures belong to the workload, not to a machine.
 */
#ifndef HEDDLE_WORKLOADS_TRACE_TRACE_STATS_H
#define HEDDLE_WORKLOADS_TRACE_TRACE_STATS_H

#include "workloads/stream.h"

#include <stddef.h>

/* The type of a line, by the loads that reference it after the load that brought it. STREAMING: none.
 * INTER: other warps, at least once with the static load that brought it. INTRA: the same warp. INTER_INTRA: the same
 * warp and other warps. INTER_OTHER: other warps, with other static loads only. */
enum wl_locality { WL_STREAMING, WL_INTER, WL_INTRA, WL_INTER_INTRA, WL_INTER_OTHER, WL_LOCALITIES };

enum { WL_STATS_STRIDES = 128, WL_STATS_LOADS = 1024 };

/* `uses`: lines by the number of references after the load that brought them: 0, 1, 2 or 3, 4 to 7, more
 * (APCM, Figure 4). `again`: references to a line that is present, by their distance. The distance is the
 * number of the SM's references since the last one to that line: up to 16, 64, 256, 1024, 4096, or more
 * (APCM, Figure 6). */
enum { WL_STATS_USES = 5, WL_STATS_DISTANCES = 6 };
enum wl_again { WL_BY_SAME_WARP, WL_BY_ANOTHER, WL_AGAIN }; /* compared with the warp that brought the line */

/* A static load of a kernel, over all launches of that kernel name. */
struct wl_load {
  uint32_t kernel; /* index in wl_stats.kernel */
  uint32_t pc;
  uint64_t execs;                  /* warp instructions */
  uint64_t refs;                   /* #R: lines requested, after coalescing */
  uint64_t lines;                  /* #L: different lines, counted for each SM and launch */
  uint64_t pairs;                  /* executions that follow one by a warp in another slot of the SM */
  int64_t stride;                  /* the most frequent inter-warp stride of line addresses, bytes */
  uint64_t strides;                /* pairs with it; too low by at most pairs / (WL_STATS_STRIDES + 1) */
  uint64_t brought[WL_LOCALITIES]; /* lines that this load brought, by type */
};

struct wl_stats_kernel {
  char name[48];
  uint64_t launches, execs, refs, brought[WL_LOCALITIES];
  uint64_t threads; /* active lanes of all executions */
  uint64_t uses[WL_STATS_USES];
  uint64_t again[WL_AGAIN][WL_STATS_DISTANCES];
};

struct wl_stats {
  struct wl_stats_kernel *kernel;
  struct wl_load *load; /* sorted by kernel, then by references, most first */
  uint32_t kernels, loads;
  uint64_t left_out; /* warp loads whose static load is beyond the first WL_STATS_LOADS */
  uint32_t sampled;  /* 1 line in so many was counted, in the launch with the coarsest sample; 1: all */
};

struct wl_stats_how {
  uint32_t sms;        /* 1..256 */
  uint32_t line_bytes; /* a power of two, 32..4096 */
  void (*progress)(void *user, const struct wl_launch *launch, uint64_t number,
                   uint32_t cta); /* may be NULL */
  void *user;
};

/* Runs through the rest of the source. Returns false with one line in err. */
bool wl_stats_run(struct wl_source *source, const struct wl_stats_how *how, struct wl_stats *stats, char *err,
                  size_t errlen);
/* Access pattern similarity (APCM, Equation 1): the share of the brought lines whose type is the most
 * frequent type of their load. There are four types here: INTER and INTER_OTHER count as one. For kernel k,
 * or for all kernels with k = stats->kernels. Returns 0..1, or a negative number if no line was brought. */
double wl_similarity(const struct wl_stats *stats, uint32_t k);
void wl_stats_free(struct wl_stats *stats);

#endif
