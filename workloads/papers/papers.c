/* The papers' tables; see papers.h. */
#include "workloads/papers/papers.h"

#define FACT(name, unit, how, meaning) {#name, unit, meaning, WL_FACT_##how},
const struct wl_fact_text wl_fact_texts[WL_FACTS] = {
#include "workloads/papers/facts.def"
};
#undef FACT

enum weight { SHOWN, MUST };
#define APP(app, class, input, why)                                                                          \
  {.kind = WL_PAPER_APP, .name = #app, .group = class, .spec = input, .text = why},
#define SPARSE(reason) {.kind = WL_PAPER_SPARSE, .text = reason},
#define SAID(what, of, number, hows, v, tolerance, weight, source)                                           \
  {.kind = WL_PAPER_##what,                                                                                  \
   .fact = WL_FACT_##of,                                                                                     \
   .n = number,                                                                                              \
   .how = WL_##hows,                                                                                         \
   .value = v,                                                                                               \
   .within = tolerance,                                                                                      \
   .must = (weight) == MUST,                                                                                 \
   .text = source},
#define SAYS(fact, n, how, value, within, weight, source)                                                    \
  SAID(SAYS, fact, n, how, value, within, weight, source)
#define ALL(fact, how, value, within, weight, source) SAID(ALL, fact, 0, how, value, within, weight, source)
#define MEAN(class, of, hows, v, tolerance, weight, source)                                                  \
  {.kind = WL_PAPER_MEAN,                                                                                    \
   .group = class,                                                                                           \
   .fact = WL_FACT_##of,                                                                                     \
   .how = WL_##hows,                                                                                         \
   .value = v,                                                                                               \
   .within = tolerance,                                                                                      \
   .must = (weight) == MUST,                                                                                 \
   .text = source},
enum { SHARE = 1, LINES = 2, STRIDE = 4 };
#define LOAD(n, share, lines, miss, stride, stride_share, must, source)                                      \
  SAYS(load_share, n, IS, share, 20, (must)&SHARE ? MUST : SHOWN, source)                                    \
  SAYS(load_lines, n, IS, lines, 10, (must)&LINES ? MUST : SHOWN, source)                                    \
  SAYS(load_miss, n, IS, miss, 0, SHOWN, source)                                                             \
  SAYS(load_stride, n, IS, stride, 0, (must)&STRIDE ? MUST : SHOWN, source)                                  \
  SAYS(load_stride_share, n, IS, stride_share, 20, SHOWN, source)

static const struct wl_paper_row apres[] = {
#include "workloads/papers/apres.def"
};
static const struct wl_paper_row mrpb[] = {
#include "workloads/papers/mrpb.def"
};
static const struct wl_paper_row choo[] = {
#include "workloads/papers/choo.def"
};
static const struct wl_paper_row apcm[] = {
#include "workloads/papers/apcm.def"
};
static const struct wl_paper_row loscache[] = {
#include "workloads/papers/loscache.def"
};

#define ROWS(name) name, sizeof name / sizeof *name
static const struct wl_paper papers[] = {
    /* APRES's larger L1D has 32 MiB; a configuration's largest has 2 MiB */
    {"apres", "APRES (ISCA 2016)", "apres/lrr", "", "l1d.sets=256 l1d.ways=64", ROWS(apres)},
    {"mrpb", "MRPB (HPCA 2014)", "gpu/mrpb_s", NULL, NULL, ROWS(mrpb)},
    {"choo", "Choo (dissertation, 2016)", "choo/gto", NULL, NULL, ROWS(choo)},
    {"apcm", "APCM (ISCA 2017)", "apcm/lrr", "l1d.ways=8", "l1d.ways=32", ROWS(apcm)},
    {"loscache", "LoSCache (DATE 2019)", "loscache/off", NULL, NULL, ROWS(loscache)}};

const struct wl_paper *wl_paper(size_t i) {
  return i < sizeof papers / sizeof *papers ? &papers[i] : NULL;
}
