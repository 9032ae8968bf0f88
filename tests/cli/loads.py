# The rows of --loads against the JSON of the same run, whose counts they add up to, and against `heddle trace stats` of the workload:
# each load instruction has as many requests as it has line references there.
# usage: loads.py LOADS WHOLE.json STATS.json
import csv
import json
import sys

with open(sys.argv[1]) as f:
    rows = list(csv.DictReader(f))
whole, stats = (json.load(open(path)) for path in sys.argv[2:4])
outcomes = ["hits", "hit_reserved", "misses", "bypasses"]
assert rows and all(int(r["loads"]) == sum(int(r[o]) for o in outcomes) for r in rows)
for name in ["loads"] + outcomes:
    total = sum(int(r[name]) for r in rows)
    assert total == whole["l1d"][name], f"{name}: rows {total}, run {whole['l1d'][name]}"
found = {(r["kernel"], int(r["pc"])): int(r["loads"]) for r in rows}
there = {(k["name"], l["pc"]): l["references"] for k in stats["kernels"] for l in k["loads"]}
assert len(found) == len(rows) > 2 and found == there, f"{found}, not {there}"
