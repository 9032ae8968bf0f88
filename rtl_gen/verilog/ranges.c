/* Widths as Verilog, and names of memory wrappers; see verilog.h. */
#include <stdlib.h>
#include <string.h>

#include "rtl_gen/verilog/sizes.h"
#include "rtl_gen/verilog/verilog.h"

struct hd_range hd_product(const char *a, const char *b) {
  struct hd_range out = {""};
  const char *const both[] = {a, b};
  size_t used = 0;
  for (int i = 0; i < 2; i++)
    for (const char *p = both[i]; *p; p += *p == '*') {
      p += strspn(p, " ");
      size_t n = strcspn(p, "*");
      const char *factor = p;
      p += n;
      while (n && factor[n - 1] == ' ')
        n--;
      if ((n == 1 && *factor == '1') || hd_is_flag(factor, n))
        continue;
      const bool sum = memchr(factor, '+', n) || memchr(factor, '-', n);
      used += (size_t)snprintf(out.text + used, sizeof out.text - used, "%s%s%.*s%s", used ? "*" : "",
                               sum ? "(" : "", (int)n, factor, sum ? ")" : "");
    }
  return out;
}

struct hd_range hd_bits_range(struct hd_range size) {
  struct hd_range out = {""};
  char *end;
  const long value = strtol(size.text, &end, 10);
  if (*size.text && !*end)
    snprintf(out.text, sizeof out.text, "[%ld:0]", value - 1);
  else if (*size.text)
    snprintf(out.text, sizeof out.text, "[%.70s-1:0]", size.text);
  return out;
}

struct hd_range hd_range_of(const struct hd_row *row) {
  return hd_bits_range(hd_product(row->count_txt, row->width_txt));
}

struct hd_range hd_width_of(const char *width) {
  const struct hd_range bits = hd_product("1", width);
  return *bits.text ? bits : (struct hd_range){"1"};
}

struct hd_range hd_width_range(const char *width) {
  return hd_bits_range(hd_product("1", width));
}

struct hd_text hd_ram_name(enum hd_ports ports) {
  struct hd_text name;
  snprintf(name.text, sizeof name.text, "hd_ram_%s", hd_ports_name(ports));
  return name;
}
