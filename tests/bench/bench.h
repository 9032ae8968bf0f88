/* What the parts of the benchmark share. Errors end the program. */
#ifndef HEDDLE_TESTS_BENCH_BENCH_H
#define HEDDLE_TESTS_BENCH_BENCH_H

#include "cmodel/gpu/sim.h"

/* Returns the CPU seconds of this process alone: the cost of a run on one core, whatever else the machine does. */
double bench_cpu(void);
/* Returns the wall-clock time in seconds. */
double bench_clock(void);
_Noreturn void bench_quit(const char *what);
/* Returns the machine of the configuration at `path`, which is read into *c. set: a key and its value to override, or NULL. */
struct hd_design *bench_design(struct hd_config *c, const char *path, const char *set);
/* Opens the workload of that spec. */
struct wl_source *bench_open(const char *workload);
/* Returns the CPU seconds of a run. *r: its result. Closes the source. */
double bench_run(const struct hd_design *d, struct wl_source *source, struct hd_sim_result *r);
/* Returns the CPU seconds of the fastest of `rounds` runs, since other load only makes a run slower. *r: the result, which is the
 * same for all. */
double bench_best(const struct hd_design *d, const char *workload, int rounds, struct hd_sim_result *r);

/* Writes the workload as a .htrace file at `path`, below build/bench. Returns its CPU seconds. */
double bench_write_trace(const char *workload, const char *path);

void bench_generation(void);
/* Compiles models at build/bench unless they are there. */
void bench_lockstep(void);
/* The cost of mechanisms in the golden model, each beside its machine without the mechanism. names: the mechanisms to run, ended by
 * a NULL; NULL: all. */
void bench_model(char **names);
/* A GPU run on all cores and on one thread, by wall-clock time. Needs an idle machine. */
void bench_threads(void);
/* The CPU time and memory of a run by the number of SMs, warps, CTAs and launches and the size of caches. */
void bench_scale(void);
/* workloads: ended by a NULL; NULL: those of gpu.c. */
void bench_gpu(char **workloads);
/* Our runs beside Accel-Sim, if it is there. args: the machine, then folders of traces in its form; NULL: gpu/gtx480 and our own
 * workloads. */
void bench_accelsim(char **args);

#endif
