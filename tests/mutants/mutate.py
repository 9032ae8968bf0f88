#!/usr/bin/env python3
"""Writes all mutants of one source file into one copy of it, chosen by the number in the variable hd_mutant; 0 is the file as it was.

Each statement gets, beside its own right side or condition, copies with one change: an operator, a constant, a condition, a
lost assignment (so also a lost reset), a signal taken for another of the same width. So one compilation holds all of them.
usage: mutate.py FILE OUT LIST [--seed N] [--most N]     FILE: module.v as heddle gen wrote it, or a .c of the golden model
LIST gets a line for each: number, FILE:line, kind, the statement, the change; with tabs between them. --most: so many, drawn
by the seed (1). A header that is a part of FILE's golden model, by its name, is mutated with it."""
import argparse
import bisect
import os
import random
import re
import sys

TOKEN = re.compile(r"""(?P<blank>\s+|//[^\n]*|/\*.*?\*/)|(?P<number>\d+'[bdhs]+[0-9a-fA-FxzXZ_]+|\d\w*)|(?P<name>[A-Za-z_$]\w*)
  |(?P<text>"[^"\n]*"|'[^'\n]*')|(?P<op><<<|>>>|<<=|>>=|===|!==|->|\+\+|--|[-+*/%&|^]=|<<|>>|<=|>=|==|!=|&&|\|\||\+:|-:|[-+*/%&|^~!<>=?:;,.(){}\[\]\#@\\`])""",
                   re.S | re.X)
BINARY = {'&&': '||', '||': '&&', '&': '|', '|': '&', '^': '|', '+': '-', '-': '+', '==': '!=', '!=': '==', '<': '<=', '>': '>=',
          '<=': '<', '>=': '>', '<<': '>>', '>>': '<<', '>>>': '>>', '<<<': '>>'}
REDUCTION = {'&': '|', '|': '&', '^': '|'}
OPENS, CLOSES = {'(': ')', '{': '}', '[': ']'}, ')}]'


class Token:
    def __init__(self, kind, text, at):
        self.kind, self.text, self.at = kind, text, at


def tokens_of(text, at=0, end=None):
    found = []
    end = len(text) if end is None else end
    while at < end:
        m = TOKEN.match(text, at)
        if not m:
            raise SystemExit(f'mutate.py: found {text[at:at + 20]!r} in line {text.count(chr(10), 0, at) + 1}; allowed: a token')
        if m.lastgroup != 'blank':
            found.append(Token(m.lastgroup, m.group(), at))
        at = m.end()
    return found


def is_value(t):
    return t is not None and (t.kind in ('number', 'name') or t.text in (')', '}', ']'))


def frozen(tokens):
    """Returns for each token whether it must not change: tokens in brackets, counts of replications, arguments of sizes, members, calls."""
    held = [False] * len(tokens)
    opened = []
    for i, t in enumerate(tokens):
        if t.text in OPENS:
            if t.text == '{' and i and is_value(tokens[i - 1]) and opened and tokens[opened[-1]].text == '{':
                for k in range(opened[-1] + 1, i):
                    held[k] = True
            opened.append(i)
        elif t.text in CLOSES and opened:
            start = opened.pop()
            if t.text == ']':
                for k in range(start, i + 1):
                    held[k] = True
    return held


def condition_start(tokens, at):
    """Returns the index of the first token of the condition of the ? at `at`."""
    depth = 0
    for k in range(at - 1, -1, -1):
        t = tokens[k].text
        if t in CLOSES:
            depth += 1
        elif t in OPENS:
            if depth == 0:
                return k + 1
            depth -= 1
        elif depth == 0 and t in (',', '?', ':'):
            return k + 1
    return 0


def spell(tokens):
    out = ''
    for i, t in enumerate(tokens):
        tight = i == 0 or t.text in ',)]};:.[' and t.text != ':' or tokens[i - 1].text in '([{!~.' or t.text in '([' and \
            tokens[i - 1].kind == 'name'
        out += ('' if tight else ' ') + t.text
    return out


class File:
    def __init__(self, path, seed):
        self.path, self.is_c = path, path.endswith('.c')
        self.files = []  # (where in the text a line begins, its file, its number)
        self.text = ''
        self.read(path, set())
        self.rng = random.Random(f'{seed} {path.rsplit("/", 1)[-1]}')
        self.width = {}
        self.pool = {}
        if not self.is_c:
            self.signals()
        self.edits = []  # (from, to, function of the numbers)

    def signals(self):
        """Finds registers and inputs by their width. One may replace another of the same width without making a loop."""
        for m in re.finditer(r'^  (?:input\s+wire|reg|wire|output\s+wire)\s*(\[[^\]]*\])?\s*(\w+)\s*(?:;|=)', self.text, re.M):
            width = re.sub(r'\s+', '', m.group(1) or '')
            self.width[m.group(2)] = width
            if m.group(0).lstrip().startswith(('reg', 'input')) and m.group(2) not in ('clk', 'rst'):
                self.pool.setdefault(width, []).append(m.group(2))

    def read(self, path, known):
        """Reads the file's text. In C this includes the headers that are part of the model, each where it is first included."""
        known.add(path)
        for n, line in enumerate(open(path, encoding='utf-8'), 1):
            m = re.match(r'#include "([^"]+)"', line) if self.is_c else None
            if m and self.is_part(m.group(1)):
                if m.group(1) not in known:
                    self.read(m.group(1), known)
                continue
            self.files.append((len(self.text), path, n))
            self.text += line

    def is_part(self, header):
        """True if the header is part of the model: l1d_pipe.h of l1d.c, l2_sets.h of l2_slice.c. Shared headers are named otherwise."""
        def first(path):
            return re.split(r'[_.]', os.path.basename(path))[0]
        return os.path.dirname(header) == os.path.dirname(self.path) and first(header) == first(self.path)

    def place(self, at):
        _, path, n = self.files[bisect.bisect_right(self.files, at, key=lambda f: f[0]) - 1]
        return f'{path if self.is_c else os.path.basename(path)}:{n}'

    def changes(self, tokens):
        """Returns (kind, first token, token after the last, new text) for each mutant of an expression."""
        held = frozen(tokens)
        found = []
        for i, t in enumerate(tokens):
            if held[i]:
                continue
            before = tokens[i - 1] if i else None
            after = tokens[i + 1] if i + 1 < len(tokens) else None
            if t.kind == 'op' and is_value(before) and t.text in BINARY:
                found.append(('operator', i, i + 1, BINARY[t.text]))
            elif t.text in '!~' and not is_value(before):
                found.append(('operator', i, i + 1, ''))
            elif t.text in REDUCTION and not is_value(before) and not self.is_c:
                found.append(('operator', i, i + 1, REDUCTION[t.text]))
            elif t.text == '?':
                start = condition_start(tokens, i)
                found += [('condition', start, i, one) for one in (('1', '0') if self.is_c else ("1'b1", "1'b0"))]
            elif t.kind == 'number' and not (after and after.text == '{'):
                m = re.fullmatch(r"(\d+)'([bdh])([0-9a-fA-F]+)", t.text)
                if m:
                    value = int(m.group(3), {'b': 2, 'd': 10, 'h': 16}[m.group(2)]) ^ 1
                    found.append(('constant', i, i + 1, f"{m.group(1)}'d{value}" if m.group(2) != 'b' else
                                  f"{m.group(1)}'b{value:0{len(m.group(3))}b}"))
                elif re.fullmatch(r'\d+', t.text):
                    found.append(('constant', i, i + 1, str(int(t.text) + 1)))
            elif t.kind == 'name' and t.text in self.width and not (before and before.text == '.'):
                others = [s for s in self.pool.get(self.width[t.text], []) if s != t.text]
                if others:
                    found.append(('signal', i, i + 1, self.rng.choice(others)))
        return found

    def statement(self, start, end, what, condition=False):
        """Adds the mutants of the expression from start to end of the text. A condition may also become true or false."""
        tokens = tokens_of(self.text, start, end)
        if not tokens or any(t.kind == 'text' for t in tokens):
            return
        found = self.changes(tokens)
        if condition:
            found += [('condition', 0, len(tokens), one) for one in (('1', '0') if self.is_c else ("1'b1", "1'b0"))]
        mutants = []
        for kind, a, b, new in found:
            was = spell(tokens[a:b])
            left, right = self.text[start:tokens[a].at], self.text[tokens[b - 1].at + len(tokens[b - 1].text):end]
            nth = sum(1 for other in mutants if other['was'] == was and other['new'] == new) + 1
            if condition and a == 0 and b == len(tokens) and new[-1] == '0' and re.match(r'rst\b', was):
                kind = 'reset'
            mutants.append({'kind': kind, 'was': was, 'new': new, 'nth': nth, 'text': f'{left} {new} {right}',
                            'at': tokens[a].at, 'what': what})
        if mutants:
            self.edits.append((start, end, mutants))

    def lost(self, start, end, what):
        self.edits.append((start, end, [{'kind': 'lost', 'was': what, 'new': '', 'nth': 1, 'text': None, 'at': start,
                                         'what': what}]))

    def verilog(self):
        begin = self.text.index(');', self.text.index('module ')) + 2
        instance = [(m.start(), m.end()) for m in re.finditer(r'^  \w+ (?:#\(.*?\)\s*)?u_\w+ \(.*?\);', self.text, re.M | re.S)]
        pattern = re.compile(
            r'(?P<comment>//[^\n]*)|(?P<loop>\bfor\s*\()|(?P<fixed>\b(?:localparam|parameter|genvar|integer|input|output)\b[^;]*;)'
            r'|(?P<if>\bif\s*\()|(?P<wire>\bwire\b\s*(?:\[[^\]]*\]\s*)?\w+\s*=)|(?P<assign>\bassign\b[^;]*?[^<>=!]=(?!=))'
            r'|(?P<load>(?:\{[^{};]*\}|\w+(?:\[[^;=]*?\])?)\s*<=)|(?P<set>(?<=[\s)])\w+(?:\[[^;=]*?\])?\s*=(?!=))')
        at = begin
        while True:
            m = pattern.search(self.text, at)
            if not m:
                return begin
            at = m.end()
            if any(a <= m.start() < b for a, b in instance):
                continue
            kind = m.lastgroup
            if kind in ('loop', 'if'):
                close = matching(self.text, m.end() - 1)
                if kind == 'if' and not self.text[close + 1:close + 60].lstrip().startswith('begin :'):
                    self.statement(m.end(), close, f'if ({self.text[m.end():close].strip()})', condition=True)
                at = close + 1
            elif kind in ('wire', 'assign', 'load', 'set'):
                end = self.text.index(';', m.end())
                whole = ' '.join(re.sub(r'//[^\n]*', '', self.text[m.start():end + 1]).split())
                # Verilator sets the result of every function to 0 first.
                if kind == 'load' or kind == 'set' and not re.fullmatch(r"0|\{[^{}]*\{1'b0\}\}", self.text[m.end():end].strip()):
                    self.lost(m.start(), end + 1, whole)
                if not whole.startswith('wire unused_'):  # it marks a signal that is not read
                    self.statement(m.end(), end, whole)
                at = end + 1

    def c(self):
        pattern = re.compile(r'(?P<comment>/\*.*?\*/|//[^\n]*|^#[^\n]*)|(?P<loop>\bfor\s*\()|(?P<if>\b(?:if|while)\s*\()'
                             r'|(?P<return>\breturn\b)|(?P<event>\bHD_EV\()|(?P<set>(?<=[\s(])[a-z]\w*(?:(?:->|\.|\[)[^;=(){}]*?)?\s*[|&+^-]?=(?!=))',
                             re.S | re.M)
        at = 0
        while True:
            m = pattern.search(self.text, at)
            if not m:
                return 0
            at = m.end()
            kind = m.lastgroup
            if kind == 'if':
                close = matching(self.text, m.end() - 1)
                self.statement(m.end(), close, f'if ({self.text[m.end():close].strip()})', condition=True)
                at = close + 1
            elif kind in ('loop', 'event'):
                at = matching(self.text, m.end() - 1) + 1
            elif kind in ('return', 'set'):
                end = value_end(self.text, m.end())
                right = self.text[m.end():end]
                if '{' in right or kind == 'set' and re.search(r'(?:^|[;{}(])\s*(?:static |const )*\w+ \**$', self.text[:m.start()][-80:]) and \
                   'static' in self.text[:m.start()][-80:].rsplit(';', 1)[-1]:
                    at = m.end()
                    continue
                self.statement(m.end(), end, ' '.join(self.text[m.start():end + 1].split()))
                at = end + 1


def value_end(text, at):
    """Returns the end of the value that begins at `at`: its ; or the , before the next declarator."""
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] in '([{') - (text[k] in ')]}')
        if depth == 0 and text[k] in ';,':
            return k
    raise SystemExit('mutate.py: found a value without its end; allowed: one with ; or , behind it')


def matching(text, at):
    depth = 0
    for k in range(at, len(text)):
        if text[k] in '([{':
            depth += 1
        elif text[k] in ')]}':
            depth -= 1
            if depth == 0:
                return k
    raise SystemExit(f'mutate.py: found {text[at]} without its end; allowed: pairs')


def replaced(file, edits):
    """Returns the text with every numbered mutant of every edit. A lost assignment may contain the mutants of its own right side."""
    out, at = [], 0
    for start, end, mutants in edits:
        inner = [e for e in edits if e is not None and start <= e[0] and e[1] <= end and e[2] is not mutants]
        if start < at and not inner and mutants[0]['text'] is not None:
            continue  # done inside its assignment
        body = file.text[start:end]
        if mutants[0]['text'] is None:
            for e in inner:
                body = file.text[start:e[0]] + choice(file, e) + file.text[e[1]:end]
            n = mutants[0].get('number')
            text = f'begin if (hd_mutant != {n}) {body} end' if n else body
        else:
            text = choice(file, (start, end, mutants))
        out += [file.text[at:start], text]
        at = end
    return ''.join(out) + file.text[at:]


def choice(file, edit):
    start, end, mutants = edit
    numbered = [m for m in mutants if 'number' in m]
    body = f'({file.text[start:end]})'
    for m in reversed(numbered):
        body = f'(hd_mutant == {m["number"]} ? ({m["text"]}) : {body})'
    if len(numbered) > 2:
        first, n = numbered[0]['number'], len(numbered)
        outside = ' || '.join((f'hd_mutant < {first}', f'hd_mutant >= {first + n}'))
        if numbered[-1]['number'] == first + n - 1:
            body = f'({outside} ? ({file.text[start:end]}) : {body})'
    return ' ' + body


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('file')
    parser.add_argument('out')
    parser.add_argument('list')
    parser.add_argument('--seed', default='1')
    parser.add_argument('--most', type=int, default=0)
    a = parser.parse_args()
    file = File(a.file, a.seed)
    begin = file.c() if file.is_c else file.verilog()
    file.edits.sort(key=lambda e: (e[0], -e[1]))
    mutants = [m for e in file.edits for m in e[2]]
    if not mutants:
        raise SystemExit(f'mutate.py: {a.file}: found no statement to change; allowed: the Verilog of a module, or C')
    wanted = mutants if not a.most or a.most >= len(mutants) else file.rng.sample(mutants, a.most)
    chosen = {id(m) for m in wanted}
    number = 0
    for m in mutants:
        if id(m) in chosen:
            number += 1
            m['number'] = number
    text = replaced(file, file.edits)
    if file.is_c:
        text = 'extern unsigned hd_mutant;\n' + text
    else:
        text = text[:begin] + '\n  reg [31:0] hd_mutant /* verilator public_flat_rw */;\n' + text[begin:]
    with open(a.out, 'w', encoding='utf-8') as f:
        f.write(text)
    with open(a.list, 'w', encoding='utf-8') as f:
        for m in mutants:
            if 'number' in m:
                change = f'{m["was"]} -> {m["new"] or "nothing"}' if m['kind'] != 'lost' else 'lost'
                nth = f' ({m["nth"]})' if m['nth'] > 1 else ''
                what = ' '.join(re.sub(r'//[^\n]*', '', m['what']).split())
                f.write('\t'.join((str(m['number']), file.place(m['at']), m['kind'], what, change + nth)) + '\n')
    print(f'{number} of {len(mutants)} mutants of {a.file}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
