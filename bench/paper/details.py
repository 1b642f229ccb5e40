"""The ten features of Ames and the timings."""

import statistics
import sys

import published
from report import METHOD_COLUMNS, Report, Table, summary
from runner import K
from paper_tables import PAPER, measured

FORMS = {"slm": {}, PAPER: {"preset": "paper"}}


def ames(bench):
    source, tables, errors = bench.source("ames"), [], []
    for label, options in FORMS.items():
        for k in (10, K):
            for metric in ("mae", "median_ae"):
                commands = [bench.select(source, k, "slm", seed, metric=metric, **options)
                            for seed in range(bench.seeds)]
                results = bench.run_all(commands)
                failures = [result["failure"] for result in results if "failure" in result]
                if failures:
                    sys.exit(f"Ames, k = {k}: {failures[0]}")
                if (k, metric) == (10, "mae"):
                    tables.append(_features(label, [result["selected"] for result in results]))
                paper = published.TABLE1["slm"]["ames"] if (k, metric) == (K, "mae") else None
                row = summary(f"{label}, k = {k}, {metric}", [measured(result) for result in results], paper)
                errors.append({**row, "k": k, "metric": metric})
    note = ("On test rows, in standard deviations of the price: mean and median absolute error of the predictor that "
            "`slm select` gives.")
    tables.append(Table("Errors", errors, METHOD_COLUMNS, note))
    text = ("`slm select -k 10`, with our defaults and in the paper's setting, splits 70/10/20. The paper's figures are "
            "of its best trial, whose setting it does not print.")
    return Report("Ames: ten features and their weights", text, tables)


def _features(label, selections):
    """How often and with which weight each feature was chosen, beside the paper's ten."""
    weights = {name: [] for name in published.AMES_FEATURES}
    for selection in selections:
        for feature in selection:
            weights.setdefault(feature["name"], []).append(feature["weight"])
    rows = [{"method": name, "weight": sum(found) / len(selections), "times": len(found),
             "paper": published.AMES_FEATURES.get(name)} for name, found in weights.items()]
    rows.sort(key=lambda row: (-row["weight"], -row["times"]))
    common = sum(row["times"] > 0 and row["paper"] is not None for row in rows)
    columns = (("method", "feature", ""), ("weight", "mean weight", ".4f"), ("times", "times chosen", "d"),
               ("paper", "paper's weight", ".4g"))
    return Table(f"Ten features, {label}", rows, columns,
                 f"Seeds: {len(selections)}. Of the paper's ten, {common} were chosen at least once. A feature has "
                 "weight 0 where it was not chosen.")


COLUMNS = (("method", "", ""), ("mean", "ours, s", ".6f"), ("sd", "±", ".6f"), ("runs", "runs", "d"),
           ("paper", "paper, s", ".6g"), ("paper_sd", "±", ".6g"), ("remark", "", ""))


def timing(bench):
    repeats, epochs = (2, 20) if bench.quick else (5, 200)
    text = (f"Seconds of one thread on this machine, mean and standard deviation over {repeats} seeds; the paper's are "
            "of a V100 card.")
    return Report("Timings", text, [_mice_epoch(bench, repeats, epochs), _ames_terms(bench, repeats, epochs)])


def _selections(bench, source, method, repeats, **options):
    """Results of selections one after the other, so that nothing runs beside what is timed."""
    return [bench.run_whole(bench.select(source, K, method, seed, **options, threads=1)) for seed in range(repeats)]


def _seconds(*arguments, **options):
    return [result["seconds"]["select"] for result in _selections(*arguments, **options)]


def _row(label, values, paper=(None, None), remark=""):
    return {"method": label, "mean": statistics.fmean(values), "sd": statistics.stdev(values), "runs": len(values),
            "paper": paper[0], "paper_sd": paper[1], "remark": remark}


def _mice_epoch(bench, repeats, epochs):
    source, shape = bench.source("mice"), {"hidden_units": 64, "batch_size": 256}
    long = _seconds(bench, source, "slm", repeats, preset="paper", epochs=epochs, **shape)
    path = _seconds(bench, source, "lassonet", repeats, epochs=1, path_epochs=1, **shape)
    whole = _seconds(bench, source, "slm", repeats)
    rows = [_row("SLM, one epoch", [value / epochs for value in long], published.MICE_EPOCH["slm"],
                 f"{epochs} epochs of the paper's setting, divided by their number"),
            _row(f"LassoNet, one epoch at each penalty until {K} features are left", path,
                 published.MICE_EPOCH["lassonet"], "a whole path, which is most likely what the paper timed"),
            _row("SLM, a whole selection with our defaults", whole)]
    return Table("One epoch on Mice", rows, COLUMNS,
                 f"64 hidden units, batches of 256 rows, one hidden layer, {K} features.")


def _ames_terms(bench, repeats, epochs):
    """The cost of a term is what a step with it takes more than one without."""
    forms = {"whole": {}, "r_cs": {"rcs_weight": 0}, "the whole MI term": {"objective": "task"}}
    shape = {"preset": "paper", "batch_size": 128, "epochs": epochs}
    found = {form: _selections(bench, bench.source("ames"), "slm", repeats, **shape, **options)
             for form, options in forms.items()}
    steps = epochs * -(-found["whole"][0]["data"]["train"] // 128)
    step = {form: [result["seconds"]["select"] / steps for result in results] for form, results in found.items()}
    rows = [_row(term, [a - b for a, b in zip(step["whole"], step[term])], published.AMES_TERMS[term])
            for term in published.AMES_TERMS]
    rows.append(_row("a whole step", step["whole"]))
    return Table("The terms of the objective on Ames", rows, COLUMNS,
                 f"Batches of 128 rows, {steps} steps that end with {K} features, tempering included. A term costs what "
                 "a step with it takes longer than one without.")
