/* The cost of a mechanism or a module: its memories and its logic together; see price.h. */
#include "cli/price/price.h"

struct hd_area_cache hd_cli_l1(const struct hd_config *c) {
  const int line_bits = 8 * (int)c->l1d.line_bytes;
  return (struct hd_area_cache){.size_bytes = (int)(c->l1d.sets * c->l1d.ways * c->l1d.line_bytes),
                                .ways = (int)c->l1d.ways,
                                .line_bytes = (int)c->l1d.line_bytes,
                                .port_bits = line_bits < 256 ? line_bits : 256,
                                .tag_bits = (int)c->d.TAG_W + 2};
}

int hd_cli_area_tops(const struct hd_args *args, const struct hd_design *design, const char **name,
                     const char *const **tops) {
  static const char *one[1];
  const struct hd_area_claim *claim = args->mechanism ? hd_area_claim_of(args->mechanism)
                                      : args->top     ? NULL
                                                      : hd_area_claim_in(design);
  *name = claim ? claim->name : args->top ? args->top : "sm_mem";
  if (!claim) {
    *one = *name;
    *tops = one;
    return 1;
  }
  int n = 0;
  while (n < HD_CLAIM_MODULES && claim->module[n])
    n++;
  *tops = claim->module;
  return n;
}

enum hd_rc hd_cli_area_of(const struct hd_args *args, const heddle_machine *machine,
                          struct hd_cli_priced *priced, struct hd_why *why) {
  const struct hd_config *c = &machine->c;
  const struct hd_design *design = machine->design;
  const char *name, *const *top;
  const int tops = hd_cli_area_tops(args, design, &name, &top);
  enum hd_rc rc = HD_OK;
  struct hd_pricer pricer = hd_cli_pricer(args->node_nm, args->work);
  struct hd_synth_report synth[HD_CLAIM_MODULES] = {0};
  const struct hd_area_claim *claim = hd_area_claim_of(name);
  *priced = (struct hd_cli_priced){.memory = NULL};
  priced->memories = hd_area_memories_of(design, claim, top, tops, &priced->memory);
  if (priced->memories < 0)
    rc = hd_because(why, HD_INPUT, "configuration %s has no %s; heddle list modules says what it has",
                    c->name, name);
  for (int i = 0; i < tops && rc == HD_OK && !args->no_logic; i++)
    rc = hd_cli_synth(args, design, top[i], (struct hd_cli_alone){i, tops}, &pricer, &synth[i], why);
  hd_progress_end();
  if (rc == HD_OK) {
    const struct hd_area_job job = {.memory = priced->memory,
                                    .memories = priced->memories,
                                    .synth = synth,
                                    .synths = args->no_logic ? 0 : tops,
                                    .pricer = pricer,
                                    .claim = claim,
                                    .cache = hd_cli_l1(c),
                                    .design = design};
    rc = hd_area_run(&job, &priced->area, why);
  }
  for (int i = 0; i < HD_CLAIM_MODULES; i++)
    hd_synth_free(&synth[i]);
  hd_cli_pricer_free(&pricer);
  return rc;
}

void hd_cli_priced_free(struct hd_cli_priced *priced) {
  hd_area_free(&priced->area);
  hd_area_memories_free(priced->memory, priced->memories);
  *priced = (struct hd_cli_priced){.memory = NULL};
}
