#!/usr/bin/env python3
"""Golden scores of ReliefF, from skrebate where it follows the paper, else from the paper's formulas.

skrebate weighs the other classes alike, the paper by their shares, so they agree for two classes and for classes
of equal size. For a numeric target skrebate splits neighbours at a standard deviation into hits and misses, which
is not RReliefF; its values, and those of classes of unequal size and rows with weights, are plain loops here. To
regenerate golden/relieff.txt:

    python3 tests/reference/relieff.py    (skrebate 0.8.4, scikit-learn 1.9.1, numpy 2.4.6)
"""

import golden
import numpy as np
from skrebate import ReliefF

NEIGHBORS = 7
SIGMA = 4.0


def package(x, y):
    return ReliefF(n_neighbors=NEIGHBORS, n_features_to_select=1).fit(x, y).feature_importances_


def nearest(distance, i, among, weight, sigma):
    """Rows and their shares in a mean."""
    rows = [j for j in np.argsort(distance[i], kind="stable") if j != i and among[j]][:NEIGHBORS]
    share = np.array([weight[j] for j in rows])
    if sigma > 0:
        share = share * np.exp(-((np.arange(len(rows)) + 1) / sigma) ** 2)
    return rows, share / share.sum()


def differences(x, groups):
    """rows x rows x features: of a feature of several columns the largest."""
    unit = (x - x.min(0)) / (x.max(0) - x.min(0))
    columns = np.abs(unit[:, None] - unit[None])
    return np.stack([columns[:, :, group].max(2) for group in groups], axis=2)


def relieff(x, y, groups, weight, sigma=0.0):
    diff = differences(x, groups)
    distance = diff.sum(2)
    share = np.array([weight[y == c].sum() for c in range(y.max() + 1)]) / weight.sum()
    scores = np.zeros(len(groups))
    for i in range(len(y)):
        for c in range(y.max() + 1):
            rows, shares = nearest(distance, i, y == c, weight, sigma)
            factor = -1 if c == y[i] else share[c] / (1 - share[y[i]])
            scores += weight[i] * factor * (shares[:, None] * diff[i, rows]).sum(0)
    return scores / weight.sum()


def rrelieff(x, y, groups, weight, sigma=0.0):
    diff = differences(x, groups)
    distance = diff.sum(2)
    target = np.abs(y[:, None] - y[None]) / (y.max() - y.min())
    all_rows = np.ones(len(y), dtype=bool)
    n_dc, n_da, both = 0.0, np.zeros(len(groups)), np.zeros(len(groups))
    for i in range(len(y)):
        rows, shares = nearest(distance, i, all_rows, weight, sigma)
        shares = shares * weight[i]
        n_dc += (shares * target[i, rows]).sum()
        n_da += (shares[:, None] * diff[i, rows]).sum(0)
        both += ((shares * target[i, rows])[:, None] * diff[i, rows]).sum(0)
    return both / n_dc - (n_da - both) / (weight.sum() - n_dc)


def main():
    x, three = golden.classification(rows=81, columns=8, classes=3, seed=31)
    two = (three == 1).astype(int)
    value_x, value = golden.regression(rows=70, columns=8, seed=32)
    weight = golden.single(np.random.default_rng(3).uniform(0.2, 1.8, size=81))
    single = [[j] for j in range(8)]
    groups = [[0], [1, 2], [3], [4, 5, 6], [7]]
    uneven = np.where(three == 2, 2, (np.arange(81) % 5 == 0).astype(int))
    ones = np.ones(81)
    np.testing.assert_allclose(relieff(x, three, single, ones), package(x, three), atol=1e-12)
    golden.write(
        "relieff", "relieff.py, skrebate 0.8.4, numpy 2.4.6", neighbors=NEIGHBORS, sigma=SIGMA, x=x, two=two,
        three=three, uneven=uneven, value_x=value_x, value=value, weight=weight, two_scores=package(x, two),
        three_scores=package(x, three), uneven_scores=relieff(x, uneven, single, ones),
        weighted_scores=relieff(x, uneven, groups, weight, SIGMA), value_scores=rrelieff(value_x, value, single, ones[:70]),
        weighted_value_scores=rrelieff(value_x, value, groups, weight[:70], SIGMA))


if __name__ == "__main__":
    main()
