/* heddle sim: one run (simulate.c), or many (run_set.h). */
#include "cli/sim/sim.h"
#include "cli/sim/run_set.h"

static enum hd_rc run(const struct hd_args *args, struct hd_why *why) {
  const char *single = args->series ? "series" : args->timeline ? "timeline" : args->loads ? "loads" : NULL;
  const char *other = single ? single : args->store ? "store" : NULL;
  if (args->sample && other)
    return hd_because(why, HD_INPUT, "--sample: found beside --%s; allowed without: that is of whole runs",
                      other);
  if (!hd_run_set_single(args)) {
    if (single)
      return hd_because(why, HD_INPUT,
                        "--%s: found several runs; allowed one: one --config, one --workload, no --csv, "
                        "no --store",
                        single);
    return hd_run_set(args, why);
  }
  struct hd_args one = *args;
  one.config = args->configs.text[0];
  one.workload = args->workloads.text[0];
  return hd_cli_answer(&one, hd_cli_simulate, why);
}

static const struct hd_opt opts[] = {
    HD_OPT("config", 'c', HD_OPT_LIST, true, configs, "CONFIG",
           "machine: a YAML file, or a name of `heddle list configs`; may be repeated; @FILE: one a line"),
    HD_OPT_CHANGES,
    HD_OPT("workload", 'w', HD_OPT_LIST, true, workloads, "WORKLOAD",
           "what runs: see `heddle list workloads`; may be repeated; @FILE: one a line; SUITE[:INPUT]: all "
           "of it; PAPER[:APPLICATION]: the inputs of `heddle list workloads --check PAPER`"),
    HD_OPT("jobs", 'j', HD_OPT_COUNT, false, jobs, "N",
           "runs at a time, and where there are fewer, threads that share the SMs of one; 0: as many as "
           "there are cores (0)"),
    HD_OPT("store", 0, HD_OPT_TEXT, false, store, "FILE",
           "keep each run's result there (SQLite), and don't run again what is there"),
    HD_OPT("csv", 0, HD_OPT_TEXT, false, csv, "FILE", "the runs as a table; '-': on stdout, instead"),
    HD_OPT("series", 0, HD_OPT_TEXT, false, series, "FILE",
           "what is counted over time, a row an interval: CSV; NAME.json: JSON"),
    HD_OPT_OF("series", "interval", HD_OPT_COUNT, interval, "N", "cycles of a row of --series (10000)"),
    HD_OPT("timeline", 0, HD_OPT_TEXT, false, timeline, "FILE",
           "CTAs, memory instructions of warps, MSHRs and prefetches as a trace for Perfetto"),
    HD_OPT_OF("timeline", "from", HD_OPT_COUNT, from, "N", "first cycle of --timeline (0)"),
    HD_OPT_OF("timeline", "to", HD_OPT_COUNT, to, "N", "cycle behind its last; 0: 10000 cycles of it (0)"),
    HD_OPT("loads", 0, HD_OPT_TEXT, false, loads, "FILE",
           "what the L1D did with the requests of each load instruction, a row each: CSV"),
    HD_OPT("sample", 0, HD_OPT_COUNT, false, sample, "N",
           "simulate about one cycle in N, 2 or more, and estimate cycles and IPC of the whole; 0: all (0)"),
    HD_OPT("sample-cycles", 0, HD_OPT_COUNT, false, segment, "N",
           "cycles that a sample measures at least (4000)"),
    HD_OPT("seed", 0, HD_OPT_COUNT, false, seed, "N",
           "where --sample has its samples, and which launches it simulates (1)"),
    HD_OPT("max-cycles", 0, HD_OPT_COUNT, false, cycles, "N", "stop there, exit 1; 0: no limit (0)"),
    HD_OPT("no-skip", 0, HD_OPT_FLAG, false, no_skip, NULL,
           "simulate idle cycles one by one: same figures, slower"),
    HD_OPT_JSON,
    HD_OPT_END};
const struct hd_verb hd_verb_sim = {
    "sim",
    "run workloads on the golden model, of an SM or of a GPU: cycles, hits, misses, stalls",
    NULL,
    "example: heddle sim -c mrpb -w atax\n"
    "         heddle sim -c fermi_16k -w gemm:ni=256,nj=256,nk=128 --json gemm.json\n"
    "         heddle sim -c gpu/mrpb_s -w syrk:small --series syrk.csv --interval 5000\n"
    "         heddle sim -c fermi_16k -c mrpb -w polybench --store results.db --csv polybench.csv",
    opts,
    {.interval = 10000, .segment = 4000, .seed = 1},
    run};
