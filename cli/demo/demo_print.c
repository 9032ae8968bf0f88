/* The demo's findings as text, Markdown, JSON and a picture. Every figure says how it was found. */
#include "cli/demo/demo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double gain(const struct demo_kernel *k) {
  return k->with.ipc / k->base.ipc;
}

/* Requests that loads send to the memory: lines filled and loads bypassed. */
static double misses(const struct hd_sim_result *r) {
  return (double)(r->misses + r->bypasses);
}

static double geomean(const struct demo *d, const char *class) {
  double logs = 0;
  int n = 0;
  for (int i = 0; i < DEMO_KERNELS; i++)
    if (!class || !strcmp(d->kernel[i].class, class)) {
      logs += log(gain(&d->kernel[i]));
      n++;
    }
  return exp(logs / n);
}

void demo_print_kernels(const struct demo *d, FILE *f) {
  fprintf(f, "| kernel | class | IPC %s | IPC %s | gain | L1D misses %s | %s | change |\n", d->base->c.name,
          d->with->c.name, d->base->c.name, d->with->c.name);
  fprintf(f, "|---|---|--:|--:|--:|--:|--:|--:|\n");
  for (int i = 0; i < DEMO_KERNELS; i++) {
    const struct demo_kernel *k = &d->kernel[i];
    fprintf(f, "| %s | %s | %.4f | %.4f | %.2fx | %.0f | %.0f | %+.0f %% |\n", k->name, k->class, k->base.ipc,
            k->with.ipc, gain(k), misses(&k->base), misses(&k->with),
            100 * (misses(&k->with) / misses(&k->base) - 1));
  }
  fprintf(f, "| geometric mean | all | | | %.2fx | | | |\n", geomean(d, NULL));
}

static void print_lockstep(const struct demo *d, FILE *f) {
  uint64_t values = 0, cycles = 0, mismatches = 0;
  for (int i = 0; i < d->runs; i++) {
    values += d->run[i].values_compared;
    cycles += d->run[i].cycles;
    mismatches += d->run[i].mismatches;
  }
  fprintf(f,
          "\nlockstep of sm_mem: %.2f million cycles, %.1f million values compared, %llu mismatches, no "
          "waivers\n",
          1e-6 * (double)cycles, 1e-6 * (double)values, (unsigned long long)mismatches);
}

void demo_print(const struct demo *d, FILE *f) {
  fprintf(f,
          "\n%s against %s: one SM, %u-cycle memory, %u B/cycle, %s set index (golden model, the one in "
          "lockstep)\n\n",
          d->with->c.name, d->base->c.name, d->with->c.memory.latency, d->with->c.memory.bytes_per_cycle,
          hd_config_word(&d->with->c, "l1d", "set_index"));
  demo_print_kernels(d, f);
  fprintf(f,
          "\nclasses (MRPB Table 2) and IPC gain: IW intra-warp contention %.2fx, XW cross-warp %.2fx, CI "
          "insensitive %.2fx\n",
          geomean(d, "IW"), geomean(d, "XW"), geomean(d, "CI"));
  if (d->runs)
    print_lockstep(d, f);
  if (d->area.rows) {
    fprintf(f, "\n%s, ", d->area.claim->name);
    hd_area_print(&d->area, f);
  }
  if (d->whole.rows) {
    fprintf(f, "\nsm_mem, its logic the sum of the modules', its clock the slowest's, ");
    hd_area_print(&d->whole, f);
  }
}

json_t *demo_json(const struct demo *d) {
  json_t *all = json_array(), *lockstep = json_array(), *modules = json_array();
  for (int i = 0; i < DEMO_KERNELS; i++) {
    const struct demo_kernel *k = &d->kernel[i];
    json_array_append_new(all,
                          json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "kernel", k->name,
                                    "class", k->class, "ipc_base", k->base.ipc, "ipc", k->with.ipc, "gain",
                                    gain(k), "misses_base", misses(&k->base), "misses", misses(&k->with),
                                    "miss_rate_base", k->base.miss_rate, "miss_rate", k->with.miss_rate));
  }
  for (int i = 0; i < d->runs; i++) {
    json_t *run = hd_cosim_json(&d->run[i]);
    json_object_set_new(run, "stimulus", json_string(d->run_name[i]));
    json_array_append_new(lockstep, run);
  }
  for (int i = 0; i < d->modules; i++)
    json_array_append_new(modules, hd_synth_json(&d->module[i]));
  return json_pack("{s:o, s:o, s:f, s:o, s:o, s:o, s:o, s:o}", "config", hd_cli_config_json(&d->with->c),
                   "baseline", hd_cli_config_json(&d->base->c), "geomean_gain", geomean(d, NULL), "kernels",
                   all, "lockstep", lockstep, "synth", modules, "area",
                   d->area.rows ? hd_area_json(&d->area) : json_null(), "area_sm_mem",
                   d->whole.rows ? hd_area_json(&d->whole) : json_null());
}

enum hd_rc demo_picture(const struct demo *d, const char *dir, struct hd_why *why) {
  if (!hd_program_find(HD_GNUPLOT, NULL))
    return hd_because(why, HD_TOOL, "gnuplot is not in PATH");
  char *path = hd_format("%s/ipc.gp", dir), *log = hd_format("%s/ipc.log", dir);
  FILE *gp = fopen(path, "w");
  enum hd_rc rc = gp ? HD_OK : hd_because(why, HD_INPUT, "%s cannot be written", path);
  if (gp) {
    fprintf(
        gp,
        "set terminal svg noenhanced size 760,320 font 'sans,12' background 'white'\nset output 'ipc.svg'\n"
        "set style data histograms\nset style fill solid 0.9 noborder\nset boxwidth 0.8\nset grid y\n"
        "set ylabel 'IPC, %s = 1'\nset yrange [0:*]\nset xtics nomirror\nset key off\nset bmargin 4\n"
        "set title '%s over %s, one SM'\nset arrow from graph 0,first 1 to graph 1,first 1 nohead lc rgb "
        "'#444444'\n"
        "$gain << EOD\n",
        d->base->c.name, d->with->c.name, d->base->c.name);
    for (int i = 0; i < DEMO_KERNELS; i++)
      fprintf(gp, "\"%s\\n%s\" %.3f\n", d->kernel[i].name, d->kernel[i].class, gain(&d->kernel[i]));
    fprintf(gp,
            "\"mean\\n \" %.3f\nEOD\n"
            "plot $gain using 2:xtic(1) lc rgb '#3b6ea5', '' using 0:2:(sprintf('%%.2f', $2)) with labels "
            "offset 0,0.7\n",
            geomean(d, NULL));
    if (!hd_close_written(gp) || hd_run((const char *const[]){"gnuplot", "ipc.gp", NULL}, dir, log, 60))
      rc = hd_because(why, HD_TOOL, "gnuplot failed: see %s", log);
  }
  free(path);
  free(log);
  return rc;
}
