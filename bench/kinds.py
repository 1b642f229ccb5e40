#!/usr/bin/env python3
"""How far slm's defaults are from the best method of `slm compare` on each generated kind, as Markdown.

    bench/kinds.py --slm build/release/slm [--sets madelon skewed-62] [--seeds 5] [--methods slm,anova,lasso]

Each set is drawn anew for every seed, with test rows of its own: nothing was chosen by them. All methods
see the same rows, and the same predictors judge their columns. Finished runs stand in a journal, so that
an interrupted table goes on where it was. Standard library only.
"""

import argparse
import csv
import dataclasses
import json
import math
import pathlib
import statistics
import sys

import runs
import synthetic

# Those that take less than a minute on nearly all sets.
METHODS = ["slm", "anova", "best-subset", "cmim", "fsnet", "hsic-lasso", "jmim", "lasso", "mi", "mrmr", "omp",
           "rf", "seq-attention", "stg"]
QUICK_METHODS = ["slm", "anova", "omp"]
MARGIN = 0.01  # of accuracy, and of the mean absolute error in standard deviations: more is behind


@dataclasses.dataclass(frozen=True)
class Set:
    kind: str
    k: int
    rows: int  # an eighth of them validates
    features: int
    salient: int
    classes: int = 0  # 0: values
    test_rows: int = 600
    more: tuple = ()  # further options of slm synth

    def options(self, quick):
        """Of slm synth. The quick form keeps the salient columns and a few others."""
        return {"rows": min(self.rows, 150) if quick else self.rows,
                "test-rows": min(self.test_rows, 100) if quick else self.test_rows,
                "features": min(self.features, self.salient + 20) if quick else self.features,
                "salient": self.salient,
                **({"classes": self.classes} if self.classes else {}), **dict(self.more)}


def shift(x):
    return (("shift", x),)


SETS = {
    # Few rows, many columns.
    "blocks-100": Set("blocks", 20, 100, 5000, 20, 2, more=shift(0.7)),
    "blocks-300": Set("blocks", 20, 300, 3000, 20, 2, more=shift(0.35)),
    "blocks-600": Set("blocks", 20, 600, 2000, 20, 3, more=shift(0.35)),
    "skewed-62": Set("skewed", 20, 62, 2000, 20, 2, more=shift(0.6)),
    "skewed-72": Set("skewed", 20, 72, 3000, 20, 2, more=shift(0.8)),
    "skewed-83": Set("skewed", 20, 83, 2300, 30, 4, more=shift(0.9)),
    "skewed-102": Set("skewed", 20, 102, 6000, 30, 2, more=shift(0.5)),
    "skewed-190": Set("skewed", 20, 190, 8000, 40, 4, more=shift(0.7)),
    "skewed-240": Set("skewed", 20, 240, 1500, 10, 2, more=shift(0.4)),
    "microarray": Set("microarray", 20, 150, 5000, 20, 2),
    "redundant-120": Set("redundant", 20, 120, 440, 40, 4),
    # Many rows. Those of madelon are the training and validation rows of 2000 cut 70/10/20.
    "copies": Set("copies", 8, 1000, 400, 8, 3, 2000),
    "madelon": Set("madelon", 20, 1600, 500, 20, 2, 2000),
    "paper": Set("paper100", 100, 4800, 600, 100, 2, 2000),
    "redundant": Set("redundant", 20, 1600, 220, 20, 4, 2000),
    "text": Set("text", 60, 1600, 4000, 60, 4, 1000),
    "xor": Set("xor", 6, 3200, 206, 6, 2, 2000),
    # Values.
    "friedman": Set("friedman", 5, 1000, 100, 5, test_rows=3000),
    "heavy-tail": Set("heavy-tail", 11, 1000, 100, 11, test_rows=3000),
    "linear": Set("linear", 15, 1000, 200, 15, test_rows=3000),
    "products": Set("products", 6, 1500, 60, 6, test_rows=3000),
    "value-copies": Set("value-copies", 15, 1000, 200, 15, test_rows=3000),
    "wide": Set("wide", 12, 350, 1000, 12, test_rows=3000),
}


def shorten(result):
    """Of a comparison, what each method reached, and the columns that slm took."""
    rows = {row["method"]: row["runs"][0] for row in result["results"]}
    return {"test": {method: run["test"] for method, run in rows.items() if run["done"]},
            "late": [method for method, run in rows.items() if run.get("late")],
            "selected": [column["name"] for column in rows.get("slm", {}).get("selected", [])]}


def deviation(path):
    """The standard deviation of the target, the last column."""
    with open(path) as file:
        return statistics.pstdev(float(row[-1]) for i, row in enumerate(csv.reader(file)) if i > 0)


class Kinds:
    def __init__(self, args):
        self.args = args
        self.cache = args.out / f"data-{runs.build_of(args.slm)}"  # another build may draw other sets
        self.runs = runs.Runs(args.slm, args.out / "journal.jsonl", (self.cache,), shorten)

    def compare(self, source, k, metric, seed, methods):
        command = ["compare", *source, "-k", str(k), "--metric", metric, "--seeds", "1", "--seed", str(seed),
                   "--methods", ",".join(methods), "--selection-limit", f"{self.args.time_limit:g}"]
        if self.args.quick:
            command += ["--refits", "1"]
            for method in methods:
                for name, value in runs.QUICK.get(method, {}).items():
                    command += ["--set", f"{method}.{name}={value}"]
        return self.runs.run_whole(command)

    def one(self, shape, seed):
        """What the methods, and the true columns, reach on one draw; errors in standard deviations."""
        made = synthetic.make(self.args.slm, shape.kind, shape.options(self.args.quick), seed, self.cache)
        metric = "accuracy" if shape.classes else "mae"
        unit = 1 if shape.classes else deviation(made.test)
        result = self.compare(made.source(), shape.k, metric, seed, self.args.methods)
        truth = self.compare(made.truth(), shape.salient, metric, seed, ["random"])
        return {"seed": seed, "test": {method: value / unit for method, value in result["test"].items()},
                "late": result["late"], "found": made.found(result["selected"]),
                "truth": truth["test"]["all-features"] / unit}

    def row(self, name):
        shape = SETS[name]
        seeds = range(self.args.first, self.args.first + self.args.seeds)
        return summary(name, shape, [self.one(shape, seed) for seed in seeds])


def summary(name, shape, draws):
    """Means over the draws. `ahead` is how much better slm is than the best other method: more accuracy or
    less error; negative if it is behind."""
    sign = 1 if shape.classes else -1
    finished = set.intersection(*(set(draw["test"]) for draw in draws))
    means = {method: statistics.fmean(draw["test"][method] for draw in draws) for method in finished}
    others = finished - {"slm", "random", "all-features"}
    best = max(sorted(others), key=lambda method: sign * means[method]) if others else None
    row = {"set": name, "k": shape.k, "metric": "accuracy" if shape.classes else "mae", "means": means, "best": best,
           "found": statistics.fmean(draw["found"] for draw in draws), "salient": shape.salient,
           "truth": statistics.fmean(draw["truth"] for draw in draws), "draws": draws}
    if best is not None and "slm" in finished:
        ahead = [sign * (draw["test"]["slm"] - draw["test"][best]) for draw in draws]
        row["ahead"] = statistics.fmean(ahead)
        row["error"] = statistics.stdev(ahead) / math.sqrt(len(ahead)) if len(ahead) > 1 else None
        row["behind"] = round(row["ahead"], 6) < -MARGIN  # sums of decimals are not exact
    return row


HEADER = ("| kind | k | slm | best other | its score | slm's lead | salient found by slm | true columns | |\n"
          "|---|---|---|---|---|---|---|---|---|")


def line(row):
    best = row["best"]
    value = {method: f"{mean:.3f}" for method, mean in row["means"].items()}
    ahead = f"{row['ahead']:+.3f}" if "ahead" in row else ""
    if row.get("error") is not None:
        ahead += f" ± {row['error']:.3f}"
    late = {method: " (late)" for draw in row["draws"] for method in draw["late"]}
    return (f"| {row['set']} | {row['k']} | {value.get('slm', '')}{late.get('slm', '')} | {best or ''}{late.get(best, '')} "
            f"| {value.get(best, '')} | {ahead} | {row['found']:.1f} of {row['salient']} | {row['truth']:.3f} "
            f"| {'**behind**' if row.get('behind') else ''} |")


def commands(names, quick):
    for name in names:
        options = " ".join(f"--{key} {value}" for key, value in SETS[name].options(quick).items())
        yield f"{name:13} slm synth {SETS[name].kind} {options}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slm", default="build/release/slm")
    parser.add_argument("--out", default="build/bench/kinds", type=pathlib.Path, help="folder for sets and journal")
    parser.add_argument("--sets", nargs="*", default=list(SETS), choices=list(SETS), metavar="SET",
                        help="of " + ", ".join(SETS))
    parser.add_argument("--methods", type=lambda text: text.split(","), help="of slm methods, separated by commas")
    parser.add_argument("--seeds", type=int, help="draws of each set (5)")
    parser.add_argument("--first", type=int, default=100, help="the first seed; the defaults were chosen on lower ones")
    parser.add_argument("--time-limit", type=float, default=60, help="seconds for each selection")
    parser.add_argument("--quick", action="store_true", help="small sets, short training, one draw: does it work?")
    parser.add_argument("--json", type=pathlib.Path, help="also write every figure to this file")
    args = parser.parse_args()
    args.methods = args.methods or (QUICK_METHODS if args.quick else METHODS)
    args.seeds = args.seeds or (1 if args.quick else 5)
    if not pathlib.Path(args.slm).is_file():
        sys.exit(f"there is no program {args.slm}; build it, or name another by --slm")

    kinds, rows = Kinds(args), []
    rivals = ", ".join(method for method in args.methods if method != "slm")
    print(f"Mean over the draws of each set, seeds {args.first} to {args.first + args.seeds - 1}, of what the same "
          "predictors reach on test rows: accuracy,\nor for sets of values the mean absolute error in standard "
          f"deviations, where less is better. *Behind*: by more than {MARGIN}.\nThe best other method is chosen by the "
          f"same test rows, among {rivals}; *late*: cut off\nby --selection-limit in some draw.\n\n{HEADER}", flush=True)
    for name in args.sets:
        rows.append(kinds.row(name))
        print(line(rows[-1]), flush=True)
    print("\n```\n" + "\n".join(commands(args.sets, args.quick)) + "\n```")
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
