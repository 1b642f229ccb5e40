#!/usr/bin/env python3
"""Golden coefficients of linear models with an L2 penalty, from scikit-learn.

Two and three classes (LogisticRegression, C = 1 / l2), a value with more rows than columns and with
fewer (Ridge, alpha = l2), with and without weights of rows. To regenerate golden/linear.txt:

    python3 tests/reference/linear.py    (scikit-learn 1.9.1, numpy 2.4.6)
"""

import golden
import numpy as np
from sklearn.linear_model import LogisticRegression, Ridge

L2 = 0.5


def logistic(x, y, weight=None):
    model = LogisticRegression(C=1 / L2, solver="newton-cg", tol=1e-12, max_iter=100000)
    return model.fit(x, y, sample_weight=weight).coef_


def ridge(x, y, weight=None):
    return Ridge(alpha=L2, solver="svd").fit(x, y, sample_weight=weight).coef_


def main():
    x, three = golden.classification(rows=40, columns=6, classes=3, seed=11)
    two = (three == 1).astype(int)
    weight = golden.single(np.random.default_rng(2).uniform(0.2, 1.8, size=40))
    value_x, value = golden.regression(rows=40, columns=6, seed=12)
    wide_x, wide = golden.regression(rows=12, columns=20, seed=13)
    golden.write(
        "linear", "linear.py, scikit-learn 1.9.1, numpy 2.4.6", l2=L2, weight=weight, x=x,
        three=three, two=two, three_coefficients=logistic(x, three),
        three_weighted=logistic(x, three, weight), two_coefficients=logistic(x, two),
        two_weighted=logistic(x, two, weight), value_x=value_x, value=value,
        value_coefficients=ridge(value_x, value), value_weighted=ridge(value_x, value, weight),
        wide_x=wide_x, wide=wide, wide_coefficients=ridge(wide_x, wide),
        wide_weighted=ridge(wide_x, wide, weight[:12]))


if __name__ == "__main__":
    main()
