"""The same file, options and seed: the same bits from Python as from the command line."""

import json
import subprocess

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes

import slm


def write(path, X, y):
    """A file whose numbers read back as the same bits, with missing cells and a text column."""
    frame = X.copy()
    frame.iloc[::7, 2] = np.nan
    frame["kind"] = np.where(frame.iloc[:, 0] > frame.iloc[:, 0].median(), "high", "low")
    frame.iloc[::11, frame.columns.get_loc("kind")] = None
    frame["y"] = y
    frame.to_csv(path, index=False)
    return frame


@pytest.fixture(scope="module", params=["classification", "regression"])
def case(request, tmp_path_factory):
    load = load_breast_cancer if request.param == "classification" else load_diabetes
    X, y = load(return_X_y=True, as_frame=True)
    path = tmp_path_factory.mktemp("data") / "data.csv"
    return path, write(path, X, y), request.param


def run(command, path, *flags, model=None):
    line = [command, "select", str(path), "--target", "y", "--json", "--quiet", *flags]
    if model:
        line += ["--model", str(model)]
    return json.loads(subprocess.run(line, check=True, capture_output=True).stdout)


def without_seconds(result):
    """What both must agree on: not seconds, and not what a warning calls the flag, a keyword in Python."""
    if isinstance(result, list):
        return [without_seconds(value) for value in result]
    if not isinstance(result, dict):
        return result
    return {key: without_seconds(value) for key, value in result.items() if key not in ("seconds", "flag")}


@pytest.mark.parametrize("method", ["slm", "lasso", "mrmr", "rf"])
def test_select_gives_the_result_of_the_command_line(command, case, method):
    path, frame, _ = case
    told = run(command, path, "-k5", "--seed", "3", "--method", method)
    of_frame = slm.select(frame, target="y", k=5, seed=3, method=method)
    of_file = slm.select(path, target="y", k=5, seed=3, method=method)
    assert without_seconds(of_frame.json) == without_seconds(told)
    assert without_seconds(of_file.json) == without_seconds(told)


# Flags of the command line beside the same as parameters; {0}, {1} and {2} are columns.
FLAGS = {
    "keep": ("--keep {2},kind", {"keep": ["{2}", "kind"]}),
    "drop": ("--drop {0} --drop {1}", {"drop": ["{0}", 1]}),
    "groups": ("--groups a={0},{1} --keep a", {"groups": {"a": ["{0}", 1]}, "keep": "a"}),
    "pattern": ("--groups s*", {"groups": ["s*"]}),
    "prefix": ("--groups prefix:_", {"groups": "prefix:_"}),
    "cv": ("--cv 3", {"cv": 3}),
    "cv by group": ("--cv group:who,3", {"cv": "group:who,3"}),
    "cv by time": ("--cv time:day,3", {"cv": "time:day,3"}),
    "null": ("--null 3", {"null": 3}),
    "cv and null": ("--cv 2 --null 2", {"cv": 2, "null": 2}),
    "split by group": ("--split group:who", {"split": "group:who"}),
    "split by time": ("--split time:day,0.5,0.25,0.25", {"split": "time:day,0.5,0.25,0.25"}),
    "auto": ("-kauto --folds 3", {"k": "auto", "folds": 3}),
}


def filled(value, names):
    if isinstance(value, str):
        return value.format(*names)
    if isinstance(value, list):
        return [filled(part, names) for part in value]
    if isinstance(value, dict):
        return {key: filled(part, names) for key, part in value.items()}
    return value


@pytest.fixture(scope="module")
def case_for_flags(command, case, tmp_path_factory):
    """Half of the rows, with columns to group and to split by, and what is found without any flag."""
    frame = case[1].iloc[::2]
    frame = frame.rename(columns={name: name.replace(" ", "_") for name in frame.columns})
    names = list(frame.columns)
    rows = np.arange(len(frame))
    frame = frame.assign(who=[f"p{row // 9}" for row in rows], day=rows % 100)
    frame = frame.assign(g_1=rows % 13, g_2=rows % 17)
    path = tmp_path_factory.mktemp("flags") / "data.csv"
    frame.to_csv(path, index=False)
    return path, frame, names, run(command, path, "-k3", "--method", "mrmr")


@pytest.mark.parametrize("what", FLAGS)
def test_every_flag_gives_the_result_of_the_command_line(command, case_for_flags, what):
    path, frame, names, plain = case_for_flags
    flags, more = FLAGS[what]
    k = [] if "k" in more else ["-k3"]
    told = run(command, path, *k, "--method", "mrmr", *flags.format(*names).split())
    found = slm.select(frame, target="y", method="mrmr", **({"k": 3} | filled(more, names)))
    assert without_seconds(found.json) == without_seconds(told)
    assert found.cross_validation == told.get("cross_validation")
    assert found.null == told.get("null")
    assert without_seconds(plain) != without_seconds(told)


def test_an_estimator_keeps_drops_groups_and_splits_as_the_command_line(command, case, tmp_path):
    _, frame, task = case
    names = [f"c{j}" for j in range(frame.shape[1] - 1)]
    frame = frame.set_axis([*names, "y"], axis=1)
    who = np.array([f"p{row // 9}" for row in range(len(frame))])
    path = tmp_path / "data.csv"
    frame.assign(who=who).to_csv(path, index=False)
    told = run(
        command, path, "-k4", "--task", task, "--steps", "500",
        "--split", "group:who,0.875,0.125,0", "--keep", "c4,pair", "--drop", "c0", "--groups", "pair=c5,c6", "--groups", "tail=c7,c8",
    )  # fmt: skip
    Estimator = slm.SLMClassifier if task == "classification" else slm.SLMRegressor
    estimator = Estimator(
        4, steps=500, keep=["c4", "pair"], drop=[0], groups={"pair": [5, "c6"], "tail": ["c7", 8]}
    )
    estimator.fit(frame[names], frame["y"], groups=who)
    weights = np.zeros(len(names), dtype=np.float32)
    for feature in told["selected"]:
        for name in feature.get("columns", [feature["name"]]):
            weights[names.index(name)] = feature["weight"]
    assert estimator.feature_weights_.tobytes() == weights.tobytes()
    assert estimator.selection_["metrics"] == told["metrics"]
    assert estimator.support_[[4, 5, 6]].all() and not estimator.support_[0]
    reasons = estimator.ranking_frame().set_index("name")["reason"]
    out = {column["name"]: column["reason"] for column in told["not_chosen"]}
    assert {name: reasons[name] for name in out if name in names} == {
        name: reason for name, reason in out.items() if name in names
    }
    assert reasons["c7"] == reasons["c8"] == out.get("tail", "chosen")
    assert set(reasons[["c4", "c5", "c6"]]) == {"kept by the user"}
    assert estimator.predict(frame[names]).shape == (len(frame),)


def test_an_estimator_gives_the_mask_and_the_metric_of_the_command_line(command, case, tmp_path):
    path, frame, task = case
    split = ("--split", "0.875,0.125,0", "--task", task)
    model = tmp_path / "m.slm"
    told = run(command, path, "-k6", "--seed", "7", *split, "--steps", "500", model=model)
    Estimator = slm.SLMClassifier if task == "classification" else slm.SLMRegressor
    X, y = frame.drop(columns="y"), frame["y"]
    estimator = Estimator(6, random_state=7, steps=500).fit(X, y)
    weights = np.zeros(X.shape[1], dtype=np.float32)
    for feature in told["selected"]:
        weights[feature["index"]] = feature["weight"]
    assert estimator.feature_weights_.tobytes() == weights.tobytes()
    assert estimator.selection_["metrics"] == told["metrics"]

    predicted = tmp_path / "p.csv"
    subprocess.run([command, "predict", model, path, "--output", predicted], check=True)
    expected = np.array([float(line) for line in predicted.read_text().split()[1:]])
    assert np.array_equal(estimator.predict(X), expected)
    assert np.array_equal(slm.load_model(model).predict(X), expected)


def test_the_command_line_reads_the_model_of_an_estimator(command, case, tmp_path):
    path, frame, _ = case
    X, y = frame.drop(columns="y"), frame["y"]
    estimator = slm.FeatureSelector("mrmr", 4).fit(X, y)
    estimator.save_model(tmp_path / "m.slm")
    line = [command, "inspect", str(tmp_path / "m.slm"), "--json"]
    told = json.loads(subprocess.run(line, check=True, capture_output=True).stdout)
    chosen = [feature["name"] for feature in told["selected"]]
    assert sorted(chosen) == sorted(estimator.get_feature_names_out())


def test_the_number_of_threads_changes_nothing(case):
    _, frame, _ = case
    one = slm.select(frame, target="y", k=4, n_jobs=1, options={"steps": 300})
    two = slm.select(frame, target="y", k=4, n_jobs=2, options={"steps": 300})
    assert without_seconds(one.json) == without_seconds(two.json)


def test_compare_gives_the_result_of_the_command_line(command, case):
    path, frame, _ = case
    line = [command, "compare", str(path), "--target", "y", "-k3", "--methods", "anova,mrmr"]
    line += ["--seeds", "2", "--json", "--quiet"]
    told = json.loads(subprocess.run(line, check=True, capture_output=True).stdout)
    ours = slm.compare(frame, target="y", k=3, methods=["anova", "mrmr"], seeds=2).json

    def sets(result):
        return {
            row["method"]: [(run["selected"], run["valid"], run["test"]) for run in row["runs"]]
            for row in result["results"]
        }

    assert sets(ours) == sets(told)
