/* Prints the result of an FPGA run, for people and for programs; see fpga.h. */
#include "synth/fpga/fpga.h"

static const char *const places[HD_FPGA_PLACES] = {"block RAM", "LUT RAM", "flip-flops"};

void hd_fpga_print(const struct hd_fpga_report *report, FILE *out) {
  fprintf(out, "%s, package %s, speed grade 6, nextpnr-ecp5 %s, seed %llu%s; each line holds all below it\n",
          report->part->chip, report->part->package, report->version, (unsigned long long)report->seed,
          report->out_of_context ? ", out of context: no pins, the clock on ordinary wires" : "");
  fprintf(out, "%-24s %8s %8s %9s %8s %8s %6s %6s %8s %7s\n", "module", "LUTs", "ff", "declared", "LUT RAM",
          "block", "DSPs", "pins", "MHz", "s");
  for (int i = 0; i < report->results; i++) {
    const struct hd_fpga_result *r = &report->result[i];
    fprintf(out, "%-24s %8ld %8ld", r->name, r->used[HD_FPGA_LUT], r->used[HD_FPGA_FF]);
    if (r->declared_bits < 0)
      fprintf(out, " %9s", "-");
    else
      fprintf(out, " %9ld", r->declared_bits);
    fprintf(out, " %8ld %8ld %6ld %6ld", r->used[HD_FPGA_LUT_RAM], r->used[HD_FPGA_BLOCK],
            r->used[HD_FPGA_DSP], r->used[HD_FPGA_PIN]);
    if (r->fmax_mhz > 0)
      fprintf(out, " %8.1f", r->fmax_mhz);
    else
      fprintf(out, " %8s", "-");
    fprintf(out, " %7.1f\n", r->seconds);
  }
  for (int i = 0; i < report->results; i++) {
    const struct hd_fpga_result *r = &report->result[i];
    fprintf(out, "%s\n", r->name);
    if (*r->from)
      fprintf(out, "  slowest    %s -> %s\n", r->from, r->to);
    for (enum hd_fpga_place p = 0; p < HD_FPGA_PLACES; p++)
      if (r->memories[p])
        fprintf(out, "  %-10s %d arrays:%s\n", places[p], r->memories[p], r->names[p]);
  }
  fprintf(out,
          "declared: bits of registers and memories; LUT RAM reads into flip-flops, which are in ff\n"
          "scripts, logs, netlists, ram.v: %s/ecp5/MODULE/\n",
          report->work);
}

json_t *hd_fpga_json(const struct hd_fpga_report *report) {
  json_t *modules = json_array();
  for (int i = 0; i < report->results; i++) {
    const struct hd_fpga_result *r = &report->result[i];
    json_t *m =
        json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I}", "name", r->name, "luts",
                  (json_int_t)r->used[HD_FPGA_LUT], "flipflops", (json_int_t)r->used[HD_FPGA_FF], "lut_rams",
                  (json_int_t)r->used[HD_FPGA_LUT_RAM], "block_rams", (json_int_t)r->used[HD_FPGA_BLOCK],
                  "dsps", (json_int_t)r->used[HD_FPGA_DSP], "pins", (json_int_t)r->used[HD_FPGA_PIN]);
    json_object_set_new(m, "declared_bits",
                        r->declared_bits < 0 ? json_null() : json_integer(r->declared_bits));
    json_object_set_new(m, "fmax_mhz", r->fmax_mhz > 0 ? json_real(r->fmax_mhz) : json_null());
    json_object_set_new(m, "memories",
                        json_pack("{s:i, s:i, s:i}", "block_ram", r->memories[HD_FPGA_IN_BLOCK], "lut_ram",
                                  r->memories[HD_FPGA_IN_LUT], "flipflops", r->memories[HD_FPGA_IN_FF]));
    json_array_append_new(modules, m);
  }
  return json_pack("{s:s, s:s, s:s, s:b, s:I, s:s, s:s, s:o}", "device", report->part->name, "chip",
                   report->part->chip, "package", report->part->package, "out_of_context",
                   report->out_of_context, "seed", (json_int_t)report->seed, "nextpnr", report->version,
                   "work", report->work, "modules", modules);
}
