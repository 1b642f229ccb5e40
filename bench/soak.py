#!/usr/bin/env python3
"""Many small fits in one process, or one long search: memory and speed, tenth by tenth.

Usage: soak.py [--fits 10000] [--json FILE]
       soak.py --tune SECONDS [--slm PATH] [--json FILE]

Fits need a Python that has the package (after `make test`: build/python/bin/python). Each fit is another table, with text,
missing cells and dates among its columns, and another method of a handful in turn. A search is `slm tune` on generated data
with one thread and trials of one size, until SECONDS have passed. Memory is what the process holds (resident) at the end of
each tenth; the first tenth fills caches and pools.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

METHODS = ["slm", "anova", "mrmr", "lasso", "rf"]


# What decides the size of a trial is given, so that every trial does the same amount of work.
FIXED_SIZE = ["--hidden-layers", "1", "--hidden-units", "64", "--steps", "600", "--batch-size", "64", "--starts", "2",
              "--filter-starts", "0", "--cross-fit", "never", "--refits", "1", "--final-predictors", "1"]


def resident_mb(process="self"):
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def processor_seconds(process):
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def finished_trials(journal):
    return max(0, len(journal.read_bytes().splitlines()) - 1) if journal.exists() else 0


def table(i):
    import numpy as np
    import pandas as pd

    random = np.random.default_rng(i)
    rows, columns = 60 + i % 40, 6 + i % 5
    frame = pd.DataFrame(random.normal(size=(rows, columns)), columns=[f"x{j}" for j in range(columns)])
    frame["word"] = random.choice(["red", "green", "blue"], rows)
    frame["day"] = pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 400, rows), unit="D")
    frame.loc[random.integers(0, rows, 5), "x1"] = np.nan
    y = frame["x0"] + (frame["word"] == "red") + random.normal(size=rows) / 4
    return frame, (y > y.median()).astype(int) if i % 2 else y


def soak_fits(fits):
    import slm

    parts = []
    share = max(1, fits // 10)
    print("| fits | resident MB | ms per fit |\n|---|---|---|")
    begun, done = time.process_time(), 0
    for i in range(fits):
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
    return parts


def soak_tune(slm, seconds):
    parts = []
    with tempfile.TemporaryDirectory() as folder:
        data, journal = Path(folder) / "data.csv", Path(folder) / "journal.jsonl"
        subprocess.run([slm, "synth", "madelon", "--rows", "1000", "--features", "100", "--output", data], check=True)
        search = subprocess.Popen([slm, "tune", data, "--target", "y", "-k", "10", "--trials", "100000", "--threads", "1",
                                   "--time-limit", str(seconds), "--judges", "1", "--journal", journal, "--quiet",
                                   *FIXED_SIZE], stdout=subprocess.DEVNULL)
        print("| minutes | trials | resident MB | processor ms per trial |\n|---|---|---|---|")
        begun, used, done = time.monotonic(), 0.0, 0
        watched = 0.9 * seconds  # the search keeps the rest for its last predictors
        for tenth in range(1, 11):
            time.sleep(max(0.0, begun + watched * tenth / 10 - time.monotonic()))
            if search.poll() is not None:
                break
            now, trials = processor_seconds(search.pid), finished_trials(journal)
            part = {"minutes": watched * tenth / 600, "trials": trials, "resident_mb": resident_mb(search.pid),
                    "ms": 1000 * (now - used) / max(1, trials - done)}
            used, done = now, trials
            parts.append(part)
            print(f"| {part['minutes']:.0f} | {trials} | {part['resident_mb']:.1f} | {part['ms']:.1f} |", flush=True)
        if search.wait() not in (0, 5):
            raise SystemExit(f"soak.py: slm tune ended with {search.returncode}")
    return parts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fits", type=int, default=10000)
    parser.add_argument("--tune", type=float, metavar="SECONDS")
    parser.add_argument("--slm", type=Path, default=Path("build/release/slm"))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    parts = soak_tune(options.slm, options.tune) if options.tune else soak_fits(options.fits)
    if options.json:
        options.json.write_text(json.dumps(parts, indent=2) + "\n")


if __name__ == "__main__":
    main()
