"""What tests/upf/check.tcl prints of a UPF file, looked up in the design as Verilator elaborates it.

usage: python3 tests/upf/there.py FACTS DESIGN.xml, of verilator --xml-only; leaves with 1 at what is not there.
"""
import sys
import xml.etree.ElementTree as ElementTree


def main(facts, design):
    tree = ElementTree.parse(design).getroot()
    types = {t.get("id"): t for t in tree.iter("basicdtype")}
    cells = {c.get("hier"): c.get("submodname") for c in tree.iter("cell")}
    modules = {}
    for module in tree.iter("module"):
        ports = {v.get("name"): v.get("dtype_id") for v in module.findall("var") if v.get("dir")}
        modules.setdefault(module.get("origName"), []).append((module.get("name"), ports))
    top = next(iter(cells))

    def ports_of(model):
        """Of what the model's instances are: one size each."""
        if len(modules.get(model, [])) != 1:
            sys.exit(f"{len(modules.get(model, []))} modules {model}")
        return modules[model][0][1]

    looked_up = 0
    for line in open(facts):
        kind, *names = line.split()
        if kind == "model":
            ports_of(names[0])
        elif kind == "instance":
            path = top + "." + names[0].replace("/", ".")
            if path not in cells:
                sys.exit(f"no instance {names[0]}")
            if cells[path] not in [name for name, _ in modules[names[1]]]:
                sys.exit(f"{names[0]} is a {cells[path]}, not a {names[1]}")
        elif kind in ("port", "bit"):
            ports = ports_of(names[0])
            if names[1] not in ports:
                sys.exit(f"no port {names[1]} of {names[0]}")
            left = int(types[ports[names[1]]].get("left", "0"))
            if kind == "bit" and int(names[2]) > left:
                sys.exit(f"port {names[1]} of {names[0]} has bits 0 to {left}, not {names[2]}")
        else:
            continue
        looked_up += 1
    bits = {int(line.split()[3]) for line in open(facts) if line.startswith("bit ")}
    if bits != set(range(len(bits))) or not bits:
        sys.exit("not every row has a switch")
    print(f"{looked_up} names are there, {len(bits)} rows")


main(*sys.argv[1:])
