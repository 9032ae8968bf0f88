"""The page of heddle report: makes one HTML file from its JSON, with gnuplot, Graphviz and Jinja2.

usage: python3 page.py REPORT.json PAGE.html STORE      STORE may be ''

Invariant: numbers on the page are those of the JSON, their means and shares, and those of the store; each table is there as CSV, too.
"""
import json
import os
import re
import sqlite3
import sys

import given
import jinja2
import papers
from draw import COLOURS, MOST_CURVES, Table, at, bars, curves, gnuplot, mean, one_line_ids, quoted, show, stacked, tool

# --- performance ------------------------------------------------------------------------------------------

def performance(data, machines):
    good = {(r["config"]["name"], r["workload"]): r for r in data["runs"] if r["exit_code"] == 0}
    workloads = list(dict.fromkeys(r["workload"] for r in data["runs"]))
    there = [w for w in workloads if all((m, w) in good for m in machines)]
    runs = ("Runs", Table(["machine", "workload", "cycles", "IPC", "resident warps", "L1D miss rate", "load latency", "CPU s", "error"],
                         [[r["config"]["name"], r["workload"], r.get("cycles"), r.get("ipc"), r.get("resident_warps"),
                           at(r, "l1d.miss_rate"), r.get("load_latency"), r["cpu_seconds"], r["error"] or ""] for r in data["runs"]]), None)
    if not there:
        yield runs
        return

    def figure(m, w, path):
        return at(good[m, w], path)

    many = len(machines) > 1
    lines, svg = bars(machines, there, (lambda m, w: figure(m, w, "ipc") / figure(machines[0], w, "ipc")) if many else
                      (lambda m, w: figure(m, w, "ipc")), f"IPC, {machines[0]} = 1" if many else "IPC")
    yield (f"IPC over {machines[0]}" if many else "IPC", Table(["workload"] + machines, lines), svg)
    for title, group, parts, label, scale in [
            ("Stalls of the L1D", "l1d.reservation_fails", None, "stalled cycles, part of all", "cycles"),
            ("Misses by class", "miss_classes", ["compulsory", "capacity", "conflict"], "misses a load", "l1d.loads"),
            ("Traffic at the memory port", "memory", ["read_bytes", "write_bytes"], "bytes an instruction", "instructions")]:
        parts = parts or list(at(good[machines[0], there[0]], group))
        lines, svg = stacked(machines, there, parts,
                             lambda m, w, p: (at(good[m, w], group) or {}).get(p, 0) / max(at(good[m, w], scale) or 0, 1), label)
        yield title, Table(["machine", "workload"] + parts,
                           [[m, w] + [(at(good[m, w], group) or {}).get(p) for p in parts] for w in there for m in machines],
                           f"The table has counts; the plot divides them by {scale}."), svg
    yield runs


# --- over time --------------------------------------------------------------------------------------------

def over_time(machines):
    known = {m["name"]: m["series"]["rows"] for m in machines if m.get("series") and m["series"]["rows"]}
    if not known:
        return
    yield "IPC", curves([(n, [(r["to"], r["ipc"]) for r in rows]) for n, rows in known.items()], "IPC")
    for name, rows in known.items():
        counted = [c for c in rows[0] if c not in ("from", "to", "ipc")]
        l1d = [c for c in ("l1d.hits", "l1d.hit_reserved", "l1d.misses", "l1d.bypasses") if c in counted]
        yield f"{name}: loads of the L1D", curves([(c, [(r["to"], r[c] / (r["to"] - r["from"])) for r in rows]) for c in l1d], "a cycle")
        common = ("l1d.", "miss_classes.", "memory.", "gpu.", "energy.")
        lines, awake = "gpu.l2.power.line_cycles", "gpu.l2.power.awake_cycles"
        if lines in counted and any(r[awake] < r[lines] for r in rows):
            yield f"{name}: lines of the L2", curves([("powered", [(r["to"], r[awake] / r[lines]) for r in rows if r[lines]])], "part of all lines")
        own = [c for c in counted if "." in c and not c.startswith(common) and any(r[c] for r in rows)]
        own = sorted(own, key=lambda c: -sum(r[c] for r in rows))[:len(COLOURS)]
        if own:
            lines = [(c, [(r["to"], r[c] / (r["to"] - r["from"])) for r in rows]) for c in own]
            yield f"{name}: what its mechanisms count", curves(lines, "a cycle")


# --- sensitivity ------------------------------------------------------------------------------------------

def sensitivity(store):
    """One plot for each key in which rows of the store differ while all other keys are equal. It shows IPC relative to the curve's first
    point, as geometric mean over the workloads that all points of the curve have."""
    if not store or not os.path.exists(store):
        return
    db = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    [model] = db.execute("SELECT model FROM run ORDER BY ended DESC, id DESC LIMIT 1").fetchone() or [None]
    rows = {}
    for config, workload, ipc in db.execute("SELECT config, workload, figures ->> '$.ipc' FROM run WHERE model = ?", (model,)):
        flat = tuple((f"{s}.{k}", v) for s, keys in json.loads(config).items() for k, v in keys.items())
        rows.setdefault(flat, {})[workload] = ipc
    machines = [dict(flat) for flat in rows]
    ipc = list(rows.values())
    varied = [k for k in (machines[0] if machines else {}) if len({m[k] for m in machines}) > 1]
    for key in varied:
        if not all(isinstance(m[key], int) and not isinstance(m[key], bool) for m in machines):
            continue
        groups = {}
        for m, figures in zip(machines, ipc):
            groups.setdefault(tuple((k, m[k]) for k in varied if k != key), []).append((m[key], figures))
        series, table = [], []
        telling = [k for k in varied if k != key]  # the keys needed to distinguish the groups
        for k in list(telling):
            fewer = [t for t in telling if t != k]
            if len({tuple(dict(g)[t] for t in fewer) for g in groups}) == len(groups):
                telling = fewer
        for rest, points in groups.items():
            points.sort(key=lambda p: p[0])
            shared = set.intersection(*(set(f) for _, f in points))
            if len(points) < 2 or not shared:
                continue
            name = " ".join(f"{k}={show(v)}" for k, v in rest if k in telling) or "all"
            first = points[0][1]
            series.append((name, [(x, mean([f[w] / first[w] for w in shared])) for x, f in points]))
            table += [[name, x, y, len(shared)] for x, y in series[-1][1]]
        if not series:
            continue
        shown = list(enumerate(series[:MOST_CURVES]))
        text = "\n".join(f"$s{i} << EOD\n" + "\n".join(f"{x} {y:.6g}" for x, y in p) + "\nEOD" for i, (_, p) in shown)
        plots = ", ".join(f"$s{i} using 1:2 with linespoints pt 7 ps 0.5 lc rgb '{COLOURS[i % len(COLOURS)]}' title {quoted(n[:90])}"
                          for i, (n, _) in shown)
        svg = gnuplot(f"{text}\nset xtics norotate\nset bmargin 4\nset key outside bottom center vertical maxcols 1\n"
                      f"set xlabel {quoted(key)}\nset ylabel 'IPC, first point = 1'\nplot {plots}\n", 860, 320 + 20 * len(shown))
        left = f" {len(series) - MOST_CURVES} more curves are in the table alone." if len(series) > MOST_CURVES else ""
        yield key, Table(["machine", key, "IPC over the first point", "workloads"], table, "Geometric means." + left), svg


# --- tables -----------------------------------------------------------------------------------------------

def parameters(data, machines):
    changed, same = [], []
    for p in data["params"]:
        values = [at(m["config"], f"{p['section']}.{p['key']}") for m in machines]
        row = [f"{p['section']}.{p['key']}"] + values + [p["default"], p.get("unit") or "", p["meaning"], p["source"] or ""]
        (changed if any(v != p["default"] for v in values) else same).append(row)
    heads = ["key"] + [m["name"] for m in machines] + ["default", "unit", "meaning", "source"]
    return Table(heads, changed), Table(heads, same)


def modules(machines):
    logic = {(m["name"], s["top"]): s for m in machines for s in m["synth"] or []}
    rows = []
    for m in machines:
        for d in m["modules"]:
            s = logic.get((m["name"], d["name"]), {})
            rows.append([m["name"], d["name"], d["title"], d.get("verilog_lines"), d.get("verilog_bytes"), d["flipflop_bits"],
                         d["ram_bits"], s.get("cells"), s.get("area_um2"), s.get("fmax_mhz")])
    return Table(["machine", "module", "what it is", "lines of Verilog", "bytes", "flip-flop bits", "RAM bits", "cells", "logic, um2",
                  "clock, MHz"], rows)


def areas(machines):
    rows = []
    for m in machines:
        a = m["area"]
        if not a:
            continue
        claim = a.get("claim") or {}
        rows.append([m["name"], a["top"], a["node_nm"], a["memories_mm2"], at(a, "logic.area_mm2"), a["total_mm2"],
                     claim.get("area_mm2") or None, claim.get("node_nm") or None, claim.get("cache_percent") or None,
                     at(claim, "cache.percent"), claim.get("clock_ghz") or None, a.get("clock_ghz"), claim.get("where", "")])
    return Table(["machine", "what", "node, nm", "memories, mm2", "logic, mm2", "in all, mm2", "paper, mm2", "paper's node, nm",
                  "paper, % of the L1D", "ours, % of the L1D", "paper, GHz", "ours, GHz", "where"], rows,
                 "Memories by CACTI or the embedded model, logic by synthesis: see the prices in the JSON, row by row."
                 if any(r[4] for r in rows) else "Memories alone, by CACTI or the embedded model: without synthesis nothing is known of the logic.")


def locksteps(machines):
    rows = []
    for m in machines:
        k = m["lockstep"]
        if k:
            rows.append([m["name"], "equal" if k["error"] is None else "FAILED: " + k["error"], k["cycles"], k["values_compared"],
                         k["mismatches"], k["events_seen"], k["events_declared"], k["seed"]])
        else:
            why = f"the golden model alone: {m['model_only']}" if m["model_only"] else "not run"
            rows.append([m["name"], why, None, None, None, None, None, None])
    return Table(["machine", "RTL and golden model", "cycles", "values compared", "mismatches", "events seen", "of", "seed"], rows)


def diagram(dot):
    """Scales the diagram to the page, but to no less than three fifths of its size, so that it stays readable; then it scrolls."""
    svg = one_line_ids(tool(["dot", "-Tsvg"], dot))
    width = float(re.search(r'<svg width="([0-9.]+)pt"', svg).group(1)) * 4 / 3
    return svg.replace("<svg", f'<svg style="min-width:{0.6 * width:.0f}px"', 1)


CONTENTS = [("diagrams", "Diagrams"), ("parameters", "Parameters"), ("verilog", "Verilog"), ("area", "Area"), ("power", "Power"), ("lockstep", "Lockstep"),
            ("proofs", "Proofs"), ("performance", "Performance"), ("time", "Over time"), ("sensitivity", "Sensitivity"), ("papers", "Papers")]


def main(source, target, store):
    data = json.load(open(source))
    machines = data["machines"]
    names = [m["name"] for m in machines]
    if len(set(names)) < len(names):
        sys.exit("Error: two machines have one name: " + ", ".join(names))
    here = os.path.dirname(os.path.abspath(__file__))
    env = jinja2.Environment(loader=jinja2.FileSystemLoader(here), autoescape=True, undefined=jinja2.StrictUndefined,
                             trim_blocks=True, lstrip_blocks=True)
    changed, same = parameters(data, machines)
    page = env.get_template("page.html").render(
        data=data, machines=machines, names=names, title=", ".join(names) or "the papers' figures", contents=[c for c in CONTENTS if names or c[0] in ("power", "papers")], changed=changed, same=same, modules=modules(machines), areas=areas(machines), locksteps=locksteps(machines),
        diagrams=[(m["name"], diagram(m["dot"])) for m in machines],
        performance=list(performance(data, names)), series=list(over_time(machines)),
        workload=next((m["series"]["workload"] for m in machines if m.get("series")), ""),
        sensitivity=list(sensitivity(store)), store=os.path.basename(store),
        papers=list(papers.sections(data["papers"])), campaign=given.campaign(data["campaign"], machines),
        proofs=given.proofs(data["proofs"], machines), power=given.power(data["power"], machines), energy=given.energy(data["power"]),
        their_energy=papers.energies(data["papers"]), made=data["made"])
    with open(target, "w") as f:
        f.write(page)


if __name__ == "__main__":
    main(*sys.argv[1:])
