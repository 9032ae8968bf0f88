/* Adds up memories and logic; see area.h. Nothing is counted twice: a flip-flop is either in the logic or in
 * a row. */
#include "area/area.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum hd_rc hd_area_cache_price(const struct hd_pricer *how, const struct hd_area_cache *cache,
                               struct hd_mem_price *price, struct hd_why *why) {
  if (cache->ways < 1 || cache->line_bytes < 1 || cache->port_bits < 1 || cache->tag_bits < 1 ||
      cache->size_bytes < cache->ways * cache->line_bytes || cache->port_bits > 8 * cache->line_bytes)
    return hd_because(why, HD_INPUT, "cache of %d bytes, %d ways, lines of %d bytes, %d-bit port: impossible",
                      cache->size_bytes, cache->ways, cache->line_bytes, cache->port_bits);
  const int lines = cache->size_bytes / cache->ways / cache->line_bytes;
  const struct hd_memory data = {lines * (8 * cache->line_bytes / cache->port_bits), cache->port_bits,
                                 HD_MEM_1RW, HD_MEM_SRAM};
  const struct hd_memory tags = {lines, cache->tag_bits, HD_MEM_1RW, HD_MEM_SRAM};
  struct hd_mem_price tag;
  enum hd_rc rc = hd_mem_price(how, &data, price, why);
  if (rc == HD_OK)
    rc = hd_mem_price(how, &tags, &tag, why);
  if (rc != HD_OK)
    return rc;
  price->area_mm2 = cache->ways * (price->area_mm2 + tag.area_mm2);
  price->leak_mw = cache->ways * (price->leak_mw + tag.leak_mw);
  return HD_OK;
}

static void add_logic(const struct hd_synth_report *synth, int copies, struct hd_area_report *report) {
  const struct hd_synth_result *top = &synth->result[0];
  const double ghz = top->timing.fmax_mhz / 1000;
  double mm2 = copies * top->net.area_um2 * 1e-6;
  snprintf(report->logic_lib, sizeof report->logic_lib, "%s", synth->lib);
  /* The node of other libraries is unknown. Area scales with the square of the feature size. */
  report->logic_scaled = !strcmp(synth->lib, "heddle45");
  if (report->logic_scaled)
    mm2 *= report->node_nm / 45 * (report->node_nm / 45);
  report->logic_mm2 += mm2;
  report->leak_mw += copies * top->net.leak_nw * 1e-6;
  if (!report->logic_there || ghz < report->clock_ghz)
    report->clock_ghz = ghz;
  report->logic_there = true;
}

enum hd_rc hd_area_run(const struct hd_area_job *job, struct hd_area_report *report, struct hd_why *why) {
  memset(report, 0, sizeof *report);
  report->node_nm = job->pricer.node_nm ? job->pricer.node_nm : 45;
  report->claim = job->claim;
  report->cache = job->cache;
  if (job->claim && job->claim->sms && job->design) {
    report->sms = (int)job->design->c->gpu.sms;
    report->banks = (int)job->design->c->l2.banks;
  }
  report->row = hd_zeroed((size_t)job->memories + 1, sizeof *report->row);
  for (int i = 0; i < job->synths; i++)
    add_logic(&job->synth[i], hd_area_copies(job->design, job->claim, job->synth[i].result[0].name), report);
  if (job->claim && job->claim->item && job->design)
    report->storages = hd_area_storage_of(job->design, job->claim, &report->storage);

  double cycle_ns = 0;
  for (int i = 0; i < job->memories; i++) {
    struct hd_area_row *row = &report->row[report->rows++];
    row->of = job->memory[i];
    struct hd_why reason;
    enum hd_rc rc = hd_mem_price(&job->pricer, &row->of.mem, &row->price, &reason);
    if (rc != HD_OK || row->of.count < 1)
      return hd_because(why, rc ? rc : HD_INPUT, "%s: %s", row->of.name, rc ? reason.text : "no instances");
    row->in_logic = report->logic_there && hd_mem_is_cells(row->of.mem.kind);
    if (row->in_logic)
      continue;
    report->memories_mm2 += row->of.count * row->price.area_mm2;
    report->leak_mw += row->of.count * row->price.leak_mw;
    cycle_ns = row->price.cycle_ns > cycle_ns ? row->price.cycle_ns : cycle_ns;
  }
  report->total_mm2 = report->memories_mm2 + report->logic_mm2;
  if (cycle_ns > 0 && (!report->clock_ghz || report->clock_ghz > 1 / cycle_ns))
    report->clock_ghz = 1 / cycle_ns;
  if (!job->cache.size_bytes)
    return HD_OK;
  struct hd_mem_price cache = {0};
  enum hd_rc rc = hd_area_cache_price(&job->pricer, &job->cache, &cache, why);
  if (rc == HD_OK)
    report->cache_mm2 = cache.area_mm2;
  return rc;
}

void hd_area_free(struct hd_area_report *report) {
  free(report->row);
  free(report->storage);
  memset(report, 0, sizeof *report);
}
