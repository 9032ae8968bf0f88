/* Reads the logs and the report of a run; see fpga.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth/fpga/fpga.h"

static const char *const cells[HD_FPGA_KINDS] = {
    [HD_FPGA_LUT] = "TRELLIS_COMB", [HD_FPGA_FF] = "TRELLIS_FF",  [HD_FPGA_LUT_RAM] = "TRELLIS_RAMW",
    [HD_FPGA_BLOCK] = "DP16KD",     [HD_FPGA_DSP] = "MULT18X18D", [HD_FPGA_PIN] = "TRELLIS_IO"};
static const char *const kinds[HD_FPGA_KINDS] = {
    [HD_FPGA_LUT] = "LUTs",         [HD_FPGA_FF] = "flip-flops",   [HD_FPGA_LUT_RAM] = "slices of LUT RAM",
    [HD_FPGA_BLOCK] = "block RAMs", [HD_FPGA_DSP] = "multipliers", [HD_FPGA_PIN] = "pins"};

/* Reads "mapping memory NAME via $CELL_" and "using FF mapping for memory NAME", from Yosys's memory_libmap. */
void hd_fpga_read_memories(const char *log, struct hd_fpga_result *r) {
  static const char mapped[] = "mapping memory ", flops[] = "using FF mapping for memory ";
  for (const char *line = log; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
    char name[160], cell[80] = "";
    enum hd_fpga_place place;
    if (!strncmp(line, flops, strlen(flops)) && sscanf(line + strlen(flops), "%159s", name) == 1)
      place = HD_FPGA_IN_FF;
    else if (!strncmp(line, mapped, strlen(mapped)) &&
             sscanf(line + strlen(mapped), "%159s via %79s", name, cell) == 2)
      place = strstr(cell, "16KD") ? HD_FPGA_IN_BLOCK : HD_FPGA_IN_LUT;
    else
      continue;
    char *all = hd_format("%s %s", r->names[place] ? r->names[place] : "", name);
    free(r->names[place]);
    r->names[place] = all;
    r->memories[place]++;
  }
}

/* A row of the table is "Info:   CELL:   USED/   THERE   N%". */
enum hd_rc hd_fpga_read_use(const char *log, const struct hd_fpga_part *part, bool out_of_context,
                            struct hd_fpga_result *r, struct hd_why *why) {
  const char *table = log ? strstr(log, "Device utilisation:") : NULL;
  for (enum hd_fpga_kind k = 0; k < HD_FPGA_KINDS; k++) {
    char *row = hd_format(" %s:", cells[k]);
    const char *at = table ? strstr(table, row) : NULL;
    const bool good = at && sscanf(at + strlen(row), " %ld / %ld", &r->used[k], &r->there[k]) == 2;
    free(row);
    if (!good)
      return hd_because(why, HD_TOOL, "%s: nextpnr does not say how many %s it uses", r->name, kinds[k]);
  }
  for (enum hd_fpga_kind k = 0; k < HD_FPGA_KINDS; k++)
    if (r->used[k] > r->there[k])
      return hd_because(why, HD_CHECK, "%s does not fit: found %ld %s, %s has %ld%s%s; %s", r->name,
                        r->used[k], kinds[k], part->chip, r->there[k], k == HD_FPGA_PIN ? " in package " : "",
                        k == HD_FPGA_PIN ? part->package : "",
                        k == HD_FPGA_PIN && !out_of_context
                            ? "--out-of-context keeps the ports inside"
                            : "take a larger --device, or a smaller machine (--set)");
  return HD_OK;
}

/* The name of the cell at one end of a path. */
static void read_end(const json_t *path, size_t i, const char *end, char *name, size_t room) {
  const char *cell =
      json_string_value(json_object_get(json_object_get(json_array_get(path, i), end), "cell"));
  snprintf(name, room, "%s", cell ? cell : "");
}

void hd_fpga_read_timing(const json_t *report, struct hd_fpga_result *r) {
  const char *clock;
  json_t *f;
  json_object_foreach(json_object_get(report, "fmax"), clock, f) {
    const double mhz = json_number_value(json_object_get(f, "achieved"));
    if (mhz > 0 && (r->fmax_mhz <= 0 || mhz < r->fmax_mhz))
      r->fmax_mhz = mhz;
  }
  size_t i;
  json_t *critical;
  json_array_foreach(json_object_get(report, "critical_paths"), i, critical) {
    const char *from = json_string_value(json_object_get(critical, "from")),
               *to = json_string_value(json_object_get(critical, "to"));
    const json_t *path = json_object_get(critical, "path");
    if (!from || !to || strcmp(from, to) || strncmp(from, "posedge ", 8) || !json_array_size(path))
      continue;
    read_end(path, 0, "from", r->from, sizeof r->from);
    read_end(path, json_array_size(path) - 1, "to", r->to, sizeof r->to);
    return;
  }
}
