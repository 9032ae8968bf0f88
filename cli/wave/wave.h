/* A timing diagram: some ports of a module in some cycles of a run. */
#ifndef HEDDLE_CLI_WAVE_H
#define HEDDLE_CLI_WAVE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { HD_WAVE_SIGNALS = 32, HD_WAVE_CYCLES = 64 };

struct hd_wave_signal {
  char name[72];
  unsigned width;
  int valid, ready; /* the signals that show when it is valid, and when it is taken; -1: none is drawn */
  uint64_t value[HD_WAVE_CYCLES];
};
struct hd_wave {
  char title[128];
  struct hd_wave_signal signal[HD_WAVE_SIGNALS];
  unsigned signals, cycles;
  uint64_t from; /* the number of the first cycle */
};

/* True if the signal is valid in the cycle: its valid signal is 1, or it has none. */
bool hd_wave_means(const struct hd_wave *w, unsigned signal, unsigned cycle);

/* Draws a row for clk and one for each signal. */
void hd_wave_svg(const struct hd_wave *w, FILE *f);
/* Returns the diagram as https://wavedrom.com reads it. */
json_t *hd_wave_json(const struct hd_wave *w);

#endif
