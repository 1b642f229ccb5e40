#!/usr/bin/env python3
"""All methods on real sets, side by side, as Markdown: what docs/results.md shows.

    bench/comparison.py --slm build/release/slm --data-dir DIR [--sets mice isolet] [--methods slm,omp]

Runs `slm compare` on each set and prints, methods by sets, the mean over the seeds of what the same predictors
reach on the test rows, the seconds of one selection, and how far each method is below the best of each set.
Finished sets are kept in a journal, so that an interrupted table resumes. Standard library only.
"""

import argparse
import dataclasses
import math
import pathlib
import sys

import datasets
import kinds
import runs


ERRORS = ("mae", "median_ae", "rmse", "log_loss")  # metrics of which less is better


@dataclasses.dataclass(frozen=True)
class Set:
    title: str
    k: int
    seeds: int = 3


SETS = {
    "mice": Set("Mice", 50),
    "mnist": Set("MNIST", 50),
    "fashion-mnist": Set("Fashion", 50),
    "isolet": Set("Isolet", 50),
    "coil20": Set("COIL-20", 50),
    "activity": Set("Activity", 50),
    "ames": Set("Ames", 10),
    "fraud-18000": Set("Fraud", 20),
    "kdd99": Set("KDD 99", 10, seeds=1),  # its half a million rows leave little to chance
}


def shorten(result):
    """Of a comparison, what the tables show."""
    methods = {}
    for row in result["results"]:
        tests = [run["test"] for run in row["runs"] if run["done"]]
        if tests:
            methods[row["method"]] = {"test": row["metrics"]["test"], "late": row["status"] == "late",
                                      "error": row["metrics"]["test_sd"] / math.sqrt(len(tests)),
                                      "seconds": row["seconds"]["select"], "reference": row["reference"]}
    return {"metric": result["metric"], "data": result["data"], "methods": methods}


class Table:
    """Methods by sets; the best of each set that chose columns is bold."""

    def __init__(self, results):
        self.results = results
        self.best = {}
        for name, result in results.items():
            chosen = {m: row["test"] for m, row in result["methods"].items() if not row["reference"]}
            self.best[name] = (min if result["metric"] in ERRORS else max)(chosen, key=chosen.get)

    def rank(self, method):
        """The mean place of a method over the sets, its order in the tables."""
        places = []
        for result in self.results.values():
            rows = result["methods"]
            sign = 1 if result["metric"] in ERRORS else -1
            ordered = sorted(rows, key=lambda m: sign * rows[m]["test"])
            places.append(ordered.index(method) if method in rows else len(rows))
        return sum(places) / len(places)

    def methods(self):
        return sorted({m for result in self.results.values() for m in result["methods"]}, key=self.rank)

    def cell(self, name, method):
        row = self.results[name]["methods"].get(method)
        if row is None:
            return ""
        text = digits(self.results[name], row["test"]) + ("*" if row["late"] else "")
        return f"**{text}**" if method == self.best[name] else text

    def print_tests(self):
        head("method", [f"{SETS[name].title}, {SETS[name].k}" for name in self.results])
        for method in self.methods():
            print(f"| `{method}` | " + " | ".join(self.cell(name, method) for name in self.results) + " |")
        for what, value in (("`slm` below the best", self.behind), ("standard error", self.error)):
            print(f"| {what} | " + " | ".join(value(name) for name in self.results) + " |")

    def behind(self, name):
        rows = self.results[name]["methods"]
        return digits(self.results[name], abs(rows[self.best[name]]["test"] - rows["slm"]["test"]))

    def error(self, name):
        """The larger of the two that are compared; none of one seed."""
        rows = self.results[name]["methods"]
        error = max(rows[self.best[name]]["error"], rows["slm"]["error"])
        return digits(self.results[name], error) if error > 0 else ""

    def print_seconds(self):
        head("seconds", [SETS[name].title for name in self.results])
        for method in self.methods():
            cells = [self.results[name]["methods"].get(method) for name in self.results]
            if any(row and not row["reference"] for row in cells):
                print(f"| `{method}` | " + " | ".join(f"{row['seconds']:.2f}" if row else "" for row in cells) + " |")

    def print_gaps(self, units):
        """How far each method is below the best one, errors in the given units, over the sets it finished."""
        gaps = {}
        for name, result in self.results.items():
            best = result["methods"][self.best[name]]["test"]
            for method, row in result["methods"].items():
                if not row["reference"]:
                    gaps.setdefault(method, []).append(abs(best - row["test"]) / units.get(name, 1))
        head("below the best", ["mean", "at worst"])
        for method, gap in sorted(gaps.items(), key=lambda item: sum(item[1]) / len(item[1])):
            print(f"| `{method}` | {sum(gap) / len(gap):.3f} | {max(gap):.3f} |")


def digits(result, value):
    return f"{value:.0f}" if result["metric"] in ERRORS else f"{value:.3f}"


def head(first, others):
    print("| " + " | ".join([first, *others]) + " |\n|" + "---|" * (1 + len(others)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slm", default="build/release/slm")
    parser.add_argument("--data-dir", help="folder with the sets; SLM_DATA_DIR if not given")
    parser.add_argument("--cache", default="build/data", help="folder for converted files")
    parser.add_argument("--out", default="build/bench/comparison", type=pathlib.Path, help="folder for the journal")
    parser.add_argument("--sets", nargs="*", default=list(SETS), choices=list(SETS))
    parser.add_argument("--methods", default="all", help="of slm methods, separated by commas; slm must be one")
    parser.add_argument("--seeds", type=int, help="for each set, instead of its own")
    parser.add_argument("--time-limit", type=float, default=60, help="seconds for each selection")
    args = parser.parse_args()
    folder = datasets.data_dir(args.data_dir)
    if folder is None:
        sys.exit("name the folder with the sets: --data-dir DIR, or SLM_DATA_DIR")
    journal = runs.Runs(args.slm, args.out / "journal.jsonl", (args.cache, folder), shorten)
    results, lines, units = {}, [], {}
    for name in args.sets:
        if name == "ames":  # raw, with text and missing cells
            source = [str(folder / "ames" / "train.csv"), "--target", "SalePrice"]
            units[name] = kinds.deviation(source[0])
        else:
            source = datasets.prepare(name, folder, args.cache)
        command = ["compare", *source, "-k", str(SETS[name].k), "--methods", args.methods,
                   "--seeds", str(args.seeds or SETS[name].seeds), "--selection-limit", f"{args.time_limit:g}"]
        results[name] = result = journal.run_whole(command)
        data = result["data"]
        lines.append(f"| {SETS[name].title} | {data['features']} | {data['train']} | {data['valid']} | {data['test']} "
                     f"| {result['metric']} | `{journal.shown(command)}` |")
    head("set", ["columns", "training rows", "validation", "test", "metric", "command"])
    print("\n".join(lines) + "\n")
    table = Table(results)
    table.print_tests()
    print("\nA star: cut off by --selection-limit.\n")
    table.print_gaps(units)
    print()
    table.print_seconds()


if __name__ == "__main__":
    main()
