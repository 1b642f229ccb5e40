"""The commands as functions: results with rows, a frame, a picture and a page."""

import json

import matplotlib
import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

import slm

matplotlib.use("Agg")

QUICK = {"steps": 200, "starts": 1, "filter_starts": 0, "final_predictors": 1, "final_steps": 200}


@pytest.fixture(scope="module")
def frame():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return X.assign(y=y)


@pytest.fixture(scope="module")
def results(frame):
    more = {"target": "y", "n_jobs": 2}
    return {
        "select": slm.select(frame, k=3, options=QUICK, **more),
        "compare": slm.compare(frame, k=3, methods=["anova", "mrmr"], seeds=1, **more),
        "tune": slm.tune(frame, k=3, method="lasso", trials=3, **more),
        "path": slm.path(frame, method="anova", k_list=[1, 3, 9], folds=3, **more),
        "stability": slm.stability(frame, k=3, methods=["anova", "mrmr"], resamples=4, **more),
    }


@pytest.mark.parametrize("name", ["select", "compare", "tune", "path", "stability"])
def test_a_result_is_rows_a_frame_a_picture_and_a_page(results, name):
    result = results[name]
    assert len(result.frame) == len(result.rows) > 0
    page = result._repr_html_()
    assert page.startswith("<table>") and page.count("<tr>") == len(result.rows) + 1
    assert result.plot().has_data()
    assert "y" in repr(result)


def test_results_hold_what_they_are_about(results):
    assert len(results["select"].columns) == 3
    assert results["path"].k in (1, 3, 9)
    assert set(results["stability"].frequencies("mrmr").values()) <= {0.25, 0.5, 0.75, 1.0}
    best = results["tune"].rows[0]
    assert best["valid"] == max(row["valid"] for row in results["tune"].rows)
    methods = {row["method"] for row in results["compare"].rows}
    assert {"anova", "mrmr", "random"} <= methods


def test_the_model_of_a_selection_predicts(results, frame, tmp_path):
    model = results["select"].model
    model.save(tmp_path / "m.slm")
    again = slm.load_model(tmp_path / "m.slm")
    assert again.columns == model.columns and again.classes == [0, 1]
    np.testing.assert_array_equal(again.predict(frame), model.predict(frame))
    assert list(again.transform(frame).columns) == again.columns
    assert again.describe()["schema"] == "slm.model/1"
    with pytest.raises(ValueError, match="lacks the columns"):
        again.predict(frame.drop(columns=again.columns[0]))


def test_takes_files_for_validation_and_test(frame, tmp_path):
    parts = [tmp_path / f"{name}.csv" for name in ("train", "valid", "test")]
    for part, rows in zip(parts, (frame[:300], frame[300:400], frame[400:])):
        rows.to_csv(part, index=False)
    result = slm.select(parts[0], target="y", k=3, method="anova", valid=parts[1], test=parts[2])
    assert [result.json["data"][name] for name in ("train", "valid", "test")] == [300, 100, 169]


def test_takes_x_and_y_apart(frame):
    X, y = frame.drop(columns="y").to_numpy(), frame["y"].to_numpy()
    apart = slm.select(X, y, k=3, method="anova")
    together = slm.select(frame, target="y", k=3, method="anova")
    places = [feature["index"] for feature in apart.json["selected"]]
    assert [frame.columns[j] for j in places] == together.columns


def test_complaints_name_the_parameter(frame):
    with pytest.raises(ValueError, match="target: name the column"):
        slm.select(frame, k=3)
    with pytest.raises(ValueError, match="no column 'z'"):
        slm.select(frame, target="z", k=3)
    with pytest.raises(ValueError, match="time_limit"):
        slm.select(frame, target="y", k=3, time_limit="soon")
    with pytest.raises(ValueError, match="did you mean 'lasso'"):
        slm.select(frame, target="y", k=3, method="laso")
    with pytest.raises(ValueError, match="subsample"):
        slm.stability(frame, target="y", k=3, subsample=2)


    more = {"target": "y", "k": 2, "method": "anova"}
    with pytest.raises(ValueError, match="did you mean 'mean area'"):
        slm.select(frame, keep="mean aera", **more)
    with pytest.raises(ValueError, match="keep names the target 'y'"):
        slm.select(frame, keep=[-1], **more)
    with pytest.raises(TypeError, match="drop: it takes a list"):
        slm.select(frame, drop=3, **more)
    with pytest.raises(ValueError, match="cv"):
        slm.select(frame, cv=1, **more)
    with pytest.raises(ValueError, match="cv evaluates one k"):
        slm.select(frame, cv=3, **(more | {"k": "auto"}))
    with pytest.raises(ValueError, match="null"):
        slm.select(frame, null=-1, **more)
    with pytest.raises(ValueError, match="split"):
        slm.select(frame, split="group:", **more)


def test_a_selection_says_why_and_what_it_is_worth(frame):
    result = slm.select(
        frame, target="y", k=3, method="anova", keep="pair", groups={"pair": ["mean area", 1]},
        cv=3, null=3,
    )  # fmt: skip
    ranking = result.ranking_frame()
    assert list(ranking.columns) == [
        "name", "selected", "importance", "importance_sd", "weight", "rank", "reason",
    ]
    alone = set(frame.columns) - {"y", "mean area", frame.columns[1]}
    assert set(ranking["name"]) == alone | {"pair"}
    assert ranking.set_index("name")["reason"]["pair"] == "kept by the user"
    assert list(ranking["name"][:3]) == result.columns and ranking["selected"].sum() == 3
    assert result.cross_validation["asked"] == len(result.cross_validation["folds"]) == 3
    assert result.null["actual"] == result.cross_validation["mean"]
    assert len(result.null["values"]) == 3
    assert "mean area" in result._repr_html_()


@pytest.mark.parametrize("name", ["compare", "tune", "path", "stability"])
def test_every_command_keeps_and_groups_columns(frame, name):
    more = {
        "compare": {"k": 2, "methods": "anova", "seeds": 1},
        "tune": {"k": 2, "method": "lasso", "trials": 2},
        "path": {"method": "anova", "k_list": [2, 4], "folds": 3},
        "stability": {"k": 2, "methods": "anova", "resamples": 3},
    }[name]
    group = {"keep": ["pair"], "groups": {"pair": ["mean texture", 9]}}
    result = getattr(slm, name)(frame, target="y", **more, **group)
    if name == "path":  # which names no columns
        plain = slm.path(frame, target="y", **more)
        assert [row["mean"] for row in result.rows] != [row["mean"] for row in plain.rows]
    else:
        assert '"pair"' in json.dumps(result.json)


def test_a_run_resumes_from_its_checkpoint(frame, tmp_path):
    more = {"target": "y", "k": 4, "checkpoint": str(tmp_path / "c"), "options": {"steps": 500}}
    stopped = slm.select(frame, callbacks=lambda event: event["phase"] == "refits", **more)
    resumed = slm.select(frame, resume=True, **more)
    whole = slm.select(frame, target="y", k=4, options={"steps": 500})
    assert resumed.rows == whole.rows and resumed.json["metrics"] == whole.json["metrics"]
    assert len(stopped.rows) == 4
    with pytest.raises(ValueError, match="seed"):
        slm.select(frame, resume=True, seed=1, **more)


def test_rows_without_a_target_are_left_out_unless_the_caller_insists(frame):
    gappy = frame.assign(y=frame["y"].where(frame.index % 10 != 0))
    more = {"target": "y", "k": 2, "method": "anova", "n_jobs": 1}
    result = slm.select(gappy, **more)
    assert result.json["data"]["without_target"] == gappy["y"].isna().sum()
    kept = slm.select(gappy.dropna(subset="y"), **more)
    assert kept.json["metrics"] == result.json["metrics"] and kept.rows == result.rows
    with pytest.raises(ValueError, match="missing_target"):
        slm.select(gappy, missing_target="error", **more)
    with pytest.raises(ValueError, match="missing in all 569 rows"):
        slm.select(frame.assign(y=np.nan), **more)


def test_leaks_are_warned_of_dropped_or_refused(frame):
    leaky = frame.assign(again=frame["y"] * 3 + 1)
    more = {"target": "y", "k": 2, "method": "anova", "n_jobs": 1}
    (warning,) = slm.select(leaky, **more).warnings
    assert warning["kind"] == "leak" and warning["columns"] == ["again"] and warning["flag"] == "leaks='drop'"
    assert "again" not in slm.select(leaky, leaks="drop", **more).columns
    with pytest.raises(ValueError, match="again"):
        slm.select(leaky, strict=True, **more)


def test_columns_that_make_up_the_target_are_a_leak(frame):
    numbers = frame.select_dtypes("number").drop(columns="y")
    made = numbers.assign(total=numbers.iloc[:, 0] + 2 * numbers.iloc[:, 1])
    more = {"target": "total", "k": 2, "method": "anova", "n_jobs": 1}
    (warning,) = [one for one in slm.select(made, **more).warnings if one["kind"] == "leak"]
    assert sorted(warning["columns"]) == sorted(numbers.columns[:2]) and warning["figure"] == 1
    assert "2 * " in warning["text"]
    assert not set(warning["columns"]) & set(slm.select(made, leaks="drop", **more).columns)


def test_a_metric_has_its_interval_and_a_baseline(frame):
    result = slm.select(frame, target="y", k=2, method="anova", by_class=True, n_jobs=1)
    metrics = result.json["metrics"]
    low, high = metrics["interval"]["test"]
    assert low < metrics["test"] < high
    assert metrics["baseline"]["name"] == "majority" and metrics["baseline"]["test"] < low
    by_class = result.json["by_class"]
    assert sum(map(sum, by_class["confusion"])) == result.json["data"]["test"]


def planted(columns, rows=500):
    random = np.random.default_rng(3)
    X = random.normal(size=(rows, 30))
    return X, X[:, :columns].sum(axis=1) * 0.7 + random.normal(size=rows)


def test_a_level_instead_of_k_chooses_what_is_significant():
    X, y = planted(10)
    found = slm.select(X, y, fdr=0.2, method="lasso", n_jobs=1)
    assert {f"f{j}" for j in range(10)} <= set(found.columns) and len(found.columns) < 16
    assert found.significance["test"] == "knockoffs" and found.significance["found"] == len(found.columns)
    assert len(found.significance["columns"]) == 30
    assert all(row["significant"] and row["q_value"] <= 0.2 for row in found.rows)
    assert found.model is not None


def test_where_nothing_is_significant_that_is_the_result():
    X, y = planted(0)
    found = slm.select(X, y, fdr=0.1, method="lasso", n_jobs=1)
    assert found.columns == [] and found.model is None and found.json["k"] == 0
    assert not found.ranking_frame()["selected"].any()
    assert found._repr_html_().startswith("<table>")


def test_a_level_beside_k_marks_the_significant_ones():
    X, y = planted(10)
    found = slm.select(X, y, k=12, fdr=0.2, method="anova", significance="randomisation", n_jobs=1)
    assert len(found.columns) == 12
    assert {row["name"] for row in found.rows if row.get("significant")} >= {f"f{j}" for j in range(10)}
    assert all(0 < row["p_value"] <= 1 for row in found.rows)


def test_neither_k_nor_a_level_is_an_error():
    X, y = planted(2)
    with pytest.raises(ValueError, match="k is missing"):
        slm.select(X, y)
    with pytest.raises(ValueError, match="fdr"):
        slm.select(X, y, fdr=2)
