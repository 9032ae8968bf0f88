#!/usr/bin/env python3
"""The FuseSoC generator: runs `heddle gen` for what a core asks, in the directory that FuseSoC gives it.

usage: generate.py INPUT.yml      as FuseSoC calls it; $HEDDLE is another program than the one installed with this
"""
import os
import subprocess
import sys

try:
    import yaml
except ImportError:
    sys.exit("generate.py: python3 has no yaml; FuseSoC's own python3 has it: put it first in PATH, or install python3-yaml")

KEYS = {"config": str, "module": str, "set": list}


def main():
    with open(sys.argv[1]) as f:
        asked = yaml.safe_load(f)
    given = asked.get("parameters") or {}
    for key, value in given.items():
        if key not in KEYS:
            sys.exit(f"generate.py: found parameter {key}; allowed {', '.join(KEYS)}")
        if not isinstance(value, KEYS[key]):
            sys.exit(f"generate.py: {key}: found {value}; allowed a {'list' if KEYS[key] is list else 'word'}")
    if "config" not in given:
        sys.exit("generate.py: found no config; allowed a file of the core's, or a name of `heddle list configs`")
    here = os.path.dirname(os.path.realpath(__file__))
    installed = os.path.normpath(os.path.join(here, "../../../bin/heddle"))
    heddle = os.environ.get("HEDDLE") or (installed if os.path.exists(installed) else "heddle")
    file = os.path.join(asked["files_root"], given["config"])
    command = [heddle, "gen", "-c", file if os.path.isfile(file) else given["config"], "-t", given.get("module", "sm_mem"), "-o", "."]
    for pair in given.get("set", []):
        command += ["--set", str(pair)]
    return subprocess.call(command)


sys.exit(main())
