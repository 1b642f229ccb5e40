"""The commands as functions: the same names, the same defaults, the same numbers.

Signatures and docstrings come from the engine's own description of every request. Data are a path, a
frame that holds the target by name, or X with the targets in `y`.
"""

from __future__ import annotations

import inspect
import json
import os
import textwrap

from . import _columns, _core, _data, _results
from ._options import fields, help_doc, method_table, threads_of, type_doc, warn_interrupted
from ._progress import Events

_TARGET, _WEIGHT = "target", "sample_weight"

# How files are read, which tables in memory do not need.
_READING = ("format", "delimiter", "header", "sheet", "comment", "skip", "na", "decimal", "types")
_READING += ("date_format", "remote")

# Fields that Python says in its own way: (type, help).
_OWN = {
    "target": ("str", "The column of `data` to predict."),
    "k": (
        "int, float or str",
        "How many columns: a number, a share of those that can be chosen such as 0.3, or "
        '"max:N" for as many as there are up to N{auto}.',
    ),
    "fdr": (
        "float",
        "The false discovery rate at which columns are significant: those are chosen, as many or few as there "
        "are, or marked where `k` says how many.",
    ),
    "split": (
        "tuple of three floats or str",
        "Shares of the rows for training, validation and testing; "
        '"group:COL" keeps rows of equal COL together, "time:COL" trains on the past.',
    ),
    "valid": ("as `data`", "Rows for validation, in the form that `data` has; with `y`, (X, y)."),
    "test": ("as `data`", "Rows for testing, likewise."),
    "keep": (
        "list of str or int, or str",
        "Columns that are always chosen, and count, by name or position; a group by its name.",
    ),
    "drop": ("list of str or int, or str", "Columns that must not be chosen."),
    "groups": (
        "dict, or list of str, or str",
        'Columns that count as one: ``{"lab": ["a", "b"]}``, or "lab=a,b", "lab_*" or "prefix:_".',
    ),
    "weights": ("str or array-like", "A column of `data`, or the weight of each row."),
    "set": ("dict of dicts", 'Options of methods: ``{"stg": {"epochs": 50}}``.'),
    "cv": (
        "int or str",
        "Also select without each of so many folds and evaluate on it; "
        '"group:COL" and "time:COL" (also "group:COL,10") cut folds by a column.',
    ),
    "k_list": ("list of int", "Just these numbers of columns."),
    "tolerance": (
        'float or "se"',
        'How far from the best is good enough; "se" is its standard error.',
    ),
    "subsample": (
        'float or "bootstrap"',
        "Share of the rows in each resample, or as many rows with replacement.",
    ),
    "n_jobs": ("int", "Threads; None is one for each core. The result is the same."),
}

_DATA_DOC = """data : str, path-like, frame, or array-like of shape (n_samples, n_features)
    A file that the command line reads, or what Python holds.
y : array-like of shape (n_samples,), default=None
    What to predict, if it is not a column of `data`."""
_END_DOC = """verbose : bool, default=False
    Draw a line of progress.
callbacks : callable or list of callables, default=None
    Called with each event of the progress, a dict; one that returns True ends the work."""


def _keywords(command):
    """The fields that are keywords, `threads` by the name it has in scikit-learn."""
    for field in fields(command):
        if field["name"] == "threads":
            yield field | {"name": "n_jobs", "value": None}
        elif field["name"] != "data":
            yield field


def _default(field):
    # What is empty is not set; None leaves every field at its default.
    return field["value"] if field["value"] not in ("", [], {}) else None


def _signature(command):
    keyword, both = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter("data", both), inspect.Parameter("y", both, default=None)]
    for field in _keywords(command):
        needed = field["required"] and field["name"] != "target"
        default = inspect.Parameter.empty if needed else _default(field)
        parameters.append(inspect.Parameter(field["name"], keyword, default=default))
    for name, default in (("verbose", False), ("callbacks", None)):
        parameters.append(inspect.Parameter(name, keyword, default=default))
    return inspect.Signature(parameters)


def _parameter_docs(command):
    lines = [_DATA_DOC]
    for field in _keywords(command):
        kind, text = _OWN.get(field["name"], (type_doc(field), help_doc(field)))
        auto = ', or "auto" for as few as do as well as the best'
        text = text.replace("{auto}", auto if "auto" in field["allowed"] else "")
        needed = field["required"] and field["name"] != "target"
        default = "" if needed else f", default={_default(field)!r}"
        body = textwrap.fill(text, 96, initial_indent="    ", subsequent_indent="    ")
        lines.append(f"{field['name']} : {kind}{default}\n{body}")
    return "\n".join([*lines, _END_DOC])


def _texts(value):
    """What a flag would say, in a list; of a list, each of its items."""
    if isinstance(value, dict):
        return [f"{name}={word}" for name, word in value.items()]
    items = value if isinstance(value, (list, tuple)) else [value]
    return [str(item).lower() if isinstance(item, bool) else str(item) for item in items]


def _one_table(data, y, target, weights, reading, like=None):
    """A table of the engine with the target in it."""
    if isinstance(data, (str, os.PathLike)):
        return _core.read_table(os.fspath(data), reading, like, target)
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


def _tables(data, y, target, request):
    if y is None and target is None:
        raise ValueError("target: name the column to predict, or give the targets as y")
    target = target or _TARGET
    weights = request.get("weights")
    reading = {name: request[name] for name in _READING if request.get(name) is not None}
    reading = {name: _texts(value) for name, value in reading.items()}
    request |= {name: reading[name] for name in ("na", "types", "date_format") if name in reading}
    table = _one_table(data, y, target, weights, reading)

    def other(part):
        if part is None:
            return None
        X, labels = (part, None) if y is None else part
        return _one_table(X, labels, target, None, reading, table)

    if weights is not None and not isinstance(weights, str):
        request["weights"] = _WEIGHT
    return table, other(request.pop("valid", None)), other(request.pop("test", None)), target


def _run(command, result, data, y=None, target=None, verbose=False, callbacks=None, **request):
    """Fills the request of the command, and has the engine carry it out."""
    request["threads"] = threads_of(request.pop("n_jobs", None))
    table, valid, test, target = _tables(data, y, target, request)
    for name in ("keep", "drop"):
        if request.get(name) is not None:
            request[name] = _columns.by_name(name, request[name], table.names)
    if request.get("groups") is not None:
        request["groups"] = _columns.group_texts(request["groups"], table.names)
    events = Events(verbose, callbacks)
    try:
        text, model, interrupted = _core.run(
            command, request | {"target": target}, table, valid, test, events
        )
    finally:
        events.close()
    if interrupted:
        warn_interrupted("the result", stacklevel=4)
    found = json.loads(text)
    return result(found, model) if command == "select" else result(found)


def _command(name, result, doc):
    """The function of a command, with the signature and the parameters of its request."""
    signature = _signature(name)

    def call(*args, **keywords):
        return _run(name, result, **signature.bind(*args, **keywords).arguments)

    call.__name__ = call.__qualname__ = name
    call.__signature__ = signature
    call.__doc__ = doc.replace("{parameters}", textwrap.indent(_parameter_docs(name), "    ")[4:])
    return call


select = _command(
    "select",
    _results.Selection,
    """Choose exactly k columns and train a predictor on them, as `slm select`.

    Parameters
    ----------
    {parameters}

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
    """,
)

compare = _command(
    "compare",
    _results.Comparison,
    """Let methods choose on the same splits, and judge each set alike, as `slm compare`.

    Parameters
    ----------
    {parameters}

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
    """,
)

tune = _command(
    "tune",
    _results.Tuning,
    """Search the settings of a method, as `slm tune`; options that are given stay as given.

    Parameters
    ----------
    {parameters}

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
    """,
)

path = _command(
    "path",
    _results.KPath,
    """Measure quality against the number of columns, as `slm path`.

    Parameters
    ----------
    {parameters}

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
    """,
)

stability = _command(
    "stability",
    _results.Stability,
    """Measure how much selections agree over resamples, as `slm stability`.

    Parameters
    ----------
    {parameters}

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
    """,
)


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
