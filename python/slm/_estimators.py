"""Estimators in scikit-learn's shape: exactly k columns, and a predictor on them."""

from __future__ import annotations

import json
from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, RealNotInt, StrOptions
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
from ._options import method_table, python_names, threads_of, warn_interrupted, words
from ._progress import Events
from ._results import RANKING, chosen_reason, frame_of

_METHODS = method_table()
_TARGET, _WEIGHT, _ROWS = "target", "sample_weight", "groups"
_DEFAULT_K = 10  # as of scikit-learn's SelectKBest


def _constraint(option):
    """What scikit-learn may accept for an option, from the engine's own description of it."""
    allowed = option["allowed"]
    if option["type"] == "bool":
        return ["boolean", None]
    if option["type"] == "text":
        return [StrOptions(set(allowed.split(", "))) if allowed else str, None]
    low, high = (float(end) for end in allowed.split(" to "))
    if option["type"] == "int":
        return [Interval(Integral, int(low), int(high), closed="both"), None]
    return [Interval(Real, low, high, closed="both"), None]


_SLM_OPTIONS = {option["name"]: option for option in _METHODS["slm"]["options"]}

_COMMON_CONSTRAINTS = {
    "n_features_to_select": [
        Interval(Integral, 1, None, closed="left"),
        Interval(RealNotInt, 0, 1, closed="right"),
        StrOptions({"auto"}),
        None,
    ],
    "keep": [str, "array-like", None],
    "drop": [str, "array-like", None],
    "groups": [str, dict, "array-like", None],
    "class_weight": [dict, StrOptions({"balanced"}), None],
    "validation_fraction": [Interval(Real, 0, 1, closed="neither")],
    "metric": [str],
    "ensemble": [Interval(Integral, 1, 1000, closed="both")],
    "time_limit": [Interval(Real, 0, None, closed="neither"), None],
    "n_jobs": [Integral, None],
    "random_state": ["random_state"],
    "verbose": ["verbose"],
    "callbacks": [callable, list, tuple, None],
}
_TASK_CONSTRAINT = {"task": [StrOptions({"auto", "classification", "regression"})]}

_COMMON_DOC = """n_features_to_select : int, float, "auto" or None, default=None
        How many columns: a number, a share of those that can be chosen, or as few as do as well as
        the best ("auto", by cross-validation). None is 10, or all where they are fewer.
    keep : list of str or int, or str, default=None
        Columns that are always chosen, and count, by name or position; a group by its name.
    drop : list of str or int, or str, default=None
        Columns that must not be chosen.
    groups : dict, or list of str, or str, default=None
        Columns that are chosen together or not at all, and count as one: a dict of names or
        positions by the name of their group, or texts as on the command line: "lab=a,b", the
        pattern "lab_*", or "prefix:_" for all that begin alike. Groups of rows are an argument of
        `fit`.
    class_weight : dict, "balanced" or None, default=None
        How much classes count.
    validation_fraction : float, default=0.125
        Share of the rows that training does not see and by which it chooses. Not used where `fit`
        gets a validation set.
    metric : str, default="auto"
        What is measured on them, by the names of the command line.
    ensemble : int, default=1
        Choose by the mean weights of so many selections.
    time_limit : float, default=None
        Seconds after which the best so far is taken.
    n_jobs : int, default=None
        Threads; None is one for each core. The result is the same.
    random_state : int, RandomState instance or None, default=0
        The same seed gives the same selection, here and on the command line.
    verbose : int or bool, default=False
        Draw a line of progress.
    callbacks : callable or list of callables, default=None
        Called with each event of the progress, a dict; one that returns True ends the work with
        the best so far."""

_ATTRIBUTES_DOC = """support_ : ndarray of bool, shape (n_features_in_,)
        Which columns were chosen.
    ranking_ : ndarray of int, shape (n_features_in_,)
        1 for the best, up to k; k + 1 for every column that was not chosen. Columns of a group
        share their rank and their weight.
    feature_weights_ : ndarray of float32, shape (n_features_in_,)
        Weights of the columns; 0 for those not chosen.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        If X had names.
    history_ : list of dict
        The progress: phase, step, steps, active_features, loss, valid_metric.
    selection_ : dict
        The result as the command line writes it, schema slm.selection/1."""


def _option_doc(options):
    lines = []
    for option in options.values():
        kind = {"real": "float", "text": "str"}.get(option["type"], option["type"])
        if option["type"] == "text" and option["allowed"]:
            kind = "{" + ", ".join(f'"{name}"' for name in option["allowed"].split(", ")) + "}"
        lines.append(f"{option['name']} : {kind}, default=None, which is {option['default']}")
        lines.append(f"    {option['help'][0].upper()}{option['help'][1:]}.")
    return "\n    ".join(lines)


def _documented(cls):
    """Fills in what all estimators share, and what the engine says of its options."""
    cls.__doc__ = (
        cls.__doc__.replace("{common}", _COMMON_DOC)
        .replace("{options}", _option_doc(_SLM_OPTIONS))
        .replace("{attributes}", _ATTRIBUTES_DOC)
    )
    return cls


class _Selecting(SelectorMixin, BaseEstimator):
    """What all estimators share: data in, the engine, columns out."""

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
            The rows to validate on; otherwise they are split off. With them `groups` has no say.

        Returns
        -------
        self
        """
        self._validate_params()
        X = self._check_X(X, reset=True, y=y)
        y = self._check_target(y)
        check_consistent_length(X, y)
        self._fitted_on_frame = _data.is_frame(X)
        names = _data.engine_names(X, self.n_features_in_)
        weight = self._weights(X, y, sample_weight)
        data = _data.table_of(X, names)
        data.settle()
        chosen = self._columns(data, names)

        # Columns of our own come last, so that those of X stay where they are.
        target, weights, rows = (_columns.free_name(n, names) for n in (_TARGET, _WEIGHT, _ROWS))
        _data.add_column(data, target, y, "y")
        if weight is not None:
            _data.add_column(data, weights, weight)
        valid = None
        part = self.validation_fraction
        split = (1 - part, part, 0)
        if X_val is not None or y_val is not None:
            valid = self._validation_table(X_val, y_val, names, target)
            if weight is not None:
                _data.add_column(valid, weights, np.ones(valid.rows))
        elif groups is not None:
            check_consistent_length(X, groups)
            _data.add_column(data, rows, groups, "groups")
            split = (f"group:{rows}", *split)
        request = {"target": target, "split": split, "weights": None if weight is None else weights}
        self._run(data, valid, names, request | chosen)
        return self

    def _columns(self, table, names):
        """keep, drop and groups in the words of the engine."""
        drop = [] if self.drop is None else _columns.known("drop", self.drop, names)
        texts = [] if self.groups is None else _columns.group_texts(self.groups, names)
        with python_names(about="groups"):
            groups = dict(table.groups(texts, drop))
        self._group_of = {name: group for group, members in groups.items() for name in members}
        keep = [] if self.keep is None else _columns.known("keep", self.keep, names, groups)
        return {"keep": keep, "drop": drop, "groups": texts}

    def _run(self, data, valid, names, request):
        method, options = self._method()
        k = self.n_features_to_select
        share = float(k) if isinstance(k, (float, np.floating)) else 0.0
        most = _DEFAULT_K if k is None else 0
        request |= {
            "k": 1 if share or most else k,
            "method": method,
            "task": self._task or self.task,
            "metric": self.metric,
            "ensemble": self.ensemble,
            "class_weight": "balanced" if self.class_weight == "balanced" else None,
            "seed": self._seed(),
            "threads": threads_of(self.n_jobs),
            "time_limit": self.time_limit,
        }
        events = Events(self.verbose, self.callbacks)
        try:
            with python_names("n_features_to_select"):
                text, model, interrupted = _core.select(
                    words(request | options), share, most, data, valid, None, events
                )
        finally:
            events.close()
        self.history_ = events.history
        self._keep(json.loads(text), model, names)
        if interrupted:
            warn_interrupted("the selection", stacklevel=4)

    def _keep(self, selection, model, names):
        self.selection_ = selection
        self.model_ = model
        count = self.n_features_in_
        chosen = selection["selected"]
        self.feature_weights_ = np.zeros(count, dtype=np.float32)
        self.ranking_ = np.full(count, len(chosen) + 1, dtype=np.int64)
        place = {name: j for j, name in enumerate(names)}
        for feature in chosen:
            for name in feature.get("columns", [names[feature["index"]]]):
                self.feature_weights_[place[name]] = feature["weight"]
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

    def _validation_table(self, X, y, names, target):
        if X is None or y is None:
            raise ValueError("X_val and y_val belong together; give both or none")
        X = self._check_X(X, reset=False)
        y = _check_y(y, estimator=self)
        check_consistent_length(X, y)
        table = _data.table_of(X, names)
        table.settle()
        _data.add_column(table, target, y, "y")
        return table

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
        """Every column with its rank, weight and the reason why it is in or out.

        Returns
        -------
        frame : pandas.DataFrame
            Columns name, selected, weight, rank and reason; the best first.
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
        columns = (names, self.support_, self.feature_weights_, self.ranking_, reasons)
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


class _Slm(_Selecting):
    """The parameters of SLM: those of all methods, then its own, in the order of the engine."""

    _parameter_constraints = _COMMON_CONSTRAINTS | {
        name: _constraint(option) for name, option in _SLM_OPTIONS.items()
    }

    def __init__(
        self,
        n_features_to_select=None,
        *,
        keep=None,
        drop=None,
        groups=None,
        class_weight=None,
        validation_fraction=0.125,
        metric="auto",
        ensemble=1,
        time_limit=None,
        n_jobs=None,
        random_state=0,
        verbose=False,
        callbacks=None,
        preset=None,
        hidden_layers=None,
        hidden_units=None,
        steps=None,
        epochs=None,
        batch_size=None,
        learning_rate=None,
        decay_rate=None,
        decay_steps=None,
        l2=None,
        input_dropout=None,
        mask_scale=None,
        mask_gradient=None,
        mask_update=None,
        mask_rate=None,
        mask_input=None,
        schedule=None,
        drops=None,
        tempering=None,
        objective=None,
        alpha=None,
        rcs_weight=None,
        rcs_block=None,
        mi_bins=None,
        starts=None,
        filter_starts=None,
        cross_fit=None,
        cross_fit_runs=None,
        refits=None,
        final_predictors=None,
        final_units=None,
        final_steps=None,
        final_noise=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.keep = keep
        self.drop = drop
        self.groups = groups
        self.class_weight = class_weight
        self.validation_fraction = validation_fraction
        self.metric = metric
        self.ensemble = ensemble
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callbacks = callbacks
        self.preset = preset
        self.hidden_layers = hidden_layers
        self.hidden_units = hidden_units
        self.steps = steps
        self.epochs = epochs
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.decay_rate = decay_rate
        self.decay_steps = decay_steps
        self.l2 = l2
        self.input_dropout = input_dropout
        self.mask_scale = mask_scale
        self.mask_gradient = mask_gradient
        self.mask_update = mask_update
        self.mask_rate = mask_rate
        self.mask_input = mask_input
        self.schedule = schedule
        self.drops = drops
        self.tempering = tempering
        self.objective = objective
        self.alpha = alpha
        self.rcs_weight = rcs_weight
        self.rcs_block = rcs_block
        self.mi_bins = mi_bins
        self.starts = starts
        self.filter_starts = filter_starts
        self.cross_fit = cross_fit
        self.cross_fit_runs = cross_fit_runs
        self.refits = refits
        self.final_predictors = final_predictors
        self.final_units = final_units
        self.final_steps = final_steps
        self.final_noise = final_noise

    _task = "auto"

    def _method(self):
        return "slm", {name: getattr(self, name) for name in _SLM_OPTIONS}


@_documented
class SLMSelector(_Slm):
    """Choose exactly k columns by Sparse Learnable Masks.

    A target of texts, booleans or few whole numbers is taken for classes, as on the command line;
    `FeatureSelector(method="slm", task=...)` insists on one or the other.

    Parameters
    ----------
    {common}
    {options}

    Attributes
    ----------
    {attributes}

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from slm import SLMSelector
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> SLMSelector(10).fit_transform(X, y).shape
    (569, 10)
    """


@_documented
class SLMClassifier(ClassifierMixin, _Slm):
    """Choose exactly k columns by Sparse Learnable Masks, and classify by them.

    Parameters
    ----------
    {common}
    {options}

    Attributes
    ----------
    classes_ : ndarray
        The classes, sorted.
    {attributes}

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from slm import SLMClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> classifier = SLMClassifier(10).fit(X, y)
    >>> int(classifier.support_.sum()), bool(classifier.score(X, y) > 0.9)
    (10, True)
    """

    _task = "classification"

    def predict_proba(self, X):
        """The probability of each class, in the order of `classes_`.

        Parameters
        ----------
        X : array-like, sparse matrix or frame, shape (n_samples, n_features)
            Of which only the chosen columns are looked at.

        Returns
        -------
        probabilities : ndarray, shape (n_samples, n_classes)
        """
        return self._predict(X)[1].astype(np.float64)

    def predict(self, X):
        """The most probable class of each row.

        Parameters
        ----------
        X : array-like, sparse matrix or frame, shape (n_samples, n_features)

        Returns
        -------
        y : ndarray, shape (n_samples,)
        """
        index = self._predict(X)[0]
        return self.classes_[index]


@_documented
class SLMRegressor(RegressorMixin, _Slm):
    """Choose exactly k columns by Sparse Learnable Masks, and predict a value from them.

    Parameters
    ----------
    {common}
    {options}

    Attributes
    ----------
    {attributes}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from slm import SLMRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> regressor = SLMRegressor(4).fit(X, y)
    >>> int(regressor.support_.sum()), bool(regressor.score(X, y) > 0.4)
    (4, True)
    """

    _task = "regression"

    def predict(self, X):
        """The value of each row.

        Parameters
        ----------
        X : array-like, sparse matrix or frame, shape (n_samples, n_features)

        Returns
        -------
        y : ndarray, shape (n_samples,)
        """
        return self._predict(X)[0]


@_documented
class FeatureSelector(_Selecting):
    """Choose exactly k columns by any method of the catalog; see `slm.methods`.

    Parameters
    ----------
    method : str, default="slm"
        Its name.
    {common}
    task : {"auto", "classification", "regression"}, default="auto"
        What y is; "auto" takes texts, booleans and few whole numbers for classes.
    options : dict, default=None
        Options of the method by name, as `slm.methods(name)` lists them.

    Attributes
    ----------
    {attributes}

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from slm import FeatureSelector
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> list(FeatureSelector("mrmr", 3).fit(X, y).get_feature_names_out())  # doctest: +ELLIPSIS
    [...]
    """

    _parameter_constraints = (
        {"method": [StrOptions(set(_METHODS))]}
        | _COMMON_CONSTRAINTS
        | _TASK_CONSTRAINT
        | {"options": [dict, None]}
    )

    def __init__(
        self,
        method="slm",
        n_features_to_select=None,
        *,
        options=None,
        task="auto",
        keep=None,
        drop=None,
        groups=None,
        class_weight=None,
        validation_fraction=0.125,
        metric="auto",
        ensemble=1,
        time_limit=None,
        n_jobs=None,
        random_state=0,
        verbose=False,
        callbacks=None,
    ):
        self.method = method
        self.n_features_to_select = n_features_to_select
        self.options = options
        self.task = task
        self.keep = keep
        self.drop = drop
        self.groups = groups
        self.class_weight = class_weight
        self.validation_fraction = validation_fraction
        self.metric = metric
        self.ensemble = ensemble
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callbacks = callbacks

    def _method(self):
        options = self.options or {}
        known = [option["name"] for option in _METHODS[self.method]["options"]]
        for name in options:
            if name not in known:
                raise ValueError(
                    f"options: method {self.method!r} has no option {name!r}; it has "
                    + (", ".join(known) or "none")
                )
        return self.method, options
