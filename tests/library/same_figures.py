"""Whether what examples/c/gpu.c printed are the figures of `heddle sim --json`, and its counts of requests those of the caches.

usage: same_figures.py PRINTED SIM.json
"""
import json
import re
import sys


def flat(path, value):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flat(path + [key], inner)
    elif not isinstance(value, str):
        yield ".".join(path), value


def main(printed, answer):
    wrong, figures, loads = [], {}, {}
    for line in open(printed):
        told = re.match(r"L(\d) loads: (\d+) hits, (\d+) merged, (\d+) misses, (\d+) uncached", line)
        if told:
            loads[int(told[1])] = [int(told[i]) for i in range(2, 6)]
        else:
            name, number = line.split()
            figures[name] = float(number)
    with open(answer) as f:
        sim = json.load(f)
    del sim["config"]
    sim.pop("energy", None)
    sim = dict(flat([], sim))
    if set(sim) != set(figures):
        wrong.append("names differ: %s" % sorted(set(sim) ^ set(figures)))
    for name, number in sim.items():
        if name != "seconds" and abs(figures.get(name, -1) - number) > 1e-9 * abs(number):
            wrong.append("%s: found %s; allowed: %s" % (name, figures.get(name), number))
    l1 = [sim["l1d.%s" % k] for k in ("hits", "hit_reserved", "misses", "bypasses")]
    if loads[1] != l1 or not l1[0] or not l1[2]:
        wrong.append("L1 loads: found %s; allowed: %s" % (loads[1], l1))
    if "gpu.l2.reads" in sim and (sum(loads[2]) != sim["gpu.l2.reads"] or not sum(loads[2])):
        wrong.append("L2 loads: found %s; allowed: %s in all" % (loads[2], sim["gpu.l2.reads"]))
    print("\n".join(wrong))
    return 1 if wrong else 0


sys.exit(main(*sys.argv[1:]))
