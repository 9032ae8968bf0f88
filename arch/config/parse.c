/* Parses a text into a document with libyaml; see load.h. */
#include "arch/config/load.h"
#include "base/printable.h"

#include <string.h>

unsigned hd_line_at(const char *text, size_t offset) {
  unsigned line = 1;
  for (size_t i = 0; i < offset && text[i]; i++)
    line += text[i] == '\n';
  return line;
}

/* Reports that the value of a --set is no YAML; `problem` is the reason. */
static void no_yaml(struct hd_load *l, const struct hd_layer *at, const char *problem) {
  const int key = (int)strcspn(at->set, "=");
  char value[41];
  snprintf(value, sizeof value, "%s", at->set + key + 1);
  hd_printable(value);
  hd_problem(
      l, at->file, 0, NULL, NULL,
      "%.*s: found %s, which is not YAML (%s); allowed a value as heddle list params has it; write one", key,
      at->set, value, problem);
}

bool hd_parse(struct hd_load *l, struct hd_layer *at, const char *text) {
  const char *file = at->file;
  const size_t size = strlen(text);
  yaml_parser_t parser;
  yaml_document_t second;
  if (!yaml_parser_initialize(&parser)) {
    l->no_memory = true;
    return false;
  }
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
  bool good = yaml_parser_load(&parser, &at->doc), tail = good && yaml_parser_load(&parser, &second);
  if (parser.error == YAML_MEMORY_ERROR ||
      (!tail && parser.error == YAML_NO_ERROR)) { /* libyaml does not always report it */
    l->no_memory = true;
    if (good)
      yaml_document_delete(&at->doc);
    good = false;
  } else if ((!good || !tail) && at->set) {
    no_yaml(l, at, parser.problem);
    if (good)
      yaml_document_delete(&at->doc);
    good = false;
  } else if (!good || !tail) {
    unsigned line = (unsigned)parser.problem_mark.line + 1;
    if (parser.error == YAML_READER_ERROR)
      line = hd_line_at(text, parser.problem_offset);
    hd_problem(l, file, line, NULL, NULL,
               "found what is not YAML (%s); allowed YAML; correct the line: indentation, a colon, a quote?",
               parser.problem);
    if (good)
      yaml_document_delete(&at->doc);
    good = false;
  } else {
    const yaml_node_t *root = yaml_document_get_root_node(&at->doc),
                      *more = yaml_document_get_root_node(&second);
    if (!root || root->type != YAML_MAPPING_NODE)
      hd_problem(l, file, root ? hd_line(at, root) : 1, NULL, NULL,
                 "found %s; allowed a mapping of sections; write for example %s",
                 root ? hd_show(root).text : "nothing", l->example);
    else if (more)
      hd_problem(l, file, hd_line(at, more), NULL, NULL,
                 "found a second document; allowed one; make it a file of "
                 "its own");
    good = root && root->type == YAML_MAPPING_NODE && !more;
    yaml_document_delete(&second);
    if (!good)
      yaml_document_delete(&at->doc);
  }
  yaml_parser_delete(&parser);
  return good;
}
