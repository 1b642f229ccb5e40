"""Exactly the k columns of a table that predict a target best.

>>> from sklearn.datasets import load_breast_cancer
>>> from slm import SLMSelector
>>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
>>> len(SLMSelector(10).fit(X, y).get_feature_names_out())
10
"""

import importlib

from ._core import __version__

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs the command 8 ms
if TYPE_CHECKING:
    from ._estimators import FeatureSelector, SLMClassifier, SLMRegressor, SLMSelector
    from ._functions import compare, methods, path, select, stability, tune
    from ._inspect import inspect
    from ._model import Model, load_model
    from ._options import EarlyStopWarning
    from ._results import Comparison, KPath, Selection, Stability, Tuning

# Loaded when first asked for: NumPy and scikit-learn take a second, which the command need not wait.
_MODULES = {
    "_estimators": ("FeatureSelector", "SLMClassifier", "SLMRegressor", "SLMSelector"),
    "_functions": ("compare", "methods", "path", "select", "stability", "tune"),
    "_inspect": ("inspect",),
    "_model": ("Model", "load_model"),
    "_options": ("EarlyStopWarning",),
    "_results": ("Comparison", "KPath", "Selection", "Stability", "Tuning"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}

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
    "inspect",
    "methods",
    "path",
    "select",
    "stability",
    "tune",
]


def __getattr__(name):
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_MODULE_OF[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted(__all__)
