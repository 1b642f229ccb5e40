#!/usr/bin/env python3
"""How often warnings of leaks, drift and time are right, and how often they are false, as Markdown.

    bench/alarms.py --slm build/release/slm --data-dir DATA [--repeats 3] [--rows 3000]

Every real set is tried as it is, and with something planted in it; generated sets (`slm synth`) likewise.
What is planted is the truth of a true alarm. What must not alarm: the columns of a set that has no leak,
random halves of one file as training and test rows, and dates that were dealt to the rows at random. Sets
with a split of their own are listed apart: whether they drift is for the reader to judge. At most --rows
rows of a set are taken, at random. Standard library only.
"""

import argparse
import collections
import csv
import datetime
import gzip
import json
import math
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

import datasets

GENERATED = {"madelon": ["--rows", "600"], "linear": ["--rows", "400"], "skewed": ["--rows", "400"]}
OWN_SPLITS = ("isolet", "activity", "kdd99")


class Table:
    def __init__(self, header, rows, target):
        self.header, self.rows, self.target = header, rows, target

    def column(self, name):
        j = self.header.index(name)
        return [row[j] for row in self.rows]

    def with_column(self, name, cells):
        rows = [[*row, cell] for row, cell in zip(self.rows, cells)]
        return Table([*self.header, name], rows, self.target)

    def of(self, rows):
        return Table(self.header, rows, self.target)

    def values(self):
        """The target as numbers, or None where it has classes."""
        try:
            numbers = [float(cell) for cell in self.column(self.target)]
        except ValueError:
            return None
        return numbers if len(set(numbers)) > 20 else None

    def write(self, path):
        with open(path, "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self.header)
            writer.writerows(self.rows)
        return str(path)


def read(path, target, most, draw):
    """At most so many of its rows, in the order of the file, which may be that of time."""
    def rows():
        opener = gzip.open if str(path).endswith(".gz") else open
        with opener(path, "rt", newline="") as file:
            yield from csv.reader(file)

    header = next(rows())
    count = sum(1 for _ in rows()) - 1
    kept = set(draw.sample(range(1, count + 1), min(most, count)))
    place = header.index(target)
    return Table(header, [row for i, row in enumerate(rows()) if i in kept and row[place] != ""], target)


class Program:
    def __init__(self, slm, folder):
        self.slm, self.folder = slm, folder

    def warnings(self, table, test=None, arguments=()):
        """(kind, column) of every warning; drift of the target is of kind `target drift`."""
        command = [self.slm, "select", table.write(self.folder / "data.csv"), "--target", table.target,
                   "-k", "1", "--method", "anova", "--dry-run", "--json", "--quiet", *arguments]
        if test is not None:
            command += ["--test", test.write(self.folder / "test.csv")]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
        found = set()
        for warning in json.loads(done.stdout)["data"].get("warnings", []):
            kind = warning["kind"]
            if kind == "drift" and warning["columns"] == [table.target]:
                kind = "target drift"
            found |= {(kind, column) for column in warning["columns"]}
        return found

    def synth(self, kind, arguments, seed):
        path = self.folder / "synth.csv"
        subprocess.run([self.slm, "synth", kind, *arguments, "--seed", str(seed), "--output", str(path)],
                       check=True, capture_output=True)
        with open(path, newline="") as file:
            header, *rows = csv.reader(file)
        return Table(header, rows, header[-1])


# ---- What is planted

def leaks(table, draw):
    """Kind and cells of columns that give the target away."""
    target, values = table.column(table.target), table.values()
    yield "copy", target
    yield "copy with 5 % of its cells missing", ["" if draw.random() < 0.05 else y for y in target]
    if values is None:
        classes = sorted(set(target))
        names = {c: f"n{i * 7 % 101}" for i, c in enumerate(draw.sample(classes, len(classes)))}
        yield "other names for the classes", [names[y] for y in target]
        yield "five codes for each class", [names[y] + draw.choice("abcde") for y in target]
        place = {c: i for i, c in enumerate(classes)}
        yield "a number from which the class follows", [f"{place[y] + 0.8 * draw.random():.5f}" for y in target]
        yield "copy, 1 % of it wrong", [draw.choice(classes) if draw.random() < 0.01 else y for y in target]
    else:
        spread = statistics.pstdev(values)
        low = min(values)
        yield "another unit", [repr(3.7 * y + 11) for y in values]
        yield "its logarithm", [repr(math.log(1 + (y - low) / spread)) for y in values]
        yield "with noise of 3 %", [repr(y + 0.03 * spread * draw.gauss(0, 1)) for y in values]
        yield "its negative, rounded to 1 %", [repr(-round(y / spread, 2)) for y in values]


def amounts(draw, count):
    return [round(draw.lognormvariate(4, 1), 2) for _ in range(count)]


def formulas(table, draw):
    """Kind, planted columns, and cells of a target that follows from them."""
    count = len(table.rows)
    a, b, c = amounts(draw, count), amounts(draw, count), amounts(draw, count)
    few = [draw.randint(1, 12) for _ in range(count)]
    nets = [round(x / 1.19, 2) for x in a]
    late = [x if draw.random() < 0.02 else 0 for x in c]
    yield "a sum of two, to cents", [a, b], [f"{x + y:.2f}" for x, y in zip(a, b)]
    yield "a difference, 2 % of it wrong", [a, b], [f"{x - y + z:.2f}" for x, y, z in zip(a, b, late)]
    yield "a sum of three", [a, b, c], [f"{x + y + z:.2f}" for x, y, z in zip(a, b, c)]
    yield "weights, rounded to cents", [nets, b, c], [f"{1.19 * x + 0.5 * y - z:.2f}" for x, y, z in zip(nets, b, c)]
    yield "price times quantity", [a, few], [f"{x * n:.2f}" for x, n in zip(a, few)]


def near_formulas(table, draw):
    """Columns that nearly make up the target."""
    count = len(table.rows)
    a, b, c = amounts(draw, count), amounts(draw, count), amounts(draw, count)
    spread = statistics.pstdev(a)
    yield ("a sum of two with noise of 5 %", [a, b],
           [f"{x + y + 0.05 * spread * draw.gauss(0, 1):.2f}" for x, y in zip(a, b)])
    yield "a sum of three, one of them unknown", [a, b], [f"{x + y + z:.2f}" for x, y, z in zip(a, b, c)]
    yield "a product of a sum", [a, b, c], [f"{x * (y + z):.2f}" for x, y, z in zip(a, b, c)]


def with_formula(table, columns, cells):
    """The table with such columns and target; its own target is left out."""
    own = table.header.index(table.target)
    rows = [[*row[:own], *row[own + 1:]] for row in table.rows]
    made = Table([*table.header[:own], *table.header[own + 1:]], rows, "made")
    for i, column in enumerate(columns):
        made = made.with_column(f"part{i}", [str(x) for x in column])
    return made.with_column("made", cells)


def halves(table, draw):
    order = draw.sample(range(len(table.rows)), len(table.rows))
    cut = 7 * len(order) // 10
    return (table.of([table.rows[i] for i in order[:cut]]), table.of([table.rows[i] for i in order[cut:]]))


def drifts(train, test, draw):
    """Kind, the column that drifts, and the two tables."""
    for shift in (0.5, 1.0):
        name = f"normal column moved by {shift:g} sd"
        yield (name, "planted", train.with_column("planted", [f"{draw.gauss(0, 1):.5f}" for _ in train.rows]),
               test.with_column("planted", [f"{draw.gauss(shift, 1):.5f}" for _ in test.rows]))
    yield ("a level twice as frequent", "planted",
           train.with_column("planted", draw.choices("abcd", (2, 3, 3, 2), k=len(train.rows))),
           test.with_column("planted", draw.choices("abcd", (4, 2, 2, 2), k=len(test.rows))))
    target = sorted(test.column(test.target) if test.values() is None else test.values())
    j = test.header.index(test.target)
    middle = target[len(target) // 2]
    upper = [row for row in test.rows if (row[j] if test.values() is None else float(row[j])) >= middle]
    kept = {id(row) for row in upper}
    lower = [row for row in test.rows if id(row) not in kept]
    if len(upper) > 10 and len(lower) > 10:
        yield "half of the lower half of the target gone", None, train, test.of(upper + lower[::2])


def dates(count):
    first = datetime.date(2019, 3, 1)
    return [str(first + datetime.timedelta(days=i * 1500 // count)) for i in range(count)]


def times(table, draw):
    """Kind and dates along which the target drifts: by share of the order that is the target's."""
    target, values = table.column(table.target), table.values()
    classes = sorted(set(target))
    shift = {c: i / len(classes) for i, c in enumerate(classes)}
    ranks = {}
    if values is not None:
        ranked = sorted(range(len(values)), key=values.__getitem__)
        ranks = {row: i / len(values) for i, row in enumerate(ranked)}
    for noise in (0.5, 1.0):
        keys = [(ranks[i] if values is not None else shift[y]) + noise * draw.random() for i, y in enumerate(target)]
        cells = [""] * len(keys)
        for day, row in zip(dates(len(keys)), sorted(range(len(keys)), key=keys.__getitem__)):
            cells[row] = day
        yield f"dates in the order of the target, noise {noise:g} of its range", cells


# ---- Counting

class Rates:
    def __init__(self):
        self.alarms = collections.Counter()
        self.trials = collections.Counter()
        self.sets = collections.defaultdict(set)

    def add(self, what, alarm, name):
        self.trials[what] += 1
        self.alarms[what] += bool(alarm)
        if bool(alarm) != what[1]:
            self.sets[what].add(name)

    def print(self):
        print("| warning | planted | should | alarms | of | otherwise on |\n|---|---|---|---|---|---|")
        for what in self.trials:
            kind, should, planted = what
            others = ", ".join(sorted(self.sets[what]))
            print(f"| {kind} | {planted} | {'alarm' if should else 'no alarm'} | {self.alarms[what]} | "
                  f"{self.trials[what]} | {others} |")


def try_set(name, table, program, repeats, draw, rates):
    found = program.warnings(table)
    rates.add(("leak", False, "nothing"), any(kind == "leak" for kind, _ in found), name)
    for kind, cells in leaks(table, draw):
        found = program.warnings(table.with_column("planted", cells))
        rates.add(("leak", True, kind), ("leak", "planted") in found, name)
    for kind, columns, cells in formulas(table, draw):
        found = program.warnings(with_formula(table, columns, cells))
        parts = {("leak", f"part{i}") for i in range(len(columns))}
        rates.add(("leak", True, kind), {one for one in found if one[0] == "leak"} == parts, name)
    for kind, columns, cells in near_formulas(table, draw):
        found = program.warnings(with_formula(table, columns, cells))
        rates.add(("leak", False, kind), any(k == "leak" for k, _ in found), name)
    for _ in range(repeats):
        train, test = halves(table, draw)
        found = program.warnings(train, test)
        rates.add(("drift", False, "random halves"), any(kind == "drift" for kind, _ in found), name)
        rates.add(("target drift", False, "random halves"), any(kind == "target drift" for kind, _ in found), name)
        cells = dates(len(table.rows))
        draw.shuffle(cells)
        found = program.warnings(table.with_column("planted", cells))
        rates.add(("time", False, "dates at random"), ("time", "planted") in found, name)
    train, test = halves(table, draw)
    for kind, column, own, other in drifts(train, test, draw):
        found = program.warnings(own, other)
        if column is None:
            rates.add(("target drift", True, kind), any(k == "target drift" for k, _ in found), name)
        else:
            rates.add(("drift", True, kind), ("drift", column) in found, name)
    for kind, cells in times(table, draw):
        found = program.warnings(table.with_column("planted", cells))
        rates.add(("time", True, kind), ("time", "planted") in found, name)


def real_sets(source, cache, most, draw):
    for name in datasets.CONVERTERS:
        if datasets.available(name, source):
            yield name, read(datasets.prepare(name, source, cache)[0], "target", most, draw)
    for folder in ("tables", "wide"):
        for path in sorted((source / folder).glob("*.csv.gz")):
            yield path.name.split(".")[0], read(path, "y", most, draw)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slm", required=True)
    parser.add_argument("--data-dir")
    parser.add_argument("--cache", default="build/bench-data")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--rows", type=int, default=3000)
    parser.add_argument("--only", nargs="*", help="names of sets")
    arguments = parser.parse_args()
    source = datasets.data_dir(arguments.data_dir)
    with tempfile.TemporaryDirectory() as folder:
        program = Program(arguments.slm, pathlib.Path(folder))
        draw = random.Random(20)
        rates = Rates()
        sets = [] if source is None else real_sets(source, arguments.cache, arguments.rows, draw)
        names = []
        for name, table in sets:
            if arguments.only and name not in arguments.only:
                continue
            names.append(f"{name} ({len(table.rows)} x {len(table.header) - 1})")
            print(name, file=sys.stderr)
            try_set(name, table, program, arguments.repeats, draw, rates)
        for kind, options in GENERATED.items():
            if arguments.only and kind not in arguments.only:
                continue
            for seed in range(arguments.repeats):
                table = program.synth(kind, options, seed)
                names.append(f"{kind} {seed} ({len(table.rows)} x {len(table.header) - 1})")
                try_set(f"{kind} {seed}", table, program, 1, draw, rates)
        print(f"{len(names)} sets: {', '.join(names)}\n")
        rates.print()
        for name in OWN_SPLITS:
            if source is None or not datasets.available(name, source) or arguments.only:
                continue
            paths = datasets.prepare(name, source, arguments.cache)
            train = read(paths[0], "target", arguments.rows, draw)
            test = read(paths[-1], "target", arguments.rows, draw)
            drifting = [column for kind, column in program.warnings(train, test) if kind == "drift"]
            print(f"\n{name}, its own split: {len(drifting)} of {len(train.header) - 1} columns drift")


if __name__ == "__main__":
    main()
