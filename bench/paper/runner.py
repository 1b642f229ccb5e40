"""Runs `slm` for the experiments: the data sets, what --quick shortens, and a journal of finished runs.

Every run is one command of `slm` with a seed of its own. Its result is appended to OUT/journal.jsonl as
soon as it is there, under the command and the program's own bytes, so that an interrupted experiment goes
on where it was, experiments share runs, and another build starts afresh.
"""

import concurrent.futures
import csv
import dataclasses
import hashlib
import json
import pathlib
import random
import shlex
import subprocess
import sys
import threading
import typing

import datasets
import defaults

K = 50  # features, where the paper does not say otherwise
USAGE, BAD_DATA = 2, 3  # exit codes of slm


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
# What --quick takes of each method: enough to see that it works, not how well.
QUICK = {
    "slm": {"steps": 300, "starts": 1, "filter_starts": 1, "cross_fit": "never", "refits": 1,
            "final_predictors": 1, "final_steps": 300},
    "paper": {"epochs": 30},  # slm with --preset paper
    "slm-hsic": {"steps": 300, "starts": 1, "filter_starts": 0, "cross_fit": "never", "refits": 1,
                 "final_predictors": 1, "final_steps": 300},
    "stg": {"steps": 300, "search_rounds": 1},
    "lassonet": {"epochs": 20, "path_epochs": 1, "path_multiplier": 1.2, "hidden_units": 32},
    "xgboost": {"rounds": 5, "max_depth": 4},
    "rf": {"trees": 20},
}


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
        self.build = hashlib.sha256(pathlib.Path(self.slm).read_bytes()).hexdigest()[:16]
        self.lock = threading.Lock()
        self.out.mkdir(parents=True, exist_ok=True)
        self.journal = self.out / "journal.jsonl"
        self.finished = {}
        if self.journal.exists():
            self._read_journal()

    def _read_journal(self):
        text = self.journal.read_text()
        for line in text.splitlines():
            try:
                entry = json.loads(line)
            except json.JSONDecodeError:
                continue  # cut off in the middle of writing
            if entry["build"] == self.build:
                self.finished[entry["command"]] = entry["result"]
        if text and not text.endswith("\n"):
            with open(self.journal, "a") as file:
                file.write("\n")  # what comes next begins a line of its own

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
        folder = self.cache / "synth"
        folder.mkdir(parents=True, exist_ok=True)
        data, truth, _ = defaults.synthesize(self.slm, kind, flags(options), 0, folder)
        return [str(data), "--target", "y"], [str(truth), "--target", "y"]

    def cut(self, path, rows):
        """The file, or a copy with so many of its rows, drawn by lot but the same each time."""
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

    def shown(self, command):
        """The command without the folders of this machine."""
        text = shlex.join(["slm", *command])
        return text.replace(f"{self.cache}/", "").replace(f"{self.out}/", "")

    def run(self, command):
        """The JSON result of `slm COMMAND`, or {"failure": message}."""
        key = self.shown(command)
        with self.lock:
            if key in self.finished:
                return self.finished[key]
        done = subprocess.run([self.slm, *command, "--json", "--quiet"], capture_output=True, text=True)
        if done.returncode == USAGE:
            sys.exit(f"{key}\n{done.stderr}")  # a mistake of ours
        if done.returncode == 0:
            result = _without_selections(json.loads(done.stdout))
        else:
            result = {"failure": done.stderr.strip().removeprefix("slm: ") or f"ended with {done.returncode}"}
        if done.returncode not in (0, BAD_DATA):
            return result  # may go well another time
        with self.lock:
            self.finished[key] = result
            with open(self.journal, "a") as file:
                file.write(json.dumps({"build": self.build, "command": key, "result": result}) + "\n")
            print(f"  {key:.110}", file=sys.stderr, flush=True)
        return result

    def run_whole(self, command):
        """As run, where nothing can be said without the result."""
        result = self.run(command)
        if "failure" in result:
            sys.exit(f"{self.shown(command)}: {result['failure']}")
        return result

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
            command += ["--time-limit", f"{self.time_limit:g}"]
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
