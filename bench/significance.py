#!/usr/bin/env python3
"""Are columns that `slm select --fdr` finds real? Null tables and planted ones, as Markdown.

    bench/significance.py --slm build/release/slm null [--tables 500] [--tests knockoffs/lasso shadows/anova ...]
    bench/significance.py --slm build/release/slm planted [--tables 20] [--tests ...] [--peers]

`null` draws tables whose target has nothing to do with any column, of every shape and with classes and values in
turn, and counts those in which anything is found; the share must not exceed the level by more than its binomial
error. `planted` draws tables in which some columns decide the target, and measures the share of false columns
among those found and the share of the planted ones that are found. A test is TEST/METHOD; randomisation tests the
10 columns that the method chooses. `--peers` adds knockpy, hidimstat and BorutaPy, which have to be installed, on the
tables that are numbers throughout. Every run is one thread; runs are kept in a journal (--journal FILE), so that an
interrupted table resumes.
"""

import argparse
import json
import math
import pathlib
import statistics
import subprocess
import tempfile
import time
import warnings

import numpy as np
import runs

TARGET = "y"
CHOSEN = {"null": 10, "planted": 30}  # of randomisation
NULL_TESTS = ["knockoffs/anova", "knockoffs/lasso", "knockoffs/linear", "shadows/anova", "shadows/lasso",
              "shadows/linear", "randomisation/lasso", "randomisation/anova"]
PLANTED_TESTS = ["knockoffs/lasso", "knockoffs/linear", "knockoffs/anova", "knockoffs/slm", "shadows/anova",
                 "shadows/lasso", "randomisation/lasso"]
PEERS = ["knockpy lasso", "hidimstat knockoff", "hidimstat dCRT", "BorutaPy"]


def correlated(random, rows, columns, rho):
    """Normal columns whose correlation is rho to the power of their distance."""
    noise = random.normal(size=(rows, columns))
    out = noise.copy()
    for c in range(1, columns):
        out[:, c] = rho * out[:, c - 1] + math.sqrt(1 - rho * rho) * noise[:, c]
    return out


def heavy(random, rows, columns):
    """Correlated columns with tails of Student's t with 2 degrees of freedom, each by its own divisor."""
    return correlated(random, rows, columns, 0.5) / np.sqrt(random.chisquare(2, size=(rows, columns)) / 2)


def texts(latent, random):
    """Levels of each column, unequally frequent: two to seven of them."""
    out = []
    for c in range(latent.shape[1]):
        cuts = np.sort(random.normal(size=random.integers(1, 7)))
        names = random.permutation([f"level {i}" for i in range(len(cuts) + 1)])
        out.append(names[np.searchsorted(cuts, latent[:, c])])
    return out


def inputs(shape, random, small):
    """The columns of a table, by name, and the numbers behind them."""
    rows, columns = (300, 40) if small else (1000, 100)
    if shape == "wide":
        rows, columns = (120, 300) if small else (300, 1000)
    latent = {
        "independent": lambda: random.normal(size=(rows, columns)),
        "correlated": lambda: correlated(random, rows, columns, 0.7),
        "heavy": lambda: heavy(random, rows, columns),
        "text": lambda: correlated(random, rows, columns, 0.5),
        "wide": lambda: correlated(random, rows, columns, 0.5),
    }[shape]()
    order = random.permutation(columns)  # neighbours need not stand side by side
    latent = latent[:, order]
    cells = list(latent.T)
    if shape == "text":
        for c, levels in zip(range(0, columns, 2), texts(latent[:, ::2], random), strict=True):
            cells[c] = levels
    return {f"x{c}": cells[c] for c in range(columns)}, latent


def target(kind, score, random):
    """Values or classes of rows with this score."""
    if kind == "values":
        return score + random.normal(size=len(score))
    return np.where(random.uniform(size=len(score)) < 1 / (1 + np.exp(-2 * score)), "yes", "no")


def effects(cells, random, planted):
    """What columns do to the target: of numbers a slope, of texts a value of each level; standardised."""
    score = np.zeros(len(next(iter(cells.values()))))
    for name in planted:
        cell = cells[name]
        if cell.dtype.kind in "US":
            levels = sorted(set(cell))
            of_level = dict(zip(levels, random.normal(size=len(levels)), strict=True))
            effect = np.array([of_level[one] for one in cell])
        else:
            ranks = np.argsort(np.argsort(cell)) / len(cell)  # tails alone must not decide
            effect = cell if abs(cell).max() < 6 else ranks
        score += (effect - effect.mean()) / max(effect.std(), 1e-9) * random.choice([-1, 1])
    return score


def draw(part, shape, kind, index):
    """A table and the names of its planted columns."""
    random = np.random.default_rng([index, len(shape), len(kind), part == "null"])
    cells, _ = inputs(shape, random, part == "null")
    if part == "null":
        rows = len(next(iter(cells.values())))
        return cells | {TARGET: target(kind, np.zeros(rows), random)}, set()
    planted = set(random.choice(sorted(cells), 20, replace=False))
    score = effects(cells, random, sorted(planted)) * 0.35
    return cells | {TARGET: target(kind, score, random)}, planted


def write(table, file):
    names = list(table)
    columns = [[str(v) if isinstance(v, str) else repr(float(v)) for v in table[name].tolist()] for name in names]
    file.write_text("\n".join([",".join(names)] + [",".join(row) for row in zip(*columns, strict=True)]) + "\n")


def found_by_slm(slm, file, test, level, index, chosen):
    name, method = test.split("/")
    command = [slm, "select", str(file), "--target", TARGET, "--significance", name, "--fdr", str(level),
               "--method", method, "--split", "0.9,0.1,0", "--threads", "1", "--seed", str(index), "--quiet", "--json", "--leaks", "ignore"]
    if name == "randomisation":
        command += ["-k", str(chosen)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 6):
        raise SystemExit(f"{' '.join(command)}: {done.stderr}")
    return [one["name"] for one in json.loads(done.stdout)["significance"]["columns"] if one.get("significant")]


def found_by_peer(peer, table, level, index):
    names = [name for name in table if name != TARGET]
    x = np.column_stack([table[name] for name in names])
    y = table[TARGET]
    classes = y.dtype.kind in "US"
    y = (y == "yes").astype(float) if classes else y
    np.random.seed(index)
    if peer == "knockpy lasso":
        from knockpy import KnockoffFilter
        chosen = KnockoffFilter(ksampler="gaussian", fstat="lasso").forward(
            X=x, y=y, fdr=level, shrinkage="ledoitwolf")
        return [name for name, one in zip(names, chosen, strict=True) if one]
    if peer == "BorutaPy":
        from boruta import BorutaPy
        from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
        make = RandomForestClassifier if classes else RandomForestRegressor
        forest = make(n_jobs=1, max_depth=5, random_state=index)
        boruta = BorutaPy(forest, n_estimators="auto", alpha=level, random_state=index).fit(x, y)
        return [name for name, one in zip(names, boruta.support_, strict=True) if one]
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    return [names[j] for j in found_by_hidimstat(peer, x, y, level, index)]


def found_by_hidimstat(peer, x, y, level, index):
    import hidimstat
    from sklearn.linear_model import LassoCV
    if peer == "hidimstat knockoff":
        knockoffs = hidimstat.ModelXKnockoff(random_state=index)
        knockoffs.fit_importance(x, y - y.mean())
        return np.flatnonzero(knockoffs.fdr_selection(fdr=level))
    dcrt = hidimstat.D0CRT(LassoCV(), random_state=index)
    dcrt.fit_importance(x, y - y.mean())
    p = np.asarray(dcrt.pvalues_)
    order = np.argsort(p)
    passed = np.flatnonzero(p[order] <= level * np.arange(1, len(p) + 1) / len(p))
    return order[: passed[-1] + 1] if len(passed) else []


def measure(options, journal, part, test, shape, kind, index, level):
    """Columns found, how many of them are planted, and how many were planted; seconds."""
    def work():
        table, planted = draw(part, shape, kind, index)
        start = time.monotonic()
        if test in PEERS:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = found_by_peer(test, table, level, index)
        else:
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "table.csv"
                write(table, file)
                found = found_by_slm(options.slm, file, test, level, index, CHOSEN[part])
        return [len(found), len(planted & set(found)), len(planted), time.monotonic() - start]
    return journal.get((part, test, shape, kind, index, level), work)


def null(options, journal):
    kinds = [(shape, kind) for shape in options.shapes for kind in ("classes", "values")]
    print(f"{options.tables} null tables, level {options.level:g}: tables in which anything is found\n")
    print("| test | " + " | ".join(options.shapes) + " | all | share | 95 % interval |")
    print("|---|" + "---:|" * (len(options.shapes) + 3))
    for test in options.tests or NULL_TESTS:
        false = dict.fromkeys(options.shapes, 0)
        count = dict.fromkeys(options.shapes, 0)
        for index in range(options.tables):
            shape, kind = kinds[index % len(kinds)]
            if test in PEERS and shape == "text":
                continue
            false[shape] += measure(options, journal, "null", test, shape, kind, index, options.level)[0] > 0
            count[shape] += 1
        hits, total = sum(false.values()), sum(count.values())
        low, high = wilson(hits, total)
        print(f"| {test} | " + " | ".join(f"{false[s]} of {count[s]}" for s in options.shapes) +
              f" | {hits} of {total} | {hits / total:.3f} | {low:.3f} to {high:.3f} |", flush=True)


def wilson(hits, total):
    z, p = 1.96, hits / total
    middle = (p + z * z / (2 * total)) / (1 + z * z / total)
    half = z * math.sqrt(p * (1 - p) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return middle - half, middle + half


def planted(options, journal):
    print(f"{options.tables} planted tables of each shape, level {options.level:g}: mean false share, +- its standard "
          "error, and share of the planted columns found\n")
    tests = options.tests or PLANTED_TESTS
    tests = tests + (PEERS if options.peers else [])
    print("| test | " + " | ".join(options.shapes) + " | seconds |")
    print("|---|" + "---:|" * (len(options.shapes) + 1))
    for test in tests:
        cells, seconds = [], []
        for shape in options.shapes:
            if test in PEERS and shape == "text":
                cells.append("-")
                continue
            rates, powers = [], []
            for index in range(options.tables):
                kind = ("classes", "values")[index % 2]
                found, right, true, spent = measure(options, journal, "planted", test, shape, kind, index,
                                                    options.level)
                rates.append((found - right) / max(1, found))
                powers.append(right / true)
                seconds.append(spent)
            error = statistics.stdev(rates) / math.sqrt(len(rates)) if len(rates) > 1 else 0
            cells.append(f"{statistics.mean(rates):.3f} +- {error:.3f}, {statistics.mean(powers):.2f}")
        print(f"| {test} | " + " | ".join(cells) + f" | {statistics.median(seconds):.1f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slm", required=True)
    parser.add_argument("part", choices=["null", "planted"])
    parser.add_argument("--tables", type=int)
    parser.add_argument("--tests", nargs="+")
    parser.add_argument("--shapes", nargs="+", default=["independent", "correlated", "heavy", "text", "wide"])
    parser.add_argument("--level", type=float, default=0.1)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--journal", type=pathlib.Path, default=pathlib.Path("build/significance.jsonl"))
    options = parser.parse_args()
    journal = runs.Journal(options.journal, runs.build_of(options.slm))
    if options.part == "null":
        options.tables = options.tables or 500
        null(options, journal)
    else:
        options.tables = options.tables or 20
        planted(options, journal)


if __name__ == "__main__":
    main()
