"""Importances of scikit-learn's random forests, for tests/selectors/forest_test.cc.

Run: python3 tests/reference/rf.py
Made with scikit-learn 1.9.1, numpy 2.4.6.

`forest` is the mean over many trees, so that both sides are near the expectation over all trees; `tree` is
one tree that sees every row and tries every column, which leaves nothing to chance.
"""

import numpy as np
import sklearn
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from golden import classification, regression, write

TREES = 5000


def importances(model, x, y, weight=None, **options):
    return model(random_state=0, n_jobs=-1, **options).fit(x, y, weight).feature_importances_


def main():
    made_by = f"tests/reference/rf.py, scikit-learn {sklearn.__version__}"
    for name, model, data in (
        ("rf_classes", RandomForestClassifier, classification),
        ("rf_values", RandomForestRegressor, regression),
    ):
        x, y = data()
        x[:, 5] = np.round(x[:, 5])  # many equal values
        weight = np.random.default_rng(1).uniform(0.2, 3, len(y))  # no two splits are worth the same
        weight = (weight / weight.mean()).astype(np.float32)
        one = dict(n_estimators=1, bootstrap=False, max_features=None)
        write(
            name,
            made_by,
            x=x,
            y=y,
            weight=weight,
            forest=importances(model, x, y, n_estimators=TREES),
            shallow=importances(model, x, y, n_estimators=TREES, max_depth=3, min_samples_leaf=4, max_features=0.5),
            weighted=importances(model, x, y, weight, n_estimators=TREES),
            tree=importances(model, x, y, max_depth=2, min_samples_leaf=5, **one),
            weighted_tree=importances(model, x, y, weight, max_depth=3, min_samples_leaf=6, **one),
        )


if __name__ == "__main__":
    main()
