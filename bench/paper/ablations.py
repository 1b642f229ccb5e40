"""The paper's ablation figures and the support collapse. Settings are drawn at random from the paper's
search space around its own setting; what is measured is the predictor trained together with the mask."""

import random
import re
import statistics
import subprocess
import sys

import figures
import published
from report import METHOD_COLUMNS, Report, Table, summary
from runner import K, SETS, flags
from paper_tables import measured

SPACE = {
    "batch_size": (128, 256, 512), "learning_rate": (0.001, 0.003, 0.01), "decay_steps": (1000, 10000),
    "decay_rate": (0.7, 0.9, 0.95, 0.99), "epochs": (30, 100, 200), "hidden_units": (30, 50, 100),
    "hidden_layers": (1, 2, 3),
}
ABLATED = ("mice", "mnist", "fashion-mnist", "isolet", "coil20", "activity", "ames")


def setting(index, quick):
    draw = random.Random(index)
    options = {"preset": "paper", **{name: draw.choice(values) for name, values in SPACE.items()}}
    if quick:
        options["epochs"] = 30
    return {**options, "mask_rate": options["learning_rate"]}  # one optimiser moves both


def _with_and_without(bench, name, labels, off):
    """Rows of one set: the same settings with a part of SLM and without it."""
    source, rows = bench.source(name), []
    for label, change in zip(labels, ({}, off)):
        commands = [bench.select(source, K, "slm", index, **setting(index, bench.quick), **change)
                    for index in range(bench.settings)]
        row = summary(label, [measured(result) for result in bench.run_all(commands)])
        rows.append({**row, "set": name, "metric": SETS[name].metric})
    if all(row["runs"] == bench.settings for row in rows):
        pairs = [a - b for a, b in zip(rows[0]["tests"], rows[1]["tests"])]
        more = sum(pair > 0 for pair in pairs)
        rows[0]["remark"] = f"{statistics.fmean(pairs):+.4f} on average; larger in {more} of {len(pairs)} settings"
    return rows


def _switch(bench, title, labels, off):
    """Tables and figure of one part of SLM on every set."""
    series, tables = {label: {} for label in labels}, []
    for name in bench.wanted(ABLATED):
        rows = _with_and_without(bench, name, labels, off)
        tables.append(Table(SETS[name].title, rows, METHOD_COLUMNS, f"Test {SETS[name].metric}."))
        if SETS[name].metric == "accuracy" and all(row["runs"] > 0 for row in rows):
            for row in rows:
                series[row["method"]][SETS[name].title] = row["tests"]
    subtitle = f"test accuracy with {K} features; mean and standard deviation of {bench.settings} random settings"
    drawn = any(series.values())
    return tables, figures.groups(title, subtitle, "accuracy", series) if drawn else None


def _report(bench, file, title, part, heading, labels, off, how):
    tables, figure = _switch(bench, heading, labels, off)
    text = (f"{bench.settings} random settings, each with {part} and {how}, same seed; k = {K}. The paper shows "
            f"a figure without numbers and says that {part} helps.")
    return Report(title, text, tables, {file: figure} if figure else {})


def ablation_mi(bench):
    return _report(bench, "ablation-mi.svg", "Ablation: the MI term", "the MI term",
                   "With and without the mutual-information term", ("with MI term", "without"),
                   {"objective": "task"}, "without it")


def ablation_tempering(bench):
    return _report(bench, "ablation-tempering.svg", "Ablation: tempering", "tempering",
                   "With and without tempering the number of features", ("tempered", "k from the start"),
                   {"schedule": "none"}, "with the final number of features from the first step")


def ablation_features(bench):
    counts = (5, 20, 80) if bench.quick else (5, 10, 20, 35, 50, 75, 100, 150, 200, 300, 400)
    source, trials = bench.source("activity"), []
    for index in range(bench.settings):
        commands = [bench.select(source, k, "slm", index, **setting(index, bench.quick)) for k in counts]
        trials.append([measured(result) for result in bench.run_all(commands)])
    rows = [{**summary(f"{k} features", runs), "k": k} for k, runs in zip(counts, zip(*trials))]
    whole = [[run["test"] for run in trial] for trial in trials if not any("failure" in run for run in trial)]
    subtitle = f"dark: mean of {len(whole)} random settings, with its standard deviation; light: each of them"
    figure = figures.lines("Accuracy against the number of features on Activity", subtitle, "number of features",
                           "test accuracy", counts, {"slm": whole}, logarithmic=True)
    text = f"{bench.settings} random settings at each number of features."
    return Report("Ablation: number of features", text, [Table("Activity", rows, METHOD_COLUMNS, "Test accuracy.")],
                  {"ablation-features.svg": figure})


def collapse(bench):
    """1000 training rows, 100 features, 30 to be selected, one hidden layer, no tempering."""
    epochs = (1, 2, 5, 15) if bench.quick else tuple(range(1, 16))
    source, _ = bench.synthetic("paper100", rows=1250, features=100, salient=10)
    series, rows = {}, []
    for label, scale in (("with scaling", "nearest-one"), ("without scaling", "none")):
        series[label] = [[_support(bench, source, scale, count, seed) for count in epochs]
                         for seed in range(bench.seeds)]
        ends = [trial[-1] for trial in series[label]]
        rows.append({"method": label, "mean": statistics.fmean(ends), "least": min(map(min, series[label])),
                     "most": max(ends), "runs": len(ends), "paper": published.COLLAPSE[label]})
    figure = figures.lines("Features in the support of the mask",
                           "30 of 100 features to be selected; 1000 training rows; light: each run",
                           "epochs", "features with a weight above zero", epochs, series)
    columns = (("method", "", ""), ("mean", "after 15 epochs", ".1f"), ("least", "least ever", "d"),
               ("most", "most after 15", "d"), ("runs", "runs", "d"), ("paper", "paper", ""))
    text = ("The paper's setting without tempering, batches of 50 rows, the mask's rate 0.01 and the predictor's "
            "0.001: the paper does not give its rates, and the support shrinks the sooner the faster the mask moves.")
    return Report("Support collapse", text, [Table("Support after 15 epochs", rows, columns)], {"collapse.svg": figure})


def _support(bench, source, scale, epochs, seed):
    """How many features carry weight in the last step: what the last line of progress says."""
    options = {"preset": "paper", "mask_scale": scale, "schedule": "none", "batch_size": 50, "epochs": epochs,
               "mask_rate": 0.01, "split": "0.8,0.1,0.1", "threads": 1}
    command = ["select", *source, "-k", "30", "--seed", str(seed), *flags(options), "--verbose"]
    done = subprocess.run([bench.slm, *command], capture_output=True, text=True)
    found = re.findall(r"100%.* F (\d+)", done.stderr)
    if done.returncode != 0 or not found:
        sys.exit(f"{bench.shown(command)}: {done.stderr}")
    return int(found[-1])
