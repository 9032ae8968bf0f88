"""Gives heddle report files with one value that is wrong, each value that is there in its turn: left out, or of another type. It must
end with exit code 2 and say file, place, what was found and what is allowed.

usage: tests/report/wrong.py HEDDLE WORK STEP [OPTION FILE]...      WORK: a directory for the wrong files; STEP: one of so many wrong
values is tried, 1: each; exit code 1: one was taken
Of arrays the first element. Values that the page does not read may be anything: those are in UNREAD.
"""
import json
import re
import subprocess
import sys

heddle, work, step = *sys.argv[1:3], int(sys.argv[3])
UNREAD = {"proofs": r"good|version|modules\[0\]\.(config\.(?!name|path)|assumptions|ready_checked|inputs|flipflops|gates|properties\[0\]\.(?!name|verdict|good))",
          "power": r"version|runs\[0\]\.parts|config\.(?!name|path)|(?!made|runs|top|config|stimulus|seed|logic\b|memories|total_mw|pj_load)"
                  r"|(logic|memories)\[0\]\.(?!instance|module|cells|flipflops$|activity|\w+_mw|pj_load|name)"}
MAY_BE_ABSENT = r"runs|(modules\[0\]\.)?config\.path|modules\[0\]\.properties"
number = tried = failed = 0


def places(value, at=()):
    """All values, by the way to them: (way, value)."""
    if at:
        yield at, value
    for key, one in value.items() if isinstance(value, dict) else list(enumerate(value))[:1] if isinstance(value, list) else ():
        yield from places(one, at + (key,))


def path(at):
    return re.sub(r"\.\[", "[", ".".join(f"[{k}]" if isinstance(k, int) else k for k in at))


def changed(whole, at, value):
    """A copy with that value there; without one, without it."""
    copy = json.loads(json.dumps(whole))
    place = copy
    for key in at[:-1]:
        place = place[key]
    if value:
        place[at[-1]] = value[0]
    else:
        del place[at[-1]]
    return copy


for option, file in zip(sys.argv[4::2], sys.argv[5::2]):
    with open(file, encoding="utf-8") as text:
        whole = json.load(text)
    for at, value in places(whole):
        where = path(at)
        if re.match(rf"(?:{UNREAD.get(option, '$.')})", where):
            continue
        cases = [[7 if isinstance(value, (dict, list)) else []]]
        if isinstance(at[-1], str) and not re.fullmatch(MAY_BE_ABSENT, where):
            cases.append([])
        for case in cases:
            number += 1
            if number % step:
                continue
            with open(f"{work}/wrong.json", "w", encoding="utf-8") as out:
                json.dump(changed(whole, at, case), out)
            # without a machine nothing would run but the page: the file is read before
            run = subprocess.run([heddle, "report", "-c", "mrpb", "-w", "atax:tiny", "--no-logic", "--no-lockstep", f"--{option}", f"{work}/wrong.json",
                                  "-o", f"{work}/wrong.html", "--work", f"{work}/work"], capture_output=True, text=True)
            tried += 1
            good = run.returncode == 2 and re.search(rf"^heddle report: --{option}: .*/wrong\.json: {re.escape(where)}: found .*; allowed .*: the file must be what", run.stderr)
            if not good:
                failed += 1
                print(f"{file}: {where}: {'left out' if not case else 'now ' + json.dumps(case[0])}: exit code {run.returncode}: {run.stderr[-300:]}")
print(f"{tried} wrong values, {failed} taken or not told")
sys.exit(failed > 0 or not tried)
