"""The papers' figures on the page, ours beside theirs, from the file of --papers (docs/json.md#figures).

Invariant: each number is from that file; a figure that is not drawn is listed with the reason.
"""
from draw import Table, clusters


def named(figure):
    """The name of a figure: Figure 14; Figures 4.7, 5.7; or the place in the paper's text."""
    numbers = figure["numbers"]
    return f"Figure{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}" if numbers else figure["where"]


def columns(figure):
    """The columns of a row's values: the series, or the parts of each stack."""
    return [f"{s} {p}".strip() for s in figure["stacked"] or [""] for p in figure["series"]]


def table(figure):
    """A table of our values, and of those columns of theirs that have a value."""
    heads = columns(figure)
    theirs = [i for i in range(len(heads)) if any(r["paper"][i] is not None for r in figure["rows"])]
    return Table([figure["title"] + ", " + figure["unit"]] + heads + [f"{heads[i]}, the paper" for i in theirs],
                 [[r["name"]] + r["ours"] + [r["paper"][i] for i in theirs] for r in figure["rows"]])


def picture(figure):
    rows = [(r["name"], r["ours"], r["paper"]) for r in figure["rows"]]
    return clusters(rows, figure["series"], figure["stacked"], figure["unit"], figure["log"], figure["base"])


def sections(file):
    """For each paper: title, [(name of the figure, figure, bars of a cluster, table, SVG)], table of the figures not drawn."""
    for paper in file["papers"] if file else []:
        drawn = [(named(f), f, [s for s in f["stacked"] or [] if s], table(f), picture(f)) for f in paper["figures"]]
        missing = Table(["figures", "why it is not drawn"], [[", ".join(m["numbers"]), m["why"]] for m in paper["not_drawn"]])
        yield paper["title"], drawn, missing


def energies(file):
    """The papers' figures about energy, with ours beside them. None if the file has none."""
    rows = []
    for paper in file["papers"] if file else []:
        for f in paper["figures"]:
            if "energy" not in f["title"].lower():
                continue
            for r in f["rows"]:
                rows += [[paper["title"], named(f), f"{f['title']}, {f['unit']}", f"{r['name']}: {s}", our, their]
                         for s, our, their in zip(columns(f), r["ours"], r["paper"]) if their is not None]
    return Table(["paper", "place", "what", "of", "ours", "the paper"], rows) if rows else None
