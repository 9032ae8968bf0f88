"""The tables of docs/mutants.md: one row per module, made on top of a commit of main. Rows of modules that were not run stay."""
import re
import subprocess
import sys
import time

sys.path.insert(0, 'tests/results')
import pages

HEADS = ['module', 'machine', 'mutants', 'found', None, 'equivalent', 'score', 'median, largest cycle', 'on top of']
BY = {'lockstep': 'mismatch / check / hang / property', 'lockstep model': 'mismatch / check / hang / unit test',
      'alone': 'check / hang'}


def percent(run, found, same):
    return 100 * found / (run - same) if run > same else 0


def row(s, name, commit):
    by = s['by']
    hangs = by['deadlock'] + by['crash'] + by['slow']
    counts = {'mismatch': by['mismatch'], 'check': by['check'], 'hang': hangs, 'property': by['property'], 'unit test': by['unit']}
    drawn = f" of {s['all']:,}" if s['all'] != s['run'] else ''
    return [s['module'], s['config'], f"{s['run']}{drawn}", str(s['found']), ' / '.join(str(counts[w]) for w in BY[name].split(' / ')),
            str(s['equivalent']), f"{percent(s['run'], s['found'], s['equivalent']):.1f} %", f"{s['median']:,}, {s['largest']:,}", commit]


def number(cell):
    return int(re.match(r'\d+', cell)[0])


def lines(rows, name):
    """Returns the lines of the table, with a row of sums at the end."""
    run, found, same = (sum(number(r[i]) for r in rows) for i in (2, 3, 5))
    heads = [h or BY[name] for h in HEADS]
    total = ['all', '', str(run), str(found), '', str(same), f'{percent(run, found, same):.1f} %', '', '']
    return [pages.line(heads), '|---|---|--:|--:|--:|--:|--:|--:|---|'] + [pages.line(r) for r in rows + [total]]


def caption(a):
    return f'Seed {a.seed}, {a.cycles:,} cycles'


def put(page, name, scores, order, a):
    """Puts the rows into the page. Rows of another seed or number of cycles are dropped. The commit is the last one shared with main,
    since that one keeps its name."""
    commit = subprocess.run(['git', 'merge-base', 'HEAD', 'main'], stdout=subprocess.PIPE, text=True).stdout[:8]
    made = caption(a)
    there = {}
    if any(line.startswith(made) for line in pages.part(page, name)):
        there = {r[0]: r for r in pages.rows(page, name)[1:-1]}
    for s in scores:
        there[s['module']] = row(s, name, f'{commit}, {time.strftime("%Y-%m-%d")}')
    pages.put(page, name, lines([there[m] for m in order if m in there], name) + ['', made + '.'])
