/* The templates as they travel inside the program; the lists are written at build time from rtl_gen's .v files. */
#include "rtl_gen/template/template.h"

/* C promises 4095 characters of a string; both compilers take any number. */
#pragma GCC diagnostic ignored "-Woverlength-strings"
static const struct hd_template_file files[] = {
#include "rtl_gen/templates.h"
};
const struct hd_templates hd_templates = {files, sizeof files / sizeof *files};
