#!/usr/bin/env python3
"""Few rows and thousands of columns: methods judged by repeated halves, as Markdown.

    bench/few_rows.py --slm build/release/slm --data-dir DIR [--sets colon yale] [--k 10 50] [--halves 20]

Each set of DIR/wide is cut into halves, a class at a time, as often as asked. Every method selects k columns from
one half, with all its defaults; four predictors of scikit-learn are fitted on that half and measured on the
other. One half says little where there are thirty rows: what counts is the mean over halves and predictors, and
differences are taken within a half. Prints, for each k, the means, how far each method is below the best one of
each set, and on how many sets another method is ahead of it by more than two standard errors. Selections and
judgements are kept in a journal, so that an interrupted table resumes. Needs scikit-learn and pandas.
"""

import argparse
import pathlib
import statistics
import sys
import tempfile

import datasets
import judges
import numpy as np
import runs

SETS = ["colon", "leukemia", "glioma", "lymphoma", "warpar10p", "yale", "pcmac"]
METHODS = ["slm", "anova", "cmim", "mrmr", "jmim", "mi", "relieff", "hsic-lasso", "lasso", "mcp", "linear", "rfe",
           "svm-rfe", "best-subset", "omp", "rf", "extra-trees", "xgboost", "fsnet", "random"]
TARGET = "y"


def half(y, seed):
    """The rows of one half: of every class half of its rows, of an odd number the larger part."""
    random = np.random.default_rng(seed)
    chosen = []
    for value in sorted(y.unique()):
        rows = random.permutation(np.flatnonzero(y == value))
        chosen.extend(rows[: (len(rows) + 1) // 2])
    inside = np.zeros(len(y), dtype=bool)
    inside[chosen] = True
    return inside


def select(slm, file, k, method, seed):
    """Names and seconds of a selection; a failure ends the program."""
    command = [slm, "select", str(file), "--target", TARGET, "--task", "classification", "-k", str(k), "--method", method,
               "--seed", str(seed), "--split", "0.875,0.125,0"]
    result = runs.json_of(command)
    return [one["name"] for one in result["selected"]], result["seconds"]["fit"]


def judged(slm, folder, name, k, seed, method):
    frame, y = judges.read(folder / "wide" / f"{name}.csv.gz", TARGET)
    inside = half(y, seed)
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "half.csv"
        frame[inside].copy().assign(**{TARGET: [f"class {label}" for label in y[inside]]}).to_csv(file, index=False)
        names, seconds = select(slm, file, k, method, seed)
    assert len(set(names)) == k
    reached = judges.judge(judges.FEW, "accuracy", frame.loc[inside, names], y[inside], frame.loc[~inside, names],
                           y[~inside])
    return {"mean": statistics.fmean(reached.values()), "seconds": seconds, **reached}


def error_of_mean(values):
    return statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0


def print_table(k, table, sets, methods):
    """table[name][method]: results of the halves, one after the other."""
    mean = {name: {m: statistics.fmean(r["mean"] for r in table[name][m]) for m in methods} for name in sets}
    best = {name: max(methods, key=mean[name].get) for name in sets}

    def beaten(name, method):
        for other in methods:
            gaps = [a["mean"] - b["mean"] for a, b in zip(table[name][other], table[name][method])]
            if other != method and statistics.fmean(gaps) > 2 * error_of_mean(gaps):
                return True
        return False

    gap = {m: statistics.fmean(mean[name][best[name]] - mean[name][m] for name in sets) for m in methods}
    print(f"k = {k}, {len(table[sets[0]][methods[0]])} halves\n")
    print("| method | " + " | ".join(sets) + " | below the best | sets where beaten | seconds |")
    print("|---" * (len(sets) + 4) + "|")
    for method in sorted(methods, key=gap.get):
        cells = [f"**{mean[n][method]:.3f}**" if best[n] == method else f"{mean[n][method]:.3f}" for n in sets]
        seconds = statistics.fmean(r["seconds"] for n in sets for r in table[n][method])
        count = sum(beaten(name, method) for name in sets)
        print(f"| `{method}` | " + " | ".join(cells) + f" | {gap[method]:.3f} | {count} | {seconds:.2f} |")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slm", default="build/release/slm")
    parser.add_argument("--data-dir", help="folder with the sets; SLM_DATA_DIR if not given")
    parser.add_argument("--out", default="build/bench/few_rows", type=pathlib.Path, help="folder for the journal")
    parser.add_argument("--sets", nargs="*", default=SETS, choices=SETS)
    parser.add_argument("--methods", default=",".join(METHODS), help="separated by commas")
    parser.add_argument("--k", nargs="*", type=int, default=[10, 50])
    parser.add_argument("--halves", type=int, default=20)
    args = parser.parse_args()
    folder = datasets.data_dir(args.data_dir)
    if folder is None:
        sys.exit("name the folder with the sets: --data-dir DIR, or SLM_DATA_DIR")
    journal = runs.Journal(args.out / "journal.jsonl", runs.build_of(args.slm))
    methods = args.methods.split(",")
    for k in args.k:
        table = {name: {method: [] for method in methods} for name in args.sets}
        for name in args.sets:
            for seed in range(args.halves):
                for method in methods:
                    print(f"\r{name} k {k} half {seed} {method:<20}", end="", file=sys.stderr, flush=True)
                    table[name][method].append(journal.get(
                        (name, k, seed, method), lambda: judged(args.slm, folder, name, k, seed, method)))
        print(file=sys.stderr)
        print_table(k, table, args.sets, methods)


if __name__ == "__main__":
    main()
