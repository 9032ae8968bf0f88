"""What the scripts of docs/results/ share: runs whose results are kept, and tables between two marks of a page."""
import functools
import json
import math
import os
import re
import subprocess
import textwrap

heddle = os.environ.get("HEDDLE", "build/heddle")
kept = os.path.join(os.environ.get("BUILD", "build"), "results")
store = os.path.join(kept, "results.db")


def place():
    """Where runs happen, $ON ("cores", the default, or "slurm"), and $JOBS how many at a time, for `heddle`."""
    return ["--on", os.environ.get("ON", "cores"), "-j", os.environ.get("JOBS", "0")]


def sweep(name, machines, workloads, seeds=()):
    """Runs all workloads on all machines, files; {(file, workload): its run}.
    With seeds, once with each that a workload takes."""
    file, out = (os.path.join(kept, f"{name}.{end}") for end in ("yaml", "json"))
    os.makedirs(kept, exist_ok=True)
    listed = lambda words: "".join(f'  - "{w}"\n' for w in words)
    left, found = {os.path.abspath(m): m for m in machines}, {}
    while left:  # a sweep leaves out a machine that has the keys of another one: its runs are in the store, the next time round
        with open(file, "w") as f:
            f.write(f"configs:\n{listed(left)}workloads:\n{listed(dict.fromkeys(workloads))}")
            f.write(f"seeds: [{', '.join(map(str, seeds))}]\n" if seeds else "")
        subprocess.run([heddle, "sweep", file, "--store", store, "--json", out] + place(), check=True, stdout=subprocess.DEVNULL)
        rows = json.load(open(out))["runs"]
        found.update({(left[r["config"]["path"]], r["workload"]): r for r in rows})
        for path in {r["config"]["path"] for r in rows}:
            del left[path]
    return found


def runs(name, machines, workloads):
    """Every workload on every machine, a file: {(name of the machine, workload): its run}."""
    return {(r["config"]["name"], w): r for (_, w), r in sweep(name, machines, workloads).items()}


@functools.cache
def stats(workload):
    """What heddle trace stats says of it: no timing, an L1D that never evicts."""
    out = os.path.join(kept, "stats.json")
    os.makedirs(kept, exist_ok=True)
    subprocess.run([heddle, "trace", "stats", "-w", workload, "--json", out], check=True, stdout=subprocess.DEVNULL)
    return json.load(open(out))


def applications(paper):
    """[(name, class, workload)]: the paper's applications and what stands for them (workloads/papers/PAPER.def)."""
    text = open(f"workloads/papers/{paper}.def").read()
    words = dict(re.findall(r'^#define (\w+) "([^"]*)"$', text, re.M))
    found = re.findall(r'^APP\(([^,]+), (\w+), "([^"]*)",', text, re.M)
    assert len(found) == len(re.findall(r"^APP\(", text, re.M)), paper
    return [(name, words[group], workload) for name, group, workload in found]


def variant(folder, name, base, text):
    """A machine that is one of configs/FOLDER with something changed."""
    path = os.path.join(kept, folder, name + ".yaml")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    base = os.path.abspath(f"configs/{folder}/{base}.yaml")[:-len(".yaml")]
    with open(path, "w") as f:
        f.write(f"base: {os.path.relpath(base, os.path.dirname(path))}\n{text}")
    return path


def made(notes):
    """Below a table: on top of which commit it was made, and what else a reader must know of it."""
    for command in (["git", "merge-base", "HEAD", "main"], ["git", "rev-parse", "HEAD"]):
        found = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if not found.returncode:
            break
    yield ""
    yield from textwrap.wrap(" ".join([f"Made on top of commit {found.stdout[:7]}; one run each, without chance."] + notes), 100)


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def line(cells):
    return "| " + " | ".join(cells) + " |"


def share(part, whole):
    return f"{100 * part / whole:.1f}" if whole else "-"


def put(page, marker, lines, notes=None):
    """Between the marks of a page; below it, with notes, of which commit it is."""
    lines = list(lines)  # may take hours of runs: the page stays whole meanwhile
    lines += made(notes) if notes is not None else []
    text = open(page).read()
    begin, end = f"<!-- {marker} -->\n", f"<!-- end {marker} -->\n"
    head, rest = text.split(begin)
    with open(page + ".new", "w") as whole:
        whole.write(head + begin + "\n".join(lines) + "\n" + end + rest.split(end)[1])
    os.replace(page + ".new", page)


def part(page, marker):
    return open(page).read().split(f"<!-- {marker} -->\n")[1].split(f"<!-- end {marker} -->\n")[0].splitlines()


def rows(page, marker):
    """A table: its rows as lists of cells, the headings first."""
    return [[c.strip() for c in l.split("|")[1:-1]] for l in part(page, marker) if l.startswith("|") and not l.startswith("|---")]


def cells(page, marker):
    """A table: {first cell: {heading: cell}}, without stars; of columns with one heading the first."""
    heads, *there = [[c.strip("*") for c in row] for row in rows(page, marker)]
    return {row[0]: dict(reversed(list(zip(heads, row)))) for row in there}


def number(cell):
    return float(re.match(r"[-+]?[0-9.]+", cell.strip("*")).group())


def means(page, marker, groups, arithmetic=lambda heading, cell: "%" in cell):
    """Facts for check(): each mean of a table, its cell in stars, against the mean of the rows as they stand in the table. groups:
    {heading of the row of means: names of the rows it sums}. What rows are rounded by may move a mean by a thousandth, or by one in its last digit."""
    heads, *there = rows(page, marker)
    by_name = {row[0]: row for row in there}
    facts = []
    for heading, names in groups.items():
        facts.append(([heading, True], [heading, any(c.startswith("**") for c in by_name[f"**{heading}**"][1:])]))
        for i, cell in enumerate(by_name[f"**{heading}**"][1:], 1):
            if not cell.startswith("**"):
                continue
            values = [number(by_name[n][i]) for n in names if by_name[n][i] not in ("", "-")]
            found = sum(values) / len(values) if arithmetic(heads[i], cell) else mean(values)
            last = 10.0 ** -len(re.sub(r"[^0-9.]", "", cell).partition(".")[2])
            near = abs(found - number(cell)) <= max(1.01 * last, 0.001 * abs(found))
            facts.append(([marker, heading, heads[i], cell], [marker, heading, heads[i], cell if near else f"{found:.4f}"]))
    return facts


def check(facts):
    """Pairs of what is written and what is made now: says which differ, and the sum. True: stale, or nothing was compared."""
    for old, new in facts:
        if old != new:
            print("stale (make results):", old, "now", new)
    stale = sum(old != new for old, new in facts)
    fresh = len(facts) - stale
    print(f"{fresh} passed, {stale} failed")
    return stale > 0 or not fresh
