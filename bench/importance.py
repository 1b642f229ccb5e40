#!/usr/bin/env python3
"""What measuring importance costs, and how near it comes to fitting again without a column.

Usage: bench/importance.py cost|refit --slm build/release/slm [--data-dir DIR] [--repeats 3] [--tables NAME ...]

cost   the share of `slm select` that importance takes, for several methods, on real tables
refit  for the columns of a selection, three ways to leave one out, by their loss on validation rows:
       its cells permuted (what `slm` reports), its cells blank, and a predictor that was fitted
       without it; the rank correlations of the first two with the last

The data lie in a folder named by --data-dir or SLM_DATA_DIR; needs nothing but Python.
"""

import argparse
import csv
import gzip
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import tempfile

# File, target, columns that are not features, k of `cost`, k of `refit`.
TABLES = {
    "adult": ("tables/adult.csv.gz", "y", "", 8, 8),
    "california": ("tables/california.csv.gz", "y", "", 5, 8),
    "telco": ("tables/telco.csv.gz", "y", "", 10, 10),
    "communities": ("tables/communities.csv.gz", "y", "", 20, 10),
    "mice": ("mice/Data_Cortex_Nuclear.csv.gz", "class", "MouseID,Genotype,Treatment,Behavior", 10, 10),
    "colon": ("wide/colon.csv.gz", "y", "", 20, None),
    "pcmac": ("wide/pcmac.csv.gz", "y", "", 50, None),
    "isolet": ("isolet/isolet1+2+3+4.data.gz", "f617", "", 50, None),
}
METHODS = ("anova", "slm")


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}\n{done.stderr}")
    return done


def select(slm, data, target, drop, k, *more):
    words = [slm, "select", data, "--target", target, "-k", k, "--json", "--quiet", *more]
    return json.loads(run(*words, *(["--drop", drop] if drop else [])).stdout)


def cost(slm, folder, repeats, only):
    print(f"{'table':12} {'method':6} {'k':>3} {'rows':>5} {'importance':>10} {'select':>8} {'share':>7}")
    for name, (path, target, drop, k, _) in TABLES.items():
        if only and name not in only:
            continue
        more = ["--format", "csv", "--header", "no"] if name == "isolet" else []
        for method in METHODS:
            shares = []
            for _ in range(repeats):
                told = select(slm, folder / path, target, drop, k, "--method", method, *more)
                seconds = told["seconds"]
                shares.append((seconds["importance"] / seconds["total"], seconds))
            share, seconds = sorted(shares, key=lambda one: one[0])[len(shares) // 2]
            print(
                f"{name:12} {method:6} {k:3} {told['importance']['rows']:5} {seconds['importance']:10.3f}"
                f" {seconds['total']:8.2f} {100 * share:6.1f} %", flush=True,
            )  # fmt: skip


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    place = [0.0] * len(values)
    for rank, i in enumerate(order):
        place[i] = float(rank)
    return place


def refit(slm, folder, work):
    """Fits a method that only ranks on given columns: its predictor is what differs."""
    for name, (path, target, drop, _, k) in TABLES.items():
        if k is None:
            continue
        with gzip.open(folder / path, "rt") as file:
            header, *rows = csv.reader(file)
        random.Random(1).shuffle(rows)
        parts = {"train.csv": rows[: len(rows) // 2], "valid.csv": rows[len(rows) // 2 :]}

        def write(file, rows, columns, blank=None):
            with open(work / file, "w") as out:
                writer = csv.writer(out)
                writer.writerow(columns)
                for row in rows:
                    cells = dict(zip(header, row))
                    writer.writerow(["" if c == blank else cells[c] for c in columns])

        def fitted(columns):
            for file, own in parts.items():
                write(file, own, [*columns, target])
            words = ("--method", "anova", "--valid", work / "valid.csv", "--ignore", "none")
            words += ("--model", work / "m.slm")
            return select(slm, work / "train.csv", target, "", len(columns), *words)

        every = [c for c in header if c != target and c not in drop.split(",")]
        write("all.csv", parts["train.csv"], [*every, target])
        columns = [f["name"] for f in select(slm, work / "all.csv", target, "", k)["selected"]]
        told = fitted(columns)
        metric, base = told["metrics"]["name"], told["metrics"]["valid"]
        sign = -1 if metric in ("mae", "rmse", "log_loss") else 1
        permuted = {f["name"]: f["importance"] for f in told["selected"]}
        blank = {}
        for column in columns:
            write("blank.csv", parts["valid.csv"], [*columns, target], column)
            said = run(slm, "predict", work / "m.slm", work / "blank.csv", "--output", work / "p.csv").stderr
            blank[column] = sign * (base - float(re.search(rf"{metric} ([0-9.]+) on", said)[1]))
        again = {c: sign * (base - fitted([o for o in columns if o != c])["metrics"]["valid"]) for c in columns}
        truth = ranks([again[c] for c in columns])
        agreement = {
            way: statistics.correlation(ranks([values[c] for c in columns]), truth)
            for way, values in (("permuted", permuted), ("blank", blank))
        }
        print(f"{name}: {metric} {base:.4f}; rank correlation with a refit:", agreement)
        for c in sorted(columns, key=again.get, reverse=True):
            print(f"  {c:30} permuted {permuted[c]:9.4f}  blank {blank[c]:9.4f}  refit {again[c]:9.4f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("cost", "refit"))
    parser.add_argument("--slm", required=True)
    parser.add_argument("--data-dir", default=os.environ.get("SLM_DATA_DIR"), type=pathlib.Path)
    parser.add_argument("--repeats", default=3, type=int)
    parser.add_argument("--tables", nargs="*", default=[], metavar="NAME", help="of cost; all if not given")
    arguments = parser.parse_args()
    if arguments.data_dir is None:
        parser.error("--data-dir: name the folder of the tables, or set SLM_DATA_DIR")
    slm = str(pathlib.Path(arguments.slm).resolve())
    if arguments.what == "cost":
        cost(slm, arguments.data_dir, arguments.repeats, arguments.tables)
        return
    with tempfile.TemporaryDirectory() as work:
        refit(slm, arguments.data_dir, pathlib.Path(work))


main()
