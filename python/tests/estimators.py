"""The estimators that scikit-learn's checks look at, in settings that take tens of milliseconds."""

from slm import FeatureSelector, SLMClassifier, SLMRegressor, SLMSelector

SMALL = {
    "steps": 300,
    "starts": 1,
    "filter_starts": 1,
    "refits": 1,
    "final_predictors": 1,
    "final_steps": 500,
}

ESTIMATORS = [
    SLMSelector(**SMALL),
    SLMClassifier(**SMALL),
    SLMRegressor(**SMALL),
    FeatureSelector("mrmr"),
    FeatureSelector("lasso"),
]

# Rows are cut into training and validation rows, and training rows into batches, by their place in
# the table: a row that stands there twice may land in both parts, a row of weight 2 in one.
# scikit-learn expects the same of its own estimators that hold rows back or learn by batches.
_REASON = "validation rows and batches are drawn by row, so a weight of 2 is not a second row"
EXPECTED_FAILURES = {
    "check_sample_weight_equivalence_on_dense_data": _REASON,
    "check_sample_weight_equivalence_on_sparse_data": _REASON,
}

COUNTS = {}  # by estimator: how many passed, and what was expected to fail


def name_of(estimator):
    method = getattr(estimator, "method", None)
    return type(estimator).__name__ + (f"({method})" if method else "")
