"""The findings of other runs of Heddle that the report gets as files: the lockstep campaign, proofs, power.

Invariant: a machine of the page that is missing in a file is shown as not run.
"""
from draw import Table, mean

NOT_RUN = "not run"
NOTHING = "nothing was proved"


def span(values):
    """The span of dates or seeds: one value, or the first to the last."""
    values = sorted(set(values))
    return "" if not values else str(values[0]) if len(values) == 1 else f"{values[0]} to {values[-1]}"


# --- lockstep ---------------------------------------------------------------------------------------------

def words_of(args):
    """The options that say what a heddle cosim ran: {option: value}; --set may occur several times."""
    words, found = args.split(), {"changes": []}
    for option, value in zip(words, words[1:]):
        if option == "--set":
            found["changes"].append(value)
        elif option in ("-c", "-m", "-w"):
            found[option] = value
    return found


def file_of(path):
    """A machine's file without the configurations folder of its tree or of the installed program."""
    return (path or "").removesuffix(".yaml").split("/configs/")[-1].removeprefix("configs/")


def is_of(machine, config):
    """True if an answer's `config` is this machine."""
    return config["name"] == machine["name"] and file_of(config.get("path")) == file_of(machine["config"]["path"])


def counted(rows):
    """The sums over runs of one kind."""
    return [span(r["date"] for r in rows), len(rows), span(r["seed"] for r in rows), sum(r["cycles"] for r in rows), sum(r["values_compared"] for r in rows),
            sum(r["mismatches"] for r in rows), sum(bool(r.get("failed")) for r in rows)]


def campaign(rows, machines):
    """One row per machine, module and commit; the last row is for all runs in the files. None if no file is given."""
    if rows is None:
        return None
    table = []
    for m in machines:
        groups = {}
        for r in rows:
            words = words_of(r["args"])
            if file_of(words.get("-c")) == file_of(m["config"]["path"]):
                key = (words.get("-m", "sm_mem"), " ".join(words["changes"]), words.get("-w", "random traffic"), r["commit"])
                groups.setdefault(key, []).append(r)
        table += [[m["name"], *key, *counted(of)] for key, of in groups.items()]
        if not groups:
            table.append([m["name"], NOT_RUN] + [None] * 10)
    commits = {r["commit"] for r in rows}
    machines_there = {words_of(r["args"]).get("-c", "") for r in rows}
    table.append([f"all {len(machines_there)} machines of the files", "", "", "", commits.pop() if len(commits) == 1 else f"{len(commits)} commits", *counted(rows)])
    return Table(["machine", "module", "changes", "stimulus", "commit", "days", "runs", "seeds", "cycles", "values compared", "mismatches", "failed runs"], table)


# --- proofs -----------------------------------------------------------------------------------------------

def number_of(properties, verdict):
    return sum(p["verdict"] == verdict for p in properties)


def proofs(files, machines):
    """One row per module with its own behaviour: the proved properties. None if no file is given."""
    if files is None:
        return None
    table = []
    answers = [(f["made"], a) for f in files for a in f["modules"]]
    for made, a in sorted(answers, key=lambda of: (of[1]["config"]["name"], of[1]["module"], of[0])):
        p = a.get("properties")
        if p is None:  # a netlist against the RTL
            closed = "FAILED" if a["proved"] != a["points"] or a["differ"] else "good" if a["points"] else NOTHING
            table.append([a["config"]["name"], a["module"], "its gates do what its Verilog does", closed, a["points"], a["proved"], None, len(a["differ"]),
                          len(a["open"]), a["seconds"], made])
        else:
            bad = [q["name"] for q in p if not q["good"]]
            table.append([a["config"]["name"], a["module"], "properties", "FAILED: " + " ".join(bad) if bad else "good" if p else NOTHING, len(p),
                          *(number_of(p, v) for v in ("proved", "bounded", "refuted", "open")), a["seconds"], made])
    for m in machines:
        table += [[m["name"], d["name"], NOT_RUN] + [None] * 8 for d in m["modules"]
                  if not d["instances"] and d.get("verilog_lines") is not None and not any(is_of(m, a["config"]) and a["module"] == d["name"] for _, a in answers)]
    return Table(["machine", "module", "what", "answer", "properties, or bits of outputs", "proved for all cycles", "bounded", "refuted", "open", "seconds", "when"], table,
                 "On a small machine, for all inputs. Bounded: in the first cycles after power-up, not decided beyond.")


# --- power ------------------------------------------------------------------------------------------------

def power(files, machines):
    """Milliwatts of logic and memories: one row per module or memory. None if no file has any."""
    table = []
    for f in [f for f in files or [] if "logic" in f]:
        run = [f["config"]["name"], f["stimulus"], f["seed"]]
        table += [[*run, p["instance"] or p["module"], p["cells"], p["flipflops"], p["activity"], p["switching_mw"], p["internal_mw"], p["clock_mw"], p["tree_mw"], p["leak_mw"],
                   p["total_mw"], p["pj_load"], f["made"]] for p in f["logic"]]
        table += [[*run, p["name"], None, None, None, p["access_mw"], None, None, None, p["leak_mw"], p["total_mw"], p["pj_load"], f["made"]] for p in f["memories"]]
        table.append([*run, f"all of {f['top']}", *[None] * 8, f["total_mw"], f["pj_load"], f["made"]])
    if table:
        table += [[m["name"], NOT_RUN] + [None] * 13 for m in machines if not any(is_of(m, f["config"]) for f in files if "logic" in f)]
    return Table(["machine", "stimulus", "seed", "module or memory", "cells", "flip-flops", "activity", "switching, or accesses, mW", "internal, mW", "clock, mW",
                  "clock tree, mW", "leakage, mW", "in all, mW", "pJ a load", "when"], table,
                 "Logic from every toggle of every net, memories from every access, before wires.") if table else None


def energy(files):
    """Energy of whole GPUs: each run relative to the first machine on the same workload. None if no file has any."""
    runs = [(f["made"], r) for f in files or [] for r in f.get("runs", [])]
    if not runs:
        return None
    first = runs[0][1]["config"]
    base = {r["workload"]: r for _, r in runs if r["config"] == first}
    keys = ["time_us", "dynamic_uj", "l2_uj", "uj"]
    table, ratios = [], {}
    for made, r in runs:
        b = base.get(r["workload"])
        over = [r[k] / b[k] if b and b[k] else None for k in keys]
        ratios.setdefault(r["config"], []).append(over)
        table.append([r["config"], r["workload"], r["time_us"], r["dynamic_uj"], r["static_uj"], r["l1d_uj"], r["l2_uj"], r["icnt_uj"], r["dram_uj"], r["low_uj"],
                      r["uj"], r["high_uj"], *over, made])
    table += [[config, "geometric mean", *[None] * 10, *(mean(column) for column in zip(*of)), ""] for config, of in ratios.items() if len(of) > 1]
    return Table(["machine", "workload", "time, us", "dynamic, uJ", "static, uJ", "L1D, uJ", "L2, uJ", "interconnect, uJ", "DRAM, uJ", "lowest, uJ", "in all, uJ",
                  "highest, uJ", f"time over {first}", "dynamic", "L2", "in all", "when"], table,
                 "By the table of energies of docs/power.md; lowest and highest are with its ranges.")
