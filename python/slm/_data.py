"""Whatever Python holds as columns of the engine.

A matrix is read without copying; of frames each column goes in by its type: numbers (decimals among
them; durations and times of day in days), booleans, dates (days since 1970-01-01 in UTC; a period is
its first moment), and texts, categories among them, as sorted levels and codes. ``None``, ``NaN``,
``NaT`` and nulls are missing cells. Nested columns are refused.
"""

from __future__ import annotations

import datetime
import sys
from decimal import Decimal
from numbers import Real

import numpy as np

from . import _core

_DAY_IN = {"s": 86_400, "ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}


def _module(name):
    """The module if somebody has imported it: without it nobody can hold its objects."""
    return sys.modules.get(name)


def is_pandas(data):
    pandas = _module("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


def is_polars(data):
    polars = _module("polars")
    return polars is not None and isinstance(data, polars.DataFrame)


def is_arrow(data):
    arrow = _module("pyarrow")
    return arrow is not None and isinstance(data, arrow.Table)


def is_frame(data):
    return is_pandas(data) or is_polars(data) or is_arrow(data)


def is_sparse(data):
    sparse = _module("scipy.sparse")
    return sparse is not None and sparse.issparse(data)


def from_arrow_stream(data):
    """Anything that speaks Arrow's stream protocol as a pyarrow table; other things as they are."""
    if is_frame(data) or not hasattr(data, "__arrow_c_stream__"):
        return data
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("reading an Arrow stream needs pyarrow: pip install pyarrow") from error
    return pyarrow.table(data)


def names_of(data):
    """Names of a frame's columns, as they are; None for what has none."""
    if is_pandas(data) or is_polars(data):
        return list(data.columns)
    return list(data.column_names) if is_arrow(data) else None


def _check_characters(text, where):
    """Python's texts may hold halves of characters, which bytes read with errors="surrogateescape" leave."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(
            f"{where()}: {text!r} holds a lone surrogate, which is half a character; "
            "read the text with its true encoding, or replace it"
        ) from None


def engine_names(data, count):
    """A distinct text for every column: its name if all have one, else f0, f1, ..."""
    names = names_of(data)
    if names is not None and all(isinstance(name, str) for name in names):
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"X has two columns named {twice!r}; rename one of them")
        for j, name in enumerate(names):
            _check_characters(name, lambda: f"the name of column {j}")
        return names
    return [f"f{j}" for j in range(count)]


def column_of(data, j):
    """Column j of a frame, as its library gives it."""
    if is_pandas(data):
        return data.iloc[:, j]
    return data.to_series(j) if is_polars(data) else data.column(j)


def take_columns(data, chosen):
    """Some columns, in the type that came in."""
    chosen = [int(j) for j in chosen]
    if is_pandas(data):
        return data.iloc[:, chosen]
    if is_polars(data):
        return data.select([data.columns[j] for j in chosen])
    if is_arrow(data):
        return data.select(chosen)
    return data[:, chosen]


def drop_column(data, name):
    """A frame without one column, and that column."""
    names = names_of(data)
    if name not in names:
        raise ValueError(f"target: the data have no column {name!r}")
    rest = [j for j, other in enumerate(names) if other != name]
    return take_columns(data, rest), column_of(data, names.index(name))


def rows_of(data):
    return data.num_rows if is_arrow(data) else data.shape[0]


# One column of any library becomes ("numeric" | "boolean" | "date", float64 array) or
# ("text", list of str or None).


def _days(microseconds, missing):
    """Days with fractions, summed as the readers of text do."""
    whole = microseconds // _DAY_IN["us"]
    days = whole.astype(np.float64) + (microseconds - whole * _DAY_IN["us"]) / 1e6 / 86400.0
    days[missing] = np.nan
    return days


def _from_datetime64(values):
    missing = np.isnat(values)
    whole = np.where(missing, np.datetime64(0, "us"), values.astype("datetime64[us]"))
    return "date", _days(whole.astype(np.int64), missing)


def _is_missing(cell):
    if cell is None or cell is getattr(_module("pandas"), "NA", None):
        return True
    if isinstance(cell, _NESTED):
        return False
    return cell != cell  # NaN and NaT differ from themselves


_NESTED = (list, tuple, dict, set, np.ndarray)
_NUMBER = (Real, Decimal, np.number, np.bool_)
_MIDNIGHT = datetime.datetime.min


def _days_of_duration(duration):
    return duration / datetime.timedelta(days=1)


def _days_of_time(time):
    return _days_of_duration(datetime.datetime.combine(_MIDNIGHT, time) - _MIDNIGHT)


def _refuse(where, kind):
    """Says in scikit-learn's words what the column holds, and what to do about it."""
    remedy = "turn it into numbers or texts, or drop the column"
    if issubclass(kind, _NESTED):
        remedy = "nested cells are not read; give each part a column of its own, or drop the column"
    raise TypeError(f"{where}: argument must be a string or a number, not {kind.__name__!r}; {remedy}")


def _moments(cells):
    """Dates, moments and periods as datetime64."""
    return np.array(["NaT" if c is None else _naive(c) for c in cells], "datetime64[us]")


def _from_objects(cells, where):
    """Python objects: what they all are decides."""
    cells = [None if _is_missing(cell) else cell for cell in cells]
    present = [cell for cell in cells if cell is not None]
    kinds = {type(cell) for cell in present}

    def numbers(convert):
        return np.array([np.nan if c is None else convert(c) for c in cells], dtype=np.float64)

    def all_are(*types):
        return all(issubclass(kind, types) for kind in kinds)

    if present and kinds <= {bool, np.bool_}:
        return "boolean", numbers(float)
    if all_are(*_NUMBER):
        return "numeric", numbers(float)
    if all_are(datetime.date) or all_are(*_period()):
        return _from_datetime64(_moments(cells))
    if all_are(datetime.timedelta):
        return "numeric", numbers(_days_of_duration)
    if all_are(datetime.time):
        return "numeric", numbers(_days_of_time)
    for kind in kinds:
        if not issubclass(kind, (str, bytes, *_NUMBER)):
            _refuse(where, kind)
    return "text", [None if cell is None else str(cell) for cell in cells]


def _period():
    pandas = _module("pandas")
    return () if pandas is None else (pandas.Period,)


def _naive(moment):
    if isinstance(moment, _period()):
        return moment.start_time.to_pydatetime()
    if isinstance(moment, datetime.datetime) and moment.tzinfo is not None:
        return moment.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return moment


def _from_array(values, where):
    kind = values.dtype.kind
    if kind == "b":
        return "boolean", values.astype(np.float64)
    if kind in "fiu":
        return "numeric", np.asarray(values, dtype=np.float64)
    if kind == "M":
        return _from_datetime64(values)
    if kind == "m":
        days = values / np.timedelta64(1, "D")
        return "numeric", np.asarray(days, dtype=np.float64)
    if kind == "c":
        raise ValueError(f"Complex data not supported\n{where}")
    return _from_objects(values.tolist() if kind in "US" else list(values), where)


def _from_pandas(series, where):
    pandas = _module("pandas")
    types = pandas.api.types
    dtype = series.dtype
    if isinstance(dtype, pandas.ArrowDtype):
        return _from_pyarrow(series.array.__arrow_array__(), where)
    if isinstance(dtype, pandas.PeriodDtype):
        return _from_datetime64(series.dt.start_time.to_numpy(dtype="datetime64[us]"))
    if isinstance(dtype, pandas.CategoricalDtype):
        return "text", [None if _is_missing(cell) else str(cell) for cell in series]
    if types.is_bool_dtype(dtype):
        return "boolean", series.to_numpy(dtype=np.float64, na_value=np.nan)
    if types.is_datetime64_any_dtype(dtype):
        if getattr(dtype, "tz", None) is not None:
            series = series.dt.tz_convert("UTC").dt.tz_localize(None)
        return _from_datetime64(series.to_numpy(dtype="datetime64[us]"))
    if types.is_timedelta64_dtype(dtype):
        return _from_array(series.to_numpy(dtype="timedelta64[ns]"), where)
    if types.is_numeric_dtype(dtype) and not types.is_complex_dtype(dtype):
        return "numeric", series.to_numpy(dtype=np.float64, na_value=np.nan)
    return _from_array(series.to_numpy(dtype=None if types.is_complex_dtype(dtype) else object), where)


def _from_polars(series, where):
    polars = _module("polars")
    if series.dtype == polars.Boolean:
        return "boolean", series.cast(polars.Float64).to_numpy()
    if series.dtype.is_numeric() or series.dtype == polars.Null:
        return "numeric", series.cast(polars.Float64).to_numpy()
    if series.dtype == polars.Duration or series.dtype == polars.Time:
        unit = _DAY_IN["ns"] if series.dtype == polars.Time else _DAY_IN[series.dtype.time_unit]
        return "numeric", series.to_physical().cast(polars.Float64).to_numpy() / unit
    if series.dtype == polars.Date or series.dtype == polars.Datetime:
        physical = series.cast(polars.Datetime("us")).to_physical()
        missing = physical.is_null().to_numpy()
        return "date", _days(physical.fill_null(0).to_numpy(), missing)
    if series.dtype.is_nested() or series.dtype == polars.Object:
        return _from_objects(series.to_list(), where)
    return "text", series.cast(polars.String).to_list()


def _from_pyarrow(column, where):
    import pyarrow
    import pyarrow.compute

    kind = column.type
    types = pyarrow.types

    def numbers(values):
        values = pyarrow.compute.cast(values, pyarrow.float64(), safe=False)
        return np.asarray(pyarrow.compute.fill_null(values, np.nan))

    if types.is_boolean(kind):
        return "boolean", numbers(pyarrow.compute.cast(column, pyarrow.uint8()))
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return "numeric", numbers(column)
    if types.is_date(kind) or types.is_timestamp(kind):
        stamps = pyarrow.compute.cast(column, pyarrow.timestamp("us"), safe=False)
        missing = np.asarray(stamps.is_null())
        whole = pyarrow.compute.cast(stamps, pyarrow.int64())
        return "date", _days(np.asarray(pyarrow.compute.fill_null(whole, 0)), missing)
    if types.is_duration(kind) or types.is_time(kind):
        whole = pyarrow.compute.cast(column, pyarrow.int32() if kind.bit_width == 32 else pyarrow.int64())
        return "numeric", numbers(whole) / _DAY_IN[kind.unit]
    if types.is_dictionary(kind):
        return "text", [None if cell is None else str(cell) for cell in column.to_pylist()]
    return _from_objects(column.to_pylist(), where)


def typed_column(column, where):
    """The type and the cells of a column of any library."""
    library = type(column).__module__.split(".")[0]
    if library == "pandas":
        return _from_pandas(column, where)
    if library == "polars":
        return _from_polars(column, where)
    if library == "pyarrow":
        return _from_pyarrow(column, where)
    values = column if isinstance(column, np.ndarray) else _array_of(column)
    return _from_array(values, where)


def _array_of(values):
    """A NumPy array in which a number beside a text stays a number."""
    array = np.asarray(values)
    return np.asarray(values, dtype=object) if array.dtype.kind in "USO" else array


def add_column(table, name, column, where=None):
    """Adds one column to a table of the engine."""
    where = where or f"column {name!r}"
    kind, cells = typed_column(column, where)
    if kind != "text":
        table.add_numbers(name, kind, np.ascontiguousarray(cells))
        return
    levels = sorted({cell for cell in cells if cell is not None})
    for level in levels:
        _check_characters(level, lambda: f"{where}, row {list(cells).index(level)}")
    place = {level: code for code, level in enumerate(levels)}
    codes = np.fromiter((-1 if c is None else place[c] for c in cells), np.int32, len(cells))
    table.add_text(name, codes, levels)


def _plain_matrix(data):
    """The floats of an array, or of a frame of numbers alone; None for anything else."""
    if is_pandas(data):
        if not all(isinstance(t, np.dtype) and t.kind in "fiu" for t in data.dtypes):
            return None
        data = data.to_numpy()
    if not isinstance(data, np.ndarray) or data.dtype.kind not in "fiub":
        return None
    return data if data.dtype in (np.float32, np.float64) else data.astype(np.float64)


def table_of(data, names, chosen=None):
    """A table of the engine with the columns of `data`, or with some of them."""
    if chosen is not None:
        data, names = take_columns(data, chosen), [names[j] for j in chosen]
    table = _core.Table(rows_of(data))
    matrix = _plain_matrix(data)
    if matrix is not None:
        table.add_matrix(matrix, names)
    elif is_sparse(data):
        data = data.tocsr()
        starts, indices = data.indptr.astype(np.int64), data.indices.astype(np.int64)
        table.add_csr(starts, indices, data.data.astype(np.float64), names)
    else:
        for j, name in enumerate(names):
            column = column_of(data, j) if is_frame(data) else data[:, j]
            add_column(table, name, column)
    return table


def to_array(data):
    """Numbers beside anything else as objects, for containers that want an array."""
    return data.to_pandas().to_numpy() if is_arrow(data) else data.to_numpy()
