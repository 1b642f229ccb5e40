"""Runs `slm` for the experiments: the data sets and what --quick shortens.

Every run is one command of `slm` with a seed of its own; those that are finished stand in
OUT/journal.jsonl (bench/runs.py), which all experiments share.
"""

import concurrent.futures
import csv
import dataclasses
import pathlib
import random
import typing

import datasets
import synthetic
from runs import QUICK, Runs

K = 50  # features, where the paper does not say otherwise


class Missing(Exception):
    """An experiment cannot be run for want of data."""


@dataclasses.dataclass(frozen=True)
class Set:
    title: str
    metric: str = "accuracy"
    k: int = K
    note: str = ""


SETS = {
    "mice": Set("Mice", note="random rows, so that a mouse is on both sides, as in the paper"),
    "mnist": Set("MNIST", note="the 10,000 test images"),
    "fashion-mnist": Set("Fashion-MNIST", note="the 10,000 test images"),
    "isolet": Set("Isolet", note="the publisher's split: other speakers in the test rows"),
    "coil20": Set("COIL-20"),
    "activity": Set("Activity", note="UCI 240 with the publisher's split; the paper's UCI 364 cannot be had"),
    "ames": Set("Ames", "mae", note="mean absolute error of the standardised price; smaller is better"),
    "fraud": Set("Fraud", "auc", note="IEEE-CIS, transactions joined with identities"),
    "fraud-1500": Set("Fraud, sample of 1500", "auc", note="31 frauds in all, six of them in the test rows"),
    "fraud-18000": Set("Fraud, sample of 18,000", "auc", 20, note="53 features, identities not among them"),
    "kdd99": Set("KDD Cup 99", "auc", 20, note="attack or not, 41 features; large, a stand-in for Fraud"),
}
FRAUD_STAND_INS = ("fraud-1500", "fraud-18000", "kdd99")

QUICK_ROWS = 1500


def flags(options):
    return [part for name, value in options.items() for part in ("--" + name.replace("_", "-"), str(value))]


@dataclasses.dataclass
class Bench:
    slm: str
    data: typing.Optional[pathlib.Path]  # folder with the real sets
    cache: pathlib.Path
    out: pathlib.Path
    quick: bool
    seeds: int
    settings: int  # random settings of the ablations
    trials: int  # of slm tune; 0: none
    rows: int  # at most; 0: all
    time_limit: float  # of one selection
    jobs: int
    only: tuple = ()  # sets of the tables; empty: all

    def __post_init__(self):
        self.runs = Runs(self.slm, self.out / "journal.jsonl", (self.cache, self.out), _without_selections)
        self.build = self.runs.build
        self.shown, self.run, self.run_whole = self.runs.shown, self.runs.run, self.runs.run_whole

    # Data

    def has(self, name):
        if self.data is None:
            raise Missing("name the folder with the data sets: --data-dir DIR or SLM_DATA_DIR; "
                          "--generated makes small ones of random numbers")
        return datasets.available(name, self.data)

    def wanted(self, names):
        """Those of the sets that were asked for and are there."""
        found = [name for name in names if (not self.only or name in self.only) and self.has(name)]
        if not found:
            raise Missing(f"it needs {' or '.join(names)}, which is not among --sets or not in {self.data}")
        return found

    def source(self, name):
        """Arguments of `slm` that name a real set."""
        if not self.has(name):
            raise Missing(f"it needs {datasets.CONVERTERS[name][0]}, which is not in {self.data}")
        whole = datasets.prepare(name, self.data, self.cache)
        return [self.cut(part, self.rows) if part.endswith(".csv") else part for part in whole]

    def synthetic(self, kind, **options):
        """A set of `slm synth`, and the same with its salient columns alone."""
        made = synthetic.make(self.slm, kind, options, 0, self.cache / "synth")
        return made.source(), made.truth()

    def cut(self, path, rows):
        """The file, or a copy with so many of its rows, drawn at random but the same each time."""
        path = pathlib.Path(path)
        if rows <= 0:
            return str(path)
        short = path.with_name(f"{path.stem}-{rows}.csv")
        if not short.exists():
            with open(path, newline="") as file:
                count = sum(1 for _ in csv.reader(file)) - 1
            chosen = set(random.Random(0).sample(range(1, count + 1), min(rows, count))) | {0}
            with open(path, newline="") as file, open(short, "w", newline="") as copy:
                lines = (line for i, line in enumerate(csv.reader(file)) if i in chosen)
                csv.writer(copy, lineterminator="\n").writerows(lines)
        return str(short)

    # Runs

    def run_all(self, commands):
        """Results of independent commands of one thread each, several at a time."""
        pool = concurrent.futures.ThreadPoolExecutor(self.jobs)
        try:
            return list(pool.map(lambda command: self.run([*command, "--threads", "1"]), commands))
        finally:
            pool.shutdown(cancel_futures=True)  # none is left but after an error or Ctrl-C

    def options(self, method, own):
        """Options of a method in this bench: its own, and what --quick shortens."""
        if not self.quick:
            return own
        return {**QUICK.get("paper" if own.get("preset") == "paper" else method, {}), **own}

    def select(self, source, k, method, seed, **options):
        """The command of one selection, measured by the predictor that comes with it."""
        return ["select", *source, "-k", str(k), "--method", method, "--seed", str(seed),
                *flags(self.options(method, options))]

    def compare(self, source, k, metric, variants, seeds=None):
        """Runs `slm compare` and gives for each variant the list of its runs. A variant is a method and
        its options; those of the same method go into different commands. A run has test and seconds, or
        the reason why not."""
        runs = {label: [] for label in variants}
        for seed in seeds or range(self.seeds):
            left = dict(variants)
            while left:
                wave = {}
                for label, (method, options) in left.items():
                    if method not in {m for m, _ in wave.values()}:
                        wave[label] = (method, self.options(method, options))
                left = {label: v for label, v in left.items() if label not in wave}
                for label, run in self._compare_wave(source, k, metric, wave, seed).items():
                    runs[label].append(run)
        return runs

    def _compare_wave(self, source, k, metric, wave, seed):
        # The lines to compare with come unasked.
        named = [method for method, _ in wave.values() if method != "all-features"] or ["random"]
        command = ["compare", *source, "-k", str(k), "--metric", metric, "--seeds", "1", "--seed", str(seed),
                   "--methods", ",".join(named), "--refits", "1" if self.quick else "4"]
        for method, options in wave.values():
            for name, value in options.items():
                command += ["--set", f"{method}.{name}={value}"]
        if self.time_limit > 0:
            command += ["--selection-limit", f"{self.time_limit:g}"]
        result = self.run(command)
        if "failure" in result:
            return {label: result for label in wave}
        rows = {row["method"]: row for row in result["results"]}
        return {label: _run_of(rows[method]) for label, (method, _) in wave.items()}


def _run_of(row):
    run = row["runs"][0]
    if not run["done"]:
        return {"failure": run.get("reason", "not finished")}
    return {"test": run["test"], "seconds": run["select_seconds"], "late": run["late"]}


def _without_selections(result):
    """Leaves out what a comparison or tuning selected in each run: long, and shown nowhere."""
    for row in result.get("results", []):
        row.pop("selected", None)
        for run in row["runs"]:
            run.pop("selected", None)
    result.pop("trials", None)
    return result
