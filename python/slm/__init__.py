"""Exactly the k columns of a table that predict a target best.

>>> from sklearn.datasets import load_breast_cancer
>>> from slm import SLMSelector
>>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
>>> len(SLMSelector(10).fit(X, y).get_feature_names_out())
10
"""

import importlib
from typing import TYPE_CHECKING

from ._core import __version__
from ._functions import compare, methods, path, select, stability, tune
from ._model import Model, load_model
from ._options import EarlyStopWarning
from ._results import Comparison, KPath, Selection, Stability, Tuning

if TYPE_CHECKING:
    from ._estimators import FeatureSelector, SLMClassifier, SLMRegressor, SLMSelector

# scikit-learn takes a second to import, and who compares methods may not need it.
_ESTIMATORS = ("FeatureSelector", "SLMClassifier", "SLMRegressor", "SLMSelector")

__all__ = [
    "Comparison",
    "EarlyStopWarning",
    "FeatureSelector",
    "KPath",
    "Model",
    "SLMClassifier",
    "SLMRegressor",
    "SLMSelector",
    "Selection",
    "Stability",
    "Tuning",
    "__version__",
    "compare",
    "load_model",
    "methods",
    "path",
    "select",
    "stability",
    "tune",
]


def __getattr__(name):
    if name in _ESTIMATORS:
        return getattr(importlib.import_module("._estimators", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted(__all__)
