#!/usr/bin/env python3
"""The paper's experiments, one command each.

    bench/paper/run.py table1 --data-dir DIR [--quick] [--seeds 3] [--trials 100]
    bench/paper/run.py all --quick --generated
    bench/paper/run.py --list

Writes OUT/NAME.json, OUT/NAME.md and figures as SVG. An interrupted run goes on where it was: finished
runs of `slm` stand in OUT/journal.jsonl. Standard library only.
"""

import argparse
import os
import pathlib
import shlex
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import ablations
import datasets
import details
import generated
import report
import runner
import paper_tables as tables

EXPERIMENTS = {  # name: (function, what it shows)
    "table1": (tables.table1, "Table 1: eight data sets, eleven methods, 50 features"),
    "tuned": (tables.tuned, "SLM alone, its settings searched, on the sets of Table 1"),
    "table2": (tables.table2, "Table 2: Fraud with 20, 50 and 100 features"),
    "synthetic": (tables.synthetic, "both synthetic tables: 3000 features, 300 and 100 of them salient"),
    "ablation-mi": (ablations.ablation_mi, "figure: with and without the MI term, random settings"),
    "ablation-tempering": (ablations.ablation_tempering, "figure: with and without tempering, random settings"),
    "ablation-features": (ablations.ablation_features, "figure: accuracy against the number of features, Activity"),
    "ames": (details.ames, "ten features of Ames and their weights; errors at k = 10 and 50"),
    "timing": (details.timing, "an epoch on Mice; r_cs and the MI term on Ames"),
    "hsic": (tables.hsic, "HSIC instead of MI on Isolet and Activity"),
    "stg": (tables.stg, "SLM against STG on Isolet and Activity, random settings"),
    "collapse": (ablations.collapse, "figure: the support with and without scaling"),
}


def count(text):
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"'{text}' is less than 0")
    return value


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="EXPERIMENT", help="or all; --list shows them")
    parser.add_argument("--list", action="store_true", help="list the experiments and end")
    parser.add_argument("--slm", default="build/release/slm", help="the program (default build/release/slm)")
    parser.add_argument("--data-dir", help="folder with the data sets; SLM_DATA_DIR if not given")
    parser.add_argument("--generated", action="store_true", help="small sets of random numbers instead of real ones")
    parser.add_argument("--cache", default="build/bench/data", type=pathlib.Path, help="folder for converted files")
    parser.add_argument("--out", default="build/bench/paper", type=pathlib.Path, help="folder for results")
    parser.add_argument("--quick", action="store_true",
                        help=f"at most {runner.QUICK_ROWS} rows, one seed, three settings, short training")
    parser.add_argument("--sets", nargs="+", default=[], choices=list(runner.SETS), metavar="SET",
                        help=f"of the tables and ablations just these: {', '.join(runner.SETS)}")
    parser.add_argument("--seeds", type=count, help="splits of each comparison (default 3; quick 1)")
    parser.add_argument("--settings", type=count, help="random settings of ablations and stg (default 10; quick 3)")
    parser.add_argument("--trials", type=count, default=0,
                        help="of tuned (default 30; quick 3); in the tables also search SLM's settings with so many")
    parser.add_argument("--rows", type=count, help="at most so many rows of each file; 0: all (default 0)")
    parser.add_argument("--time-limit", type=float, help="seconds of one selection (default 600; quick 20)")
    parser.add_argument("--jobs", type=count, default=os.cpu_count(), help="runs side by side (default: cores)")
    args = parser.parse_args()
    if args.list:
        for name, (_, what) in EXPERIMENTS.items():
            print(f"{name:20} {what}")
        sys.exit()
    unknown = [name for name in args.names if name not in (*EXPERIMENTS, "all")]
    if unknown or not args.names:
        problem = f"there is no experiment '{unknown[0]}'" if unknown else "name an experiment"
        parser.error(f"{problem}; there are: all, {', '.join(EXPERIMENTS)}")
    if not os.access(args.slm, os.X_OK):
        parser.error(f"there is no program {args.slm}; build it with make, or name it with --slm")
    return args


def make_bench(args):
    def chosen(value, full, quick):
        return value if value is not None else quick if args.quick else full

    cache = args.cache.resolve()
    if args.generated:
        cache = cache / "generated"
        data = generated.make(cache / "sources")
    else:
        data = datasets.data_dir(args.data_dir)
        if data is not None and not data.is_dir():
            sys.exit(f"there is no folder {data}; name the one with the data sets: --data-dir DIR")
    return runner.Bench(
        slm=str(pathlib.Path(args.slm).resolve()), data=data, cache=cache, out=args.out.resolve(), quick=args.quick,
        seeds=max(1, chosen(args.seeds, 3, 1)), settings=max(1, chosen(args.settings, 10, 3)), trials=args.trials,
        rows=chosen(args.rows, 0, runner.QUICK_ROWS), time_limit=chosen(args.time_limit, 600.0, 20.0),
        jobs=max(1, args.jobs), only=tuple(args.sets))


def shown_flags(args):
    """What was asked for, without the folders of this machine."""
    given = [f"--{flag}" for flag in ("quick", "generated") if getattr(args, flag)]
    valued = {name: getattr(args, name) for name in ("seeds", "settings", "trials", "rows", "time_limit")}
    valued = {name: value for name, value in valued.items() if value or value == 0 and name == "rows"}
    return given + (["--sets", *args.sets] if args.sets else []) + runner.flags(valued)


def cautions(args):
    if args.quick:
        yield ("**Shortened by `--quick`**: few rows, few runs, short training; what comes out shows that the "
               "experiment works, not how well a method does.")
    if args.generated:
        yield "**The data are random numbers**: the paper's figures have nothing to do with them."


def main():
    args = parse()
    bench = make_bench(args)
    names = list(EXPERIMENTS) if "all" in args.names else args.names
    left_out = 0
    for name in names:
        print(name, file=sys.stderr, flush=True)
        start = time.monotonic()
        try:
            found = EXPERIMENTS[name][0](bench)
        except runner.Missing as error:
            print(f"{name}: left out: {error}", file=sys.stderr)
            left_out += 1
            continue
        found.text = " ".join([found.text, *cautions(args)])
        command = shlex.join(["bench/paper/run.py", name, *shown_flags(args)])
        report.write(found, name, command, time.monotonic() - start, bench.out)
        print(f"{name}: {time.monotonic() - start:.1f} s, {bench.out / name}.md")
    return 1 if left_out else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("interrupted; the same command resumes")
