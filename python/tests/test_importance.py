"""Importances are those of scikit-learn's permutation_importance around the fitted estimator."""

import numpy as np
import pandas
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.inspection import permutation_importance
from sklearn.model_selection import train_test_split

import slm

REPEATS = 30


def texts_and_gaps():
    """Classes that a text decides with a number; many cells are missing."""
    draw = np.random.default_rng(4)
    rows = 900
    colour = draw.choice(["red", "green", "blue"], rows)
    size, age = draw.normal(size=(2, rows))
    y = np.where(colour == "red", size > 0, size + 0.5 * age > 0.3)
    frame = pandas.DataFrame({"size": size, "age": age, "noise": draw.normal(size=rows)})
    frame["colour"] = pandas.Series(colour, dtype=object)
    for name in frame:
        frame.loc[draw.random(rows) < 0.15, name] = None
    return frame, np.where(y, "yes", "no")


SETS = {
    "breast cancer": (lambda: load_breast_cancer(return_X_y=True, as_frame=True), 6, "accuracy"),
    "diabetes": (lambda: load_diabetes(return_X_y=True, as_frame=True), 5, "mae"),
    "texts and gaps": (texts_and_gaps, 4, "accuracy"),
}


@pytest.mark.parametrize("name", SETS)
def test_is_what_scikit_learn_measures(name):
    load, k, metric = SETS[name]
    X, y = load()
    X, X_val, y, y_val = train_test_split(X, y, test_size=0.4, random_state=0)
    Estimator = slm.SLMRegressor if metric == "mae" else slm.SLMClassifier
    estimator = Estimator(k, metric=metric, steps=500).fit(X, y, X_val=X_val, y_val=y_val)
    basis = estimator.selection_["importance"]
    assert (basis["parts"], basis["rows"]) == ("validation", len(X_val))
    scoring = "neg_mean_absolute_error" if metric == "mae" else metric
    theirs = permutation_importance(
        estimator, X_val, y_val, scoring=scoring, n_repeats=REPEATS, random_state=1
    )
    error = theirs.importances_std * np.sqrt(1 / REPEATS + 1 / basis["repeats"])
    assert (np.abs(estimator.importances_ - theirs.importances_mean) <= 3.5 * error + 1e-6).all()
    # What the error is small enough to tell: some columns matter, and those not chosen do not.
    assert (theirs.importances_mean > 5 * error).sum() >= 2
    assert (estimator.importances_[~estimator.support_] == 0).all()


def test_decides_the_rank():
    X, y = texts_and_gaps()
    estimator = slm.SLMClassifier(4, steps=500).fit(X, y)
    chosen = estimator.importances_[np.argsort(estimator.ranking_)]
    assert (np.diff(chosen) <= 0).all() and chosen[0] > 0.1
    frame = estimator.ranking_frame()
    assert list(frame["importance"]) == sorted(estimator.importances_, reverse=True)
    assert (frame["importance_sd"] > 0).all()


def test_is_not_a_number_where_it_was_not_measured():
    X, y = load_breast_cancer(return_X_y=True)
    estimator = slm.SLMClassifier(3, callbacks=lambda event: True).fit(X, y)
    assert np.isnan(estimator.importances_[estimator.support_]).all()
    assert (estimator.importances_[~estimator.support_] == 0).all()
