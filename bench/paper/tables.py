"""The paper's tables of methods side by side. Every method's columns are judged by the same four small
perceptrons on the same splits; validation rows choose one of them, test rows are looked at once."""

import random

import published
from report import METHOD_COLUMNS, Report, Table, summary
from runner import FRAUD_STAND_INS, SETS, flags

PAPER = "slm, the paper's setting"
PROTOCOL = ("Each seed cuts its own split: 70 % of the rows for training, 10 % for validation and 20 % for testing, or "
            "the publisher's test rows and an eighth of the others for validation. Methods have their defaults; the "
            "same small perceptrons are fitted on the columns of each, validation rows choose among them, and the "
            "test rows are looked at once. Columns: mean, standard deviation and median over the seeds, seconds of "
            "one selection.")


def _variants(methods, paper_setting=True):
    variants = {method: (method, {}) for method in methods}
    if paper_setting:
        variants[PAPER] = ("slm", {"preset": "paper"})
    return variants


def _tuned(bench, source, k, metric, name, method):
    """Runs of `slm tune`, which keep journals of their own: a search is long."""
    runs = []
    for seed in range(bench.seeds):
        journal = bench.out / f"tune-{bench.build}-{name}-{k}-{method}-{bench.trials}-{seed}.jsonl"
        result = bench.run(["tune", *source, "-k", str(k), "--metric", metric, "--method", method, "--trials",
                            str(bench.trials), "--seed", str(seed), "--journal", str(journal), "--resume",
                            *flags(bench.options(method, {}))])
        runs.append(measured(result, "total"))
    return runs


def measured(result, clock="select"):
    if "failure" in result:
        return result
    return {"test": result["metrics"]["test"], "seconds": result["seconds"][clock]}


def _set_table(bench, name, k, methods, paper):
    """One set with k features by all methods. `paper` gives the paper's figure for a method, or None."""
    info, source = SETS[name], bench.source(name)
    variants = _variants(methods)
    rows = [summary(label, runs, paper("slm" if label == PAPER else label))
            for label, runs in bench.compare(source, k, info.metric, variants).items()]
    if bench.trials > 0:
        rows.insert(0, summary(f"slm, best of {bench.trials} by validation",
                               _tuned(bench, source, k, info.metric, name, "slm"), paper("slm")))
    for row in rows:
        row.update(set=name, k=k, metric=info.metric)
    note = f"Test {info.metric}; {info.note}." if info.note else f"Test {info.metric}."
    return Table(f"{info.title}, k = {k}", rows, METHOD_COLUMNS, note)


def _fraud_sets(bench):
    """The real files where there are any, else what can be had in their place."""
    return bench.wanted(["fraud"] if bench.has("fraud") else FRAUD_STAND_INS)


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


def table1(bench):
    left_out = FRAUD_STAND_INS if bench.has("fraud") else ()
    tables = [_set_table(bench, name, SETS[name].k, published.TABLE1,
                         lambda method, n=name: published.TABLE1[method].get(n))
              for name in bench.wanted([name for name in SETS if name not in left_out])]
    return Report("Table 1: methods on real data", PROTOCOL + " The paper's figures are each the best of 300 trials "
                  "by validation; `--trials N` adds SLM searched so.", [_overview(tables), *tables])


def table2(bench):
    counts = {"fraud-18000": (10, 20, 40), "kdd99": (5, 10, 20)}  # they have fewer than 100 features
    tables = []
    for name in _fraud_sets(bench):
        for k in counts.get(name, (20, 50, 100)):
            tables.append(_set_table(bench, name, k, published.TABLE2,
                                     lambda method, n=name, k=k: published.TABLE2[method][k] if n == "fraud" else None))
    return Report("Table 2: 20, 50 and 100 features", PROTOCOL + " The paper's data are the full IEEE-CIS files; without "
                  "them in the data folder samples and KDD Cup 99 stand in, and no figure of the paper stands beside.",
                  tables)


def hsic(bench):
    tables = [_set_table(bench, name, SETS[name].k, published.HSIC,
                         lambda method, n=name: published.HSIC[method].get(n)) for name in bench.wanted(("isolet", "activity"))]
    for table in tables:
        runs = bench.compare(bench.source(table.rows[0]["set"]), table.rows[0]["k"], table.rows[0]["metric"],
                             {"slm-hsic": ("slm-hsic", {"preset": "paper"})})["slm-hsic"]
        row = summary("slm-hsic, the paper's setting", runs, published.HSIC["slm-hsic"][table.rows[0]["set"]])
        table.rows.append({**row, "set": table.rows[0]["set"]})
    return Report("HSIC instead of mutual information", PROTOCOL, tables)


def synthetic(bench):
    shapes = {"paper300": "300 salient features, 14,000 training rows",
              "paper100": "100 salient features, 35,000 training rows"}
    quick = {"paper300": {"salient": 60}, "paper100": {"salient": 20}}
    tables = []
    for kind, title in shapes.items():
        shape = {"rows": 600, "features": 200, **quick[kind]} if bench.quick else {}
        source, k = bench.synthetic(kind, **shape), 60 if bench.quick else 300
        runs = bench.compare(source, k, "accuracy", _variants(["all-features", *published.SYNTHETIC]))
        rows = [summary(label, found, published.SYNTHETIC.get("slm" if label == PAPER else label, {}).get(kind))
                for label, found in runs.items()]
        tables.append(Table(title, rows, METHOD_COLUMNS, f"`slm synth {kind}`, k = {k}, test accuracy."))
    return Report("Synthetic data", PROTOCOL + " Label form `signed`: as printed in the paper 99 % of the labels are "
                  "the same; without the absolute value in its second term they are balanced. 20,000 and 50,000 rows, "
                  "of which 70 % train; 3000 features, 300 to be selected.", tables)


def shared_settings(index, quick):
    """Settings that SLM and STG share, drawn by lot."""
    draw = random.Random(index)
    return {"hidden_units": draw.choice((30, 50, 100, 200)), "batch_size": draw.choice((64, 128, 256, 512)),
            "learning_rate": draw.choice((0.001, 0.003, 0.01)), "epochs": 5 if quick else draw.choice((30, 100, 200))}


def stg(bench):
    tables = []
    for name in bench.wanted(("isolet", "activity")):
        runs = {}
        for index in range(bench.settings):
            shared, draw = shared_settings(index, bench.quick), random.Random(1000 + index)
            variants = {
                "slm": ("slm", {"preset": "paper", **shared, "mask_rate": shared["learning_rate"],
                                "decay_rate": draw.choice((0.7, 0.9, 0.95, 0.99))}),
                "stg": ("stg", {**shared, "sigma": draw.choice((0.25, 0.5, 1)),
                                "weight_decay": draw.choice((0, 0.0001, 0.001))}),
                "slm, our defaults": ("slm", {}),
            }
            found = bench.compare(bench.source(name), SETS[name].k, "accuracy", variants, seeds=1, first_seed=index)
            for label, one in found.items():
                runs.setdefault(label, []).extend(one)
        rows = []
        for label, found in runs.items():
            mean, sd = published.STG.get(label, {}).get(name, (None, None))
            rows.append({**summary(label, found, mean), "paper_sd": sd, "set": name})
        columns = METHOD_COLUMNS[:-1] + (("paper_sd", "±", ".4f"), METHOD_COLUMNS[-1])
        tables.append(Table(f"{SETS[name].title}, k = {SETS[name].k}", rows, columns, "Test accuracy."))
    return Report("SLM and STG", f"{bench.settings} runs with settings drawn by lot, hidden units, batch size, learning "
                  "rate and epochs the same for both methods, SLM otherwise in the paper's setting; a split for each "
                  "run. Both sets of columns are judged by the same small perceptrons.", tables)
