"""What all estimators share: data in, the engine, columns out."""

from __future__ import annotations

import json
from numbers import Integral
from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_random_state
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    _check_y,
    check_consistent_length,
    check_is_fitted,
    validate_data,
)

from . import _columns, _core, _data
from ._model import predict_table
from ._options import end_search, threads_of, warn_interrupted
from ._progress import Events
from ._results import RANKING, chosen_reason, frame_of, number_of

_TARGET, _WEIGHT, _ROWS = "target", "sample_weight", "groups"
_DEFAULT_K = "max:10"  # as of scikit-learn's SelectKBest
# Parameters that scikit-learn calls otherwise than the request does.
_NAMES = {"k": "n_features_to_select", "seed": "random_state", "threads": "n_jobs"}


class Given(NamedTuple):
    """The arguments of fit, checked; all but X and y may be None."""

    X: object
    y: np.ndarray
    weight: np.ndarray | None
    groups: object
    validation: tuple | None  # X and y of the rows to validate on


class Selecting(SelectorMixin, BaseEstimator):
    """An estimator but for its parameters and predictions."""

    _task = None  # of classifiers and regressors, whatever the target looks like

    def _method(self):
        """The name of the method and its options."""
        raise NotImplementedError

    def fit(self, X, y, sample_weight=None, groups=None, *, X_val=None, y_val=None):
        """Choose columns, and train a predictor on them.

        Parameters
        ----------
        X : array-like, sparse matrix or frame, shape (n_samples, n_features)
            Numbers, texts, booleans and dates; NaN and null are missing cells.
        y : array-like, shape (n_samples,)
            Classes or values.
        sample_weight : array-like, shape (n_samples,), default=None
            How much each row counts.
        groups : array-like, shape (n_samples,), default=None
            Rows of one group are not torn apart into training and validation, which is
            ``--split group:COL`` of the command line. Groups of columns are a parameter of the
            estimator.
        X_val, y_val : array-like, default=None
            The rows to validate on; otherwise they are split off. With them `groups` only has a say in
            the folds of a search around an estimator.

        Returns
        -------
        self
        """
        self._validate_params()
        X = self._check_X(X, reset=True, y=y)
        y = self._check_target(y)
        check_consistent_length(X, y)
        self._fitted_on_frame = _data.is_frame(X)
        if (X_val is None) != (y_val is None):
            raise ValueError("X_val and y_val belong together; give both or none")
        validation = None if X_val is None else self._check_validation(X_val, y_val)
        if groups is not None:
            check_consistent_length(X, groups)
        self._choose(Given(X, y, self._weights(X, y, sample_weight), groups, validation))
        return self

    def _choose(self, given):
        """Has the engine choose and train, and keeps what it has found."""
        names = _data.engine_names(given.X, self.n_features_in_)
        data, valid, request = self._prepare(given, names)
        selection, model, interrupted = self._run(data, valid, self._request() | request)
        self._keep(selection, model, names)
        if interrupted:
            self._say_interrupted()

    def _say_interrupted(self):
        end_search()
        warn_interrupted("the selection", stacklevel=5)

    def _prepare(self, given, names):
        """The tables of a run, which uses them up, and what they say of its request."""
        data = _data.table_of(given.X, names)
        data.finish()
        chosen = self._columns(data, names)
        # Columns of our own come last, so that those of X stay where they are.
        target, weights, rows = (_columns.free_name(n, names) for n in (_TARGET, _WEIGHT, _ROWS))
        _data.add_column(data, target, given.y, "y")
        if given.weight is not None:
            _data.add_column(data, weights, given.weight)
        valid = None
        part = self.validation_fraction
        split = (1 - part, part, 0)
        if given.validation is not None:
            X, y = given.validation
            valid = _data.table_of(X, names)
            valid.finish()
            _data.add_column(valid, target, y, "y")
            if given.weight is not None:
                _data.add_column(valid, weights, np.ones(valid.rows))
        elif given.groups is not None:
            _data.add_column(data, rows, given.groups, "groups")
            split = (f"group:{rows}", *split)
        request = {"target": target, "split": split, "weights": None if given.weight is None else weights}
        return data, valid, request | chosen

    def _columns(self, table, names):
        """keep, drop and groups as fields of the request."""
        drop = [] if self.drop is None else _columns.known("drop", self.drop, names)
        texts = [] if self.groups is None else _columns.group_texts(self.groups, names)
        groups = dict(table.groups(texts, drop))
        self._group_of = {name: group for group, members in groups.items() for name in members}
        keep = [] if self.keep is None else _columns.known("keep", self.keep, names, groups)
        return {"keep": keep, "drop": drop, "groups": texts}

    def _request(self):
        """What the parameters ask of the engine, whatever the data are."""
        method, options = self._method()
        k = self.n_features_to_select
        return {
            "k": _DEFAULT_K if k is None else k,
            "method": method,
            "options": options,
            "task": self._task or self.task,
            "metric": self.metric,
            "ensemble": self.ensemble,
            "class_weight": "balanced" if self.class_weight == "balanced" else None,
            "seed": self._seed(),
            "threads": threads_of(self.n_jobs),
            "time_limit": self.time_limit,
        }

    def _run(self, data, valid, request):
        """The selection, its model, and whether Ctrl-C ended it."""
        events = Events(self.verbose, self.callbacks)
        try:
            text, model, interrupted = _core.run(
                "select", request, data, valid, None, events, _NAMES
            )
        finally:
            events.close()
        self.history_ = events.history
        return json.loads(text), model, interrupted

    def _keep(self, selection, model, names):
        self.selection_ = selection
        self.model_ = model
        count = self.n_features_in_
        chosen = selection["selected"]
        self.feature_weights_ = np.zeros(count, dtype=np.float32)
        self.importances_, self.importances_sd_ = np.zeros(count), np.zeros(count)
        self.ranking_ = np.full(count, len(chosen) + 1, dtype=np.int64)
        place = {name: j for j, name in enumerate(names)}
        for feature in chosen:
            for name in feature.get("columns", [names[feature["index"]]]):
                self.feature_weights_[place[name]] = number_of(feature, "weight")
                self.importances_[place[name]] = number_of(feature, "importance")
                self.importances_sd_[place[name]] = number_of(feature, "importance_sd")
                self.ranking_[place[name]] = feature["rank"]
        self.support_ = self.ranking_ <= len(chosen)

    def _check_X(self, X, reset, y="no_validation", dtype=(np.float64, np.float32)):
        """X as a frame, a CSR matrix or an array, its columns being those of the fit."""
        X = _data.from_arrow_stream(X)
        if _data.is_frame(X):
            X = validate_data(self, X, y, reset=reset, skip_check_array=True)
            X = X[0] if isinstance(X, tuple) else X
            if reset and _data.rows_of(X) < 2:
                raise ValueError(f"Found {_data.rows_of(X)} sample(s), while 2 are required")
            return X
        if y is None:  # complains in scikit-learn's words
            validate_data(self, X, None, skip_check_array=True)
        if not hasattr(X, "dtype"):
            X = _data._array_of(X)
        objects = isinstance(X, np.ndarray) and X.dtype.kind in "USO"
        return validate_data(
            self,
            X,
            reset=reset,
            dtype=None if objects else list(dtype) if dtype else None,
            accept_sparse="csr",
            ensure_all_finite=False if objects else "allow-nan",
            ensure_min_samples=2 if reset else 1,
        )

    def _check_target(self, y):
        if self._task == "regression":
            return _check_y(y, y_numeric=True, estimator=self)
        y = _check_y(y, estimator=self)
        if self._task == "classification":
            check_classification_targets(y)
            self.classes_ = np.unique(y)
        return y

    def _weights(self, X, y, sample_weight):
        """One weight for each row, or None if all count alike."""
        weight = None
        if sample_weight is not None:
            weight = _check_sample_weight(
                sample_weight, np.empty((len(y), 0)), dtype=np.float64, ensure_non_negative=True
            )
        if isinstance(self.class_weight, dict):
            of_rows = np.array([self.class_weight.get(label, 1.0) for label in y.tolist()])
            weight = of_rows if weight is None else weight * of_rows
        if weight is None:
            return None
        used = y[weight > 0]
        if len(used) == 0:
            raise ValueError("sample_weight: at least one weight must be positive; all are zero")
        if self._task == "classification" and len(np.unique(used)) < 2:
            raise ValueError(
                "sample_weight: the rows that count are of one class only; give another class weight"
            )
        return weight

    def _check_validation(self, X, y):
        X = self._check_X(X, reset=False)
        y = _check_y(y, estimator=self)
        check_consistent_length(X, y)
        return X, y

    def _seed(self):
        if isinstance(self.random_state, Integral):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.support_

    def transform(self, X):
        """The chosen columns, in the order they have in X.

        A frame comes back as a frame of its own library, unless `set_output` says otherwise or the
        estimator was fitted on an array.

        Parameters
        ----------
        X : array-like, sparse matrix or frame, shape (n_samples, n_features)

        Returns
        -------
        X_r : shape (n_samples, k)
        """
        check_is_fitted(self)
        X = self._check_X(X, reset=False, dtype=None)
        chosen = _data.take_columns(X, np.flatnonzero(self.support_))
        wanted = _get_output_config("transform", estimator=self)["dense"]
        if not _data.is_frame(X):
            return chosen
        fits = {"pandas": _data.is_pandas, "polars": _data.is_polars}
        # Columns of a frame have names that an estimator fitted on an array does not know.
        as_it_is = fits[wanted](X) if wanted in fits else self._fitted_on_frame
        return chosen if as_it_is else _data.to_array(chosen)

    def _predict(self, X):
        """(class index or value of each row, probabilities or None)."""
        check_is_fitted(self)
        X = self._check_X(X, reset=False)
        names = _data.engine_names(X, self.n_features_in_)
        # The model's own names: those of the fit may have been lost on the way here.
        chosen = np.flatnonzero(self.support_)
        named = dict(zip(chosen, self.model_.columns))
        names = [named.get(j, name) for j, name in enumerate(names)]
        return predict_table(self.model_, _data.table_of(X, names, chosen), threads_of(self.n_jobs))

    def ranking_frame(self):
        """Every column with its importance, weight, rank and the reason why it is in or out.

        Returns
        -------
        frame : pandas.DataFrame
            Columns name, selected, importance, importance_sd, weight, rank and reason; the best
            first.
        """
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", None)
        if names is None:
            names = np.array([f"x{j}" for j in range(self.n_features_in_)], dtype=object)
        engine = names if hasattr(self, "feature_names_in_") else [f"f{j}" for j in range(len(names))]
        chosen = {one["rank"]: chosen_reason(one) for one in self.selection_["selected"]}
        out = {column["name"]: column["reason"] for column in self.selection_["not_chosen"]}
        reasons = [
            chosen.get(rank) or out.get(name) or out[self._group_of[name]]
            for rank, name in zip(self.ranking_, engine)
        ]
        figures = (self.importances_, self.importances_sd_, self.feature_weights_)
        columns = (names, self.support_, *figures, self.ranking_, reasons)
        frame = frame_of(dict(zip(RANKING, columns)))
        return frame.sort_values("rank", kind="stable", ignore_index=True)

    def save_model(self, path):
        """Write the model for `slm.load_model` and for the command line (`slm predict`).

        Parameters
        ----------
        path : str or path-like
        """
        check_is_fitted(self)
        self.model_.save(str(path))

    def __sklearn_is_fitted__(self):
        return hasattr(self, "support_")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags
