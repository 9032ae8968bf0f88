"""The elements of a report: tables, and plots by gnuplot as SVG.

Invariant: every table is on the page in full as CSV, too; the ids of a picture are unique on the page.
"""
import csv
import io
import math
import re
import subprocess

COLOURS = ["#4c8ed9", "#e0802f", "#4aa564", "#c94f6d", "#8f74c9", "#a88b3d", "#3aa6a6", "#888888"]
MOST_CURVES = 8
drawn = 0


def one_line_ids(svg):
    """Returns the SVG without its prologue, with ids that are unique on the page."""
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
    return one_line_ids(tool(["gnuplot"], head + script)).replace("<svg", f'<svg style="max-width:min(100%,{width}px)"', 1)


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
    """Rows of values: as text on the page, and in full as CSV."""

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


# --- plots ------------------------------------------------------------------------------------------------

def labels(workloads):
    """The names of workloads in a plot: without the input, if all have the same input."""
    inputs = {w.partition(":")[2] for w in workloads}
    names = [w.partition(":")[0] for w in workloads]
    return names if len(inputs) == 1 and len(set(names)) == len(names) else workloads


def bars(machines, workloads, value, label, mean_of=True):
    """Clusters of bars, one cluster per workload, then one for the geometric means. value(machine, workload) may be None."""
    lines = []
    for w in workloads:
        lines.append([w] + [value(m, w) for m in machines])
    if mean_of:
        lines.append(["geomean"] + [mean([value(m, w) for w in workloads]) for m in machines])
    data = "\n".join(" ".join([quoted(n)] + ["NaN" if v is None else f"{v:.6g}" for v in l[1:]])
                     for n, l in zip(labels(workloads) + ["geomean"], lines))
    plots = ", ".join(f"$d using {i + 2}:xtic(1) title {quoted(m)} lc rgb '{COLOURS[i % len(COLOURS)]}'" for i, m in enumerate(machines))
    return lines, gnuplot(f"$d << EOD\n{data}\nEOD\nset style data histograms\nset style histogram clustered gap 1\n"
                          f"set yrange [0:*]\nset ylabel {quoted(label)}\nplot {plots}\n", max(640, 90 * len(lines)))


def stacked(machines, workloads, parts, value, label):
    """Stacked bars, one per machine and workload. value(machine, workload, part)."""
    lines = [[m if len(machines) > 1 else "", w] + [value(m, w, p) for p in parts] for w in workloads for m in machines]
    text, plots = [], []
    names = labels(workloads)
    for k, w in enumerate(workloads):
        own = [l for l in lines if l[1] == w]
        rows = "\n".join(" ".join([quoted(l[0])] + [f"{v or 0:.6g}" for v in l[2:]]) for l in own)
        text.append(f"$d{k} << EOD\n{rows}\nEOD")
        plots.append(f"newhistogram {quoted(names[k])} offset 0,-2.5 lt 1")
        for i, p in enumerate(parts):
            title = f"title {quoted(p)}" if k == 0 else "notitle"
            plots.append(f"$d{k} using {i + 2}:xtic(1) {title} lc rgb '{COLOURS[i % len(COLOURS)]}'")
    script = "\n".join(text) + ("\nset style data histograms\nset style histogram rowstacked\nset boxwidth 0.8\nset yrange [0:*]\n"
                                f"set bmargin 9\nset ylabel {quoted(label)}\nplot {', '.join(plots)}\n")
    return lines, gnuplot(script, max(640, len(workloads) * max(26 * (len(machines) + 1), 7 * max(map(len, names)) + 10) + 120), 420)


def curves(series, label, height=300):
    """series: [(name, [(x, y)])]"""
    text = "\n".join(f"$s{i} << EOD\n" + "\n".join(f"{x} {y:.6g}" for x, y in points) + "\nEOD" for i, (_, points) in enumerate(series))
    plots = ", ".join(f"$s{i} using 1:2 with lines lw 1.5 lc rgb '{COLOURS[i % len(COLOURS)]}' title {quoted(n)}"
                      for i, (n, _) in enumerate(series))
    return gnuplot(f"{text}\nset xtics norotate\nset bmargin 4\nset xlabel 'cycle'\nset yrange [0:*]\n"
                   f"set ylabel {quoted(label)}\nset format x '%.0s%c'\nplot {plots}\n", 860, height)


def faint(colour):
    """The colour of the paper's figures: the given colour mixed with grey."""
    return "#" + "".join(f"{(int(colour[i:i + 2], 16) + 3 * 200) // 4:02x}" for i in (1, 3, 5))


def clusters(rows, series, stacks, unit, log=False, base=None):
    """Clusters of bars, one per row (name, ours, theirs); theirs are faint and right of ours. Without stacks there is one bar per series,
    else one bar per stack, whose parts are the series. A value may be None. base: draws a line at this value."""
    boxes, tics, x, floor = {}, [], 0.0, 0.1
    if log:
        floor = min(v for _, ours, theirs in rows for v in ours + theirs if v and v > 0) / 2
    for name, ours, theirs in rows:
        begin = x
        for bar in range(len(stacks or series)):
            parts = range(bar * len(series), (bar + 1) * len(series)) if stacks else [bar]
            for whose, values in (("", ours), (", the paper", theirs)):
                if all(values[i] is None for i in parts):
                    x += not whose  # keeps the place of a missing bar of ours
                    continue
                low = floor if log else 0
                for i in parts:
                    high = low + (values[i] or 0) if stacks else max(values[i], floor) if log else values[i]
                    boxes.setdefault((i % len(series), whose), []).append(f"{x + .5:.6g} 0 {x + .05:.6g} {x + .95:.6g} {low:.6g} {high:.6g}")
                    low = high
                x += 1
        tics.append(f"{quoted(name)} {(begin + x) / 2:.6g}")
        x += 1 if len(series) > 1 or stacks else .5
    text, plots = [], []
    for k, ((i, whose), lines) in enumerate(sorted(boxes.items())):
        colour = COLOURS[i % len(COLOURS)]
        text.append(f"$b{k} << EOD\n" + "\n".join(lines) + "\nEOD")
        plots.append(f"$b{k} using 1:2:3:4:5:6 with boxxyerror lc rgb '{faint(colour) if whose else colour}' title {quoted(series[i] + whose)}")
    if base is not None:
        plots.append(f"{base} with lines lc rgb '#777777' dt 2 notitle")
    below = any(v is not None and v < 0 for _, ours, theirs in rows for v in ours + theirs)
    return gnuplot("\n".join(text) + f"\nset bmargin {3 + max(len(name) for name, _, _ in rows) // 3}\nset xtics ({', '.join(tics)})\nset xrange [-0.5:{x:.6g}]\nset ylabel {quoted(unit)}\n"
                   + (f"set logscale y\nset yrange [{floor:.6g}:*]\n" if log else "set xzeroaxis\n" if below else "set yrange [0:*]\n")
                   + f"plot {', '.join(plots)}\n", min(1180, max(640, int(90 + 9 * x))))
