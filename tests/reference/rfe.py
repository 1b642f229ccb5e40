#!/usr/bin/env python3
"""Golden rankings and machines of recursive feature elimination, from scikit-learn.

RFE with LinearSVC (hinge and its square), LinearSVR, LogisticRegression and Ridge, one feature at a time, and
in rounds that remove a fifth of the features above k; coefficients of the machines with and without weights of
rows. To regenerate golden/rfe.txt:

    python3 tests/reference/rfe.py    (scikit-learn 1.9.1, numpy 2.4.6)
"""

import golden
import numpy as np
from sklearn.feature_selection import RFE
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import LinearSVC, LinearSVR

COST = 0.5
EPSILON = 0.2
L2 = 2.0
TIGHT = {"tol": 1e-10, "max_iter": 10000000}


def svc(loss):
    return LinearSVC(C=COST, loss=loss, dual=True, random_state=0, **TIGHT)


def svr(loss):
    return LinearSVR(C=COST, epsilon=EPSILON, loss=loss, dual=True, random_state=0, **TIGHT)


def logistic():
    return LogisticRegression(C=1 / L2, solver="newton-cg", tol=1e-12, max_iter=100000)


def one_by_one(model, x, y):
    """The place of each feature: 1 for the one that stays longest."""
    return RFE(model, n_features_to_select=1, step=1).fit(x, y).ranking_


def in_rounds(model, x, y, k, share):
    """Which features are left at k, each round removing a share of those above k, at least one."""
    left = np.arange(x.shape[1])
    while len(left) > k:
        count = max(1, int(share * (len(left) - k)))
        left = left[RFE(model, n_features_to_select=len(left) - count, step=count).fit(x[:, left], y).support_]
    return np.isin(np.arange(x.shape[1]), left)


def coefficients(model, x, y, weight=None):
    model.fit(x, y, sample_weight=weight)
    return np.column_stack([model.coef_.reshape(-1, x.shape[1]), np.ravel(model.intercept_)])


def main():
    x, three = golden.classification(rows=40, columns=12, classes=3, seed=21)
    two = (three == 1).astype(int)
    wide_x, wide_three = golden.classification(rows=20, columns=45, classes=3, seed=22)
    wide_two = (wide_three == 2).astype(int)
    value_x, value = golden.regression(rows=40, columns=12, seed=23)
    wide_value_x, wide_value = golden.regression(rows=20, columns=45, seed=24)
    weight = golden.single(np.random.default_rng(2).uniform(0.2, 1.8, size=40))
    sets = {"two": (x, two), "three": (x, three), "wide_two": (wide_x, wide_two), "wide_three": (wide_x, wide_three)}
    values = {"value": (value_x, value), "wide_value": (wide_value_x, wide_value)}
    arrays = {"x": x, "wide_x": wide_x, "value_x": value_x, "wide_value_x": wide_value_x, "weight": weight,
              "cost": COST, "epsilon": EPSILON, "l2": L2}
    for name, (inputs, y) in {**sets, **values}.items():
        arrays[name] = y
        models = {"logistic": logistic(), "hinge": svc("hinge"), "squared": svc("squared_hinge")}
        if name in values:
            models = {"ridge": Ridge(alpha=L2, solver="svd"), "hinge": svr("epsilon_insensitive"),
                      "squared": svr("squared_epsilon_insensitive")}
        for key, model in models.items():
            arrays[f"{name}_{key}"] = one_by_one(model, inputs, y)
            arrays[f"{name}_{key}_rounds"] = in_rounds(model, inputs, y, 3, 0.2)
            if key in ("hinge", "squared"):
                arrays[f"{name}_{key}_machines"] = coefficients(model, inputs, y)
                arrays[f"{name}_{key}_weighted"] = coefficients(model, inputs, y, weight[:len(y)])
    golden.write("rfe", "rfe.py, scikit-learn 1.9.1, numpy 2.4.6", **arrays)


if __name__ == "__main__":
    main()
