"""The ten features of Ames and the timings."""

import statistics
import sys

import published
from report import METHOD_COLUMNS, Report, Table, summary
from runner import SETS
from tables import PAPER, measured

FORMS = {"slm": {}, PAPER: {"preset": "paper"}}


def ames(bench):
    source, tables, errors = bench.source("ames"), [], []
    for label, options in FORMS.items():
        commands = [bench.select(source, 10, "slm", seed, **options) for seed in range(bench.seeds)]
        results = bench.run_all(commands)
        weights = {}
        for result in results:
            if "failure" in result:
                sys.exit(f"Ames, ten features: {result['failure']}")
            for feature in result["selected"]:
                weights.setdefault(feature["name"], []).append(feature["weight"])
        rows = [{"method": name, "weight": sum(found) / len(results), "times": len(found),
                 "paper": published.AMES_FEATURES.get(name)} for name, found in weights.items()]
        rows += [{"method": name, "weight": 0.0, "times": 0, "paper": weight}
                 for name, weight in published.AMES_FEATURES.items() if name not in weights]
        rows.sort(key=lambda row: (-row["weight"], -row["times"]))
        common = sum(name in published.AMES_FEATURES for name in weights)
        columns = (("method", "feature", ""), ("weight", "mean weight", ".4f"), ("times", "times chosen", "d"),
                   ("paper", "paper's weight", ".4g"))
        tables.append(Table(f"Ten features, {label}", rows, columns, f"{len(results)} seeds; {common} of the paper's ten "
                            "are among those chosen at least once. A column that is not chosen has weight 0."))
        for k in (10, SETS["ames"].k):
            for metric in ("mae", "median_ae"):
                commands = [bench.select(source, k, "slm", seed, metric=metric, **options) for seed in range(bench.seeds)]
                runs = [measured(result) for result in bench.run_all(commands)]
                paper = published.TABLE1["slm"]["ames"] if (k, metric) == (50, "mae") else None
                errors.append({**summary(f"{label}, k = {k}, {metric}", runs, paper), "k": k, "metric": metric})
    tables.append(Table("Errors", errors, METHOD_COLUMNS, "On test rows, in standard deviations of the price: mean "
                        "absolute error and median absolute error of the predictor that `slm select` gives."))
    return Report("Ames: ten features and their weights", "`slm select -k 10`, with our defaults and in the paper's "
                  "setting, splits 70/10/20. The paper's setting there is that of its best trial, which it does not "
                  "print.", tables)


def timing(bench):
    repeats, epochs = (2, 20) if bench.quick else (5, 200)
    return Report("Timings", "Seconds of one thread on this machine, mean and standard deviation over "
                  f"{repeats} seeds; the paper's are of a V100 card.",
                  [_mice_epoch(bench, repeats, epochs), _ames_terms(bench, repeats, epochs)])


COLUMNS = (("method", "", ""), ("mean", "ours, s", ".6f"), ("sd", "±", ".6f"), ("runs", "runs", "d"),
           ("paper", "paper, s", ".6g"), ("paper_sd", "±", ".6g"), ("remark", "", ""))


def _seconds(bench, source, k, method, repeats, **options):
    """Of the selection alone, one run after the other."""
    commands = [bench.select(source, k, method, seed, **options, threads=1) for seed in range(repeats)]
    return [bench.run_whole(command)["seconds"]["select"] for command in commands]


def _row(label, values, paper=(None, None), remark=""):
    return {"method": label, "mean": statistics.fmean(values), "sd": statistics.stdev(values), "runs": len(values),
            "paper": paper[0], "paper_sd": paper[1], "remark": remark}


def _mice_epoch(bench, repeats, epochs):
    source, shape = bench.source("mice"), {"hidden_units": 64, "batch_size": 256}
    one = _seconds(bench, source, SETS["mice"].k, "slm", repeats, preset="paper", epochs=epochs, **shape)
    path = _seconds(bench, source, SETS["mice"].k, "lassonet", repeats, epochs=1, path_epochs=1, **shape)
    whole = _seconds(bench, source, SETS["mice"].k, "slm", repeats)
    rows = [_row("SLM, one epoch", [value / epochs for value in one], published.MICE_EPOCH["slm"],
                 f"{epochs} epochs of the paper's setting, divided by their number"),
            _row("LassoNet, one epoch at each penalty until 50 features are left", path, published.MICE_EPOCH["lassonet"],
                 "a whole path, which is most likely what the paper timed"),
            _row("SLM, a whole selection with our defaults", whole)]
    return Table("One epoch on Mice", rows, COLUMNS, "64 hidden units, batches of 256 rows, one hidden layer, 50 features.")


def _ames_terms(bench, repeats, epochs):
    """The cost of a term is what a step with it takes more than one without."""
    source = bench.source("ames")
    forms = {"full": {}, "no r_cs": {"rcs_weight": 0}, "no MI": {"objective": "task"}}
    seconds = {form: _seconds(bench, source, SETS["ames"].k, "slm", repeats, preset="paper", batch_size=128,
                              epochs=epochs, **options) for form, options in forms.items()}
    rows = bench.run_whole(bench.select(source, SETS["ames"].k, "slm", 0, preset="paper", batch_size=128, epochs=epochs,
                                  threads=1))["data"]["train"]
    steps = epochs * -(-rows // 128)
    cost = {"r_cs": "no r_cs", "the whole MI term": "no MI"}
    found = [_row(label, [(a - b) / steps for a, b in zip(seconds["full"], seconds[without])], published.AMES_TERMS[label])
             for label, without in cost.items()]
    found.append(_row("a whole step", [value / steps for value in seconds["full"]]))
    return Table("The terms of the objective on Ames", found, COLUMNS, f"Batches of 128 rows, 50 features; {steps} steps, "
                 "tempering included, so that most steps have more features than 50. A term costs what a step with "
                 "it takes longer than one without.")
