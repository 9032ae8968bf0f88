/* Writes the code that finds and mends flipped bits, as Verilog; see verilog.h. Spec: docs/mechanisms/ecc.md.
 *
 * Invariant: columns differ, and each has an odd number of 1s, at least three; parity is the exception. */
#include <inttypes.h>

#include "rtl_gen/verilog/verilog.h"

/* The columns of the w bits of a word in a code of r check bits. */
static void find_columns(unsigned column[64], unsigned w, unsigned r) {
  unsigned n = 0;
  for (unsigned ones = 3; ones <= r; ones += 2)
    for (unsigned c = 0; c < 1u << r && n < w; c++)
      if ((unsigned)__builtin_popcount(c) == ones)
        column[n++] = c;
  for (; n < w; n++) /* parity */
    column[n] = 1;
}

void hd_put_check(FILE *f, const char *name, unsigned w, unsigned r) {
  unsigned column[64];
  find_columns(column, w, r);
  fprintf(f,
          "\n  // the check bits of v\n"
          "  function [%u:0] %s(input [%u:0] v);\n"
          "    begin\n",
          r - 1, name, w - 1);
  for (unsigned k = 0; k < r; k++) {
    uint64_t covered = 0;
    for (unsigned i = 0; i < w; i++)
      covered |= (uint64_t)(column[i] >> k & 1) << i;
    fprintf(f, "      %s[%u] = ^(v & %u'h%" PRIx64 ");\n", name, k, w, covered);
  }
  fprintf(f, "    end\n  endfunction\n");
}

void hd_put_mend(FILE *f, const char *name, unsigned w, unsigned r) {
  unsigned column[64];
  find_columns(column, w, r);
  fprintf(f,
          "\n  // v without the flipped bit that its syndrome names; on top 1: it names none, v is lost\n"
          "  function [%u:0] %s(input [%u:0] v, input [%u:0] syn);\n"
          "    reg [%u:0] at;\n"
          "    begin\n",
          w, name, w - 1, r - 1, w - 1);
  for (unsigned i = 0; i < w; i++)
    fprintf(f, "      at[%u] = syn == %u'h%x;\n", i, r, column[i]);
  fprintf(f,
          "      %s = {|(syn & (syn - %u'd1)) && !(|at), v ^ at};\n"
          "    end\n  endfunction\n",
          name, r);
}
