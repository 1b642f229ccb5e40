#!/usr/bin/env python3
"""What the defaults of `slm select` reach, and what each part of them is worth.

    bench/defaults.py --slm build/release/slm --data-dir DIR [--variants all] [--seeds 5]

Runs every variant on every set with every seed and prints a Markdown table of mean validation
accuracy, by which variants are judged; the test accuracy stands beside the default alone. Sets that
need a data folder are left out without one. Standard library only.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time

import datasets
import synthetic

# name: (source, k, options of slm synth)
SETS = {
    "isolet": ("isolet", 50, None),
    "activity": ("activity", 50, None),
    "mice": ("mice", 50, None),
    "mice10": ("mice", 10, None),
    "mnist": ("mnist", 50, None),
    "fashion": ("fashion-mnist", 50, None),
    "coil20": ("coil20", 50, None),
    "madelon": ("madelon", 20, {}),
    "xor": ("xor", 6, {}),
    "redundant": ("redundant", 20, {}),
    "microarray": ("microarray", 20, {}),
    "text": ("text", 60, {}),
    "paper": ("paper100", 100, {"rows": 6000, "features": 600}),
}

VARIANTS = {
    "default": [],
    "Adam on the mask": ["--mask-update", "adam", "--mask-rate", "0.01"],
    "no filter starts": ["--starts", "6", "--filter-starts", "0"],
    "one start": ["--starts", "1", "--filter-starts", "0"],
    "no cross-fitting": ["--cross-fit", "never"],
    "linear, 5 drops over half": ["--schedule", "linear", "--drops", "5", "--tempering", "0.5"],
    "no r_cs": ["--rcs-weight", "0"],
    "task loss only": ["--objective", "task"],
    "literal mask": ["--mask-input", "literal"],
    "no refits to judge by": ["--refits", "0"],
    "one predictor": ["--final-predictors", "1"],
    "no noise on its inputs": ["--final-noise", "0"],
    "paper": ["--preset", "paper"],
}


def select(slm, arguments):
    start = time.monotonic()
    done = subprocess.run([slm, "select", *arguments, "--json", "--quiet"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"slm select {' '.join(arguments)}\n{done.stderr}")
    result = json.loads(done.stdout)
    return result, time.monotonic() - start


def run(args, name, flags):
    """Mean validation, test, seconds, share of salient columns and accuracy of the true columns."""
    source, k, generator = SETS[name]
    valid, test, seconds, found, truth_test = [], [], [], [], []
    for seed in range(args.seeds):
        common = ["-k", str(k), "--seed", str(seed), *flags]
        if generator is None:
            result, took = select(args.slm, [*datasets.prepare(source, args.data, args.cache), *common])
        else:
            made = synthetic.make(args.slm, source, generator, seed, args.cache)
            result, took = select(args.slm, [*made.source(), *common])
            most = min(k, len(made.salient))
            found.append(made.found(f["name"] for f in result["selected"]) / most)
            if not flags:
                kept = ["-k", str(most), "--seed", str(seed)]
                truth_test.append(select(args.slm, [*made.truth(), *kept])[0]["metrics"]["test"])
        valid.append(result["metrics"]["valid"])
        test.append(result["metrics"]["test"])
        seconds.append(took)
    mean = statistics.fmean
    return {
        "set": name, "k": k, "valid": mean(valid), "test": mean(test),
        "spread": statistics.pstdev(test), "seconds": mean(seconds), "slowest": max(seconds),
        "found": mean(found) if found else None, "truth": mean(truth_test) if truth_test else None,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slm", default="build/release/slm")
    parser.add_argument("--data-dir")
    parser.add_argument("--cache", default="build/bench/data", type=pathlib.Path)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--variants", default="default", help="names separated by ;, or all")
    parser.add_argument("--seeds", default=5, type=int)
    parser.add_argument("--flags", default="", help="a variant of your own: flags of slm select")
    parser.add_argument("--json", type=pathlib.Path, help="also write every figure to this file")
    args = parser.parse_args()
    args.data = datasets.data_dir(args.data_dir)
    args.cache.mkdir(parents=True, exist_ok=True)

    sets = [s for s in args.sets.split(",") if SETS[s][2] is not None or args.data]
    names = list(VARIANTS) if args.variants == "all" else args.variants.split(";")
    variants = {"own": args.flags.split()} if args.flags else {name: VARIANTS[name] for name in names}
    figures = {}
    for variant, flags in variants.items():
        for name in sets:
            figures[variant, name] = run(args, name, flags)
            f = figures[variant, name]
            print(f"{variant:28} {name:11} valid {f['valid']:.4f} test {f['test']:.4f} +- {f['spread']:.4f}"
                  f"  {f['seconds']:.2f} s (slowest {f['slowest']:.2f})"
                  + (f"  salient {f['found']:.2f}" if f["found"] is not None else "")
                  + (f"  true columns {f['truth']:.4f}" if f["truth"] is not None else ""),
                  file=sys.stderr, flush=True)
    print("| variant | " + " | ".join(f"{s}, {SETS[s][1]}" for s in sets) + " |")
    print("|---" * (len(sets) + 1) + "|")
    for variant in variants:
        print(f"| {variant} | " + " | ".join(f"{100 * figures[variant, s]['valid']:.1f}" for s in sets) + " |")
    if "default" in variants:
        for title, key, scale in (("default, test rows", "test", 100), ("true columns, test rows", "truth", 100),
                                  ("default, seconds", "seconds", 1)):
            cells = [figures["default", s][key] for s in sets]
            print(f"| {title} | " + " | ".join("" if c is None else f"{scale * c:.1f}" for c in cells) + " |")
    if args.json:
        args.json.write_text(json.dumps([{"variant": v, **f} for (v, _), f in figures.items()], indent=1))


if __name__ == "__main__":
    main()
