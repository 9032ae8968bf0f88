"""What tests/free/run does: each module once. usage: override.py HEDDLE [--all]; --all: once for each Verilog that it has"""
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile

SM = ["sm.lanes=12", "sm.loads=8", "sm.addr_bits=37", "l1d.line_bytes=64", "l1d.sets=16", "l1d.mshrs=11",
      "l1d.mshr_merge=5", "l1d.miss_queue=6"]
AXI4 = ["sm.lanes=12", "sm.loads=8", "sm.addr_bits=37", "l1d.sets=16", "l1d.mshr_merge=5", "l1d.miss_queue=6"]
WARPS = ["sm.warps=12", "sm.ctas=3"]
L2 = ["l2.sets=32", "l2.mshrs=9", "l2.mshr_merge=3", "l2.queue=6", "l2.replies=5", "l2.fills=3"]
MRPB = ["request_buffer.depth=12", "request_buffer.latency=9"]
LOS = ["loscache.table=9", "loscache.phase=50", "loscache.count_bits=5", "loscache.extra=2"]
# a machine, a top, and another machine as keys
PAIRS = [
    ("mrpb", "sm_mem", SM + WARPS + MRPB + ["l1d.bypass_slots=9"]),
    ("mrpb/stages", "mrpb", SM + WARPS + MRPB[:1]),
    ("apres", "sm_mem", SM + ["laws.groups=5", "prefetch.table=7", "prefetch.queue=11", "sm.pc_bits=20"]),
    ("apcm_kepler", "sm_mem", SM + WARPS + ["apcm.loads=7", "apcm.threshold=3", "sm.pc_bits=20"]),
    ("lockstep/choo/choo_all", "sm_mem", SM + WARPS + ["casc.pc_bits=5", "casc.sample_bits=3", "rft.entries=16",
                                                 "rft.queue=7", "rft.threshold=20", "request_buffer.depth=9"]),
    ("loscache", "l2_top", L2 + LOS[:1] + LOS[2:3] + SM[:6]),
    ("lockstep/l2/l2_sectored", "l2_slice", L2 + ["sm.lanes=12", "sm.addr_bits=37", "l1d.mshrs=11", "gpu.sms=9"]),
    ("lockstep/loscache/los_sm_slot", "sm_mem", SM + WARPS + LOS[:3]),
    ("ccws", "sm_mem", SM + WARPS),
    ("mascar", "sm_mem", SM + WARPS + MRPB[:1]),
    ("lockstep/l1d/sectored", "l1d", WARPS + ["sm.lanes=12", "sm.addr_bits=37", "l1d.sets=16", "l1d.mshrs=11",
                                               "l1d.mshr_merge=5", "l1d.miss_queue=6"]),
    ("lockstep/sm/swl_gto", "sm_mem", SM + ["sm.warps=24", "sm.ctas=5", "scheduler.limit=5"]),
    ("axi4", "sm_mem_axi", AXI4 + WARPS + MRPB),  # what the manager's identifiers are made of is bound
    ("axi4_l2", "axi4_manager", ["sm.addr_bits=37"]),  # which l2_top_axi binds
    ("axi4_l2", "l2_top_axi", ["sm.lanes=12", "sm.loads=8", *L2[:1], *L2[2:], *LOS[:1], *LOS[2:3]]),
    ("lockstep/apb/apb_mix", "apb_regs", ["sm.warps=24", "sm.schedulers=4", "scheduler.limit=5", "rft.threshold=20", "apcm.threshold=5",
                                          "l1d.count_bits=4", "loscache.phase=50", "l1d.mshrs=11", "l1d.miss_queue=6"]),
]

# Yosys's proc without proc_arst, a sixth of the time: no reset is asynchronous, and proc_dff refuses one
PROC = ("proc_clean; proc_rmdead; proc_prune; proc_init; proc_rom; proc_mux; proc_dlatch; proc_dff; proc_memwr; proc_clean; "
        "opt_expr -keepdc")

OF_PARTS = ("sm_mem_axi", "l2_top_axi")  # tops whose parts have their turns alone, and in sm_mem and l2_top: with --all only

passed = failed = 0


def check(what, ok, said=""):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    if not ok:
        print(f"FAILED: {what}\n{said[:2000]}")


def run(cwd, *command):
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def generate(heddle, config, top, keys, out):
    sets = [word for key in keys for word in ("--set", key)]
    rc, said = run(".", heddle, "gen", "-c", f"configs/{config}.yaml", "-t", top, *sets, "-o", out)
    check(f"gen of {config} with {' '.join(keys)}", rc == 0, said)
    return json.load(open(f"{out}/{top}.json"))["modules"] if rc == 0 else []


def ports(module):
    return {p["name"]: p["width"] for p in module["ports"]}


def below(name, files, work):
    """Of the files those of the module and of what is in it, in their order; a file is called as its module."""
    texts = {os.path.splitext(f)[0]: re.sub(r"//.*", "", open(f"{work}/{f}").read()) for f in files}
    found, todo = set(), [name]
    while todo:
        at = todo.pop()
        if at not in found:
            found.add(at)
            todo += [other for other in texts if re.search(rf"\b{other}\b", texts[at])]
    return [f for f in files if os.path.splitext(f)[0] in found]


def overridden(name, module, other, work, files):
    """The module with the parameters of another machine's."""
    at, values = module["name"], other["parameters"]
    files = below(at, files, work)
    check(f"{name} {at}: the same parameters", values.keys() == module["parameters"].keys(), str(values))
    check(f"{name} {at}: another value of some", not values or values != module["parameters"])
    rc, said = run(work, "verilator", "--lint-only", "-Wall", "--top-module", at,
                   *(f"-G{k}={v}" for k, v in values.items()), *files)
    check(f"{name} {at}: verilator", rc == 0 and not said, said)
    rc, said = run(work, "iverilog", "-g2005", "-Wall", "-s", at, "-o", "/dev/null",
                   *(f"-P{at}.{k}={v}" for k, v in values.items()), *files)
    check(f"{name} {at}: iverilog", rc == 0 and not said, said)
    sets = f"chparam {' '.join(f'-set {k} {v}' for k, v in values.items())} {at}; " if values else ""
    inside = " ".join(f for f in files if f != f"{at}.v")  # as black boxes: each has its own turn
    lib = f"read_verilog -lib {inside}; " if inside else ""
    rc, said = run(work, "yosys", "-q", "-p", f"{lib}read_verilog {at}.v; {sets}hierarchy -check -top {at}; {PROC}; "
                   "write_json top.json")
    check(f"{name} {at}: yosys", rc == 0 and not said, said)
    if rc == 0:
        made = [m for m in json.load(open(f"{work}/top.json"))["modules"].values() if int(m["attributes"].get("top", "0"), 2)]
        is_there = {k: len(p["bits"]) for k, p in made[0]["ports"].items()}
        check(f"{name} {at}: ports", is_there == ports(other), f"{is_there}\n{ports(other)}")


def behaves(heddle, work):
    """mrpb of depth 8, overridden, against mrpb of depth 12: random inputs, equal outputs."""
    small = ["sm.warps=8", "l1d.line_bytes=32", "sm.addr_bits=20"]
    one, two = f"{work}/one", f"{work}/two"
    generate(heddle, "mrpb", "mrpb", small, one)
    module = generate(heddle, "mrpb", "mrpb", small + MRPB, two)[-1]
    text = open(f"{two}/mrpb.v").read()
    open(f"{one}/other.v", "w").write(re.sub(r"\bmodule mrpb\b", "module other", text))
    inputs = [p for p in module["ports"] if p["dir"] == "in" and p["name"] not in ("clk", "rst")]
    outputs = [p for p in module["ports"] if p["dir"] == "out"]
    free = ", ".join(f".{k}({v})" for k, v in module["parameters"].items())
    bench = ["module bench;", "reg clk = 0, rst = 1; integer i, bad = 0, full = 0;"]
    for p in inputs:
        bench.append(f"reg [{p['width'] - 1}:0] {p['name']} = 0;")
    for p in outputs:
        bench.append(f"wire [{p['width'] - 1}:0] {p['name']}, o_{p['name']};")
    wires = [(p["name"], p["name"], p["name"]) for p in inputs] + [(p["name"], p["name"], "o_" + p["name"]) for p in outputs]
    bench.append(f"mrpb #({free}) u_one (.clk(clk), .rst(rst){''.join(f', .{n}({a})' for n, a, _ in wires)});")
    bench.append(f"other u_two (.clk(clk), .rst(rst){''.join(f', .{n}({b})' for n, _, b in wires)});")
    bench.append("initial begin for (i = 0; i < 20000; i = i + 1) begin #1;")
    differ = " || ".join(f"{p['name']} !== o_{p['name']}" for p in outputs if "valid" in p["name"] or "ready" in p["name"])
    data = " || ".join(f"{p['name']} !== o_{p['name']}" for p in outputs)
    bench.append(f"if (!rst && ({differ})) bad = bad + 1; if (!rst && deq_valid && ({data})) bad = bad + 1;")
    bench.append("if (enq_valid && !enq_ready) full = full + 1;")
    bench.append("#1 clk = 1; #1 clk = 0; rst = i < 3;")
    for p in inputs:
        bits = "{" + ", ".join(["$random(seed)"] * (p["width"] // 32 + 1)) + "}"
        bench.append(f"{p['name']} = {bits};")
    # long ages of little draining, so that queues fill, then of much
    bench.append("enq_write = enq_write & ($random(seed) % 16 == 0); deq_ready = ($random(seed) & 7) < (i[9] ? 7 : 1);")
    bench.append('end $display("%0d wrong, %0d waits", bad, full); end')
    bench.append(f"integer seed = {random.Random(1).randrange(1 << 30)}; endmodule")
    open(f"{one}/bench.v", "w").write("\n".join(bench) + "\n")
    rc, said = run(one, "iverilog", "-g2005", "-o", "bench", "bench.v", "mrpb.v", "other.v",
                   *(f for f in os.listdir(one) if f.startswith("hd_ram")))
    check("mrpb overridden: iverilog", rc == 0, said)
    rc, said = run(one, "vvp", "-n", "bench")
    waits = re.search(r"^0 wrong, (\d+) waits", said)
    check("mrpb overridden does what mrpb of that depth does", waits and int(waits.group(1)) > 100, said)


def main():
    heddle = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as work:
        seen = set()
        for n, (config, top, keys) in enumerate(PAIRS):
            one = f"{work}/{n}"
            modules = generate(heddle, config, top, [], one)
            others = generate(heddle, config, top, keys, f"{work}/{n}.other")
            files = open(f"{one}/{top}.f").read().split()
            for module, other in zip(modules, others):
                text = re.sub(r"//.*", "", open(f"{one}/{module['name']}.v").read())
                key = text if "--all" in sys.argv else module["name"]
                if key not in seen and ("--all" in sys.argv or module["name"] not in OF_PARTS):
                    overridden(config, module, other, one, files)
                seen.add(key)
        if "--all" not in sys.argv:
            free = {file for file in glob.glob("arch/*/*.def") if re.search(r"^FREE\(", open(file).read(), re.M)}
            unseen = sorted(file for file in free if os.path.basename(file)[:-4] not in seen | {"ports"})
            check("each module with FREE rows", free and not unseen, " ".join(unseen))
        behaves(heddle, work)
    print(f"{passed} passed, {failed} failed")
    return failed != 0 or not passed


sys.exit(main())
