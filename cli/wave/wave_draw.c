/* A timing diagram as SVG, and as text for WaveDrom. */
#include "cli/wave/wave.h"

#include <inttypes.h>
#include <string.h>

/* Pixels: a cycle of few and of many, a row and the wave in it, the slope of an edge, the column of names,
 * a digit. */
enum { WIDE = 52, NARROW = 36, MANY = 16, ROW = 26, HIGH = 18, SLOPE = 3, NAMES = 132, TOP = 40, DIGIT = 7 };

bool hd_wave_means(const struct hd_wave *w, unsigned signal, unsigned cycle) {
  const struct hd_wave_signal *s = &w->signal[signal];
  const bool itself = s->valid == (int)signal || s->ready == (int)signal;
  return itself || s->valid < 0 || w->signal[s->valid].value[cycle];
}

static int width_of(const struct hd_wave *w) {
  return w->cycles > MANY ? NARROW : WIDE;
}
static int x_of(const struct hd_wave *w, unsigned cycle) {
  return NAMES + width_of(w) * (int)cycle;
}
static int y_of(unsigned row) {
  return TOP + ROW * (int)row;
}

/* Tints the background of a signal in the cycles in which its handshake happens. */
static void tint(const struct hd_wave *w, unsigned s, FILE *f) {
  const struct hd_wave_signal *signal = &w->signal[s];
  for (unsigned c = 0; c < w->cycles && signal->ready >= 0 && signal->valid >= 0; c++)
    if (w->signal[signal->valid].value[c] && w->signal[signal->ready].value[c])
      fprintf(f, "<rect x='%d' y='%d' width='%d' height='%d' fill='#d8ecd8'/>\n", x_of(w, c), y_of(s + 1) - 3,
              width_of(w), ROW);
}

static void clock_row(const struct hd_wave *w, FILE *f) {
  fprintf(f, "<path class='w' d='M%d %d", NAMES, y_of(0) + HIGH);
  for (unsigned c = 0; c < w->cycles; c++)
    fprintf(f, " V%d H%d V%d H%d", y_of(0), x_of(w, c) + width_of(w) / 2, y_of(0) + HIGH, x_of(w, c + 1));
  fputs("'/>\n", f);
}

static void bit_row(const struct hd_wave *w, unsigned s, FILE *f) {
  const uint64_t *v = w->signal[s].value;
  const int low = y_of(s + 1) + HIGH, high = y_of(s + 1);
  fprintf(f, "<path class='w' d='M%d %d", NAMES, v[0] ? high : low);
  for (unsigned c = 0; c < w->cycles; c++) {
    if (c && v[c] != v[c - 1])
      fprintf(f, " L%d %d", x_of(w, c) + SLOPE, v[c] ? high : low);
    fprintf(f, " H%d", x_of(w, c + 1));
  }
  fputs("'/>\n", f);
}

/* Draws a box for each run of one value, grey while the signal is not valid. */
static void bus_row(const struct hd_wave *w, unsigned s, FILE *f) {
  const uint64_t *v = w->signal[s].value;
  const int y = y_of(s + 1);
  for (unsigned c = 0, end; c < w->cycles; c = end) {
    const bool means = hd_wave_means(w, s, c);
    for (end = c + 1; end < w->cycles && hd_wave_means(w, s, end) == means && (!means || v[end] == v[c]);
         end++)
      ;
    const int a = x_of(w, c), b = x_of(w, end);
    fprintf(f, "<path class='%s' d='M%d %d L%d %d H%d L%d %d L%d %d H%d Z'/>\n", means ? "b" : "n", a,
            y + HIGH / 2, a + SLOPE, y, b - SLOPE, b, y + HIGH / 2, b - SLOPE, y + HIGH, a + SLOPE);
    if (!means)
      continue;
    char digits[20];
    const int n = snprintf(digits, sizeof digits, "%" PRIx64, v[c]), fit = (b - a - 2 * SLOPE) / DIGIT;
    fprintf(f, "<text class='v' x='%d' y='%d'>%s%s</text>\n", (a + b) / 2, y + HIGH - 5, n > fit ? "…" : "",
            digits + (n > fit ? n - fit + 1 : 0));
  }
}

void hd_wave_svg(const struct hd_wave *w, FILE *f) {
  const int width = x_of(w, w->cycles) + 8, height = y_of(w->signals + 1) + 4;
  fprintf(
      f,
      "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d'>\n"
      "<style>text{font:11px "
      "sans-serif;fill:#222}.t{font-weight:bold}.c{fill:#777;text-anchor:middle;font-size:9px}"
      ".s{text-anchor:end}.v{text-anchor:middle;font-family:monospace}.w,.b,.n{stroke:#26507a;stroke-width:1."
      "3}"
      ".w{fill:none}.b{fill:#eef4fa}.n{fill:#ddd;stroke:#bbb}.g{stroke:#ccc;stroke-dasharray:2 3}</style>\n"
      "<rect width='%d' height='%d' fill='white'/>\n<text class='t' x='8' y='15'>%s</text>\n",
      width, height, width, height, width, height, w->title);
  for (unsigned s = 0; s < w->signals; s++)
    tint(w, s, f);
  for (unsigned c = 0; c <= w->cycles; c++) {
    fprintf(f, "<path class='g' d='M%d %d V%d'/>\n", x_of(w, c), TOP - 4, height - 4);
    if (c < w->cycles)
      fprintf(f, "<text class='c' x='%d' y='%d'>%" PRIu64 "</text>\n", x_of(w, c) + width_of(w) / 2, TOP - 8,
              w->from + c);
  }
  fprintf(f, "<text class='s' x='%d' y='%d'>clk</text>\n", NAMES - 8, y_of(0) + HIGH - 5);
  clock_row(w, f);
  for (unsigned s = 0; s < w->signals; s++) {
    fprintf(f, "<text class='s' x='%d' y='%d'>%s</text>\n", NAMES - 8, y_of(s + 1) + HIGH - 5,
            w->signal[s].name);
    if (w->signal[s].width == 1)
      bit_row(w, s, f);
    else
      bus_row(w, s, f);
  }
  fputs("</svg>\n", f);
}

/* One character per cycle: 0 and 1 for bits, = for a value in `data`, x while not valid, . for a
 * repetition. */
static json_t *wave_row(const struct hd_wave *w, unsigned s) {
  char wave[HD_WAVE_CYCLES + 1] = "", last = 0;
  json_t *data = json_array();
  const struct hd_wave_signal *signal = &w->signal[s];
  for (unsigned c = 0; c < w->cycles; c++) {
    const char is = !hd_wave_means(w, s, c) ? 'x' : signal->width > 1 ? '=' : signal->value[c] ? '1' : '0';
    const bool same = is == last && (is != '=' || signal->value[c] == signal->value[c - 1]);
    wave[c] = same ? '.' : is;
    last = is;
    if (is == '=' && !same)
      json_array_append_new(data, json_sprintf("%" PRIx64, signal->value[c]));
  }
  return json_pack("{s:s, s:s, s:o}", "name", signal->name, "wave", wave, "data", data);
}

json_t *hd_wave_json(const struct hd_wave *w) {
  char clock[HD_WAVE_CYCLES + 1];
  memset(clock, '.', w->cycles);
  clock[0] = 'p';
  clock[w->cycles] = 0;
  json_t *all = json_array();
  json_array_append_new(all, json_pack("{s:s, s:s}", "name", "clk", "wave", clock));
  for (unsigned s = 0; s < w->signals; s++)
    json_array_append_new(all, wave_row(w, s));
  return json_pack("{s:o, s:{s:s}, s:{s:I}}", "signal", all, "head", "text", w->title, "foot", "tick",
                   (json_int_t)w->from);
}
