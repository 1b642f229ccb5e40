#!/usr/bin/env python3
"""What a fit through Python costs beside the C++ call on the same matrix: time and peak memory.

Usage: bench/python_cost.py --program build/release/bench/bench_select_matrix [--data-dir DIR] [--k 50]

Runs in a Python that has the package. Both sides get Isolet as C-contiguous float32, in processes of
their own, by turns; the medians of the runs are compared.
"""

import argparse
import gzip
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy as np


def isolet(folder):
    rows = []
    for name in ("isolet1+2+3+4.data.gz", "isolet5.data.gz"):
        with gzip.open(folder / "isolet" / name, "rt") as file:
            rows += [[float(cell) for cell in line.rstrip(".\n").split(",")] for line in file]
    return np.array(rows, dtype=np.float32)


def status(field):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(field))


def fit_once(path, rows, columns, k):
    """The side of Python, in a process of its own."""
    import time

    from slm import SLMClassifier

    table = np.fromfile(path, dtype=np.float32).reshape(rows, columns + 1)
    X, y = np.ascontiguousarray(table[:, :-1]), table[:, -1].astype(np.int64)
    del table
    SLMClassifier(2, steps=10, starts=1).fit(X[::40], y[::40])  # what is loaded on first use
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    before, start, busy = status("VmRSS"), time.perf_counter(), time.process_time()
    classifier = SLMClassifier(k).fit(X, y)
    seconds, busy = time.perf_counter() - start, time.process_time() - busy
    first = classifier.selection_["selected"][0]["index"]
    grown = status("VmHWM") - before
    print(json.dumps({"seconds": seconds, "cpu_seconds": busy, "grown_kib": grown, "first": first}))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--data-dir", default=os.environ.get("SLM_DATA_DIR"), type=pathlib.Path)
    parser.add_argument("--k", default=50, type=int)
    parser.add_argument("--runs", default=3, type=int)
    parser.add_argument("--fit", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.fit:
        path, rows, columns = arguments.fit
        return fit_once(path, int(rows), int(columns), arguments.k)
    table = isolet(arguments.data_dir)
    rows, columns = table.shape[0], table.shape[1] - 1
    with tempfile.NamedTemporaryFile() as file:
        table.tofile(file.name)
        shape = [file.name, str(rows), str(columns)]
        sides = {
            "C++": [arguments.program, *shape, str(arguments.k)],
            "Python": [sys.executable, __file__, "--program", "", "--k", str(arguments.k), "--fit", *shape],
        }
        runs = {side: [] for side in sides}
        for _ in range(arguments.runs):
            for side, command in sides.items():
                out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
                runs[side].append(json.loads(out))
    if len({run["first"] for found in runs.values() for run in found}) > 1:
        raise SystemExit("the two sides chose differently")
    keys = ("seconds", "cpu_seconds", "grown_kib")
    medians = {
        side: {key: statistics.median(run[key] for run in found) for key in keys}
        for side, found in runs.items()
    }
    for side, median in medians.items():
        print(
            f"{side:8} {median['seconds']:7.2f} s   {median['cpu_seconds']:7.2f} s of the processor   "
            f"peak grows by {median['grown_kib'] / 1024:6.1f} MiB"
        )
    python, cpp = medians["Python"], medians["C++"]
    print(
        f"ratio of the processor's seconds {python['cpu_seconds'] / cpp['cpu_seconds']:.3f}; peak "
        f"{(python['grown_kib'] - cpp['grown_kib']) / 1024:+.1f} MiB; the matrix is "
        f"{rows * columns * 4 / 2**20:.1f} MiB"
    )


if __name__ == "__main__":
    main()
