/* Errors in a trace of Accel-Sim, with their place; see accel.h. */
#include "workloads/accelsim/accel.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

bool wl_accel_error(const struct wl_accel_line *at, const char *format, ...) {
  const int n = snprintf(at->err, at->errlen, "%.300s:%" PRIu64 ": ", at->path, wl_text_number(at->text));
  va_list args;
  va_start(args, format);
  vsnprintf(at->err + n, at->errlen - (size_t)n, format, args);
  va_end(args);
  return false;
}
