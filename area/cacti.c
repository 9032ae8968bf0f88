/* Runs CACTI 7 for one memory macro.
 *
 * CACTI fails mostly with exit status 0, sometimes by a signal, sometimes by never ending. It reads
 * tech_params from its working directory and appends a file beside its configuration.
 *
 * Invariant: an answer counts only if its whole result block was parsed, and every run has its own directory
 * and a time limit.
 *
 * Answers are kept as CACTI printed them, in SCRATCH/cacti/, under a hash of the exact configuration and the
 * program. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "area/memory.h"

enum { MIN_BYTES = 64, MIN_WORDS = 31, MIN_CAM_WORDS = 8, TIMEOUT_S = 20 };

/* --- finding the program -------------------------------------------------------------------------------- */

static bool usable(const char *program, char *path, size_t room) {
  char real[PATH_MAX];
  if (access(program, X_OK) || !realpath(program, real))
    return false;
  char *params = hd_format("%.*s/tech_params", (int)(strrchr(real, '/') - real), real);
  const bool there = access(params, R_OK) == 0;
  free(params);
  return there && (size_t)snprintf(path, room, "%s", real) < room;
}

bool hd_cacti_find(const char *build_dir, char *path, size_t room) {
  const char *wish = getenv("CACTI");
  if (wish && *wish)
    return usable(wish, path, room);
  char *built = hd_format("%s/cacti/cacti", build_dir ? build_dir : "build");
  bool found = usable(built, path, room);
  free(built);
  for (const char *dirs = getenv("PATH"); !found && dirs && *dirs;) {
    const size_t n = strcspn(dirs, ":");
    char *program = hd_format("%.*s/cacti", (int)n, dirs);
    found = usable(program, path, room);
    free(program);
    dirs += n + (dirs[n] == ':');
  }
  return found;
}

/* --- reading its output --------------------------------------------------------------------------------- */

/* The number after a label that starts a line of the block. The first such line counts: the details below
 * repeat labels. */
static bool figure(const char *block, const char *label, double *value) {
  const size_t n = strlen(label);
  for (const char *line = block; line && *line; line = strchr(line, '\n'), line += line != NULL) {
    line += strspn(line, " \t");
    if (strncmp(line, label, n) == 0)
      return sscanf(line + n, "%lf", value) == 1 && *value > 0;
  }
  return false;
}

bool hd_cacti_parse(const char *text, bool cam, struct hd_mem_price *price) {
  const char *block = strstr(text, "Cache Parameters:");
  double access, cycle, read, write, leak, gate, height, width, search = 0;
  if (!block || !figure(block, "Access time (ns):", &access) || !figure(block, "Cycle time (ns):", &cycle) ||
      !figure(block, "Total dynamic read energy per access (nJ):", &read) ||
      !figure(block, "Total dynamic write energy per access (nJ):", &write) ||
      !figure(block, "Total leakage power of a bank (mW):", &leak) ||
      !figure(block, "Total gate leakage power of a bank (mW):", &gate) ||
      !figure(block, "Cache height x width (mm):", &height))
    return false;
  const char *size = strstr(block, "Cache height x width (mm):");
  if (sscanf(size, "Cache height x width (mm): %lf x %lf", &height, &width) != 2 || width <= 0)
    return false;
  if (cam) { /* a CAM is used for searches, and "access time" does not include their delay */
    if (!figure(block, "Total dynamic associative search energy per access (nJ):", &read) ||
        !figure(block, "CAM search delay (ns):", &search))
      return false;
  }
  *price = (struct hd_mem_price){
      .area_mm2 = height * width,
      .read_pj = read * 1e3,
      .write_pj = write * 1e3,
      .leak_mw = leak + gate,
      .access_ns = search > access ? search : access,
      .cycle_ns = search > cycle ? search : cycle,
      .slices = 1,
      .source = HD_MEM_BY_CACTI,
  };
  return true;
}

/* --- running it ----------------------------------------------------------------------------------------- */

/* Every key is given, because CACTI crashes, hangs or answers differently without one. */
static char *configuration(const struct hd_memory *mem, double node_nm) {
  const bool cam = mem->kind == HD_MEM_CAM, rw = mem->ports == HD_MEM_1RW || cam;
  const int bytes = mem->width / 8;
  char tag[16] = "\"default\"";
  if (cam)
    snprintf(tag, sizeof tag, "%d", mem->width);
  return hd_format(
      "-size (bytes) %ld\n-block size (bytes) %d\n-associativity %d\n-read-write port %d\n"
      "-exclusive read port %d\n-exclusive write port %d\n-single ended read ports 0\n-search port %d\n"
      "-UCA bank count 1\n-technology (u) %.5f\n-output/input bus width %d\n-operating temperature (K) 350\n"
      "-cache type \"%s\"\n-tag size (b) %s\n"
      "-Array Power Gating - \"false\"\n-WL Power Gating - \"false\"\n-CL Power Gating - \"false\"\n"
      "-Bitline floating - \"false\"\n-Interconnect Power Gating - \"false\"\n"
      "-Power Gating Performance Loss 0.01\n"
      "-page size (bits) 8192\n-burst length 8\n-internal prefetch width 8\n"
      "-Data array cell type - \"itrs-hp\"\n-Data array peripheral type - \"itrs-hp\"\n"
      "-Tag array cell type - \"itrs-hp\"\n-Tag array peripheral type - \"itrs-hp\"\n"
      "-access mode (normal, sequential, fast) - \"normal\"\n"
      "-design objective (weight delay, dynamic power, leakage power, cycle time, area) 0:0:0:100:0\n"
      "-deviate (delay, dynamic power, leakage power, cycle time, area) 20:100000:100000:100000:100000\n"
      "-NUCAdesign objective (weight delay, dynamic power, leakage power, cycle time, area) 100:100:0:0:100\n"
      "-NUCAdeviate (delay, dynamic power, leakage power, cycle time, area) 10:10000:10000:10000:10000\n"
      "-Optimize ED or ED^2 (ED, ED^2, NONE): \"ED^2\"\n-Cache model (NUCA, UCA)  - \"UCA\"\n-NUCA bank "
      "count 0\n"
      "-Wire signaling (fullswing, lowswing, default) - \"Global_30\"\n-Wire inside mat - \"semi-global\"\n"
      "-Wire outside mat - \"semi-global\"\n-Interconnect projection - \"conservative\"\n-Core count 8\n"
      "-Cache level (L2/L3) - \"L3\"\n-Add ECC - \"false\"\n-Print level (DETAILED, CONCISE) - \"DETAILED\"\n"
      "-Print input parameters - \"false\"\n-Force cache config - \"false\"\n"
      "-Ndwl 1\n-Ndbl 1\n-Nspd 0\n-Ndcm 1\n-Ndsam1 0\n-Ndsam2 0\n"
      /* all other keys concern DRAM and its bus, but CACTI divides by them */
      "-dram_type \"DDR3\"\n-io state \"WRITE\"\n-addr_timing 1.0\n-mem_density 4 Gb\n-bus_freq 800 MHz\n"
      "-duty_cycle 1.0\n-activity_dq 1.0\n-activity_ca 0.5\n-num_dq 72\n-num_dqs 18\n-num_ca 25\n-num_clk  "
      "2\n"
      "-num_mem_dq 2\n-mem_data_width 8\n-rtt_value 10000\n-ron_value 34\n-tflight_value\n-num_bobs 1\n"
      "-capacity 80\n-num_channels_per_bob 1\n-first metric \"Cost\"\n-second metric \"Bandwidth\"\n"
      "-third metric \"Energy\"\n-DIMM model \"ALL\"\n-mirror_in_bob \"F\"\n",
      (long)mem->depth * bytes, bytes, cam ? 0 : 1, rw,
      rw                          ? 0
      : mem->ports == HD_MEM_2R1W ? 2
                                  : 1,
      rw ? 0 : 1, cam, node_nm / 1000, mem->width, cam ? "cam" : "ram", tag);
}

/* Runs CACTI once in a fresh directory. Its output becomes the file `answer`. */
static bool run_cacti(const char *program, const char *dir, const char *config, const char *answer,
                      struct hd_why *why) {
  char *work = hd_format("%s/run-XXXXXX", dir);
  if (!mkdtemp(work)) {
    hd_because(why, HD_TOOL, "cannot make a directory in %s", dir);
    free(work);
    return false;
  }
  char *cfg = hd_format("%s/macro.cfg", work), *out = hd_format("%s/printed", work);
  char *params = hd_format("%.*s/tech_params", (int)(strrchr(program, '/') - program), program);
  char *link = hd_format("%s/tech_params", work), *csv = hd_format("%s/macro.cfg.out", work);
  bool good = false;
  if (!hd_write_file(cfg, config) || symlink(params, link)) {
    hd_because(why, HD_TOOL, "cannot write to %s", work);
  } else {
    /* stdout and stderr both, because CACTI reports errors on either, and its exit status means nothing */
    const char *const argv[] = {program, "-infile", "macro.cfg", NULL};
    const int status = hd_run(argv, work, out, TIMEOUT_S);
    good = status >= 0 && rename(out, answer) == 0;
    if (!good)
      hd_because(why, HD_TOOL, "CACTI %s",
                 status == HD_RUN_TIMEOUT       ? "did not end"
                 : status == HD_RUN_SIGNAL      ? "crashed"
                 : status == HD_RUN_NOT_STARTED ? "could not be started"
                                                : "left no output");
  }
  char *const files[] = {cfg, out, link, csv};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    unlink(files[i]), free(files[i]);
  rmdir(work);
  free(work);
  free(params);
  return good;
}

bool hd_cacti_price(const struct hd_pricer *how, const struct hd_memory *mem, struct hd_mem_price *price,
                    struct hd_why *why) {
  const bool cam = mem->kind == HD_MEM_CAM;
  if (mem->width % 8 || (long)mem->depth * mem->width / 8 < MIN_BYTES ||
      mem->depth < (cam ? MIN_CAM_WORDS : MIN_WORDS)) {
    hd_because(why, HD_INPUT,
               "%d words of %d bits: CACTI takes whole bytes, at least %d bytes, at least %d words",
               mem->depth, mem->width, MIN_BYTES, cam ? MIN_CAM_WORDS : MIN_WORDS);
    return false;
  }
  char work_dir[PATH_MAX];
  char *config = configuration(mem, how->node_nm);
  char *dir = hd_format("%s/cacti", how->work_dir);
  struct stat program;
  if (!hd_make_dirs(dir) || !realpath(dir, work_dir) || stat(how->cacti, &program)) {
    hd_because(why, HD_TOOL, "cannot use %s or run %s", dir, how->cacti);
    free(config);
    free(dir);
    return false;
  }
  char *version =
      hd_format("%s %lld %lld", how->cacti, (long long)program.st_size, (long long)program.st_mtime);
  char *answer = hd_format("%s/%016llx.out", work_dir,
                           (unsigned long long)hd_hash_text(hd_hash_text(HD_HASH_START, config), version));
  char *text = hd_slurp(answer);
  bool good = text && hd_cacti_parse(text, cam, price);
  if (!good && run_cacti(how->cacti, work_dir, config, answer, why)) {
    free(text);
    text = hd_slurp(answer);
    good = text && hd_cacti_parse(text, cam, price);
    if (!good) {
      const char *said = text ? strstr(text, "ERROR:") : NULL;
      hd_because(why, HD_TOOL, "CACTI gave no result for %d words of %d bits: %.*s", mem->depth, mem->width,
                 said ? (int)strcspn(said, "\n") : 9, said ? said : "no reason");
      unlink(answer);
    }
  }
  free(text);
  free(answer);
  free(version);
  free(dir);
  free(config);
  return good;
}
