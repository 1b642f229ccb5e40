"""Models as files hold them, those of the command line among them."""

from __future__ import annotations

import json

import numpy as np

from . import _core, _data
from ._options import threads_of


def predict_table(model, table, threads):
    """(class index or value of each row, probabilities or None)."""
    table.finish(model.like())
    return model.predict(table, threads)


def _classes(core):
    if core.target_type == "boolean":
        plain = core.classes == ["true" if value else "false" for value in core.class_values]
        return [bool(value) for value in core.class_values] if plain else core.classes
    if core.target_type != "numeric":
        return core.classes
    values = core.class_values
    if all(value.is_integer() for value in values):
        values = [int(value) for value in values]
    whole = all(isinstance(value, int) for value in values)
    return core.classes if whole and core.classes != [str(value) for value in values] else values


class Model:
    """A selection that was kept: the chosen columns, their encoding and the predictor.

    Made by `load_model`; the columns of new data are found by name. A matrix without names has the
    columns f0, f1, ..., as in a file without them.

    Attributes
    ----------
    columns : list of str
        That are read, in the order of the table.
    task : str
        classification or regression.
    target : str
    classes : list
        As the data had them: numbers, booleans, or texts, also those that stand for numbers or booleans in
        a file (Yes, 01). None for regression.
    """

    def __init__(self, core):
        self._core = core
        self.columns = core.columns
        self.task, self.target = core.task, core.target
        self.classes = None
        if self.task == "classification":
            self.classes = _classes(core)

    def _places(self, X):
        names = _data.engine_names(X, X.shape[1])
        missing = [name for name in self.columns if name not in names]
        if missing:
            raise ValueError(f"X lacks the columns {missing} that the model reads")
        return names, [names.index(name) for name in self.columns]

    def _predict(self, X, n_jobs):
        X = _as_data(X)
        names, places = self._places(X)
        return predict_table(self._core, _data.table_of(X, names, places), threads_of(n_jobs))

    def predict(self, X, n_jobs=None):
        """The class or the value of each row."""
        answer = self._predict(X, n_jobs)[0]
        return answer if self.classes is None else np.asarray(self.classes)[answer]

    def predict_proba(self, X, n_jobs=None):
        """The probability of each class, in the order of `classes`."""
        if self.classes is None:
            raise ValueError("the model predicts values; only classes have probabilities")
        return self._predict(X, n_jobs)[1].astype(np.float64)

    def transform(self, X):
        """The chosen columns of X, in the type of X."""
        X = _as_data(X)
        return _data.take_columns(X, self._places(X)[1])

    def describe(self):
        """What the model is, as a dict; schema slm.model/1."""
        return json.loads(self._core.describe())

    def save(self, path):
        """Write the model to a file, whole or not at all."""
        self._core.save(str(path))

    def __reduce__(self):
        return Model, (self._core,)

    def __repr__(self):
        return f"<slm.Model: {self.task} of {self.target} from {', '.join(self.columns)}>"


def _as_data(X):
    X = _data.from_arrow_stream(X)
    return X if _data.is_frame(X) or hasattr(X, "dtype") else _data._array_of(X)


def load_model(path):
    """Read a model that `save_model`, `Model.save` or `slm select --model` has written.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    model : Model
    """
    return Model(_core.load_model(str(path)))
