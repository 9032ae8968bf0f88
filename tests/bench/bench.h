/* What the parts of the benchmark share. Errors end the program. */
#ifndef HEDDLE_TESTS_BENCH_BENCH_H
#define HEDDLE_TESTS_BENCH_BENCH_H

#include "cmodel/gpu/sim.h"

/* CPU seconds of this process alone: what a run costs on one core, whatever else the machine does. */
double bench_cpu(void);
/* Seconds by the clock. */
double bench_clock(void);
_Noreturn void bench_quit(const char *what);
/* The machine of the configuration at `path`, which is read into *c; set: a key of it and its value, or NULL. */
struct hd_design *bench_design(struct hd_config *c, const char *path, const char *set);
/* The workload of that spec. */
struct wl_source *bench_open(const char *workload);
/* The CPU seconds of a run, *r: its result. The source is closed. */
double bench_run(const struct hd_design *d, struct wl_source *source, struct hd_sim_result *r);
/* The CPU seconds of the best of so many runs: what else the machine does only ever makes one slower. *r: the
 * result, which all have. */
double bench_best(const struct hd_design *d, const char *workload, int rounds, struct hd_sim_result *r);

/* Writes the workload as a .htrace file at `path`, below build/bench, and gives its CPU seconds. */
double bench_write_trace(const char *workload, const char *path);

void bench_generation(void);
/* Compiles models at build/bench, unless they are there. */
void bench_lockstep(void);
/* What mechanisms cost the golden model, each beside its machine without it. Names of those alone, ended by a NULL; NULL: all. */
void bench_model(char **names);
/* A GPU run by all cores beside one thread, by the clock: so an idle machine is asked for. */
void bench_threads(void);
/* What a run costs by SMs, warps, caches, CTAs and launches: CPU time and memory. */
void bench_scale(void);
/* The workloads, ended by a NULL; NULL: those of gpu.c. */
void bench_gpu(char **workloads);
/* Beside Accel-Sim, if there is one: the machine, then folders of traces in its form; NULL: gpu/gtx480 and workloads of ours. */
void bench_accelsim(char **args);

#endif
