"""Reads a page of heddle report: it is well formed and self-contained, has every section, and its figures are those of its JSON.

usage: tests/report/page.py PAGE.html REPORT.json      last line: "N passed, M failed"
"""
import csv
import html
import html.parser
import io
import json
import re
import sys

page = open(sys.argv[1]).read()
data = json.load(open(sys.argv[2]))
passed = failed = 0
VOID = {"meta", "link", "br", "img", "hr", "input"}


def test(what, good):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print("FAILED:", what)


class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.bad, self.ids, self.refs, self.tables, self.sections, self.text = [], [], [], [], {}, {}, None
        self.svgs = 0

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        if tag in ("script", "iframe", "object", "embed"):
            self.bad.append(tag)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        for name in ("src", "href", "xlink:href", "srcset", "action"):
            if attrs.get(name):
                self.refs.append(attrs[name])
        self.bad += [n for n in attrs if n.startswith("on")]
        self.svgs += tag == "svg"
        if tag == "section":
            self.section = attrs["id"]
            self.sections[self.section] = 0
        elif self.open.count("section"):
            self.sections[self.section] += tag in ("svg", "table")
        if tag == "table":
            self.table = self.tables[attrs["id"]] = {"rows": [], "csv": None}
        if tag == "tr":
            self.table["rows"].append([])
        if tag in ("td", "th", "pre"):
            self.text = ""

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.bad.append(f"</{tag}> in {self.open[-3:]} at {self.getpos()}")
        else:
            self.open.pop()
        if tag in ("td", "th"):
            self.table["rows"][-1].append(self.text)
        if tag == "pre":
            self.table["csv"] = list(csv.reader(io.StringIO(self.text)))

    def handle_data(self, text):
        if self.text is not None:
            self.text += text


r = Reader()
r.feed(page)
r.close()
test(f"well formed, without scripts: {r.bad[:5]} {r.open}", not r.bad and not r.open)
test("ids are unique", len(set(r.ids)) == len(r.ids))
test(f"nothing from elsewhere: {[x for x in r.refs if not x.startswith('#')]}", all(x.startswith("#") or x == "data:," for x in r.refs))
test("links lead somewhere", all(x[1:] in r.ids for x in r.refs if x.startswith("#")))
test("no @import, no url of elsewhere", not re.search(r"@import|url\(['\"]?(?!#|['\"]?#)", page))
test("light and dark, print", "prefers-color-scheme: dark" in page and "@media print" in page)
names = [m["name"] for m in data["machines"]]
for section in ("diagrams", "parameters", "verilog", "area", "lockstep", "proofs", "performance", "time", "sensitivity") if names else ():
    test(f"section {section}", section in r.sections)
for section in ("power", "papers"):
    test(f"section {section}", section in r.sections)
for section in ("diagrams", "parameters", "verilog", "lockstep", "performance", "time") if names else ():
    test(f"section {section} has something: {r.sections.get(section)}", r.sections.get(section))

# every table: text and CSV are the same rows
for name, t in r.tables.items():
    test(f"{name}: the CSV has its rows", t["csv"] and len(t["csv"]) == len(t["rows"]) and t["csv"][0] == t["rows"][0])


def close(text, value):
    return text == "" if value is None else text == str(value) if isinstance(value, str) else abs(float(text) - value) <= 1e-9 * abs(value)


runs = [row for t in r.tables.values() if t["rows"][0][:3] == ["machine", "workload", "cycles"] for row in t["csv"][1:]]
test(f"a row a run: {len(runs)} of {len(data['runs'])}", len(runs) == len(data["runs"]) and (runs or not names))
for row, run in zip(runs, data["runs"]):
    want = [run["config"]["name"], run["workload"], run.get("cycles"), run.get("ipc"), run.get("resident_warps"), run.get("l1d", {}).get("miss_rate")]
    test(f"figures of {want[:2]}", all(close(t, v) for t, v in zip(row, want)))
first = data["runs"][0]["workload"] if names else None
for m in data["machines"]:
    good = any(run["config"]["name"] == m["name"] and run["workload"] == first and run["exit_code"] == 0 for run in data["runs"])
    test(f"{m['name']} over time", f"{m['name']}: loads of the L1D" in page if good else True)
ipc = {(run["config"]["name"], run["workload"]): run.get("ipc") for run in data["runs"]}
compared = 0
for t in r.tables.values():
    if t["rows"][0] == ["workload"] + names and len(names) > 1:
        product, n = [1.0] * len(names), 0
        for row in t["csv"][1:-1]:
            for i, name in enumerate(names):
                gain = ipc[name, row[0]] / ipc[names[0], row[0]]
                product[i] *= gain
                compared += abs(float(row[i + 1]) - gain) < 1e-9
            n += 1
        test("gains are ratios of IPC", compared == n * len(names) > 0)
        test("geometric means", all(abs(float(c) - p ** (1 / n)) < 1e-9 for c, p in zip(t["csv"][-1][1:], product)))
test("gains were compared", compared or len(names) < 2)
rows = {(row[0], row[1]): row for row in r.tables["modules"]["csv"][1:]} if names else {}
for m in data["machines"]:
    for d in m["modules"]:
        row = rows[m["name"], d["name"]]
        test(f"sizes of {d['name']}", close(row[3], d["verilog_lines"]) and close(row[5], d["flipflop_bits"]) and close(row[6], d["ram_bits"]))
    lockstep = [row for row in r.tables["locksteps"]["csv"] if row[0] == m["name"]]
    k = m["lockstep"]
    test(f"lockstep of {m['name']}", len(lockstep) == 1 and (lockstep[0][2:5] == [str(k["cycles"]), str(k["values_compared"]), str(k["mismatches"])] if k else lockstep[0][2] == ""))
    area = m["area"]
    if area:
        [row] = [row for row in r.tables["areas"]["csv"] if row[0] == m["name"]]
        test(f"area of {m['name']}", close(row[5], area["total_mm2"]) and close(row[6], (area.get("claim") or {}).get("area_mm2") or None))
keys = {row[0] for name in ("changed", "same") for row in r.tables[name]["csv"][1:]} if names else set()
test("every key of the configuration", keys == {f"{p['section']}.{p['key']}" for p in data["params"]} or not names)


def heights(svg):
    """Of the bars that have one, by colour in the order of the plots; the first of each is the key's."""
    groups = []
    for fill, points in re.findall(r"<polygon fill = '([^']*)'[^>]*points = '([^']*)'", svg):
        ys = [float(p.split(",")[1]) for p in points.split()]
        if not groups or groups[-1][0] != fill:
            groups.append((fill, []))
        groups[-1][1].append(max(ys) - min(ys))
    return [[h for h in of[1:] if h > 0.02] for _, of in groups]


# the papers' figures: every number is in a table, and as high as its bar
drawn = re.findall(r'<h4>(.*?)</h4>\s*<figure class="wide">(.*?)</figure>\s*<p>(.*?)</p>', page, re.S)
figures = [(k, n, f) for k, p in enumerate((data["papers"] or {"papers": []})["papers"], 1) for n, f in enumerate(p["figures"], 1)]
test(f"a picture a figure: {len(drawn)} of {len(figures)}", len(drawn) == len(figures) and (figures or not data["papers"]))
for (title, svg, said), (k, n, f) in zip(drawn, figures):
    heads, *table = r.tables[f"figure{k}-{n}"]["csv"]
    count = len(f["rows"][0]["ours"])
    theirs = [i for i in range(count) if any(row["paper"][i] is not None for row in f["rows"])]
    test(f"numbers of {title}", len(heads) == 1 + count + len(theirs) and len(table) == len(f["rows"]) and all(
        row[0] == want["name"] and all(close(t, v) for t, v in zip(row[1:], want["ours"] + [want["paper"][i] for i in theirs]))
        for row, want in zip(table, f["rows"])))
    test(f"command of {title}", f"<code>{html.escape(f['command'])}</code>" in said)
    if f["stacked"] or f["log"]:
        continue
    bars = [[row[whose][i] for row in f["rows"] if row[whose][i] is not None] for i in range(count) for whose in ("ours", "paper")]
    bars, found = [[abs(v) for v in b if v] for b in bars if b], heights(svg)
    scale = max(sum(found, [0])) / max(sum(bars, [0]))
    test(f"bars of {title}", [len(b) for b in bars] == [len(b) for b in found] and all(
        abs(h - scale * v) < 1 for b, of in zip(bars, found) for v, h in zip(b, of)))
for k, p in enumerate((data["papers"] or {"papers": []})["papers"], 1):
    missing = r.tables.get(f"missing{k}", {"csv": [[]]})["csv"][1:]
    test(f"what is not drawn of {p['title']}", missing == [[", ".join(m["numbers"]), m["why"]] for m in p["not_drawn"]])

# what was given as files
if data["campaign"] is not None and names:
    table = r.tables["campaigns"]["csv"][1:]
    sums = [str(sum(row[key] for row in data["campaign"])) for key in ("cycles", "values_compared", "mismatches")]
    test("the campaign's sums", table[-1][8:11] == sums and table[-1][6] == str(len(data["campaign"])))
    test("a row a machine", all(any(row[0] == name for row in table) for name in names))
if data["proofs"] is not None and names:
    table = r.tables["proved"]["csv"][1:]
    for answer in (a for f in data["proofs"] for a in f["modules"]):
        p = answer.get("properties")
        want = [str(len(p)), str(sum(q["verdict"] == "proved" for q in p))] if p is not None else [str(answer["points"]), str(answer["proved"])]
        test(f"proofs of {answer['module']}", [answer["config"]["name"], answer["module"]] + want in [row[:2] + row[4:6] for row in table])
    there = {(row[0], row[1]) for row in table}
    test("what is not proved is not run", all((m["name"], d["name"]) in there for m in data["machines"] for d in m["modules"] if not d["instances"] and d["verilog_lines"]))
for f in data["power"] or []:
    table = [row for name in ("powers", "energies") if name in r.tables for row in r.tables[name]["csv"][1:]]
    for answer in f.get("runs", [f]):
        key = "uj" if "runs" in f else "total_mw"
        test(f"power: {key} {answer[key]}", any(close(cell, answer[key]) for row in table for cell in row[3:] if re.fullmatch(r"[-0-9.e]+", cell)))
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0 or not passed)
