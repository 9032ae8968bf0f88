# The trace of --timeline over a whole run, against the JSON of that run: each CTA, each miss, each memory instruction is there
# once, and what one slot or MSHR holds does not overlap. With a third argument, a window FROM-TO of the same run: its spans are
# those of the whole that meet it.
# usage: timeline.py TRACE WHOLE.json [WINDOW_TRACE FROM TO]
import collections
import json
import sys

MOST = 1 << 62


def spans(path):
    found, begun = [], {}
    for event in json.load(open(path))["traceEvents"]:
        if event["ph"] == "X":
            where = f"{event['pid']} {event['tid']}"
            found.append((where, event["ts"], event["ts"] + event["dur"], event["cat"], event["name"]))
        elif event["ph"] == "b":
            assert event["id"] not in begun, f"{event['id']} begins twice"
            begun[event["id"]] = event
        elif event["ph"] == "e":
            first = begun.pop(event["id"])
            found.append((event["id"], first["ts"], event["ts"], "warp", first["args"]["instruction"]))
    assert not begun, f"{len(begun)} without an end"
    return found


trace, whole = spans(sys.argv[1]), json.load(open(sys.argv[2]))
last = collections.defaultdict(int)
for where, start, end, _, name in sorted(trace, key=lambda span: span[1]):
    assert last[where] <= start < end <= whole["cycles"] + 1, f"{where}: {name}, {start} to {end}"
    last[where] = end
count = collections.Counter((cat, name if cat != "cta" else "") for _, _, _, cat, name in trace)
assert count["cta", ""] == whole["ctas"] > 0
assert count["mshr", "miss"] == whole["l1d"]["misses"] > 0
assert count["mshr", "prefetch"] == whole.get("prefetch", {}).get("sent", 0)
assert 0 < count["warp", "load"] <= whole["instructions"]
assert 0 < count["warp", "store"] <= whole["instructions"]
if len(sys.argv) > 3:
    first, behind = int(sys.argv[4]), int(sys.argv[5])
    meet = sorted(span for span in trace if span[1] < behind and span[2] > first)
    assert 0 < len(meet) < len(trace)
    assert sorted(spans(sys.argv[3])) == meet
