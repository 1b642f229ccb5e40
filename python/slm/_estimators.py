"""Estimators in scikit-learn's shape: exactly k columns, and a predictor on them."""

from __future__ import annotations

import json
from numbers import Integral, Real

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils._param_validation import HasMethods, Interval, RealNotInt, StrOptions

from . import _core, _data
from ._options import end_search, help_doc, method_table, type_doc
from ._selecting import _NAMES, Selecting

_METHODS = method_table()


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
        1 for the most important, up to k; k + 1 for every column that was not chosen. Columns of a
        group share their rank, importance and weight.
    importances_ : ndarray, shape (n_features_in_,)
        What the metric loses when the column is left out of the fitted predictor, measured on
        validation rows; 0 for columns not chosen, NaN if there was no time to measure it.
    importances_sd_ : ndarray, shape (n_features_in_,)
        The standard errors of `importances_`.
    feature_weights_ : ndarray of float32, shape (n_features_in_,)
        What the method itself gave the columns; 0 for those not chosen, NaN for those of `keep`
        that it did not weigh.
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
        lines.append(f"{option['name']} : {type_doc(option)}, default=None, which is {option['default']}")
        lines.append(f"    {help_doc(option)}")
    return "\n    ".join(lines)


def _documented(cls):
    """Fills in what all estimators share, and what the engine says of its options."""
    cls.__doc__ = (
        cls.__doc__.replace("{common}", _COMMON_DOC)
        .replace("{options}", _option_doc(_SLM_OPTIONS))
        .replace("{attributes}", _ATTRIBUTES_DOC)
    )
    return cls


class _Slm(Selecting):
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
        loss=None,
        objective=None,
        alpha=None,
        rcs_weight=None,
        rcs_block=None,
        mi_bins=None,
        starts=None,
        filter_starts=None,
        linear_starts=None,
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
        self.loss = loss
        self.objective = objective
        self.alpha = alpha
        self.rcs_weight = rcs_weight
        self.rcs_block = rcs_block
        self.mi_bins = mi_bins
        self.starts = starts
        self.filter_starts = filter_starts
        self.linear_starts = linear_starts
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
class FeatureSelector(Selecting):
    """Choose exactly k columns by any method of the catalog; see `slm.methods`.

    Parameters
    ----------
    method : str, default="slm"
        Its name.
    {common}
    task : {"auto", "classification", "regression"}, default="auto"
        What y is; "auto" takes texts, booleans and few whole numbers for classes.
    options : dict, default=None
        Options of the method by name, as `slm.methods(name)` lists them. Around an `estimator` those of
        `slm._wrapping`: "rfe" takes step, "sfs" folds and floating, "permutation" folds and repeats, "boruta"
        rounds, alpha and percentile.
    estimator : estimator of scikit-learn, default=None
        For the methods "rfe", "sfs", "permutation" and "boruta": what the search asks instead of the model
        that the method has by itself. It must take the columns as they are in X, and sample_weight where
        rows are weighted. It sees no rows of the validation.
    scoring : str or callable, default=None
        What of the estimator "sfs" and "permutation" measure; None is its own `score`.

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
        | {"options": [dict, None], "estimator": [HasMethods("fit"), None], "scoring": [str, callable, None]}
    )

    def __init__(
        self,
        method="slm",
        n_features_to_select=None,
        *,
        options=None,
        estimator=None,
        scoring=None,
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
        self.estimator = estimator
        self.scoring = scoring
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
        return self.method, self.options or {}

    def _choose(self, given):
        if self.estimator is not None:
            self._search(given)
        elif self.scoring is not None:
            raise ValueError("scoring: it belongs to an estimator; give one, or use metric")
        else:
            super()._choose(given)

    def _search(self, given):
        """Has an estimator of the caller's choose, and the engine train on what it has chosen.

        The search sees no row that the engine validates on, so that what is measured there was no
        reason to choose anything.
        """
        from . import _wrapping

        options, clock = self.options or {}, _wrapping.Clock(self.time_limit)
        names = _data.engine_names(given.X, self.n_features_in_)
        data, valid, told = self._prepare(given, names)
        request = self._request() | told
        self._check_search(options, given, request)
        kinds = {j: kind for j, kind in enumerate(data.types[: len(names)]) if kind in ("text", "date")}
        seen = self._look(data, valid, request)
        dropped = set(seen["dropped"])
        keep = [names.index(name) for name in dict.fromkeys(request["keep"])]
        search = _wrapping.Search(
            self.estimator,
            self._training_rows(given, seen["training_rows"]),
            names=names,
            kinds=kinds,
            columns=[j for j, name in enumerate(names) if name not in dropped],
            keep=keep,
            k=seen["k"],
            scoring=self.scoring,
            seed=request["seed"],
            jobs=self.n_jobs,
            clock=clock,
        )
        found = _wrapping.choose(self.method, options, search)
        if found.interrupted:
            end_search()
        # The engine keeps what the search has found, and trains, measures and explains.
        kept = {"keep": [names[j] for j in found.columns], "k": len(found.columns), "method": "random", "options": {}}
        data, valid, _ = self._prepare(given, names)
        selection, model, interrupted = self._run(data, valid, request | kept | {"time_limit": clock.left()})
        selection["method"] = self.method
        for feature in selection["selected"]:
            if feature["index"] not in keep:
                feature.pop("kept", None)
        if found.stopped:
            selection["stopped_early"] = True
        self._keep(selection, model, names)
        self.feature_weights_[:] = 0
        for j in found.columns:
            self.feature_weights_[j] = found.scores.get(j, np.nan)
        if found.interrupted or interrupted:
            self._say_interrupted()

    def _look(self, data, valid, request):
        """What the engine would begin with: the task, k, the columns that cannot be chosen, and the training rows."""
        request = request | {"method": "random", "options": {}, "leaks": "ignore"}
        text, _, interrupted = _core.run("look", request, data, valid, None, None, _NAMES)
        if interrupted:
            raise KeyboardInterrupt  # as the engine does where there is nothing yet to give back
        return json.loads(text)

    def _check_search(self, options, given, request):
        from . import _wrapping

        if self.method not in _wrapping.WRAPPERS:
            wrappers = ", ".join(sorted(_wrapping.WRAPPERS))
            raise ValueError(
                f"estimator: {self.method!r} has a model of its own; those around an estimator are {wrappers}"
            )
        if request["groups"] or self.ensemble != 1:
            raise ValueError("groups and ensemble do not go with an estimator; leave them out")
        if self.n_features_to_select == "auto":
            raise ValueError("n_features_to_select: 'auto' does not go with an estimator; give a number")
        _wrapping.check_options(self.method, options)
        if given.weight is not None or self.class_weight is not None:
            _wrapping.check_weights(self.method, self.estimator, self.scoring)

    def _training_rows(self, given, rows):
        """Those of the rows that count for something."""
        from . import _wrapping

        X = given.X.to_pandas() if _data.is_arrow(given.X) else given.X
        groups = None if given.groups is None else np.asarray(given.groups)
        found = _wrapping.Rows(X, given.y, given.weight, groups).take(rows)
        if found.weight is not None:
            found = found.take(np.flatnonzero(found.weight > 0))
        if self.class_weight == "balanced":
            found = found.balanced()
        return found
