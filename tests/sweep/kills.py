"""Kills a sweep, or a search, at random moments, ten times each of what it names, and holds its store against the undisturbed one.

usage: tests/sweep/kills.py HEDDLE VERB FILE.yaml STORE SEED TARGET... [-- OPTION...]

VERB: sweep, explore. STORE is the undisturbed one's. TARGET: program (which also writes the store), worker (a process that runs one
workload), synthesis (the program, while Yosys runs below it), job (a job of Slurm, by scancel), ctld (Slurm's controller; its command
in $SLURM_AGAIN starts it again). OPTIONs go to heddle. What a search answers, STORE.json, is compared too. $KILLS: another number than ten. Last line: "N passed, M failed".
"""
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time

heddle, verb, yaml, calm, seed = sys.argv[1:6]
rest = sys.argv[6:]
targets, options = (rest[:rest.index("--")], rest[rest.index("--") + 1:]) if "--" in rest else (rest, [])
KILLS = int(os.environ.get("KILLS", 10))
chance = random.Random(int(seed))
passed = failed = 0


def test(what, good):
    global passed, failed
    passed += good
    failed += not good
    if not good:
        print("FAILED:", what, flush=True)


def rows(store, columns, order):
    if not os.path.exists(store):
        return []
    db = sqlite3.connect(store, timeout=60)
    try:
        return db.execute(f"SELECT {columns} FROM run ORDER BY {order}").fetchall()
    except sqlite3.OperationalError:  # killed before the tables were there
        return []
    finally:
        db.close()


def answers(store):
    """All that does not tell how long a run took, or when."""
    key = "config_hash, workload, input, model"
    return rows(store, key + ", config, seed, figures, sum", key)


def processes():
    """Each process that is there: number, parent's number, words of its command."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = open(f"/proc/{pid}/cmdline").read().split("\0")
            above = int(open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[1])
        except (OSError, ProcessLookupError):
            continue
        yield int(pid), above, words


def synthesises(program):
    """Whether Yosys runs below it."""
    there = {pid: (above, os.path.basename(words[0])) for pid, above, words in processes()}
    for pid, (above, name) in there.items():
        if not name.startswith("yosys"):
            continue
        while above in there and above != program:
            above = there[above][0]
        if above == program:
            return True
    return False


def workers(parent, store):
    """Processes below the sweep, or those of its jobs: `heddle sweep SPOOL --shard`, of this store's spool alone, and what is below
    these, which has the same words."""
    spool = os.path.realpath(store + ".spool") + "/"
    found = []
    for pid, above, words in processes():
        ours = above == parent or (words[1:2] == ["sweep"] and words[2].startswith(spool) and "--shard" in words)
        if os.path.basename(words[0]) == os.path.basename(heddle) and ours and pid != parent:
            found.append(pid)
    return found


def kill(target, program, store):
    """True: something was hit."""
    if target in ("program", "synthesis"):
        if program.poll() is not None or (target == "synthesis" and not synthesises(program.pid)):
            return False
        program.kill()
        return True
    if target == "ctld":
        os.kill(int(open(os.environ["SLURM_CTLD_PID"]).read()), signal.SIGKILL)
        subprocess.run(os.environ["SLURM_AGAIN"], shell=True, check=True)
        return True
    if target == "job":
        jobs = subprocess.run(["squeue", "-h", "-r", "-t", "RUNNING", "-o", "%A"], stdout=subprocess.PIPE, text=True).stdout.split()
        return bool(jobs) and subprocess.run(["scancel", "-s", "KILL", "--full", chance.choice(jobs)]).returncode == 0
    there = workers(program.pid, store)
    if not there:
        return False
    try:
        os.kill(chance.choice(there), signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


print(f"seed {seed}: {', '.join(targets)}, {KILLS} times each", *options)
want = answers(calm)
test("the undisturbed store has rows", len(want) > 0)
for target in targets:
    hits, stores, took = 0, 0, 20.0 if target == "synthesis" else 4.0  # so that kills are of several modules
    while hits < KILLS and stores < 4 * KILLS:
        stores += 1
        store = f"{calm}.{target}.{stores}"
        ids, done = {}, False
        while not done:
            start = time.monotonic()
            answer = ["--json", store + ".json", "-o", store + ".front"] if verb == "explore" else []
            program = subprocess.Popen([heddle, verb, yaml, "--store", store, "--retries", "1000", *answer, *options],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            while hits < KILLS and program.poll() is None:
                time.sleep(chance.uniform(0, took / 4))
                if program.poll() is None:
                    hits += kill(target, program, store)
            said = program.communicate()[1]
            done = program.returncode == 0
            took = min(max(time.monotonic() - start, 0.2), took) if done else took
            # What was there stays as it is: nothing is lost, nothing is run twice.
            now = dict(rows(store, "sum, id || ' ' || ended || ' ' || cpu_seconds", "id"))
            test(f"{target}: rows that were there are as they were", all(now.get(s) == ids[s] for s in ids))
            first = next((l for l in said.splitlines() if "are in" in l), "")
            test(f"{target}: it begins with the {len(ids)} rows that are there: {first}",
                 not first or first.split()[2] == str(len(ids)) or target != "program" or "--on" in options)
            ids = now
            if not done and program.returncode != -signal.SIGKILL:
                test(f"{target}: it ends well, not with {program.returncode}: {said[-300:]}", False)
                break
        test(f"{target}: the store is that of an undisturbed one", answers(store) == want)
        if verb == "explore":
            test(f"{target}: the answer is the undisturbed one's", open(store + ".json").read() == open(calm + ".json").read())
        beside = tuple(os.path.basename(store) + end for end in ("-", ".spool", ".search"))
        left = [f for f in os.listdir(os.path.dirname(store)) if f.startswith(beside)]
        test(f"{target}: nothing is left beside it: {left}", not left)
    test(f"{target}: {hits} hits in {stores} stores", hits == KILLS)
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
