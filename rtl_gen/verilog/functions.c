/* Writes Verilog functions that behaviours share; see verilog.h. */
#include "rtl_gen/verilog/verilog.h"

void hd_put_lowest(FILE *f, const char *name, const char *n) {
  fprintf(f,
          "\n  // the lowest 1 of v, alone: a prefix OR in log steps\n"
          "  function [%s-1:0] %s(input [%s-1:0] v);\n"
          "    reg [%s-1:0] below;\n"
          "    integer step;\n"
          "    begin\n"
          "      below = v;\n"
          "      for (step = 1; step < %s; step = step * 2)\n"
          "        below = below | (below << step);\n"
          "      %s = v & ~(below << 1);\n"
          "    end\n"
          "  endfunction\n",
          n, name, n, n, n, name);
}

void hd_put_number(FILE *f, const char *name, const char *n, const char *w) {
  fprintf(f,
          "\n  // the number of the one 1 of v\n"
          "  function [%s-1:0] %s(input [%s-1:0] v);\n"
          "    integer i;\n"
          "    begin\n"
          "      %s = 0;\n"
          "      for (i = 0; i < %s; i = i + 1)\n"
          "        %s = %s | ({%s{v[i]}} & i[%s-1:0]);\n"
          "    end\n"
          "  endfunction\n",
          w, name, n, name, n, name, name, w, w);
}

void hd_put_pick(FILE *f, const char *name, const char *n, const char *w) {
  fprintf(f,
          "\n  // the element of v at the one 1 of at\n"
          "  function [%s-1:0] %s(input [%s-1:0] at, input [%s*%s-1:0] v);\n"
          "    integer i;\n"
          "    begin\n"
          "      %s = 0;\n"
          "      for (i = 0; i < %s; i = i + 1)\n"
          "        %s = %s | ({%s{at[i]}} & v[i*%s +: %s]);\n"
          "    end\n"
          "  endfunction\n",
          w, name, n, n, w, name, n, name, name, w, w, w);
}

void hd_put_xor_fold(FILE *f, const char *name, const char *from, const char *to, unsigned first) {
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
