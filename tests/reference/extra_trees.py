"""Importances of scikit-learn's extremely randomized trees, for tests/selectors/trees/forest_test.cc.

Run: python3 tests/reference/extra_trees.py
Made with scikit-learn 1.9.1, numpy 2.4.6.

The mean over many trees, so that both sides are near the expectation over all trees. Shallow ones differ more.
"""

import numpy as np
import sklearn
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor

from golden import classification, regression, write

TREES = 5000


def importances(model, x, y, weight=None, trees=TREES, **options):
    return model(n_estimators=trees, random_state=0, **options).fit(x, y, weight).feature_importances_


def main():
    made_by = f"tests/reference/extra_trees.py, scikit-learn {sklearn.__version__}"
    for name, model, data in (
        ("extra_trees_classes", ExtraTreesClassifier, classification),
        ("extra_trees_values", ExtraTreesRegressor, regression),
    ):
        x, y = data()
        x[:, 5] = np.round(x[:, 5])  # many equal values
        weight = np.random.default_rng(1).uniform(0.2, 3, len(y))
        weight = (weight / weight.mean()).astype(np.float32)
        write(
            name,
            made_by,
            x=x,
            y=y,
            weight=weight,
            forest=importances(model, x, y),
            shallow=importances(model, x, y, trees=8 * TREES, max_depth=3, min_samples_leaf=4, max_features=0.5),
            weighted=importances(model, x, y, weight),
        )


if __name__ == "__main__":
    main()
