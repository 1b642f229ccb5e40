#!/usr/bin/env python3
"""The methods on real sets, side by side, as Markdown: what docs/results.md shows.

    bench/comparison.py --slm build/release/slm --data-dir DIR [--sets mice isolet] [--seeds 3]

Runs `slm compare` with all methods on each set and prints its command and a table: mean and standard
deviation over the seeds of what the same predictors reach on the test rows, seconds and memory of one
selection. Standard library only.
"""

import argparse
import json
import math
import subprocess
import sys

import datasets

SETS = {  # the name as it is printed, and k
    "mice": ("Mice", 50),
    "mnist": ("MNIST", 50),
    "fashion-mnist": ("Fashion-MNIST", 50),
    "isolet": ("Isolet", 50),
    "coil20": ("COIL-20", 50),
    "activity": ("Activity", 50),
    "ames": ("Ames", 10),
    "fraud-18000": ("IEEE-CIS fraud, a sample of 18,000 rows", 20),
    "kdd99": ("KDD Cup 99", 10),
}


def standard_error(row):
    values = [run["test"] for run in row["runs"] if run["done"]]
    return row["metrics"]["test_sd"] / math.sqrt(len(values)) if values else 0


def print_set(name, command, result):
    results = result["results"]
    ranked = [row for row in results if row["metrics"]["test"] is not None]
    data = result["data"]
    print(f"## {SETS[name][0]}, k = {result['k']}\n")
    print(f"{data['features']} columns; {data['train']} rows for training, {data['valid']} for validation, "
          f"{data['test']} for testing; {result['seeds']} seeds; test {result['metric']}.\n")
    print(f"```\n{command}\n```\n")
    print(f"| method | test {result['metric']} | seconds | memory, MB |\n|---|---|---|---|")
    for row in ranked:
        late = " (late)" if row["status"] == "late" else ""
        print(f"| {row['method']}{late} | {row['metrics']['test']:.4f} ± {row['metrics']['test_sd']:.4f} "
              f"| {row['seconds']['select']:.2f} | {row['peak_bytes'] / 1e6:.1f} |")
    for row in results:
        if row["metrics"]["test"] is None:
            print(f"| {row['method']} | {row.get('reason', 'not finished')} | | |")
    selections = [row for row in ranked if not row["reference"]]
    best = selections[0]
    own = next(row for row in selections if row["method"] == "slm")
    behind = abs(best["metrics"]["test"] - own["metrics"]["test"])
    error = max(standard_error(best), standard_error(own))
    print(f"\nBest: `{best['method']}`. `slm` is {behind:.4f} behind it; the standard error is {error:.4f}.\n", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slm", default="build/release/slm")
    parser.add_argument("--data-dir", help="folder with the sets; SLM_DATA_DIR if not given")
    parser.add_argument("--cache", default="build/data", help="folder for converted files")
    parser.add_argument("--sets", nargs="*", default=list(SETS), choices=list(SETS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--flags", nargs=argparse.REMAINDER, default=[], help="handed on to slm compare")
    args = parser.parse_args()
    folder = datasets.data_dir(args.data_dir)
    if folder is None:
        sys.exit("name the folder with the sets: --data-dir DIR, or SLM_DATA_DIR")
    for name in args.sets:
        if name == "ames":  # raw, with text and missing cells
            source = [str(folder / "ames" / "train.csv"), "--target", "SalePrice"]
        else:
            source = datasets.prepare(name, folder, args.cache)
        line = ["compare", *source, "-k", str(SETS[name][1]), "--seeds", str(args.seeds), *args.flags]
        done = subprocess.run([args.slm, *line, "--json", "--quiet"], stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(f"slm {' '.join(line)} ended with {done.returncode}")
        shown = " ".join(["slm", *line])
        for prefix in (args.cache, str(folder)):
            shown = shown.replace(prefix + "/", "")
        print_set(name, shown, json.loads(done.stdout))


if __name__ == "__main__":
    main()
