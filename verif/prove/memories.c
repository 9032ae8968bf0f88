/* Shows memories to a checker; see memories.h. */
#include "verif/prove/memories.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/run.h"

/* Returns NAME, or NAME_BANK if there are several banks. */
static struct hd_text name_of(const struct hd_mem *m, unsigned bank) {
  struct hd_text name;
  snprintf(name.text, sizeof name.text, m->banks > 1 ? "%s_%u" : "%s", m->name, bank);
  return name;
}

static void put_piece(FILE *f, const struct hd_mem *m, unsigned bank, enum hd_memory_piece piece) {
  const struct hd_text name = name_of(m, bank);
  const char *n = name.text;
  const unsigned rows = m->depth * m->width - 1, word = m->width - 1;
  switch (piece) {
  case HD_MEMORY_PORTS:
    fprintf(f, "%s_rows, %s_rdata, ", n, n);
    break;
  case HD_MEMORY_INPUTS:
    fprintf(f, "  input wire [%u:0] %s_rows;\n  input wire [%u:0] %s_rdata;\n", rows, n, word, n);
    break;
  case HD_MEMORY_PINS:
    fprintf(f, ",\n    .%s_rows(proof_%s_rows), .%s_rdata(%s_rdata[%u +: %u])", n, n, n, m->name,
            bank * m->width, m->width);
    break;
  case HD_MEMORY_NETS:
    fprintf(f, "  wire [%u:0] proof_%s_rows;\n", rows, n);
    break;
  }
}

char *hd_memory_pieces(const struct hd_decl *d, enum hd_memory_piece piece) {
  char *text = NULL;
  size_t size;
  FILE *f = hd_memory_open(&text, &size);
  for (size_t i = 0; i < d->n_mems; i++)
    for (unsigned bank = 0; bank < d->mems[i].banks; bank++)
      put_piece(f, &d->mems[i], bank, piece);
  hd_memory_close(f);
  return text;
}

/* Returns `text` with `more` after the first `mark`, and frees `text`. Returns NULL if there is no mark. */
static char *inserted(char *text, const char *mark, const char *more) {
  const char *at = strstr(text, mark);
  char *out =
      at ? hd_format("%.*s%s%s", (int)(at - text + (long)strlen(mark)), text, more, at + strlen(mark)) : NULL;
  free(text);
  return out;
}

char *hd_memory_shown(const char *verilog, const struct hd_decl *d) {
  char *text = hd_format("%s", verilog);
  for (size_t i = 0; i < d->n_mems; i++)
    for (unsigned bank = 0; text && bank < d->mems[i].banks; bank++) {
      const struct hd_text name = name_of(&d->mems[i], bank);
      char *mark = hd_format(" u_%s (", name.text),
           *pin = hd_format("\n    .rows(proof_%s_rows),", name.text);
      text = inserted(text, mark, pin);
      free(mark);
      free(pin);
    }
  return text;
}

char *hd_memory_wrapper(const char *verilog) {
  static const char show[] = "\n  genvar shown;\n"
                             "  generate\n"
                             "    for (shown = 0; shown < DEPTH; shown = shown + 1) begin : show\n"
                             "      assign rows[shown*WIDTH +: WIDTH] = mem[shown];\n"
                             "    end\n"
                             "  endgenerate\n";
  char *text = inserted(hd_format("%s", verilog), "\n) (", "\n  output wire [DEPTH*WIDTH-1:0] rows,");
  return text ? inserted(text, "mem [0:DEPTH-1];\n", show) : NULL;
}
