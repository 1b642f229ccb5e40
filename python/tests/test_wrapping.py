"""rfe, sfs, permutation and boruta around estimators of scikit-learn."""

import os
import signal
import threading
import time

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_diabetes, make_classification
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFE, SequentialFeatureSelector
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GroupKFold, KFold, PredefinedSplit, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import slm
from slm import FeatureSelector, _wrapping


@pytest.fixture(scope="module")
def classes():
    return make_classification(240, 12, n_informative=4, n_redundant=2, shuffle=False, random_state=3)


def of_all(X, y):
    """A validation set, so that all rows train, as in scikit-learn."""
    return {"X_val": X, "y_val": y}


@pytest.mark.parametrize("step", [1, 3, 0.2])
def test_rfe_takes_the_columns_of_scikit_learns(step):
    X, y = load_breast_cancer(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    model = LogisticRegression(max_iter=1000)
    selector = FeatureSelector("rfe", 7, estimator=model, options={"step": step})
    selector.fit(X, y, **of_all(X, y))
    theirs = RFE(model, n_features_to_select=7, step=step).fit(X, y)
    assert np.array_equal(selector.support_, theirs.support_)
    assert selector.selection_["method"] == "rfe"
    assert len(selector.selection_["selected"]) == 7
    assert all("kept" not in one for one in selector.selection_["selected"])


def test_sfs_takes_the_columns_of_scikit_learns():
    X, y = load_diabetes(return_X_y=True)
    folds = KFold(4)
    ours = FeatureSelector("sfs", 4, estimator=Ridge(0.1), options={"folds": folds}, scoring="r2")
    ours.fit(X, y, **of_all(X, y))
    theirs = SequentialFeatureSelector(Ridge(0.1), n_features_to_select=4, cv=folds, scoring="r2").fit(X, y)
    assert np.array_equal(ours.support_, theirs.get_support())


def test_floating_search_is_never_worse():
    X, y = load_diabetes(return_X_y=True)
    reached = {}
    for floating in (False, True):
        options = {"folds": KFold(4), "floating": floating}
        found = FeatureSelector("sfs", 5, estimator=Ridge(0.1), options=options, scoring="r2")
        found.fit(X, y, **of_all(X, y))
        reached[floating] = cross_val_score(Ridge(0.1), X[:, found.support_], y, cv=KFold(4), scoring="r2").mean()
    assert reached[True] >= reached[False]


def test_permutation_is_the_mean_of_scikit_learns_over_folds(classes):
    X, y = classes
    model, folds = KNeighborsClassifier(), KFold(3)
    selector = FeatureSelector("permutation", 12, estimator=model, options={"folds": folds, "repeats": 4})
    selector.fit(X, y, **of_all(X, y))
    rises = [
        permutation_importance(clone(model).fit(X[a], y[a]), X[b], y[b], n_repeats=4, random_state=0).importances_mean
        for a, b in folds.split(X)
    ]
    assert selector.feature_weights_ == pytest.approx(np.mean(rises, axis=0), abs=1e-6)


def test_boruta_confirms_what_is_planted(classes):
    X, y = classes
    forest = RandomForestClassifier(60, max_depth=5, random_state=0)
    selector = FeatureSelector("boruta", 6, estimator=forest, options={"rounds": 30}).fit(X, y)
    assert set(np.flatnonzero(selector.support_)) == set(range(6))
    assert selector.feature_weights_[:6].min() > 0.5  # shares of hits


def test_works_on_frames_with_texts_through_a_pipeline():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(200, 5)), columns=list("abcde"))
    X["colour"] = random.choice(["red", "green", "blue"], 200)
    y = (X["a"] + 2 * (X["colour"] == "red") > 0.5).astype(int)

    def texts(frame):
        return [name for name in frame if not pd.api.types.is_numeric_dtype(frame[name])]

    model = make_pipeline(
        make_column_transformer((OneHotEncoder(handle_unknown="ignore"), texts), remainder="passthrough"),
        LogisticRegression(),
    )
    selector = FeatureSelector("sfs", 2, estimator=model).fit(X, y)
    assert set(selector.get_feature_names_out()) == {"a", "colour"}
    assert list(selector.transform(X).columns) == ["a", "colour"]


@pytest.mark.parametrize("method", ["rfe", "sfs", "permutation", "boruta"])
def test_keeps_drops_weighs_and_gives_exactly_k(classes, method):
    X, y = classes
    X = X.copy()
    X[:, 10], X[:, 11] = 1.0, X[:, 0]  # constant, and a copy
    options = {"rounds": 5} if method == "boruta" else {}
    model = RandomForestClassifier(10, max_depth=3, random_state=0)
    selector = FeatureSelector(method, 4, estimator=model, keep=[9], drop=[1], options=options)
    selector.fit(X, y, sample_weight=np.where(y == 1, 2.0, 1.0))
    assert selector.support_.sum() == 4
    assert selector.support_[9] and not selector.support_[[1, 10, 11]].any()
    again = clone(selector).fit(X, y, sample_weight=np.where(y == 1, 2.0, 1.0))
    assert np.array_equal(again.support_, selector.support_)
    assert [one["name"] for one in selector.selection_["selected"] if one.get("kept")] == ["f9"]


def test_a_time_limit_ends_with_exactly_k(classes):
    X, y = classes
    model = RandomForestClassifier(50, random_state=0)
    assert FeatureSelector("sfs", 5, estimator=model, time_limit=0.3).fit(X, y).support_.sum() == 5


@pytest.mark.parametrize(
    "given, message",
    [
        ({"method": "mrmr"}, "'mrmr' has a model of its own"),
        ({"method": "rfe", "options": {"folds": 3}}, "has no 'folds'; it takes step"),
        ({"method": "rfe", "estimator": KNeighborsClassifier()}, "neither coef_ nor feature_importances_"),
        ({"method": "rfe", "n_features_to_select": 13}, "only 12 columns"),
        ({"method": "rfe", "n_features_to_select": 1, "keep": [0, 1]}, "n_features_to_select is 1, but keep names 2"),
        ({"method": "sfs", "n_features_to_select": 1, "keep": [0, 1]}, "n_features_to_select is 1, but keep names 2"),
        ({"method": "rfe", "options": {"step": -3}}, r"step of 'rfe' is -3; give an int in the range \[1, inf\)"),
        ({"method": "rfe", "options": {"step": "a"}}, "step of 'rfe' is 'a'; give an int .* or a float"),
        ({"method": "sfs", "options": {"folds": 1}}, "folds of 'sfs' is 1; give an int .* or an object implementing"),
        ({"method": "sfs", "options": {"floating": "no"}}, "floating of 'sfs' is 'no'; give an instance of 'bool'"),
        ({"method": "sfs", "options": {"folds": PredefinedSplit(np.arange(240) % 3)}}, "beyond the 210"),
        ({"method": "permutation", "options": {"repeats": 0}}, "repeats of 'permutation' is 0"),
        ({"method": "boruta", "options": {"rounds": 0}}, "rounds of 'boruta' is 0"),
        ({"method": "boruta", "options": {"alpha": 1.5}}, "alpha of 'boruta' is 1.5"),
        ({"method": "boruta", "options": {"percentile": 101}}, "percentile of 'boruta' is 101"),
        ({"method": "rfe", "estimator": make_pipeline(PCA(3), LogisticRegression())}, "3 importances for 12 columns"),
        ({"method": "sfs", "n_features_to_select": "auto"}, "give a number"),
        ({"method": "rfe", "groups": {"g": [0, 1]}}, "do not go with an estimator"),
        ({"method": "sfs", "estimator": None, "scoring": "r2"}, "belongs to an estimator"),
    ],
)
def test_what_cannot_be_is_said(classes, given, message):
    given = {"estimator": LogisticRegression()} | given
    with pytest.raises(ValueError, match=message):
        FeatureSelector(**given).fit(*classes)


class Watcher(ClassifierMixin, BaseEstimator):
    """A classifier that remembers, in `seen`, the first column of what it was fitted on, and takes its time."""

    seen = []

    def __init__(self, seconds=0.0):
        self.seconds = seconds

    def fit(self, X, y, sample_weight=None):
        time.sleep(self.seconds)
        self.seen.append(np.asarray(X)[:, 0])
        self.classes_ = np.unique(y)
        self.coef_ = np.ones((1, X.shape[1]))
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def watched(method, X, y, *, options=None, fit=None, **parameters):
    """The selector, and the rows by which it has searched, each named by its first cell."""
    Watcher.seen.clear()
    selector = FeatureSelector(method, 2, estimator=Watcher(), keep=[0], options=options, **parameters)
    selector.fit(X, y, **(fit or {}))
    return selector, Watcher.seen


def numbered(rows, columns=4):
    """A table of noise whose first column names the rows."""
    random = np.random.default_rng(0)
    X = random.normal(size=(rows, columns))
    X[:, 0] = random.permutation(rows)
    return X, (X[:, 1] > 0).astype(int)


def engines_rows(X, y, **fit):
    """The first cells of the rows that the engine trains on: a column that is constant there is left out."""
    marks = np.eye(len(y))
    selector = FeatureSelector("anova", 1).fit(np.hstack([X, marks]), y, **fit)
    held = [one["name"] for one in selector.selection_["data"]["dropped"] if one["reason"] == "constant"]
    held = [int(name[1:]) - X.shape[1] for name in held if int(name[1:]) >= X.shape[1]]
    return set(np.delete(X[:, 0], held))


@pytest.mark.parametrize("method", ["rfe", "sfs", "permutation", "boruta"])
@pytest.mark.parametrize("grouped", [False, True])
def test_searches_by_the_rows_that_the_engine_trains_on(method, grouped):
    X, y = numbered(90)
    fit = {"groups": np.arange(90) // 3} if grouped else {}
    selector, seen = watched(method, X, y, options={"rounds": 2} if method == "boruta" else None, fit=fit)
    assert set(np.concatenate(seen)) <= set(X[:, 0])
    assert set(np.concatenate(seen)) == engines_rows(X, y, **fit)
    assert selector.selection_["data"]["valid"] > 0


def test_noise_is_no_better_than_chance_on_the_validation_rows():
    reached = []
    for seed in range(6):
        random = np.random.default_rng(seed)
        X, y = random.normal(size=(120, 600)), random.permutation(np.arange(120) % 2)
        selector = FeatureSelector("rfe", 10, estimator=Ridge(), options={"step": 0.3}, validation_fraction=0.3)
        reached.append(selector.fit(X, y).selection_["metrics"]["valid"])
    assert np.mean(reached) < 0.58  # the mean of 216 rows; it was 0.68 when the search saw them


@pytest.mark.parametrize("options", [{}, {"folds": 4}, {"folds": GroupKFold(4)}])
@pytest.mark.parametrize("estimator", [LogisticRegression(), Ridge()])
def test_folds_do_not_tear_groups_apart(options, estimator, monkeypatch):
    X, y = numbered(120)
    groups = np.array([f"g{i // 6}" for i in range(120)])
    group_of = dict(zip(X[:, 0], groups))
    folds = []
    original = _wrapping.Search.folds

    def folds_of(search, given):
        rows = search.rows.X[:, 0]
        for learn, held in (parts := original(search, given)):
            folds.append(({group_of[one] for one in rows[learn]}, {group_of[one] for one in rows[held]}))
        return parts

    monkeypatch.setattr(_wrapping.Search, "folds", folds_of)
    FeatureSelector("sfs", 2, estimator=estimator, options=options, keep=[0]).fit(X, y, groups=groups)
    assert len(folds) == (4 if options else 5)
    assert not any(learn & held for learn, held in folds)


def test_too_few_groups_for_the_folds_are_said():
    X, y = numbered(40)
    with pytest.raises(ValueError, match="folds is 5, but the rows to train on have 3 groups; lower folds"):
        FeatureSelector("sfs", 2, estimator=LogisticRegression()).fit(X, y, groups=np.arange(40) // 10)


def test_a_time_limit_is_looked_at_within_a_step():
    X, y = numbered(60, 8)
    start = time.monotonic()
    selector = FeatureSelector("sfs", 3, estimator=Watcher(0.25), time_limit=1).fit(X, y)
    assert time.monotonic() - start < 6  # a step takes ten seconds
    assert selector.support_.sum() == 3
    assert selector.selection_["stopped_early"]


@pytest.mark.parametrize("method", ["rfe", "sfs", "permutation", "boruta"])
def test_ctrl_c_ends_a_search_with_what_it_knows(method):
    # Where the tests run in the background of a shell, Python starts with SIGINT ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    X, y = numbered(200, 12)
    begun = threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT))
    begun.start()
    start = time.monotonic()
    with pytest.warns(slm.EarlyStopWarning, match="interrupted"):
        selector = FeatureSelector(method, 3, estimator=Watcher(0.5)).fit(X, y)
    assert time.monotonic() - start < 20
    assert selector.support_.sum() == 3
    assert selector.selection_["stopped_early"]


@pytest.mark.parametrize("method", ["rfe", "sfs", "permutation", "boruta"])
def test_rows_of_weight_0_count_for_nothing(method, classes):
    X, y = classes
    idle = np.arange(len(y)) % 3 == 0
    forest = RandomForestClassifier(10, max_depth=4, random_state=0)
    selector = FeatureSelector(method, 2, estimator=forest, options={"rounds": 5} if method == "boruta" else {})
    found = []
    for cells in (0.0, np.random.default_rng(1).normal(9.0, 20.0, size=X[idle].shape)):
        changed = X.copy()
        changed[idle] = cells
        fitted = clone(selector).fit(changed, y, sample_weight=np.where(idle, 0.0, 1.0))
        found.append((list(fitted.support_), list(fitted.feature_weights_)))
    assert found[0] == found[1]


@pytest.mark.parametrize("method", ["sfs", "permutation"])
@pytest.mark.parametrize("by_class", [False, True])
def test_measures_by_the_weights_of_rows(method, by_class):
    # Column 0 tells the many light rows, column 1 the few heavy ones.
    random = np.random.default_rng(2)
    X = random.normal(size=(400, 2))
    heavy = np.arange(400) % 8 == 0
    y = np.where(heavy, X[:, 1] > 0, X[:, 0] > 0).astype(int) + 2 * heavy * by_class
    X[heavy, 0], X[~heavy, 1] = 0.0, 0.0
    weighs = {"class_weight": {2: 50.0, 3: 50.0}} if by_class else {}
    fit = {} if by_class else {"sample_weight": np.where(heavy, 50.0, 1.0)}
    forest = RandomForestClassifier(20, max_depth=3, random_state=0)
    assert FeatureSelector(method, 1, estimator=forest, **weighs).fit(X, y, **fit).support_[1]
    assert FeatureSelector(method, 1, estimator=forest).fit(X, y).support_[0]


def test_folds_count_by_their_weights():
    X, y = load_diabetes(return_X_y=True)
    weight = np.where(np.arange(len(y)) < len(y) // 3, 9.0, 1.0)
    selector = FeatureSelector("sfs", 1, estimator=Ridge(0.1), options={"folds": KFold(3)}, scoring="r2")
    selector.fit(X, y, sample_weight=weight, **of_all(X, y))
    scores, shares = [], []
    for learn, held in KFold(3).split(X):
        shares.append(weight[held].sum())
        models = [Ridge(0.1).fit(X[learn][:, [j]], y[learn], weight[learn]) for j in range(X.shape[1])]
        scores.append([m.score(X[held][:, [j]], y[held], weight[held]) for j, m in enumerate(models)])
    best = np.average(scores, axis=0, weights=shares)
    assert selector.support_[best.argmax()]
    assert selector.feature_weights_.max() == pytest.approx(best.max(), rel=1e-5)


@pytest.mark.parametrize(
    "given, message",
    [
        ({"estimator": KNeighborsClassifier()}, "estimator: its fit takes no sample_weight; leave out"),
        ({"estimator": make_pipeline(StandardScaler(), Ridge())}, "estimator: its fit takes no sample_weight"),
        ({"estimator": Ridge(), "scoring": "neg_max_error"}, "scoring: 'neg_max_error' takes no sample_weight"),
        ({"estimator": Ridge(), "scoring": lambda model, X, y: 0.0}, "scoring: .* takes no sample_weight"),
    ],
)
def test_what_cannot_weigh_rows_is_said(classes, given, message):
    X, y = classes
    with pytest.raises(ValueError, match=message):
        FeatureSelector("sfs", 2, **given).fit(X, y, sample_weight=np.ones(len(y)))


def test_balanced_classes_count_alike_in_the_search():
    random = np.random.default_rng(3)
    rare = np.arange(600) % 12 == 0
    X = random.normal(size=(600, 2))
    X[:, 1] += 2.5 * rare
    selector = FeatureSelector("sfs", 1, estimator=LogisticRegression(), class_weight="balanced")
    selector.fit(X, rare.astype(int))
    assert selector.support_[1]
    assert selector.feature_weights_[1] == pytest.approx(0.89, abs=0.05)  # of balanced accuracy


def test_chooses_among_the_columns_that_the_engine_leaves():
    X, y = numbered(160, 6)
    X[:, 0] = np.random.default_rng(1).normal(size=160)
    y = (np.arange(160) > 80).astype(int)
    held = np.flatnonzero(~np.isin(X[:, 0], list(engines_rows(X, y))))
    X[:, 3] = 0.0
    X[held, 3] = 1.0  # constant on the rows to train on alone
    X[:, 4] = np.arange(160)
    model = RandomForestClassifier(10, random_state=0)
    selector = FeatureSelector("rfe", 4, estimator=model).fit(X, y)
    assert list(np.flatnonzero(selector.support_)) == [0, 1, 2, 5]
    with pytest.raises(ValueError, match="only 4 columns can be chosen"):
        FeatureSelector("rfe", 5, estimator=model).fit(X, y)


@pytest.mark.parametrize("method", ["rfe", "sfs", "permutation", "boruta"])
def test_texts_that_the_estimator_does_not_take_are_named(method, classes):
    X, y = classes
    frame = pd.DataFrame(X[:, :4], columns=list("abcd"))
    frame["kind"] = np.random.default_rng(0).choice(["u", "v"], len(y))
    with pytest.raises(ValueError, match="'kind' is .*could not convert string to float.*drop"):
        FeatureSelector(method, 2, estimator=RandomForestClassifier(5)).fit(frame, y)


@pytest.mark.parametrize("method", ["rfe", "sfs", "boruta"])
def test_takes_sparse_matrices(method, classes):
    X, y = classes
    options = {"rounds": 3} if method == "boruta" else {}
    selector = FeatureSelector(method, 2, estimator=RandomForestClassifier(5, random_state=0), options=options)
    assert np.array_equal(clone(selector).fit(csr_matrix(X), y).support_, selector.fit(X, y).support_)


def test_permutation_asks_for_a_dense_matrix(classes):
    X, y = classes
    with pytest.raises(ValueError, match="needs a dense matrix; give X.toarray"):
        FeatureSelector("permutation", 2, estimator=LogisticRegression()).fit(csr_matrix(X), y)
