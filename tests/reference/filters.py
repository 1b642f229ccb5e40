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
)
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


def main():
    x, y = golden.classification()
    golden.write("class_filters", MADE_BY, x=x, y=y, anova=f_classif(x, y)[0],
                 fisher=fisher_score(x, y))
    x, y = golden.regression()
    golden.write("value_filters", MADE_BY, x=x, y=y, anova=f_regression(x, y)[0])


if __name__ == "__main__":
    main()
