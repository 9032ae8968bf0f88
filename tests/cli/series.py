# The rows of --series against the JSON of the same run: they follow on each other, and add up to its counts.
# usage: series.py SERIES WHOLE.json
import csv
import json
import sys


def leaf(tree, path):
    for name in path.split("."):
        tree = tree[name]
    return tree


path, whole = sys.argv[1], json.load(open(sys.argv[2]))
with open(path) as f:
    rows = json.load(f) if path.endswith(".json") else list(csv.DictReader(f))
rows = [{name: float(value) for name, value in row.items()} for row in rows]
assert len(rows) > 5, f"{len(rows)} rows"
assert rows[0]["from"] == 0 and rows[-1]["to"] == whole["cycles"]
assert all(a["to"] == b["from"] < b["to"] for a, b in zip(rows, rows[1:]))
for row in rows:
    assert abs(row["ipc"] * (row["to"] - row["from"]) - row["instructions"]) < 0.01
columns = [name for name in rows[0] if name not in ("from", "to", "ipc")]
assert len(columns) > 30, f"{len(columns)} columns"
for name in columns:
    total, figure = sum(row[name] for row in rows), leaf(whole, name)
    assert total == figure, f"{name}: rows {total}, run {figure}"
