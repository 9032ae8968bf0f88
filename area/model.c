/* The embedded price of a memory, used if CACTI is absent or refuses the size.
 *
 * SRAM and CAM: closed forms in b = bits, W = bits of a word, N = words, which we fitted to runs of CACTI 7
 * (its shipped configuration: itrs-hp cells and periphery, 350 K, objective ED^2, 45 nm; one factor per
 * figure for other nodes). Flip-flops: per bit, as synthesised with a 45 nm library. The errors are in
 * docs/pricing.md.
 *
 * Invariant: every figure is positive over the whole range of area/memory.h; area grows with depth and with
 * width. */
#include <math.h>

#include "area/memory.h"

/* One row per port count (1RW, 1R1W, 2R1W). `small` is for less than 4 KB, `large` from there to 256 KB. */
struct fit {
  double area[5];   /* um2 = c0 + c1 b + c2 W + c3 N + c4 W^2 */
  double read[5];   /* pJ  = c0 + c1 W + c2 W^2 + c3 b + c4 sqrt b */
  double write[4];  /* pJ  = c0 + c1 W + c2 W sqrt b + c3 sqrt b */
  double leak[3];   /* uW  = c0 + c1 b + c2 W */
  double access[3]; /* ns  = c0 + c1 log2 b + c2 sqrt b */
  double cycle[3];  /* ns, the same form */
};
static const struct fit small[3] = {
    {{117.1, .3742, .4822, .3766, .1118},
     {.06002, 8.726e-3, 5.442e-5, 6.375e-5, 1.901e-3},
     {0, 4.967e-3, 2.503e-4, 9.038e-3},
     {32.83, .1349, .02998},
     {.03124, .01185, 1.817e-4},
     {0, .01136, 1.835e-4}},
    {{209.2, .7564, 0, 1.174, .3056},
     {.0172, 8.136e-3, 8.409e-5, 7.231e-5, 3.922e-3},
     {0, 5.974e-3, 3.434e-4, 8.943e-3},
     {35.31, .1663, .188},
     {.04439, .01146, 2.706e-4},
     {0, .01198, 2.447e-4}},
    {{344.8, 1.300, 0, 1.900, .5894},
     {0, 8.709e-3, 1.081e-4, 8.768e-5, 4.418e-3},
     {.01598, 5.737e-3, 4.307e-4, 9.249e-3},
     {25.29, .2042, .8469},
     {.06675, 9.421e-3, 4.443e-4},
     {0, .01253, 3.019e-4}},
};
static const struct fit large[3] = {
    {{250.7, .3712, 15.79, .1797, 0},
     {0, 0, 1.225e-4, 0, .01653},
     {.01066, .02917, 2.126e-4, 5.901e-3},
     {881.2, .1199, 0},
     {.126, 0, 6.357e-4},
     {0, .01415, 1.700e-4}},
    {{1799, .7471, 19.36, 0, .1402},
     {0, 0, 1.409e-4, 7.334e-6, .01866},
     {0, .01947, 3.110e-4, 7.643e-3},
     {1198, .1456, 0},
     {.1274, 0, 7.978e-4},
     {0, 8.532e-3, 6.405e-4}},
    {{3251, 1.250, 0, .3108, .4540},
     {0, 0, 1.659e-4, 1.656e-5, .02005},
     {0, 0, 4.667e-4, .01008},
     {1344, .1733, 1.063},
     {.1178, 0, 9.931e-4},
     {0, 7.359e-3, 8.655e-4}},
};

/* The factor of each figure at a node. The fits have sub-threshold leakage only; the factors add the leakage
 * of gates. */
struct node_scale {
  double nm, area, read, write, leak, access;
};
static const struct node_scale scales[] = {
    {22, .243, .267, .257, .160, .433},      {32, .508, .533, .528, .364, .716},
    {40, .791, .795, .794, .740, .895},      {45, 1, 1, 1, 1.04, 1},
    {65, 2.096, 1.695, 1.775, 1.220, 1.675}, {90, 4.005, 3.164, 3.268, .405, 2.477},
};

/* Interpolates linearly between two fitted nodes, as CACTI does with its technology tables. */
static struct node_scale scale_at(double nm) {
  const struct node_scale *hi = scales + 1;
  while (hi->nm < nm && hi + 1 < scales + sizeof scales / sizeof *scales)
    hi++;
  const struct node_scale *lo = hi - 1;
  const double t = (nm - lo->nm) / (hi->nm - lo->nm);
#define BETWEEN(x) (lo->x + t * (hi->x - lo->x))
  return (struct node_scale){
      nm, BETWEEN(area), BETWEEN(read), BETWEEN(write), BETWEEN(leak), BETWEEN(access)};
#undef BETWEEN
}

static void scale_price(struct hd_mem_price *p, struct node_scale s) {
  p->area_mm2 *= s.area;
  p->read_pj *= s.read;
  p->write_pj *= s.write;
  p->leak_mw *= s.leak;
  p->access_ns *= s.access;
  p->cycle_ns *= s.access;
}

/* A CAM has one port to read and write, and one to search with the whole word. The energy of a read is that
 * of a search. */
static void cam_at_45(double b, double W, double N, struct hd_mem_price *p) {
  p->area_mm2 = (193.5 + .6455 * b + 24.84 * W + 24.2 * N + .2215 * W * W) * 1e-6;
  p->read_pj = .2923 + 1.207e-3 * b + .01823 * W + .0254 * N;
  p->write_pj = 5.305e-3 * W + 7.839e-4 * N + 1.168e-4 * b + 2.266e-4 * W * sqrt(b);
  p->leak_mw = (.2918 * b + 4.002 * W + 3.231 * N) * 1e-3;
  p->access_ns = .1344 + 2.062e-4 * N + 2.552e-3 * W;
  p->cycle_ns = p->access_ns;
}

void hd_mem_model(const struct hd_memory *mem, double node_nm, struct hd_mem_price *price) {
  const double b = (double)mem->depth * mem->width, W = mem->width, N = mem->depth;
  const double root = sqrt(b), lg = log2(b);
  const struct fit *f = &(b < 8 * 4096 ? small : large)[mem->ports];
  *price = (struct hd_mem_price){
      .area_mm2 = (f->area[0] + f->area[1] * b + f->area[2] * W + f->area[3] * N + f->area[4] * W * W) * 1e-6,
      .read_pj = f->read[0] + f->read[1] * W + f->read[2] * W * W + f->read[3] * b + f->read[4] * root,
      .write_pj = f->write[0] + f->write[1] * W + f->write[2] * W * root + f->write[3] * root,
      .leak_mw = (f->leak[0] + f->leak[1] * b + f->leak[2] * W) * 1e-3,
      .access_ns = f->access[0] + f->access[1] * lg + f->access[2] * root,
      .cycle_ns = f->cycle[0] + f->cycle[1] * lg + f->cycle[2] * root,
      .slices = 1,
      .source = HD_MEM_BY_MODEL,
  };
  if (mem->kind == HD_MEM_CAM)
    cam_at_45(b, W, N, price);
  scale_price(price, scale_at(node_nm));
}

void hd_mem_flipflops(const struct hd_memory *mem, double node_nm, struct hd_mem_price *price) {
  /* um2 per bit at 45 nm, as synthesised from 2x32 to 128x32: 7.35..8.3 with one read multiplexer, 9.7 with
   * two, 8.45..8.6 for a bit that is written and compared. 6.5 if all bits are visible and nothing selects. */
  const double D = mem->depth, W = mem->width;
  const double um2 = mem->kind == HD_MEM_FF_CAM  ? 8.5
                     : mem->ports == HD_MEM_2R1W ? 9.7
                     : mem->depth == 1           ? 6.5
                                                 : 8.1;
  /* Areas of heddle45's cells: a flip-flop 4.522, its enable 1.862, a latch 2.660, a row's clock-gating cell
   * 3.458. A memory of latches has a register for the word to write (no enable), a RAM has one for the word
   * read. The rest is the read logic, as synthesised behind the wrappers from 4x16 to 128x20: to 3 % with
   * flip-flops, 9 % with latches (docs/pricing.md). */
  const double all = mem->kind == HD_MEM_FF_RAM      ? 8.845 * D * W + 6.384 * W
                     : mem->kind == HD_MEM_LATCH_RAM ? (4.2 + .18 * log2(D)) * D * W + 10.9 * W + 11.8 * D
                     : mem->kind == HD_MEM_LATCH_CAM ? (8.5 - 3.724) * D * W + 4.522 * W + 3.458 * D
                                                     : D * W * um2;
  const bool latches = mem->kind == HD_MEM_LATCH_RAM || mem->kind == HD_MEM_LATCH_CAM,
             cam = mem->kind == HD_MEM_FF_CAM || mem->kind == HD_MEM_LATCH_CAM;
  /* Leakage: the 45 nm library's flip-flop and multiplexer, at 25 C. Energies are estimates, C V^2 at 1.1 V:
   * 1.2 fF of clock pin per bit and cycle; the capacitance that switches inside on a write; one multiplexer
   * input per level on a read. */
  const double leak_nw_bit = latches ? 77 : 115, clock_fj_bit = latches ? 0 : 1.4, write_fj_bit = 4.5,
               read_fj_bit = 2.5;
  const double bits = (double)mem->depth * mem->width;
  const double levels = mem->depth > 1 ? ceil(log2(mem->depth)) : 0;
  *price = (struct hd_mem_price){
      .area_mm2 = all * 1e-6,
      .read_pj = (cam ? bits * read_fj_bit : mem->width * (1 + levels) * read_fj_bit) * 1e-3,
      .write_pj = (mem->width * write_fj_bit + bits * clock_fj_bit) * 1e-3,
      .leak_mw = bits * leak_nw_bit * 1e-6,
      .access_ns = .08 + .04 * levels,
      .slices = 1,
      .source = HD_MEM_BY_FF,
  };
  price->cycle_ns = price->access_ns + .04;
  struct node_scale s = scale_at(node_nm);
  s.leak /= scale_at(45).leak; /* the figures above include all leakage */
  scale_price(price, s);
}
