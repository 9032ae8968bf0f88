/* Folding, as Verilog; see fold.h. */
#include "rtl_gen/emit/fold.h"

void hd_put_fold(FILE *f, const char *name, const char *from, const char *to, unsigned first) {
  fprintf(f,
          "\n"
          "  // the XOR of the pieces of %s bits of v, from bit %u up\n"
          "  function [%s-1:0] %s(input [%s-1:0] v);\n"
          "    integer i;\n"
          "    begin\n"
          "      %s = {%s{1'b0}};\n"
          "      for (i = %u; i < %s; i = i + 1)\n"
          "        %s[(i-%u)%%%s] = %s[(i-%u)%%%s] ^ v[i];\n"
          "    end\n"
          "  endfunction\n",
          to, first, to, name, from, name, to, first, from, name, first, to, name, first, to);
}
