/* Prints the result of a roll-up, for people and for programs. Every figure has its source beside it. */
#include "area/area.h"

static long bits_of(const struct hd_area_memory *m) {
  return (long)m->mem.depth * m->mem.width * m->count;
}

/* Prints '-' if the paper has no such line or gives no number of bits. */
static void print_bits(const char *name, long paper, long bits, FILE *out) {
  if (paper)
    fprintf(out, "    %-18s %7ld %5ld", name, paper, bits);
  else
    fprintf(out, "    %-18s %7s %5ld", name, "-", bits);
}

static void print_storage(const struct hd_area_report *r, FILE *out) {
  long paper = 0, counted = 0, all = 0;
  fprintf(out, "  storage           paper bits  here\n");
  for (int i = 0; i < r->storages; i++) {
    const struct hd_area_storage *s = &r->storage[i];
    print_bits(s->of.name, s->of.paper_bits, s->bits, out);
    fprintf(out, "  %s\n", s->of.why);
    paper += s->of.paper_bits;
    counted += s->of.paper_bits ? s->bits : 0;
    all += s->bits;
  }
  print_bits("sum", paper, all, out);
  if (paper)
    fprintf(out, "  %g bytes; here what the paper counts is %g bytes, all is %g\n", (double)paper / 8,
            (double)counted / 8, (double)all / 8);
  else
    fprintf(out, "  here %g bytes; the paper gives no number of bits\n", (double)all / 8);
}

/* A paper's figure for a whole GPU is compared only with a GPU of the same size. */
static void print_area(const struct hd_area_report *r, FILE *out) {
  const struct hd_area_claim *c = r->claim;
  if (r->sms == c->sms && r->banks == c->banks)
    fprintf(out, "  area   paper %.4f mm2, here %.4f mm2 (%+.0f %%), memories alone %.4f mm2 (%+.0f %%)\n",
            c->area_mm2, r->total_mm2, 100 * (r->total_mm2 / c->area_mm2 - 1), r->memories_mm2,
            100 * (r->memories_mm2 / c->area_mm2 - 1));
  else
    fprintf(out, "  area   paper %.4f mm2, of %d SMs and %d banks; here of %d and %d: not comparable\n",
            c->area_mm2, c->sms, c->banks, r->sms, r->banks);
}

static void print_claim(const struct hd_area_report *r, FILE *out) {
  const struct hd_area_claim *c = r->claim;
  fprintf(out, "against %s (%s", c->name, c->where);
  if (c->node_nm > 0)
    fprintf(out, ", %g nm", c->node_nm);
  fprintf(out, ")\n");
  if (c->node_nm > 0 && c->node_nm != r->node_nm)
    fprintf(out, "  the paper's node is %g nm, this table's is %g nm: not comparable as they stand\n",
            c->node_nm, r->node_nm);
  if (c->area_mm2 > 0)
    print_area(r, out);
  if (c->clock_ghz > 0 && r->clock_ghz > 0)
    fprintf(out, "  clock  paper %.2f GHz, here %.2f GHz\n", c->clock_ghz, r->clock_ghz);
  if (c->cache_percent > 0 && r->cache_mm2 > 0)
    fprintf(out,
            "  share  paper %g %%, here %.1f %%, memories alone %.1f %%, of the arrays of a %d KB cache, %d "
            "ways, %d-byte lines, read through a %d-bit port (%.4f mm2)\n",
            c->cache_percent, 100 * r->total_mm2 / r->cache_mm2, 100 * r->memories_mm2 / r->cache_mm2,
            r->cache.size_bytes / 1024, r->cache.ways, r->cache.line_bytes, r->cache.port_bits, r->cache_mm2);
  if (r->storages)
    print_storage(r, out);
}

void hd_area_print(const struct hd_area_report *r, FILE *out) {
  fprintf(out, "%g nm; itrs-hp cells, 350 K, no ECC, no wiring between blocks\n", r->node_nm);
  fprintf(out, "%-24s %6s %13s %5s %6s %10s %9s %9s %9s %8s  %s\n", "memory", "count", "words x bits",
          "ports", "kind", "area mm2", "read pJ", "write pJ", "leak mW", "ns", "source");
  for (int i = 0; i < r->rows; i++) {
    const struct hd_area_row *row = &r->row[i];
    const struct hd_area_memory *m = &row->of;
    fprintf(out, "%-24s %6d %6d x %4d %5s %6s %10.6f %9.3f %9.3f %9.4f %8.3f  %s%s%s", m->name, m->count,
            m->mem.depth, m->mem.width, hd_mem_ports_name(m->mem.ports), hd_mem_kind_name(m->mem.kind),
            m->count * row->price.area_mm2, row->price.read_pj, row->price.write_pj,
            m->count * row->price.leak_mw, row->price.access_ns, hd_mem_source_name(row->price.source),
            row->in_logic ? ", in the logic" : "",
            row->price.outside ? ", below CACTI's sizes: extrapolated" : "");
    if (row->price.switch_mm2 > 0)
      fprintf(out, ", %g %% of it power switches (" HD_SWITCH_RANGE ")", 100 * HD_SWITCH_SHARE);
    if (row->price.slices > 1)
      fprintf(out, ", %d slices", row->price.slices);
    fprintf(out, "\n");
  }
  fprintf(out, "memories %.6f mm2\n", r->memories_mm2);
  if (!r->logic_there)
    fprintf(out, "logic    not synthesised: not in the total\n");
  else
    fprintf(out, "logic    %.6f mm2 (%s%s)\n", r->logic_mm2, r->logic_lib,
            r->logic_scaled ? ", scaled to the node" : ", at the library's own node");
  fprintf(out, "total    %.6f mm2, leakage %.3f mW", r->total_mm2, r->leak_mw);
  if (r->clock_ghz > 0)
    fprintf(out, ", clock %.2f GHz%s", r->clock_ghz,
            r->logic_there && !(r->logic_scaled && r->node_nm == 45)
                ? " (logic as fast as its library says, memories at this node)"
                : "");
  fprintf(out, "\n");
  if (r->claim)
    print_claim(r, out);
}

json_t *hd_area_json(const struct hd_area_report *r) {
  json_t *memories = json_array();
  for (int i = 0; i < r->rows; i++) {
    const struct hd_area_row *row = &r->row[i];
    const struct hd_area_memory *m = &row->of;
    json_array_append_new(
        memories,
        json_pack("{s:s, s:I, s:i, s:i, s:i, s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:s, s:b, s:b, s:i}", "name",
                  m->name, "bits", (json_int_t)bits_of(m), "count", m->count, "depth", m->mem.depth, "width",
                  m->mem.width, "ports", hd_mem_ports_name(m->mem.ports), "kind",
                  hd_mem_kind_name(m->mem.kind), "area_mm2", m->count * row->price.area_mm2, "read_pj",
                  row->price.read_pj, "write_pj", row->price.write_pj, "leak_mw",
                  m->count * row->price.leak_mw, "access_ns", row->price.access_ns, "source",
                  hd_mem_source_name(row->price.source), "in_logic", row->in_logic, "extrapolated",
                  row->price.outside, "slices", row->price.slices));
  }
  json_t *o = json_pack("{s:f, s:f, s:f, s:f, s:o}", "node_nm", r->node_nm, "total_mm2", r->total_mm2,
                        "memories_mm2", r->memories_mm2, "leak_mw", r->leak_mw, "memories", memories);
  if (r->logic_there)
    json_object_set_new(o, "logic",
                        json_pack("{s:f, s:s, s:b}", "area_mm2", r->logic_mm2, "lib", r->logic_lib,
                                  "scaled_to_node", r->logic_scaled));
  json_object_set_new(o, "clock_ghz", r->clock_ghz > 0 ? json_real(r->clock_ghz) : json_null());
  if (r->claim) {
    const struct hd_area_claim *c = r->claim;
    json_t *storage = json_array();
    json_t *claim = json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:i, s:i}", "name", c->name, "where", c->where,
                              "node_nm", c->node_nm, "area_mm2", c->area_mm2, "clock_ghz", c->clock_ghz,
                              "cache_percent", c->cache_percent, "sms", c->sms, "banks", c->banks);
    if (r->cache_mm2 > 0)
      json_object_set_new(claim, "cache",
                          json_pack("{s:i, s:i, s:i, s:i, s:f, s:f}", "size_bytes", r->cache.size_bytes,
                                    "ways", r->cache.ways, "line_bytes", r->cache.line_bytes, "port_bits",
                                    r->cache.port_bits, "area_mm2", r->cache_mm2, "percent",
                                    100 * r->total_mm2 / r->cache_mm2));
    for (int i = 0; i < r->storages; i++)
      json_array_append_new(storage, json_pack("{s:s, s:I, s:I, s:s}", "name", r->storage[i].of.name,
                                               "paper_bits", (json_int_t)r->storage[i].of.paper_bits, "bits",
                                               (json_int_t)r->storage[i].bits, "why", r->storage[i].of.why));
    json_object_set_new(claim, "storage", storage);
    json_object_set_new(o, "claim", claim);
  }
  return o;
}
