#!/usr/bin/env python3
"""Decisions of BorutaPy, for tests/selectors/trees/boruta_test.cc.

Shadows and forests are random, so features are either far from the border of a decision or left out of the
comparison: `sure` has 1 for those confirmed and -1 for those rejected under every one of ten seeds. To regenerate
golden/boruta.txt:

    python3 tests/reference/boruta_verdicts.py    (Boruta 0.4.3, scikit-learn 1.9.1, numpy 2.4.6)
"""

import golden
import numpy as np
from boruta import BorutaPy
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

ROUNDS = 60
SEEDS = 10


def sure(forest, x, y, **options):
    """Of each feature: 1 or -1 where all seeds agree, else 0."""
    found = []
    for seed in range(SEEDS):
        model = BorutaPy(forest(n_jobs=1, max_depth=5), n_estimators=100, max_iter=ROUNDS, random_state=seed, **options)
        model.fit(x, y)
        found.append(np.where(model.support_, 1, np.where(model.support_weak_, 0, -1)))
    return np.where(np.min(found, 0) == np.max(found, 0), found[0], 0)


def main():
    x, y = golden.classification(rows=150, columns=16, classes=3, seed=41)
    value_x, value = golden.regression(rows=150, columns=16, seed=42)
    arrays = {"rounds": ROUNDS, "x": x, "y": y, "value_x": value_x, "value": value}
    for name, options in {"two_step": {"two_step": True}, "one_step": {"two_step": False},
                          "percentile": {"two_step": True, "perc": 80}}.items():
        arrays[f"classes_{name}"] = sure(RandomForestClassifier, x, y, **options)
        arrays[f"values_{name}"] = sure(RandomForestRegressor, value_x, value, **options)
        print(name, arrays[f"classes_{name}"], arrays[f"values_{name}"])
    golden.write("boruta", "boruta_verdicts.py, Boruta 0.4.3, scikit-learn 1.9.1, numpy 2.4.6", **arrays)


if __name__ == "__main__":
    main()
