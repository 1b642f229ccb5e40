"""rfe, sfs, permutation and boruta around estimators of scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_diabetes, make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFE, SequentialFeatureSelector
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import KFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from slm import FeatureSelector


@pytest.fixture(scope="module")
def classes():
    return make_classification(240, 12, n_informative=4, n_redundant=2, shuffle=False, random_state=3)


@pytest.mark.parametrize("step", [1, 3, 0.2])
def test_rfe_takes_the_columns_of_scikit_learns(step):
    X, y = load_breast_cancer(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    model = LogisticRegression(max_iter=1000)
    selector = FeatureSelector("rfe", 7, estimator=model, options={"step": step}).fit(X, y)
    theirs = RFE(model, n_features_to_select=7, step=step).fit(X, y)
    assert np.array_equal(selector.support_, theirs.support_)
    assert selector.selection_["method"] == "rfe"
    assert len(selector.selection_["selected"]) == 7
    assert all("kept" not in one for one in selector.selection_["selected"])


def test_sfs_takes_the_columns_of_scikit_learns():
    X, y = load_diabetes(return_X_y=True)
    folds = KFold(4)
    ours = FeatureSelector("sfs", 4, estimator=Ridge(0.1), options={"folds": folds}, scoring="r2").fit(X, y)
    theirs = SequentialFeatureSelector(Ridge(0.1), n_features_to_select=4, cv=folds, scoring="r2").fit(X, y)
    assert np.array_equal(ours.support_, theirs.get_support())


def test_floating_search_is_never_worse():
    X, y = load_diabetes(return_X_y=True)
    reached = {}
    for floating in (False, True):
        options = {"folds": KFold(4), "floating": floating}
        found = FeatureSelector("sfs", 5, estimator=Ridge(0.1), options=options, scoring="r2").fit(X, y)
        reached[floating] = cross_val_score(Ridge(0.1), X[:, found.support_], y, cv=KFold(4), scoring="r2").mean()
    assert reached[True] >= reached[False]


def test_permutation_is_the_mean_of_scikit_learns_over_folds(classes):
    X, y = classes
    model, folds = KNeighborsClassifier(), KFold(3)
    selector = FeatureSelector("permutation", 12, estimator=model, options={"folds": folds, "repeats": 4}).fit(X, y)
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
        ({"method": "sfs", "n_features_to_select": "auto"}, "give a number"),
        ({"method": "rfe", "groups": {"g": [0, 1]}}, "do not go with an estimator"),
        ({"method": "sfs", "estimator": None, "scoring": "r2"}, "belongs to an estimator"),
    ],
)
def test_what_cannot_be_is_said(classes, given, message):
    given = {"estimator": LogisticRegression()} | given
    with pytest.raises(ValueError, match=message):
        FeatureSelector(**given).fit(*classes)
