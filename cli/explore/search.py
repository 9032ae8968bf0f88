"""One step of heddle explore: proposes the next machines, and ranks the machines tried so far.

usage: search.py ASK.json ANSWER.json

ASK: {"seed", "step", "ask": number of proposals, "goals": ["maximize", ...], "axes": [{"name", "values": number of values, "ordered"}],
"inputs": [[{"number", "choices": [[for each axis, the number of its value], ...], "values": [one number per goal] or null,
"over": how far the limits are exceeded}]], "useless": choices that give no machine, or a machine that failed}
ANSWER: {"optuna", "choices": [[...]], "order": for each input, the numbers of its machines, best first, "front": for each input, the
machines that no other machine dominates}

Invariant: the answer depends on ASK alone, so a search that was killed continues as if it had not been.
"""
import itertools
import json
import math
import sys
import warnings

import numpy
import optuna
from optuna.distributions import CategoricalDistribution, IntDistribution

STARTUP = 10  # results at an input before the optimiser learns from them; until then it draws at random
TRIES = 2  # proposals per requested choice, to find new ones
FEW = 200000  # a space of at most so many choices is enumerated to find the new ones


def losses(goals, machines):
    """One row per machine; lower is better in every column."""
    signs = numpy.array([-1.0 if goal == "maximize" else 1.0 for goal in goals])
    return numpy.array([m["values"] for m in machines], dtype=float).reshape(len(machines), len(goals)) * signs


def fronts(loss, over):
    """The fronts of non-dominated machines, best front first, as lists of row numbers. Machines beyond the limits come last, each as a
    front of its own."""
    there = numpy.array([i for i in range(len(loss)) if over[i] <= 0], dtype=int)
    rows = loss[there]
    # For each machine, the number of machines that dominate it. A front that is taken out is subtracted from the machines it dominates.
    better = numpy.array([((rows <= row).all(axis=1) & (rows < row).any(axis=1)).sum() for row in rows], dtype=int)
    found = []
    while (better >= 0).any():
        front = numpy.flatnonzero(better == 0)
        better[front] = -1
        for row in rows[front]:
            better -= (rows >= row).all(axis=1) & (rows > row).any(axis=1)
        found.append(there[front].tolist())
    beyond = sorted((i for i in range(len(loss)) if over[i] > 0), key=lambda i: (over[i], i))
    return found + [[i] for i in beyond]


def spread(front, loss):
    """A front's machines, the most isolated first: by the crowding distance of NSGA-II (Deb et al. 2002)."""
    distance = dict.fromkeys(front, 0.0)
    for goal in range(loss.shape[1]):
        row = sorted(front, key=lambda i: (loss[i, goal], i))
        extent = loss[row[-1], goal] - loss[row[0], goal]
        distance[row[0]] = distance[row[-1]] = math.inf
        for before, i, after in zip(row, row[1:], row[2:]):
            distance[i] += (loss[after, goal] - loss[before, goal]) / extent if extent else 0
    return sorted(front, key=lambda i: (-distance[i], i))


def distribution(axis):
    return IntDistribution(0, axis["values"] - 1) if axis["ordered"] else CategoricalDistribution(range(axis["values"]))


def propose(ask):
    """New choices, from a tree-structured Parzen estimator. It knows the results at the largest input that has enough of them."""
    axes = {a["name"]: distribution(a) for a in ask["axes"]}
    known = [[m for m in machines if m["choices"]] for machines in ask["inputs"]]
    enough = [k for k, machines in enumerate(known) if len(machines) >= STARTUP]
    told = known[max(enough, default=0)]
    seed = numpy.random.SeedSequence([ask["seed"], ask["step"]]).generate_state(1)[0]
    sampler = optuna.samplers.TPESampler(seed=int(seed), n_startup_trials=STARTUP)
    study = optuna.create_study(directions=ask["goals"], sampler=sampler)
    good = [m["values"] for m in told if m["values"]]
    for machine in told:
        # A machine beyond a limit may not have run. Then only how far it is beyond counts.
        values = machine["values"] or (good[0] if good else [0.0] * len(ask["goals"]))
        for choice in machine["choices"]:
            study.add_trial(optuna.trial.create_trial(values=values, params=dict(zip(axes, choice)), distributions=axes,
                                                      constraints={"limits": machine["over"]}))
    seen = {tuple(c) for machines in ask["inputs"] for m in machines for c in m["choices"]} | {tuple(c) for c in ask["useless"]}
    new = []
    for _ in range(TRIES * ask["ask"]):
        if len(new) == ask["ask"]:
            break
        params = study.ask(axes).params
        choice = tuple(params[name] for name in axes)
        if choice not in seen:
            seen.add(choice)
            new.append(choice)
    return new + others([a["values"] for a in ask["axes"]], seen, ask["ask"] - len(new), numpy.random.RandomState(seed))


def others(values, seen, n, chance):
    """Up to n random choices that were not seen before."""
    if n and math.prod(values) <= FEW:
        left = [c for c in itertools.product(*map(range, values)) if c not in seen]
        return [left[i] for i in chance.permutation(len(left))[:n]]
    drawn = (tuple(int(chance.randint(v)) for v in values) for _ in range(100 * n))
    return list(dict.fromkeys(c for c in drawn if c not in seen))[:n]


def main(source, target):
    with open(source) as f:
        ask = json.load(f)
    answer = {"optuna": optuna.__version__, "choices": propose(ask) if ask["ask"] else [], "order": [], "front": []}
    for machines in ask["inputs"]:
        there = [m for m in machines if m["values"]]
        loss = losses(ask["goals"], there)
        over = [m["over"] for m in there]
        ranked = fronts(loss, over)
        answer["order"].append([there[i]["number"] for front in ranked for i in spread(front, loss)])
        best = ranked[0] if ranked and over[ranked[0][0]] <= 0 else []
        answer["front"].append([there[i]["number"] for i in sorted(best, key=lambda i: (*loss[i], i))])
    with open(target, "w") as f:
        json.dump(answer, f)


if __name__ == "__main__":
    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    main(*sys.argv[1:])
