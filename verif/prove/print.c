/* Prints a proof as a table and as JSON; see prove.h. */
#include "verif/prove/prove.h"

static const char *const verdicts[] = {
    [HD_PROVED] = "proved", [HD_BOUNDED] = "bounded", [HD_REFUTED] = "refuted", [HD_OPEN] = "open"};
static const char *const covers[] = {
    [HD_PROVED] = "never", [HD_BOUNDED] = "not seen", [HD_REFUTED] = "seen", [HD_OPEN] = "open"};

void hd_proof_print(const struct hd_proof *proof, FILE *out) {
  fprintf(out, "%-12s %-28s %-8s %6s  %-5s %-9s %8s\n", "module", "property", "verdict", "frames", "by",
          "asks in", "seconds");
  if (!proof->n)
    fprintf(out, "%-12s no property: none is written, and none follows from its declaration\n",
            proof->module);
  size_t bounded = 0;
  for (size_t i = 0; i < proof->n; i++) {
    const struct hd_property *p = &proof->property[i];
    char asks[24];
    bounded += p->verdict == HD_BOUNDED;
    if (p->cover == HD_REFUTED)
      snprintf(asks, sizeof asks, "cycle %u", p->cover_at);
    else
      snprintf(asks, sizeof asks, "%s", covers[p->cover]);
    fprintf(out, "%-12s %-28s %-8s %6u  %-5s %-9s %8.1f\n", proof->module, p->name, verdicts[p->verdict],
            p->frames, p->by, asks, p->seconds);
  }
  if (bounded)
    fprintf(
        out,
        "%zu bounded: known to hold only in the first cycles after power-up, as many as `frames` says; no "
        "proof for all cycles\n",
        bounded);
}

json_t *hd_proof_json(const struct hd_proof *proof) {
  json_t *rows = json_array();
  for (size_t i = 0; i < proof->n; i++) {
    const struct hd_property *p = &proof->property[i];
    json_array_append_new(rows, json_pack("{s:s, s:s?, s:s, s:b, s:s, s:i, s:s, s:s, s:i, s:f, s:b}", "name",
                                          p->name, "when", p->when, "then", p->then, "derived", p->derived,
                                          "verdict", verdicts[p->verdict], "frames", (int)p->frames, "by",
                                          p->by, "cover", covers[p->cover], "cover_cycle", (int)p->cover_at,
                                          "seconds", p->seconds, "good", hd_property_good(p)));
  }
  return json_pack("{s:s, s:o, s:i, s:i, s:i, s:i, s:i, s:f}", "module", proof->module, "properties", rows,
                   "assumptions", (int)proof->assumptions, "ready_checked", (int)proof->ready, "inputs",
                   (int)proof->inputs, "flipflops", (int)proof->flipflops, "gates", (int)proof->gates,
                   "seconds", proof->seconds);
}
