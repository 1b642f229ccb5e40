"""The paper's tables of methods side by side. Every method's columns are judged by the same four small
perceptrons on the same splits; validation rows choose one of them, test rows are looked at once."""

import random

import published
from report import METHOD_COLUMNS, Report, Table, summary
from runner import FRAUD_STAND_INS, K, SETS, flags

PAPER = "slm, the paper's setting"
PROTOCOL = ("Each seed cuts its own split: 70 % of the rows for training, 10 % for validation and 20 % for testing, or "
            "the publisher's test rows and an eighth of the others for validation. Methods have their defaults; the "
            "same small perceptrons are fitted on the columns of each, validation rows choose among them, and the "
            "test rows are looked at once. Columns: mean, standard deviation and median over the seeds, seconds of "
            "one selection.")


def measured(result, clock="select"):
    if "failure" in result:
        return result
    return {"test": result["metrics"]["test"], "seconds": result["seconds"][clock]}


def _variants(methods, masks=("slm",)):
    """The methods with their defaults, and those with a mask in the paper's setting too."""
    variants = {method: (method, {}) for method in methods}
    variants.update({f"{method}, the paper's setting": (method, {"preset": "paper"}) for method in masks})
    return variants


def _rows(bench, source, k, metric, variants, paper):
    """A row for each variant. `paper` has the paper's figure for a method, where it has one."""
    runs = bench.compare(source, k, metric, variants)
    rows = [summary(label, runs[label], paper.get(method)) for label, (method, _) in variants.items()]
    return [{**row, "k": k, "metric": metric} for row in rows]


def _tuned(bench, source, k, metric, name, trials):
    """Runs of `slm tune`, which keep journals of their own: a search is long."""
    runs = []
    for seed in range(bench.seeds):
        journal = bench.out / f"tune-{bench.build}-{name}-{k}-{metric}-{trials}-{bench.rows}-{seed}.jsonl"
        result = bench.run(["tune", *source, "-k", str(k), "--metric", metric, "--trials", str(trials), "--strategy",
                            "halving", "--seed", str(seed), "--journal", str(journal), "--resume",
                            *(["--judges", "1"] if bench.quick else []), *flags(bench.options("slm", {}))])
        runs.append(measured(result, "total"))
    return runs


def _set_table(bench, name, k, methods, paper, masks=("slm",)):
    """One set with k features by all methods."""
    info, source = SETS[name], bench.source(name)
    rows = _rows(bench, source, k, info.metric, _variants(methods, masks), paper)
    if bench.trials > 0:
        runs = _tuned(bench, source, k, info.metric, name, bench.trials)
        row = summary(f"slm, best of {bench.trials} by validation", runs, paper.get("slm"))
        rows.insert(0, {**row, "k": k, "metric": info.metric})
    note = f"Test {info.metric}; {info.note}." if info.note else f"Test {info.metric}."
    return Table(f"{info.title}, k = {k}", [{**row, "set": name} for row in rows], METHOD_COLUMNS, note)


def _overview(tables):
    """The paper's form: a row for each method, a column for each set, the paper's figure in brackets."""
    by_method, columns = {}, [("method", "method", "")]
    for table in tables:
        name = table.rows[0]["set"]
        columns.append((name, SETS[name].title, ""))
        for row in table.rows:
            figure = f"{row['mean']:.3f}" if "mean" in row else "-"
            paper = f" ({row['paper']:.3f})" if row["paper"] is not None else ""
            by_method.setdefault(row["method"], {"method": row["method"]})[name] = figure + paper
    return Table("Overview", list(by_method.values()), tuple(columns), "Ours, and the paper's figure in brackets.")


def _of(published_table, key):
    """The column of one of the paper's tables: {method: figure}."""
    return {method: figures[key] for method, figures in published_table.items() if key in figures}


def table1(bench):
    left_out = FRAUD_STAND_INS if bench.has("fraud") else ()
    tables = [_set_table(bench, name, SETS[name].k, published.TABLE1, _of(published.TABLE1, name))
              for name in bench.wanted([name for name in SETS if name not in left_out])]
    return Report("Table 1: methods on real data", PROTOCOL + " The paper's figures are each the best of 300 trials "
                  "by validation; `--trials N` adds SLM searched so.", [_overview(tables), *tables])


def tuned(bench):
    trials = bench.trials or (3 if bench.quick else 30)
    paper = published.TABLE1["slm"]
    wanted = [(name, SETS[name].k, SETS[name].metric, paper[name]) for name in bench.wanted(
        [name for name in SETS if name in paper])]
    if bench.has("ames") and (not bench.only or "ames" in bench.only):
        wanted += [("ames", 10, "mae", None), ("ames", K, "median_ae", None)]
    rows = []
    for name, k, metric, figure in wanted:
        runs = _tuned(bench, bench.source(name), k, metric, name, trials)
        rows.append({**summary(SETS[name].title, runs, figure), "k": k, "metric": metric})
    columns = (("method", "set", ""), ("k", "k", "d"), ("metric", "metric", ""), *METHOD_COLUMNS[1:])
    return Report("SLM, searched", f"`slm tune --trials {trials} --strategy halving` for each set and seed: validation "
                  "rows choose among the trials and among the predictors fitted on the columns of the best one, and "
                  "test rows are looked at once. Each seed cuts its own split: 70/10/20, or the publisher's test rows "
                  "and an eighth of the others for validation. Seconds are of a whole search. The paper's figures are "
                  "each the best of 300 trials.", [Table("SLM, searched", rows, columns, _notes(wanted))])


def _notes(wanted):
    """What has to be known of the sets."""
    noted = {name: SETS[name] for name, *_ in wanted if SETS[name].note}
    return " ".join(f"{info.title}: {info.note}." for info in noted.values())


def table2(bench):
    counts = {"fraud-18000": (10, 20, 40), "kdd99": (5, 10, 20)}  # they have fewer than 100 features
    tables = []
    for name in bench.wanted(("fraud",) if bench.has("fraud") else FRAUD_STAND_INS):
        for k in counts.get(name, (20, 50, 100)):
            paper = _of(published.TABLE2, k) if name == "fraud" else {}
            tables.append(_set_table(bench, name, k, published.TABLE2, paper))
    return Report("Table 2: 20, 50 and 100 features", PROTOCOL + " The paper has the full IEEE-CIS files; without"
                  " them in the data folder samples and KDD Cup 99 stand in, and nothing of the paper stands beside.",
                  tables)


def hsic(bench):
    tables = [_set_table(bench, name, SETS[name].k, published.HSIC, _of(published.HSIC, name), ("slm", "slm-hsic"))
              for name in bench.wanted(("isolet", "activity"))]
    return Report("HSIC instead of mutual information", PROTOCOL, tables)


def synthetic(bench):
    shapes = {  # kind: title, salient features with --quick
        "paper300": ("300 salient features, 14,000 training rows", 60),
        "paper100": ("100 salient features, 35,000 training rows", 20),
    }
    tables = []
    for kind, (title, salient) in shapes.items():
        shape = {"rows": 600, "features": 200, "salient": salient} if bench.quick else {}
        (source, truth), k = bench.synthetic(kind, **shape), 60 if bench.quick else 300
        variants = _variants(["all-features", *published.SYNTHETIC])
        rows = _rows(bench, source, k, "accuracy", variants, _of(published.SYNTHETIC, kind))
        rows += _rows(bench, truth, 1, "accuracy", {"the salient features": ("all-features", {})}, {})
        tables.append(Table(title, rows, METHOD_COLUMNS, f"`slm synth {kind}`, k = {k}, test accuracy."))
    return Report("Synthetic data", PROTOCOL + " Label form `signed`: as printed in the paper 99 % of the labels are "
                  "the same; without the absolute value in its second term they are balanced. 20,000 and 50,000 rows, "
                  "of which 70 % train; 3000 features, 300 to be selected. The last row is what the same perceptrons "
                  "reach when they are given the salient features.", tables)


def _shared_setting(index, quick):
    """What SLM and STG have in common, drawn at random."""
    draw = random.Random(index)
    return {"hidden_units": draw.choice((30, 50, 100, 200)), "batch_size": draw.choice((64, 128, 256, 512)),
            "learning_rate": draw.choice((0.001, 0.003, 0.01)), "epochs": 5 if quick else draw.choice((30, 100, 200))}


def _stg_variants(index, quick):
    shared, draw = _shared_setting(index, quick), random.Random(1000 + index)
    return {
        "slm": ("slm", {"preset": "paper", **shared, "mask_rate": shared["learning_rate"],
                        "decay_rate": draw.choice((0.7, 0.9, 0.95, 0.99))}),
        "stg": ("stg", {**shared, "sigma": draw.choice((0.25, 0.5, 1)),
                        "weight_decay": draw.choice((0, 0.0001, 0.001))}),
        "slm, our defaults": ("slm", {}),
    }


def stg(bench):
    tables = []
    columns = METHOD_COLUMNS[:-1] + (("paper_sd", "±", ".4f"), METHOD_COLUMNS[-1])
    for name in bench.wanted(("isolet", "activity")):
        source, k, runs = bench.source(name), SETS[name].k, {}
        for index in range(bench.settings):
            found = bench.compare(source, k, "accuracy", _stg_variants(index, bench.quick), range(index, index + 1))
            for label, one in found.items():
                runs.setdefault(label, []).extend(one)
        rows = []
        for label, found in runs.items():
            mean, sd = published.STG.get(label, {}).get(name, (None, None))
            rows.append({**summary(label, found, mean), "paper_sd": sd, "set": name})
        tables.append(Table(f"{SETS[name].title}, k = {k}", rows, columns, "Test accuracy."))
    return Report("SLM and STG", f"{bench.settings} runs with random settings, hidden units, batch size, learning "
                  "rate and epochs the same for both methods, SLM otherwise in the paper's setting; a split for each "
                  "run. Both sets of columns are judged by the same small perceptrons.", tables)
