"""All mechanisms and their rivals as keys of one machine, gpu/fermi, alone and in pairs."""
import random
import re
import subprocess

import pages

BASE = "configs/gpu/fermi.yaml"
PAPERS = ["mrpb", "apres", "choo", "apcm", "loscache"]
GTO = "scheduler.policy: gto"
# What a mechanism sets on gpu/fermi, "section.key: value"; its sizes are the defaults, those of the papers
ALONE = {
    "GTO": [GTO],
    "two-level": ["scheduler.policy: two_level"],
    "MRPB": ["request_buffer.kind: mrpb", "request_buffer.bypass: assoc"],
    "APRES": ["scheduler.policy: laws", "prefetch.kind: sap"],
    "STR": ["prefetch.kind: str"],
    "SLD": ["prefetch.kind: sld"],
    "CASC": ["casc.scheme: locality"],
    "LASC": ["rft.form: bit"],
    "MemSched": [GTO, "request_buffer.kind: memsched", "request_buffer.drain: grr", "request_buffer.depth: 32"],
    "APCM": ["apcm.manage: both"],
    "LoSCache": ["loscache.gate: adaptive"],
    "CCWS": [GTO, "ccws.throttle: on"],
    "MASCAR": [GTO, "mascar.priority: on", "request_buffer.kind: reexec", "request_buffer.depth: 32"],
}
MODEL_ONLY = ("two-level", "SLD")  # they have no Verilog
OWN = {"mrpb": ["MRPB"], "apres": ["APRES"], "choo": ["CASC", "LASC", "MemSched"], "apcm": ["APCM"], "loscache": ["LoSCache"]}


def heads(paper):
    """The kernels that stand for a paper's applications, without the programs of our own that do without shared memory."""
    return sorted({w.split(":")[0] for _, _, w in pages.applications(paper) if not w.split(":")[0].endswith("_u")})


def kernels():
    return sorted({k for paper in PAPERS for k in heads(paper)})


def machine(name, settings):
    """A file: gpu/fermi with these keys."""
    sections = {}
    for setting in settings:
        section, key = setting.split(".", 1)
        sections.setdefault(section, []).append(f"  {key}\n")
    name = re.sub(r"\W", "_", name)
    return pages.variant("gpu", name, "fermi", f"name: {name}\n" + "".join(f"{s}:\n{''.join(k)}" for s, k in sections.items()))


def together(a, b):
    """The keys of two mechanisms; None: they set one key to different values, or the two are one of them."""
    both = {}
    for setting in ALONE[a] + ALONE[b]:
        key, value = setting.split(": ")
        # GTO is the scheduler that others stand on: another one takes its place
        if both.get(key, value) != value and GTO not in (f"{key}: {both[key]}", setting):
            return None
        both[key] = both[key] if setting == GTO and key in both else value
    keys = sorted(f"{k}: {v}" for k, v in both.items())
    return None if keys in (sorted(ALONE[a]), sorted(ALONE[b])) else keys


def half():
    """Half of the kernels, of which the search knows: of 20,000 drawn by chance (seed 1) those that come nearest to half of each paper's
    kernels and of each of its classes."""
    every, groups, chance = kernels(), {}, random.Random(1)
    for paper in PAPERS:
        for _, kind, workload in pages.applications(paper):
            kernel = workload.split(":")[0]
            if kernel in every:
                groups.setdefault((paper, kind), set()).add(kernel)
                groups.setdefault(paper, set()).add(kernel)
    drawn = [sorted(chance.sample(every, (len(every) + 1) // 2)) for _ in range(20000)]
    return min(drawn, key=lambda some: sum(abs(2 * len(g.intersection(some)) - len(g)) for g in groups.values()))


def seeded():
    """The kernels that take a seed."""
    said = subprocess.run([pages.heddle, "list", "workloads"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return {part.split("\n")[0] for part in said.split("\n\n") if re.search(r"^  key: +seed=", part, re.M)}
