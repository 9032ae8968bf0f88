"""The page of heddle report: its JSON, through gnuplot, Graphviz and Jinja2, into one HTML file.

usage: python3 page.py REPORT.json PAGE.html STORE      STORE may be ''

Invariant: figures on the page are those of the JSON, means and shares of them, and those of the store; each table stands there as CSV too.
"""
import csv
import datetime
import io
import json
import math
import os
import re
import sqlite3
import subprocess
import sys

import jinja2

COLOURS = ["#4c8ed9", "#e0802f", "#4aa564", "#c94f6d", "#8f74c9", "#a88b3d", "#3aa6a6", "#888888"]
MOST_CURVES = 8
drawn = 0


def one_line_ids(svg):
    """The SVG without its prologue; its ids are its own on the page."""
    global drawn
    drawn += 1
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"""(\bid=)(["'])""", rf"\1\2p{drawn}_", svg)
    svg = re.sub(r"""(href=)(["'])#""", rf"\1\2#p{drawn}_", svg)
    svg = re.sub(r"url\((['\"]?)#", rf"url(\1#p{drawn}_", svg)
    return svg


def tool(command, text):
    found = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if found.returncode:
        raise RuntimeError(f"{command[0]} failed: {found.stderr.strip()[:300]}")
    return found.stdout


def quoted(text):
    return '"' + str(text).replace("\\", "\\\\").replace('"', "'") + '"'


def gnuplot(script, width=860, height=360):
    head = (f"set terminal svg noenhanced dynamic size {width},{height} font 'sans,12'\n"
            "set border 3\nset tics nomirror\nset grid y lt 1 lc rgb '#999999' lw 0.3\nset key outside top center horizontal\n"
            "set style fill solid 0.9 noborder\nset bmargin 6\nset xtics rotate by -35\n")
    return one_line_ids(tool(["gnuplot"], head + script))


def mean(values):
    values = [v for v in values if v and v > 0]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def show(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1e4 else f"{value:.0f}"
    return str(value)


class Table:
    """Rows of values; as text on the page, in full as CSV."""

    def __init__(self, heads, rows, note=""):
        self.heads, self.rows, self.note = heads, [list(r) for r in rows], note

    def cells(self):
        return [[(show(v), isinstance(v, (int, float)) and not isinstance(v, bool)) for v in r] for r in self.rows]

    def csv(self):
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([self.heads] + [["" if v is None else v for v in r] for r in self.rows])
        return text.getvalue()


def at(value, path):
    for part in path.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


# --- performance ------------------------------------------------------------------------------------------

def bars(machines, workloads, value, label, mean_of=True):
    """Clusters of bars, a cluster a workload, behind them the geometric means. value(machine, workload) may be None."""
    lines = []
    for w in workloads:
        lines.append([w] + [value(m, w) for m in machines])
    if mean_of:
        lines.append(["geomean"] + [mean([value(m, w) for w in workloads]) for m in machines])
    data = "\n".join(" ".join([quoted(l[0])] + ["NaN" if v is None else f"{v:.6g}" for v in l[1:]]) for l in lines)
    plots = ", ".join(f"$d using {i + 2}:xtic(1) title {quoted(m)} lc rgb '{COLOURS[i % len(COLOURS)]}'" for i, m in enumerate(machines))
    return lines, gnuplot(f"$d << EOD\n{data}\nEOD\nset style data histograms\nset style histogram clustered gap 1\n"
                          f"set yrange [0:*]\nset ylabel {quoted(label)}\nplot {plots}\n", max(640, 90 * len(lines)))


def stacked(machines, workloads, parts, value, label):
    """Bars of parts on each other, one a machine and workload. value(machine, workload, part)."""
    lines = [[m if len(machines) > 1 else "", w] + [value(m, w, p) for p in parts] for w in workloads for m in machines]
    text, plots = [], []
    for k, w in enumerate(workloads):
        own = [l for l in lines if l[1] == w]
        rows = "\n".join(" ".join([quoted(l[0])] + [f"{v or 0:.6g}" for v in l[2:]]) for l in own)
        text.append(f"$d{k} << EOD\n{rows}\nEOD")
        plots.append(f"newhistogram {quoted(w)} offset 0,-2.5 lt 1")
        for i, p in enumerate(parts):
            title = f"title {quoted(p)}" if k == 0 else "notitle"
            plots.append(f"$d{k} using {i + 2}:xtic(1) {title} lc rgb '{COLOURS[i % len(COLOURS)]}'")
    script = "\n".join(text) + ("\nset style data histograms\nset style histogram rowstacked\nset boxwidth 0.8\nset yrange [0:*]\n"
                                f"set bmargin 9\nset ylabel {quoted(label)}\nplot {', '.join(plots)}\n")
    return lines, gnuplot(script, max(640, 46 * len(lines) + 120), 420)


def performance(data, machines):
    good = {(r["config"]["name"], r["workload"]): r for r in data["runs"] if r["exit_code"] == 0}
    workloads = list(dict.fromkeys(r["workload"] for r in data["runs"]))
    there = [w for w in workloads if all((m, w) in good for m in machines)]
    yield ("Runs", Table(["machine", "workload", "cycles", "IPC", "resident warps", "L1D miss rate", "load latency", "CPU s", "error"],
                         [[r["config"]["name"], r["workload"], r.get("cycles"), r.get("ipc"), r.get("resident_warps"),
                           at(r, "l1d.miss_rate"), r.get("load_latency"), r["cpu_seconds"], r["error"] or ""] for r in data["runs"]]), None)
    if not there:
        return

    def figure(m, w, path):
        return at(good[m, w], path)

    many = len(machines) > 1
    lines, svg = bars(machines, there, (lambda m, w: figure(m, w, "ipc") / figure(machines[0], w, "ipc")) if many else
                      (lambda m, w: figure(m, w, "ipc")), f"IPC, {machines[0]} = 1" if many else "IPC")
    yield (f"IPC over {machines[0]}" if many else "IPC", Table(["workload"] + machines, lines), svg)
    for title, group, parts, label, scale in [
            ("Stalls of the L1D", "l1d.reservation_fails", None, "cycles in which no request could be decided, per cycle", "cycles"),
            ("Misses by class", "miss_classes", ["compulsory", "capacity", "conflict"], "misses a load", "l1d.loads"),
            ("Traffic at the memory port", "memory", ["read_bytes", "write_bytes"], "bytes an instruction", "instructions")]:
        parts = parts or list(at(good[machines[0], there[0]], group))
        lines, svg = stacked(machines, there, parts,
                             lambda m, w, p: (at(good[m, w], group) or {}).get(p, 0) / max(at(good[m, w], scale) or 0, 1), label)
        yield title, Table(["machine", "workload"] + parts,
                           [[m, w] + [(at(good[m, w], group) or {}).get(p) for p in parts] for w in there for m in machines],
                           f"The table has counts; the plot divides them by {scale}."), svg


# --- over time --------------------------------------------------------------------------------------------

def curves(series, label, height=300):
    """series: [(name, [(x, y)])]"""
    text = "\n".join(f"$s{i} << EOD\n" + "\n".join(f"{x} {y:.6g}" for x, y in points) + "\nEOD" for i, (_, points) in enumerate(series))
    plots = ", ".join(f"$s{i} using 1:2 with lines lw 1.5 lc rgb '{COLOURS[i % len(COLOURS)]}' title {quoted(n)}"
                      for i, (n, _) in enumerate(series))
    return gnuplot(f"{text}\nset xtics norotate\nset bmargin 4\nset xlabel 'cycle'\nset yrange [0:*]\n"
                   f"set ylabel {quoted(label)}\nset format x '%.0s%c'\nplot {plots}\n", 860, height)


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
        own = [c for c in counted if "." in c and not c.startswith(common) and any(r[c] for r in rows)]
        own = sorted(own, key=lambda c: -sum(r[c] for r in rows))[:len(COLOURS)]
        if own:
            lines = [(c, [(r["to"], r[c] / (r["to"] - r["from"])) for r in rows]) for c in own]
            yield f"{name}: what its mechanisms count", curves(lines, "a cycle")


# --- sensitivity ------------------------------------------------------------------------------------------

def sensitivity(store):
    """A plot a key in which rows of the store differ while all other keys are the same: IPC over the curve's first point, geometric
    mean over the workloads that all its points have."""
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
        telling = [k for k in varied if k != key]  # as few keys as tell the groups apart
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
                 "Memories by CACTI or the embedded model, logic by synthesis: see the prices in the JSON, row by row.")


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
        data=data, names=names, changed=changed, same=same, modules=modules(machines), areas=areas(machines), locksteps=locksteps(machines),
        diagrams=[(m["name"], one_line_ids(tool(["dot", "-Tsvg"], m["dot"]))) for m in machines],
        performance=list(performance(data, names)), series=list(over_time(machines)),
        workload=next((m["series"]["workload"] for m in machines if m.get("series")), ""),
        sensitivity=list(sensitivity(store)), store=os.path.basename(store),
        made=data["made"], year=datetime.date.today().year)
    with open(target, "w") as f:
        f.write(page)


if __name__ == "__main__":
    main(*sys.argv[1:])
