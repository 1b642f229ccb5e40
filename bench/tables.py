#!/usr/bin/env python3
"""Business tables and rare classes: methods judged by predictors that are not slm's, as Markdown.

    bench/tables.py --slm build/release/slm --data-dir DIR [--sets adult rare-5] [--splits 5] [--methods slm,xgboost]

Real tables as they come (adult, telco, communities, california, the fraud sample, Ames) and generated ones whose
second class has 1, 5 and 10 % of the rows. Each split leaves a quarter of the rows for testing. Every method selects
from the others, with all its defaults; a linear model, a forest and boosting of scikit-learn are fitted on them and
measured on the test rows: the area under the curve for classes, r2 for values, mean of the three. Prints the means
over splits and how far each method is below the best one of each set, with the standard error of that distance over
splits. Selections and judgements are kept in a journal. Needs scikit-learn and pandas.
"""

import argparse
import dataclasses
import pathlib
import statistics
import sys
import tempfile

import datasets
import judges
import numpy as np
import pandas as pd
import runs

METHODS = ["slm", "xgboost", "rf", "mi", "anova", "lasso", "mrmr", "cmim", "omp", "random"]


@dataclasses.dataclass(frozen=True)
class Set:
    k: int
    file: str = ""  # of the data folder; generated if empty
    target: str = "y"
    metric: str = "auc"
    drop: tuple = ()
    most_rows: int = 8000  # a sample, the same for every method
    rare: float = 0  # share of the second class of a generated set


SETS = {
    "adult": Set(5, "tables/adult.csv.gz"),
    "telco": Set(5, "tables/telco.csv.gz"),
    "fraud": Set(10, "ieee-fraud-sample", "isFraud", drop=("TransactionID",)),
    "communities": Set(10, "tables/communities.csv.gz", metric="r2"),
    "california": Set(4, "tables/california.csv.gz", metric="r2"),
    "ames": Set(10, "ames/train.csv", "SalePrice", "r2", drop=("Id",)),
    "ames-400": Set(10, "ames/train.csv", "SalePrice", "r2", drop=("Id",), most_rows=400),
    "communities-400": Set(10, "tables/communities.csv.gz", metric="r2", most_rows=400),
    "rare-1": Set(8, rare=0.01, most_rows=6000),
    "rare-5": Set(8, rare=0.05, most_rows=3000),
    "rare-10": Set(8, rare=0.10, most_rows=1500),
}


def rare_classes(share, rows, seed):
    """Ten columns of 60 matter: five for their sum, two pairs for their products, one for its square."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(rows, 60))
    signal = x[:, :5].sum(axis=1) * 0.6 + x[:, 5] * x[:, 6] + x[:, 7] * x[:, 8] + x[:, 9] ** 2 - 1
    signal += random.normal(size=rows)
    frame = pd.DataFrame(x, columns=[f"x{j}" for j in range(60)])
    return frame, pd.Series(np.where(signal > np.quantile(signal, 1 - share), "yes", "no"))


def table_of(entry, folder, seed):
    if entry.rare:
        return rare_classes(entry.rare, entry.most_rows, seed)
    path = folder / entry.file
    if path.is_dir():  # the larger sample of the two
        path = max(path.glob("*.csv*"), key=lambda file: file.stat().st_size)
    frame, y = judges.read(path, entry.target)
    rows = np.random.default_rng(seed).permutation(len(y))[: entry.most_rows]
    return frame.drop(columns=list(entry.drop)).iloc[rows].reset_index(drop=True), y.iloc[rows].reset_index(drop=True)


def test_rows(y, classes, seed):
    """A quarter of the rows, of classes a quarter of each."""
    random = np.random.default_rng(1000 + seed)
    groups = [np.flatnonzero(y == value) for value in sorted(y.unique())] if classes else [np.arange(len(y))]
    outside = np.zeros(len(y), dtype=bool)
    for rows in groups:
        outside[random.permutation(rows)[: len(rows) // 4]] = True
    return outside


def judged(slm, folder, entry, seed, method, flags):
    frame, y = table_of(entry, folder, seed)
    classes = entry.metric != "r2"
    outside = test_rows(y, classes, seed)
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "train.csv"
        pd.concat([frame, y.rename("target_of_table")], axis=1)[~outside].to_csv(file, index=False)
        result = runs.json_of([slm, "select", str(file), "--target", "target_of_table", "-k", str(entry.k),
                               "--task", "classification" if classes else "regression", "--method", method,
                               "--seed", str(seed), "--split", "0.875,0.125,0", *flags])
    names = [one["name"] for one in result["selected"]]
    reached = judges.judge(judges.MANY, entry.metric, frame.loc[~outside, names], y[~outside],
                           frame.loc[outside, names], y[outside])
    return {"mean": statistics.fmean(reached.values()), "seconds": result["seconds"]["fit"], **reached}


def error_of_mean(values):
    return statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0


def print_table(table, sets, methods):
    mean = {name: {m: statistics.fmean(r["mean"] for r in table[name][m]) for m in methods} for name in sets}
    best = {name: max(methods, key=mean[name].get) for name in sets}

    def distance(name, method):
        gaps = [a["mean"] - b["mean"] for a, b in zip(table[name][best[name]], table[name][method])]
        return statistics.fmean(gaps), error_of_mean(gaps)

    gap = {m: statistics.fmean(distance(name, m)[0] for name in sets) for m in methods}
    print("| method | " + " | ".join(f"{name}, {SETS[name].k}" for name in sets) + " | below the best | seconds |")
    print("|---" * (len(sets) + 3) + "|")
    for method in sorted(methods, key=gap.get):
        cells = []
        for name in sets:
            below, error = distance(name, method)
            cells.append(f"**{mean[name][method]:.3f}**" if best[name] == method
                         else f"{mean[name][method]:.3f} ({below:.3f} ± {error:.3f})")
        seconds = statistics.fmean(r["seconds"] for name in sets for r in table[name][method])
        print(f"| `{method}` | " + " | ".join(cells) + f" | {gap[method]:.4f} | {seconds:.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slm", default="build/release/slm")
    parser.add_argument("--data-dir", help="folder with the sets; SLM_DATA_DIR if not given")
    parser.add_argument("--out", default="build/bench/tables", type=pathlib.Path, help="folder for the journal")
    parser.add_argument("--sets", nargs="*", default=list(SETS), choices=list(SETS))
    parser.add_argument("--methods", default=",".join(METHODS), help="separated by commas")
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--flags", nargs="*", default=[], help="of every selection, as metric=auc")
    args = parser.parse_args()
    folder = datasets.data_dir(args.data_dir)
    if folder is None:
        sys.exit("name the folder with the sets: --data-dir DIR, or SLM_DATA_DIR")
    journal = runs.Journal(args.out / "journal.jsonl", runs.build_of(args.slm))
    methods = args.methods.split(",")
    args.flags = [f"--{flag}" for flag in args.flags]
    table = {name: {method: [] for method in methods} for name in args.sets}
    for name in args.sets:
        for seed in range(args.splits):
            for method in methods:
                print(f"\r{name} split {seed} {method:<20}", end="", file=sys.stderr, flush=True)
                table[name][method].append(
                    journal.get((name, seed, method, *args.flags), lambda: judged(args.slm, folder, SETS[name], seed, method, args.flags)))
    print(file=sys.stderr)
    print_table(table, args.sets, methods)


if __name__ == "__main__":
    main()
