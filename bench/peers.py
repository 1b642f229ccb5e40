#!/usr/bin/env python3
"""Methods of slm beside the packages that users have for them, timed in one run on the same rows.

    bench/peers.py --data-dir DIR [--methods anova,mi] [--cap 300] [--peers-only]

Prints a table and writes it to build/bench/peers.json; ends with 1 if a bar is missed. Needs the
folders isolet and mice in DIR (or SLM_DATA_DIR), see datasets.py. Peers are installed from
peers-requirements.txt into build/peers-venv, made with $PYTHON (/usr/bin/python3 if not set), whose
torch serves the peers that need one. Standard library only; each peer runs in a process of its own
inside that environment, as `--run-peer METHOD`.

Each side has one thread and the same files: every eighth row is for validation, the others for
training, and missing cells have the mean of the training rows, as no peer takes them and slm would
add columns of its own that say where they were. Timed is the selection alone, the best of three
where it is short: on our side `seconds.select` of `slm select --json` (or `seconds.fit`, which has
a predictor's training in it, where there is no such figure), on theirs the statements in `call` of
the table PEERS below, word for word, after `setup`. So that other work on the machine matters little,
the processor's seconds count where they are fewer than the clock's: theirs in these statements, ours
in the whole command, with reading and the predictor's training. A peer that is not done after --cap
seconds is ended, and its ratio is a bound.
"""

import argparse
import csv
import dataclasses
import json
import os
import pathlib
import resource
import signal
import statistics
import subprocess
import sys
import time
import typing

import datasets

REPEATS = 3
SHORT = 3.0  # seconds after which nothing is repeated
LINE = "{:12} {:7} {:>9} {:>9} {:>9} {:>6}  {:5} {:50} {}"
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}


@dataclasses.dataclass(frozen=True)
class Peer:
    """`call` is what is timed, and leaves `scores` of all columns or the `chosen` ones. Before it
    `setup` runs, with numpy as np, k, classes, and x, y, x_valid, y_valid: columns standardised by
    the training rows, and classes 0, 1, .."""

    package: str  # as on PyPI
    what: str
    setup: str
    call: str
    bar: typing.Optional[float] = None  # the least ratio of their seconds to ours
    flags: tuple = ()  # which make our side do the same work
    data: str = "isolet"
    k: int = 50


GREEDY = """
from skfeature.function.information_theoretical_based.{0} import {1}
from skfeature.utility.data_discretization import data_discretization
bins = data_discretization(x, 10)
"""

PEERS = {
    "anova": Peer(
        "scikit-learn", "f_classif", bar=5,
        setup="from sklearn.feature_selection import f_classif",
        call="scores = f_classif(x, y)[0]"),
    "fisher": Peer(
        "skfeature-chappers", "fisher_score", bar=50,
        setup="from skfeature.function.similarity_based.fisher_score import fisher_score",
        call="chosen = fisher_score(x, y, mode='index')[:k]"),
    "mi": Peer(
        "scikit-learn", "mutual_info_classif", bar=10,
        setup="from sklearn.feature_selection import mutual_info_classif",
        call="scores = mutual_info_classif(x, y, random_state=0)"),
    "mrmr": Peer(
        "skfeature-chappers", "mrmr, 10 bins", bar=20, flags=("--bins", "10"),
        setup=GREEDY.format("MRMR", "mrmr"),
        call="chosen = mrmr(bins, y, mode='index', n_selected_features=k)"),
    "cmim": Peer(
        "skfeature-chappers", "cmim, 10 bins", bar=20, flags=("--bins", "10"),
        setup=GREEDY.format("CMIM", "cmim"),
        call="chosen = cmim(bins, y, mode='index', n_selected_features=k)"),
    "relieff": Peer(
        "skrebate", "ReliefF, 10 neighbours", data="mice", k=10, flags=("--neighbors", "10"),
        setup="from skrebate import ReliefF",
        call="scores = ReliefF(n_neighbors=10, n_jobs=1).fit(x, y).feature_importances_"),
    "hsic-lasso": Peer(
        "pyHSICLasso", "B 20, M 3", bar=10,
        setup="from pyHSICLasso import HSICLasso",
        call="""
model = HSICLasso()
model.input(x, y)
model.classification(k, B=20, M=3, n_jobs=1)
chosen = model.get_index()
"""),
    "omp": Peer(
        "scikit-learn", "orthogonal_mp, once for each class",
        setup="""
from sklearn.linear_model import orthogonal_mp
labels = np.eye(classes)[y]
labels -= labels.mean(0)
""",
        call="scores = (orthogonal_mp(x, labels, n_nonzero_coefs=k) ** 2).sum(1)"),
    "lasso": Peer(
        "scikit-learn", "LogisticRegression, saga, path",
        setup="""
from sklearn.linear_model import LogisticRegression
from sklearn.svm import l1_min_c
""",
        call="""
c = l1_min_c(x, y, loss="log")
model = LogisticRegression(penalty="l1", solver="saga", warm_start=True, tol=1e-3)
scores = np.zeros(x.shape[1])
while np.count_nonzero(scores) < k:
    c *= 1.25
    scores = abs(model.set_params(C=c).fit(x, y).coef_).max(0)
"""),
    "mcp": Peer(
        "skglm", "Logistic and MCPenalty, each class against the rest, path",
        setup="""
from skglm import GeneralizedLinearEstimator
from skglm.datafits import Logistic
from skglm.penalties import MCPenalty
from skglm.solvers import AndersonCD
""",
        call="""
signs = np.where(np.eye(classes)[y] > 0, 1.0, -1.0)
lam = abs(x.T @ (signs - signs.mean(0)) / 2 / len(x)).max()
solver = AndersonCD(fit_intercept=True, warm_start=True)
models = [GeneralizedLinearEstimator(Logistic(), MCPenalty(lam, 12.0), solver) for _ in range(classes)]
scores = np.zeros(x.shape[1])
while np.count_nonzero(scores) < k:
    lam *= 0.9
    for c, model in enumerate(models):
        model.penalty = MCPenalty(lam, 12.0)
        model.fit(x, signs[:, c])
    scores = np.abs([np.ravel(model.coef_) for model in models]).max(0)
"""),
    # Ten rounds on their side, some sixty on ours: they remove a share of all columns in a round.
    "rfe": Peer(
        "scikit-learn", "RFE(LogisticRegression), step 0.1",
        setup="""
from sklearn.feature_selection import RFE
from sklearn.linear_model import LogisticRegression
""",
        call="scores = -RFE(LogisticRegression(), n_features_to_select=k, step=0.1).fit(x, y).ranking_"),
    "svm-rfe": Peer(
        "scikit-learn", "RFE(LinearSVC), step 0.1",
        setup="""
from sklearn.feature_selection import RFE
from sklearn.svm import LinearSVC
""",
        call="scores = -RFE(LinearSVC(), n_features_to_select=k, step=0.1).fit(x, y).ranking_"),
    "best-subset": Peer(
        "abess", "MultinomialRegression", bar=1,
        setup="from abess import MultinomialRegression",
        call="scores = abs(MultinomialRegression(support_size=k).fit(x, y).coef_).max(1)"),
    "rf": Peer(
        "scikit-learn", "RandomForestClassifier, 100 trees", bar=3,
        flags=("--trees", "100", "--max-depth", "0"),
        setup="from sklearn.ensemble import RandomForestClassifier",
        call="""
forest = RandomForestClassifier(n_estimators=100, n_jobs=1, random_state=0)
scores = forest.fit(x, y).feature_importances_
"""),
    "extra-trees": Peer(
        "scikit-learn", "ExtraTreesClassifier, 100 trees",
        flags=("--trees", "100", "--max-depth", "0"),
        setup="from sklearn.ensemble import ExtraTreesClassifier",
        call="""
forest = ExtraTreesClassifier(n_estimators=100, n_jobs=1, random_state=0)
scores = forest.fit(x, y).feature_importances_
"""),
    "boruta": Peer(
        "Boruta", "BorutaPy, 20 rounds of 100 trees of depth 5", data="mice", k=10,
        flags=("--rounds", "20", "--trees", "100", "--max-depth", "5"),
        setup="""
from boruta import BorutaPy
from sklearn.ensemble import RandomForestClassifier
""",
        call="""
forest = RandomForestClassifier(max_depth=5, n_jobs=1)
model = BorutaPy(forest, n_estimators=100, max_iter=21, random_state=0).fit(x, y)
scores = -model.ranking_
"""),
    "xgboost": Peer(
        "xgboost-cpu", "XGBClassifier, 20 rounds",
        flags=("--rounds", "20", "--max-depth", "6", "--learning-rate", "0.3", "--early-stopping", "0"),
        setup="from xgboost import XGBClassifier",
        call="""
model = XGBClassifier(n_estimators=20, max_depth=6, n_jobs=1, importance_type="gain")
scores = model.fit(x, y).feature_importances_
"""),
    "stg": Peer(
        "stg", "70 epochs, batch 100, hidden 128, lam 4", bar=10,  # about 50 gates stay open
        flags=("--epochs", "70", "--batch-size", "100", "--hidden-units", "128", "--lambda", "4"),
        # The package speaks to Python before 3.10, where these names were in collections itself.
        setup="""
import collections, collections.abc
for name in ("Mapping", "Sequence", "Set"):
    setattr(collections, name, getattr(collections.abc, name))
from stg.stg import STG
""",
        call="""
model = STG("cpu", input_dim=x.shape[1], output_dim=classes, hidden_dims=[128], batch_size=100,
            optimizer="Adam", learning_rate=1e-3, lam=4, task_type="classification")
model.fit(x, y, nr_epochs=70, valid_X=x_valid, valid_y=y_valid, shuffle=True, verbose=False)
scores = model.get_gates("raw")
"""),
    "lassonet": Peer(
        "lassonet", "path, batch 256, hidden 64", bar=20, data="mice",
        flags=("--batch-size", "256", "--hidden-units", "64"),
        setup="""
from lassonet import LassoNetClassifier
class Reached(Exception): pass
def stop_at_k(model, history):
    if history[-1].selected.sum() <= k: raise Reached
""",
        call="""
model = LassoNetClassifier(hidden_dims=(64,), batch_size=256, verbose=0, torch_seed=0)
try:
    model.path(x, y, X_val=x_valid, y_val=y_valid, callback=stop_at_k)
except Reached:
    chosen = model.model.input_mask().nonzero().flatten().tolist()
"""),
}


def repeat(run):
    """The run of least seconds."""
    runs = [run()]
    while len(runs) < REPEATS and sum(r["seconds"] for r in runs) < SHORT:
        runs.append(run())
    return min(runs, key=lambda r: r["seconds"])


def run_peer(name, folder, cap):
    """The peers' side, inside the environment: prints seconds, chosen columns and the version."""
    import importlib.metadata
    import warnings

    import numpy as np
    import pandas as pd

    warnings.filterwarnings("ignore")
    out, sys.stdout = sys.stdout, sys.stderr  # some packages print
    peer = PEERS[name]
    train, valid = (pd.read_csv(folder / f"{part}.csv") for part in ("train", "valid"))
    x = train.drop(columns="target")
    classes = sorted(train["target"].unique())

    def columns(part):
        scaled = (part[x.columns] - x.mean()) / x.std(ddof=0).replace(0, 1)
        return np.ascontiguousarray(scaled)

    def labels(part):
        return part["target"].map(classes.index).to_numpy()

    scope = {"np": np, "k": peer.k, "classes": len(classes), "x": columns(train), "y": labels(train),
             "x_valid": columns(valid), "y_valid": labels(valid)}
    exec(peer.setup, scope)
    call = compile(peer.call.strip(), f"the call of {name}", "exec")

    def run():
        # Ends the process wherever it is, also inside a library.
        signal.setitimer(signal.ITIMER_PROF, cap)
        wall, own = time.perf_counter(), time.process_time()
        exec(call, scope)
        wall, own = time.perf_counter() - wall, time.process_time() - own
        signal.setitimer(signal.ITIMER_PROF, 0)
        chosen = scope["chosen"] if "chosen" in scope else np.argsort(-scope["scores"])[:peer.k]
        return {"seconds": min(wall, own), "chosen": [int(j) for j in chosen]}

    print(json.dumps({**repeat(run), "version": importlib.metadata.version(peer.package)}), file=out)


def peer_side(python, name, folder, cap):
    """What run_peer printed, or {"seconds": cap, "capped": True}, or {"missing": why}."""
    command = [python, __file__, "--run-peer", name, "--cap", str(cap), "--folder", folder]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **ONE_THREAD})
    if done.returncode == -signal.SIGPROF:
        return {"seconds": cap, "capped": True}
    if done.returncode != 0:
        return {"missing": done.stderr.strip().rpartition("\n")[2]}
    return json.loads(done.stdout)


def processor_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def our_side(slm, python, name, folder):
    """Seconds and chosen columns of slm select, or {"missing": why}."""
    peer = PEERS[name]
    # Both sides of xgboost run the same library.
    library = next(python.parent.parent.glob("lib/*/site-packages/xgboost/lib/libxgboost.so"), None)
    environ = {**os.environ, **ONE_THREAD, **({"SLM_LIBXGBOOST": str(library)} if library else {})}
    command = [slm, "select", folder / "train.csv", "--valid", folder / "valid.csv", "--split", "0.8,0.2,0",
               "--target", "target", "-k", str(peer.k), "--method", name, "--threads", "1", "--json",
               "--quiet", *peer.flags]

    def run():
        before = processor_of_children()
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environ)
        own = processor_of_children() - before
        result = json.loads(done.stdout)
        seconds = result["seconds"]
        return {"seconds": min(seconds.get("select", seconds["fit"]), own), "whole": "select" not in seconds,
                "chosen": [feature["index"] for feature in result["selected"]]}

    try:
        return repeat(run)
    except subprocess.CalledProcessError as error:
        return {"missing": error.stderr.partition("\n")[0]}


def cut(name, source, cache):
    """The folder with train.csv and valid.csv of a set: every eighth row is for validation."""
    whole = pathlib.Path(datasets.prepare(name, source, cache)[0])
    folder = whole.parent / "peers-filled"
    if not (folder / "done").exists():
        folder.mkdir(exist_ok=True)
        with open(whole, newline="") as file:
            header, *rows = csv.reader(file)
        parts = {"train": [row for i, row in enumerate(rows) if i % 8 != 7], "valid": rows[7::8]}
        for j in range(len(header)):
            if not any(row[j] == "" for row in rows):
                continue
            mean = statistics.fmean(float(row[j]) for row in parts["train"] if row[j] != "")
            for row in rows:
                row[j] = row[j] or repr(mean)
        for part, its_rows in parts.items():
            with open(folder / f"{part}.csv", "w", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows([header, *its_rows])
        (folder / "done").touch()
    return folder


def environment(folder):
    """The Python of the environment, made anew if the requirements have changed."""
    requirements = pathlib.Path(__file__).with_name("peers-requirements.txt")
    stamp, python = folder / "requirements.txt", folder / "bin" / "python"
    if stamp.exists() and stamp.read_text() == requirements.read_text():
        return python
    print(f"installing the peers into {folder}", file=sys.stderr)
    base = os.environ.get("PYTHON", "/usr/bin/python3")
    subprocess.run([base, "-m", "venv", "--clear", "--system-site-packages", folder], check=True)
    # One by one: a peer that cannot be installed is a row without figures, not the end.
    for line in requirements.read_text().splitlines():
        if line.startswith("#"):
            continue
        done = subprocess.run([python, "-m", "pip", "install", "--quiet", "--constraint", requirements, line],
                              capture_output=True, text=True)
        if done.returncode != 0:
            print(f"could not install {line}: {done.stderr.strip()}", file=sys.stderr)
    stamp.write_text(requirements.read_text())
    return python


def compare(name, ours, theirs):
    """One row of the table."""
    peer = PEERS[name]
    row = {"method": name, "data": peer.data, "k": peer.k, "peer": f"{peer.package}: {peer.what}",
           "version": theirs.get("version"), "ours": ours.get("seconds"), "theirs": theirs.get("seconds"),
           "bound": bool(theirs.get("capped")), "bar": peer.bar}
    remarks = [f"{who}: {side['missing']}" for who, side in (("slm", ours), ("peer", theirs)) if "missing" in side]
    if not remarks:
        row["ratio"] = row["theirs"] / row["ours"]
        row["pass"] = None if peer.bar is None else row["ratio"] >= peer.bar
    if row["bound"]:
        remarks.append("ended at the cap")
    if ours.get("whole"):
        remarks.append("slm with its predictor's training")
    if "chosen" in ours and "chosen" in theirs:
        row["shared"] = len(set(ours["chosen"]) & set(theirs["chosen"]))
        remarks.append(f"{row['shared']} of {peer.k} columns the same")
    row["remarks"] = "; ".join(remarks)
    return row


def text(row):
    def number(key, form, before=""):
        return "-" if row.get(key) is None else before + format(row[key], form)

    bound = ">= " if row["bound"] else ""
    cells = (row["method"], row["data"], number("ours", ".4g"), number("theirs", ".4g", bound),
             number("ratio", ".3g", bound), number("bar", "g", ">= "),
             {None: "-", True: "pass", False: "FAIL"}[row.get("pass")], row["peer"], row["remarks"])
    return LINE.format(*cells).rstrip()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slm", default="build/release/slm")
    parser.add_argument("--data-dir")
    parser.add_argument("--methods", default=",".join(PEERS))
    parser.add_argument("--cap", default=300, type=float, help="seconds after which a peer is ended")
    parser.add_argument("--peers-only", action="store_true", help="leave our side out")
    parser.add_argument("--build", default="build", type=pathlib.Path)
    parser.add_argument("--run-peer", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=pathlib.Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.run_peer:
        return run_peer(args.run_peer, args.folder, args.cap)
    source = datasets.data_dir(args.data_dir)
    if source is None or not all((source / peer.data).is_dir() for peer in PEERS.values()):
        sys.exit("name the folder with the data sets isolet and mice: --data-dir or SLM_DATA_DIR")
    unknown = [m for m in args.methods.split(",") if m not in PEERS]
    if unknown:
        sys.exit(f"no peer for {', '.join(unknown)}; there are {', '.join(PEERS)}")

    python = environment(args.build / "peers-venv")
    listed = '{"methods": []}'
    if not args.peers_only:
        listed = subprocess.run([args.slm, "methods", "--json"], capture_output=True, check=True).stdout
    known = {method["name"] for method in json.loads(listed)["methods"]}
    rows = []
    print(LINE.format("method", "data", "slm s", "peer s", "ratio", "bar", "", "peer", "").rstrip())
    for name in args.methods.split(","):
        folder = cut(PEERS[name].data, source, args.build / "bench" / "data")
        ours = our_side(args.slm, python, name, folder) if name in known else {"missing": "not in this build"}
        rows.append(compare(name, ours, peer_side(python, name, folder, args.cap)))
        print(text(rows[-1]), flush=True)
    out = args.build / "bench" / "peers.json"
    out.write_text(json.dumps(rows, indent=1) + "\n")
    print(f"written to {out}")
    return int(any(row.get("pass") is False for row in rows))


if __name__ == "__main__":
    sys.exit(main())
