"""scikit-learn's checks, those that it runs on itself alone among them."""

import warnings

import pytest
import sklearn.utils.estimator_checks as checks
from estimators import COUNTS, ESTIMATORS, EXPECTED_FAILURES, name_of
from sklearn.base import clone

# Not part of check_estimator: names in and out, containers, parameters, docstrings of parameters.
OWN_CHECKS = [
    "check_dataframe_column_names_consistency",
    "check_get_feature_names_out_error",
    "check_global_output_transform_pandas",
    "check_global_set_output_transform_polars",
    "check_inplace_ensure_writeable",
    "check_n_features_in_after_fitting",
    "check_param_validation",
    "check_set_output_transform",
    "check_set_output_transform_pandas",
    "check_set_output_transform_polars",
    "check_transformer_get_feature_names_out",
    "check_transformer_get_feature_names_out_pandas",
]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name_of)
def test_passes_the_checks_of_scikit_learn(estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = checks.check_estimator(
            clone(estimator), expected_failed_checks=EXPECTED_FAILURES, on_skip=None, on_fail=None
        )
    failed = [(r["check_name"], r["exception"]) for r in results if r["status"] == "failed"]
    assert failed == []
    passed = sum(r["status"] == "passed" for r in results)
    expected = {
        r["check_name"]: r["expected_to_fail_reason"] for r in results if r["status"] == "xfail"
    }
    # One that passes by now must leave the list.
    assert set(expected) == set(EXPECTED_FAILURES)
    before = COUNTS.get(name_of(estimator), (0, {}))
    COUNTS[name_of(estimator)] = (before[0] + passed, expected)


@pytest.mark.parametrize("check", OWN_CHECKS)
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name_of)
def test_passes_the_checks_that_scikit_learn_runs_on_itself(estimator, check):
    run = getattr(checks, check)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run(type(estimator).__name__, clone(estimator))
    before = COUNTS.get(name_of(estimator), (0, {}))
    COUNTS[name_of(estimator)] = (before[0] + 1, before[1])
