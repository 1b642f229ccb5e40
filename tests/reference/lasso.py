#!/usr/bin/env python3
"""Golden coefficients of linear models with an L1 penalty, from scikit-learn.

Values: Lasso at two lambdas, and the order in which lasso_path lets columns in. Two and three
classes: LogisticRegression, L1 by SAGA, with C = 1 / (lambda * sum of weights). To regenerate
golden/lasso.txt:

    python3 tests/reference/lasso.py    (scikit-learn 1.9.1, numpy 2.4.6)
"""

import golden
import numpy as np
from sklearn.linear_model import Lasso, LogisticRegression, lasso_path

LAMBDAS = [0.08, 0.02]


def values(x, y, weight=None):
    return [
        Lasso(alpha=a, tol=1e-14, max_iter=1000000).fit(x, y, sample_weight=weight).coef_
        for a in LAMBDAS
    ]


def classes(x, y, weight=None):
    total = len(x) if weight is None else weight.sum()
    found = []
    for a in LAMBDAS:
        model = LogisticRegression(
            l1_ratio=1, C=1 / (a * total), solver="saga", tol=1e-13, max_iter=1000000)
        found.append(model.fit(x, y, sample_weight=weight).coef_)
    return np.vstack(found)


def main():
    weight = golden.single(np.random.default_rng(2).uniform(0.2, 1.8, size=40))
    x, y = golden.regression(rows=40, columns=8, seed=22)
    x[:, 4] = golden.single(0.9 * x[:, 0] + 0.4 * x[:, 4])
    _, path, _ = lasso_path(x - x.mean(0), y - y.mean(), eps=1e-3, alphas=2000)
    order = np.argsort(np.argmax(path != 0, axis=1), kind="stable")
    class_x, three = golden.classification(rows=40, columns=8, classes=3, seed=21)
    two = (three == 1).astype(int)
    golden.write(
        "lasso", "lasso.py, scikit-learn 1.9.1, numpy 2.4.6", lambdas=LAMBDAS, weight=weight, x=x,
        y=y, order=order[:5], value=values(x, y), value_weighted=values(x, y, weight),
        class_x=class_x, three_y=three, two_y=two, three=classes(class_x, three),
        three_weighted=classes(class_x, three, weight), two=classes(class_x, two),
        two_weighted=classes(class_x, two, weight))


if __name__ == "__main__":
    main()
