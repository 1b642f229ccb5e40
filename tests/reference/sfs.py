#!/usr/bin/env python3
"""Golden values of sequential selection, from mlxtend.

Ridge regression by mean absolute error, logistic regression by log loss, on folds that deal the rows,
sorted by class, in turn. To regenerate golden/sfs.txt:

    python3 tests/reference/sfs.py    (mlxtend 0.25.0, scikit-learn 1.9.1, numpy 2.4.6)
"""

import golden
import numpy as np
from mlxtend.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import PredefinedSplit

FOLDS = 4
MOST = 6


def folds_of(labels):
    """The i-th row is held out in fold i modulo their number, rows sorted by label."""
    folds = np.empty(len(labels), dtype=int)
    folds[np.argsort(labels, kind="stable")] = np.arange(len(labels)) % FOLDS
    return folds


def order(x, y, folds, estimator, scoring):
    """Features in the order in which the forward search takes them, and the score of each size."""
    search = SequentialFeatureSelector(estimator, k_features=MOST, scoring=scoring, cv=PredefinedSplit(folds))
    subsets = search.fit(x, y).subsets_
    taken = []
    for size in range(1, MOST + 1):
        taken += [j for j in subsets[size]["feature_idx"] if j not in taken]
    return taken, [subsets[size]["avg_score"] for size in range(1, MOST + 1)]


def floating(x, y, folds, estimator, scoring):
    search = SequentialFeatureSelector(estimator, k_features=MOST, floating=True, scoring=scoring,
                                       cv=PredefinedSplit(folds))
    return sorted(search.fit(x, y).k_feature_idx_)


def main():
    x, y = golden.regression(rows=48, columns=14, seed=11)
    # A column that is the best alone, and worth nothing beside the two that make it up.
    x[:, 9] = x[:, 0] * 2 - x[:, 1] + 0.9 * x[:, 9]
    x = golden.single((x - x.mean(0)) / x.std(0))
    ridge, values = Ridge(alpha=1), folds_of(np.zeros(len(y)))
    value_order, value_scores = order(x, y, values, ridge, "neg_mean_absolute_error")

    class_x, class_y = golden.classification(rows=60, columns=12, classes=3, seed=4)
    logistic = LogisticRegression(C=1, tol=1e-10, max_iter=10000)
    classes = folds_of(class_y)
    class_order, class_scores = order(class_x, class_y, classes, logistic, "neg_log_loss")

    golden.write("sfs", "sfs.py, mlxtend 0.25.0, scikit-learn 1.9.1, numpy 2.4.6", x=x, y=y,
                 order=value_order, scores=value_scores,
                 floating=floating(x, y, values, ridge, "neg_mean_absolute_error"), class_x=class_x,
                 class_y=class_y, class_order=class_order, class_scores=class_scores)
    print(value_order, sorted(value_order), floating(x, y, values, ridge, "neg_mean_absolute_error"), class_order)


if __name__ == "__main__":
    main()
