"""Importances of the xgboost package, for tests/selectors/xgboost_selector_test.cc.

Run: python3 tests/reference/xgboost_importance.py
Made with xgboost 3.2.0, numpy 2.4.6; Debian's 1.7.4 gives the same to about 1e-5.
"""

import numpy as np
import xgboost
from golden import classification, regression, write


def importances(x, y, weight, objective, base_score, **options):
    params = dict(
        objective=objective, base_score=base_score, tree_method="hist", nthread=1, max_depth=3, eta=0.2, **options
    )
    model = xgboost.train(params, xgboost.DMatrix(x, y, weight=weight), num_boost_round=15)
    scores = {}
    for kind in ("gain", "total_gain", "weight", "cover", "total_cover"):
        found = model.get_score(importance_type=kind)
        scores[kind] = [found.get(f"f{j}", 0) for j in range(x.shape[1])]
    return scores


def main():
    made_by = f"tests/reference/xgboost_importance.py, xgboost {xgboost.__version__}"
    for name, data, objective, base_score, options in (
        ("xgboost_classes", classification, "multi:softprob", 0.5, dict(num_class=3)),
        ("xgboost_two", lambda: classification(classes=2, columns=6), "binary:logistic", 0.5, {}),
        ("xgboost_values", lambda: regression(columns=8), "reg:squarederror", 0.0, {}),
    ):
        x, y = data()
        weight = np.random.default_rng(1).uniform(0.2, 3, len(y)).astype(np.float32)
        write(name, made_by, x=x, y=y, sample_weight=weight, **importances(x, y, weight, objective, base_score, **options))


if __name__ == "__main__":
    main()
