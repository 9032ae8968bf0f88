/* Checks every template when the program is built: an error fails the build. */
#include <stdio.h>

#include "rtl_gen/template/template.h"

int main(void) {
  return hd_template_check(&hd_templates, stderr) ? 1 : 0;
}
