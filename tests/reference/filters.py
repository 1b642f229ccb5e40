"""Golden values of the filters that score each feature by itself.

Run: python3 tests/reference/filters.py
Needs scikit-learn (f_classif, f_regression, mutual_info_*) and skfeature-chappers (fisher_score, the
form with an n x n matrix). The stored files were made with scikit-learn 1.9.1, skfeature-chappers
1.2.1 and NumPy 2.4.6.
"""

import golden
import numpy as np
import sklearn
from sklearn.feature_selection import (
    f_classif,
    f_regression,
    mutual_info_classif,
    mutual_info_regression,
)
from sklearn.feature_selection._mutual_info import _compute_mi_cd
from skfeature.utility.construct_W import construct_W

MADE_BY = f"tests/reference/filters.py, scikit-learn {sklearn.__version__}, skfeature-chappers 1.2.1"


def fisher_score(x, y):
    """scikit-feature's score as it computes it before it returns ranks."""
    w = construct_W(x, neighbor_mode="supervised", fisher_score=True, y=y).toarray()
    d = w.sum(axis=1)
    mean = d @ x
    total = (x * (d[:, None] * x)).sum(0) - mean * mean / d.sum()
    joined = (x * (w @ x)).sum(0) - mean * mean / d.sum()
    return 1 / (1 - joined / total) - 1


def value_information(x, y, discrete, neighbors):
    """mutual_info_regression, but without the noise it adds to y before it meets a discrete column:
    distances are squared on that way, and rounding then lets some rows count their k-th neighbour as
    nearer than itself."""
    mi = mutual_info_regression(x, y, discrete_features=discrete, n_neighbors=neighbors,
                                random_state=0)
    for j in np.flatnonzero(discrete):
        mi[j] = _compute_mi_cd(y, x[:, j], neighbors)
    return mi


def main():
    x, y = golden.classification()
    x[:, 4] = np.round(x[:, 1])  # a discrete column, which moves with the class
    discrete = np.arange(10) == 4
    golden.write(
        "class_filters", MADE_BY, x=x, y=y,
        anova=f_classif(x, y)[0],
        fisher=fisher_score(x, y),
        mi=mutual_info_classif(x, y, discrete_features=discrete, random_state=0),
        mi_5=mutual_info_classif(x, y, discrete_features=discrete, n_neighbors=5, random_state=0),
    )
    x, y = golden.regression()
    x[:, 4] = np.round(x[:, 1])
    golden.write(
        "value_filters", MADE_BY, x=x, y=y,
        anova=f_regression(x, y)[0],
        mi=value_information(x, y, discrete, 3),
        mi_5=value_information(x, y, discrete, 5),
    )


if __name__ == "__main__":
    main()
