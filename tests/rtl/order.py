"""Names used before their declaration in Verilog files: tools differ on them. usage: order.py FILE..."""
import re
import sys

DECLARES = {"wire", "reg", "localparam", "parameter", "genvar", "integer", "input", "output", "function"}
bad = 0
for path in sys.argv[1:]:
    text = re.sub(r"//[^\n]*", "", open(path).read())
    # the names of ports that are declared behind the header
    text = re.sub(r"\(\s*clk,[^)]*\);", lambda m: "\n" * m.group().count("\n"), text, count=1)
    tokens = [(m.group(), text.count("\n", 0, m.start()) + 1)
              for m in re.finditer(r"[A-Za-z_$][A-Za-z0-9_$]*|\d+'[bdh][0-9a-f]+|\d+|\S", text)]
    declared, used = {}, {}
    i = 0
    while i < len(tokens):
        word, line = tokens[i]
        if word in DECLARES:
            depth, fresh = 0, True  # names outside brackets, each behind the keyword or a comma
            i += 1
            while i < len(tokens) and not (depth == 0 and tokens[i][0] in ";)"):
                t, at = tokens[i]
                depth += (t in "[({") - (t in "])}") if len(t) == 1 else 0
                name = re.match(r"[A-Za-z_]", t) and t not in DECLARES and t != "signed"
                if name and depth == 0 and fresh:
                    declared.setdefault(t, at)
                    fresh = False
                elif name:
                    used.setdefault(t, at)
                fresh = fresh or (t == "," and depth == 0)
                if t == "(" and depth == 1 and word == "function":
                    break  # its ports declare themselves
                i += 1
        elif re.match(r"[A-Za-z_]", word) and tokens[i - 1][0] != ".":
            used.setdefault(word, line)
        i += 1
    for name, line in used.items():
        if name in declared and line < declared[name]:
            print(f"{path}:{line}: {name} is used here and declared in line {declared[name]}")
            bad = 1
sys.exit(bad)
