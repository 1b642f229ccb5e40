#!/usr/bin/env python3
"""Many small fits in one process: memory and speed, thousand by thousand.

Usage: soak.py [--fits 10000] [--json FILE]

Runs with a Python that has the package (after `make test`: build/python/bin/python). Each fit is another table, with text,
missing cells and dates among its columns, and another method of a handful in turn. Memory is what the process holds
(resident) at the end of each tenth; the first tenth fills caches and pools.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
import pandas as pd

import slm

METHODS = ["slm", "anova", "mrmr", "lasso", "rf"]


def resident_mb():
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def table(i):
    random = np.random.default_rng(i)
    rows, columns = 60 + i % 40, 6 + i % 5
    frame = pd.DataFrame(random.normal(size=(rows, columns)), columns=[f"x{j}" for j in range(columns)])
    frame["word"] = random.choice(["red", "green", "blue"], rows)
    frame["day"] = pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 400, rows), unit="D")
    frame.loc[random.integers(0, rows, 5), "x1"] = np.nan
    y = frame["x0"] + (frame["word"] == "red") + random.normal(size=rows) / 4
    return frame, (y > y.median()).astype(int) if i % 2 else y


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fits", type=int, default=10000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    parts = []
    share = max(1, options.fits // 10)
    print("| fits | resident MB | ms per fit |\n|---|---|---|")
    begun, done = time.process_time(), 0
    for i in range(options.fits):
        frame, y = table(i)
        method = METHODS[i % len(METHODS)]
        small = {"steps": 60} if method == "slm" else {"trees": 10} if method == "rf" else {}
        slm.select(frame, y, k=2, method=method, seed=i, n_jobs=1, options=small)
        if (i + 1) % share == 0:
            now = time.process_time()
            part = {"fits": i + 1, "resident_mb": resident_mb(), "ms": 1000 * (now - begun) / (i + 1 - done)}
            begun, done = now, i + 1
            parts.append(part)
            print(f"| {part['fits']} | {part['resident_mb']:.1f} | {part['ms']:.1f} |", flush=True)
    if options.json:
        options.json.write_text(json.dumps(parts, indent=2) + "\n")


if __name__ == "__main__":
    main()
