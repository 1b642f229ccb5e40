"""The commands as functions: the same names, the same defaults, the same numbers.

Data are a path, a frame that holds the target by name, or X with the targets in `y`.
"""

from __future__ import annotations

import json
import os

from . import _columns, _core, _data, _results
from ._options import method_table, python_names, threads_of, warn_interrupted, words
from ._progress import Events

_TARGET, _WEIGHT = "target", "sample_weight"

_DATA_DOC = """data : str, path-like, frame, or array-like of shape (n_samples, n_features)
        A file that the command line reads, or what Python holds.
    y : array-like of shape (n_samples,), default=None
        What to predict, if it is not a column of `data`.
    target : str, default=None
        The column of `data` to predict."""
_RUN_DOC = """task : {"auto", "classification", "regression"}, default=None
    metric : str, default=None
    split : tuple of three floats or str, default=None
        Shares of the rows for training, validation and testing; "group:COL" keeps rows of equal COL
        together, "time:COL" trains on the past.
    valid, test : as `data`, default=None
        Rows for validation and testing, in the form that `data` has; with `y`, pairs (X, y).
    keep, drop : list of str or int, or str, default=None
        Columns that are always chosen, and count, and columns that must not be; by name or
        position. A group is kept by its name.
    groups : dict, or list of str, or str, default=None
        Columns that count as one: ``{"lab": ["a", "b"]}``, or as the flag has it: "lab=a,b",
        "lab_*" or "prefix:_".
    weights : str or array-like, default=None
        A column of `data`, or the weight of each row.
    class_weight : {"balanced"}, default=None
    seed : int, default=0
    n_jobs : int, default=None
        Threads; None is one for each core. The result is the same.
    time_limit : float, default=None
        Seconds; the best up to then is the result.
    checkpoint : str, default=None
        A file from which a run that was killed goes on.
    resume : bool, default=None
        Go on from the checkpoint (or the journal of `tune`), if it exists.
    verbose : bool, default=False
    callbacks : callable or list of callables, default=None"""


def _documented(function):
    function.__doc__ = function.__doc__.replace("{data}", _DATA_DOC).replace("{run}", _RUN_DOC)
    return function


def _one_table(data, y, target, weights, like=None):
    """A table of the engine with the target in it."""
    if isinstance(data, (str, os.PathLike)):
        return _core.read_table(os.fspath(data), {}, like)
    data = _data.from_arrow_stream(data)
    if not _data.is_frame(data) and not hasattr(data, "dtype"):
        data = _data._array_of(data)
    table = _data.table_of(data, _data.engine_names(data, data.shape[1]))
    if y is not None:
        _data.add_column(table, target, y, "y")
    if weights is not None and not isinstance(weights, str):
        _data.add_column(table, _WEIGHT, weights, "weights")
    table.finish(like)
    return table


def _tables(data, y, target, weights, valid, test):
    if y is None and target is None:
        raise ValueError("target: name the column to predict, or give the targets as y")
    target = target or _TARGET
    table = _one_table(data, y, target, weights)

    def other(part):
        if part is None:
            return None
        X, labels = (part, None) if y is None else part
        return _one_table(X, labels, target, None, table)

    return table, other(valid), other(test), target


def _run(command, result, data, y, target, request, leading=()):
    """Calls the engine's `command` with the options in `request`."""
    verbose, callbacks = request.pop("verbose"), request.pop("callbacks")
    weights, valid, test = (request.pop(name) for name in ("weights", "valid", "test"))
    request["threads"] = threads_of(request.pop("n_jobs"))
    with python_names():
        data, valid, test, target = _tables(data, y, target, weights, valid, test)
    if weights is not None:
        weights = weights if isinstance(weights, str) else _WEIGHT
    for name in ("keep", "drop"):
        if request[name] is not None:
            request[name] = _columns.by_name(name, request[name], data.names)
    if request["groups"] is not None:
        request["groups"] = _columns.group_texts(request["groups"], data.names)
    options = request.pop("options", None) or {}
    line = words({"target": target, "weights": weights} | request | options)
    events = Events(verbose, callbacks)
    try:
        with python_names():
            text, *rest, interrupted = command(line, *leading, data, valid, test, events)
    finally:
        events.close()
    if interrupted:
        warn_interrupted("the result", stacklevel=4)
    return result(json.loads(text), *rest)


def _settings(settings):
    """``{"stg": {"epochs": 50}}`` as ``["stg.epochs=50"]``."""
    return [
        f"{method}.{name}={value}"
        for method, options in (settings or {}).items()
        for name, value in options.items()
    ]


def _names(methods):
    return [methods] if isinstance(methods, str) else list(methods)


@_documented
def select(
    data, y=None, *, target=None, k, method="slm", options=None, ensemble=None, cv=None, null=None,
    folds=None, tolerance=None, task=None, metric=None, split=None, valid=None, test=None,
    keep=None, drop=None, groups=None, weights=None, class_weight=None, seed=0, n_jobs=None,
    time_limit=None, checkpoint=None, resume=None, verbose=False, callbacks=None,
):  # fmt: skip
    """Choose exactly k columns and train a predictor on them, as `slm select`.

    Parameters
    ----------
    {data}
    k : int or "auto"
    method : str, default="slm"
    options : dict, default=None
        Of the method, by name.
    cv : int or str, default=None
        Also select without each of so many folds and judge on it; "group:COL" and "time:COL" (also
        "group:COL,10") cut folds by a column.
    null : int, default=None
        Repeat everything so often with shuffled labels, to see what chance gives.
    ensemble, folds, tolerance : default=None
        As the flags of these names.
    {run}

    Returns
    -------
    selection : Selection

    Examples
    --------
    >>> import slm
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> len(slm.select(X, y, k=2, method="anova").columns)
    2
    >>> judged = slm.select(X, y, k=2, method="anova", keep="sepal width (cm)", cv=3, null=9)
    >>> "sepal width (cm)" in judged.columns, len(judged.cross_validation["folds"])
    (True, 3)
    """
    request = {key: value for key, value in locals().items() if key not in ("data", "y", "target")}
    return _run(_core.select, _results.Selection, data, y, target, request, [0.0, 0])


@_documented
def compare(
    data, y=None, *, target=None, k, methods="all", set=None, seeds=None, refits=None, task=None,
    metric=None, split=None, valid=None, test=None, keep=None, drop=None, groups=None, weights=None,
    class_weight=None, seed=0, n_jobs=None, time_limit=None, checkpoint=None, resume=None,
    verbose=False, callbacks=None,
):  # fmt: skip
    """Let methods choose on the same splits, and judge each set alike, as `slm compare`.

    Parameters
    ----------
    {data}
    k : int
    methods : str or list of str, default="all"
    set : dict of dicts, default=None
        Options of methods: ``{"stg": {"epochs": 50}}``.
    seeds, refits : int, default=None
        As the flags of these names.
    {run}

    Returns
    -------
    comparison : Comparison

    Examples
    --------
    >>> import slm
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> result = slm.compare(X, y, k=2, methods=["anova", "mrmr"], seeds=1)
    >>> sorted(row["method"] for row in result.rows)
    ['all-features', 'anova', 'mrmr', 'random']
    """
    request = {key: value for key, value in locals().items() if key not in ("data", "y", "target")}
    request |= {"methods": _names(methods), "set": _settings(set)}
    return _run(_core.compare, _results.Comparison, data, y, target, request)


@_documented
def tune(
    data, y=None, *, target=None, k, method="slm", options=None, trials=None, strategy=None,
    judges=None, journal=None, task=None, metric=None, split=None, valid=None, test=None, keep=None,
    drop=None, groups=None, weights=None, class_weight=None, seed=0, n_jobs=None, time_limit=None,
    checkpoint=None, resume=None, verbose=False, callbacks=None,
):  # fmt: skip
    """Search the settings of a method, as `slm tune`.

    Parameters
    ----------
    {data}
    k : int
    method : str, default="slm"
    options : dict, default=None
        Options of the method that stay as given.
    trials, strategy, judges, journal : default=None
        As the flags of these names.
    {run}

    Returns
    -------
    tuning : Tuning

    Examples
    --------
    >>> import slm
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> result = slm.tune(X, y, k=2, method="lasso", trials=3)
    >>> result.rows[0]["valid"] >= result.rows[-1]["valid"]
    True
    """
    request = {key: value for key, value in locals().items() if key not in ("data", "y", "target")}
    return _run(_core.tune, _results.Tuning, data, y, target, request)


@_documented
def path(
    data, y=None, *, target=None, method="slm", options=None, k_max=None, k_list=None, folds=None,
    tolerance=None, refits=None, task=None, metric=None, split=None, valid=None, test=None,
    keep=None, drop=None, groups=None, weights=None, class_weight=None, seed=0, n_jobs=None,
    time_limit=None, checkpoint=None, resume=None, verbose=False, callbacks=None,
):  # fmt: skip
    """Measure quality against the number of columns, as `slm path`.

    Parameters
    ----------
    {data}
    method : str, default="slm"
    options : dict, default=None
        Of the method, by name.
    k_list : list of int, default=None
        Just these numbers.
    k_max, folds, tolerance, refits : default=None
        As the flags of these names.
    {run}

    Returns
    -------
    path : KPath

    Examples
    --------
    >>> import slm
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> [row["k"] for row in slm.path(X, y, method="anova", k_list=[1, 2, 4]).rows]
    [1, 2, 4]
    """
    request = {
        key: value
        for key, value in locals().items()
        if key not in ("data", "y", "target", "k_list")
    }
    if any(int(k) < 1 for k in k_list or ()):
        raise ValueError("k_list: it takes whole numbers from 1 on")
    return _run(_core.path, _results.KPath, data, y, target, request, [list(k_list or [])])


@_documented
def stability(
    data, y=None, *, target=None, k, methods="slm", set=None, resamples=None, subsample=0.5,
    task=None, metric=None, split=None, valid=None, test=None, keep=None, drop=None, groups=None,
    weights=None, class_weight=None, seed=0, n_jobs=None, time_limit=None, checkpoint=None,
    resume=None, verbose=False, callbacks=None,
):  # fmt: skip
    """Measure how much selections agree over resamples, as `slm stability`.

    Parameters
    ----------
    {data}
    k : int
    methods : str or list of str, default="slm"
    set : dict of dicts, default=None
        Options of methods.
    resamples : int, default=None
    subsample : float or "bootstrap", default=0.5
        Share of the rows in each resample.
    {run}

    Returns
    -------
    stability : Stability

    Examples
    --------
    >>> import slm
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> result = slm.stability(X, y, k=2, methods="anova", resamples=5)
    >>> len(result.frequencies("anova")) >= 2
    True
    """
    request = {
        key: value
        for key, value in locals().items()
        if key not in ("data", "y", "target", "subsample")
    }
    request |= {"methods": _names(methods), "set": _settings(set)}
    if subsample != "bootstrap" and not 0 < subsample <= 1:
        raise ValueError('subsample: it takes a share above 0 and at most 1, or "bootstrap"')
    share = 0.0 if subsample == "bootstrap" else float(subsample)
    return _run(_core.stability, _results.Stability, data, y, target, request, [share])


def methods(name=None):
    """The methods of the catalog, or one of them.

    Parameters
    ----------
    name : str, default=None

    Returns
    -------
    methods : dict
        By name: summary, reference, kind and options. With a name, what is known of that method.

    Examples
    --------
    >>> import slm
    >>> "mrmr" in slm.methods()
    True
    """
    table = method_table()
    if name is None:
        return table
    if name not in table:
        raise ValueError(f"name: there is no method {name!r}; there are {', '.join(table)}")
    return table[name]
