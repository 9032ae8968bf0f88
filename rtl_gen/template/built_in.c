/* The templates inside the program. The build writes the lists from the .v files of rtl_gen. */
#include "rtl_gen/template/template.h"

/* C guarantees only 4095 characters in a string; both compilers accept any length. */
#pragma GCC diagnostic ignored "-Woverlength-strings"
static const struct hd_template_file files[] = {
#include "rtl_gen/templates.h"
};
const struct hd_templates hd_templates = {files, sizeof files / sizeof *files};
