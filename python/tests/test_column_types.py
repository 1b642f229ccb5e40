"""Every kind of column that pandas, polars and Arrow know: read as what it is, or refused by name."""

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from slm import SLMSelector, _data

DAY = datetime.date(2020, 3, 1)
MOMENT = datetime.datetime(2020, 3, 1, 12)
ABROAD = datetime.datetime(2020, 3, 1, 13, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))
HOURS = datetime.timedelta(hours=36)
DAYS = (DAY - datetime.date(1970, 1, 1)).days

COLUMNS = {
    "objects: decimals": (pd.Series([Decimal("1.5"), None]), "numeric", 1.5),
    "objects: decimals beside floats": (pd.Series([Decimal("1.5"), None, 2.0], dtype=object), "numeric", 1.5),
    "objects: a decimal that is missing": (pd.Series([Decimal("1.5"), Decimal("NaN")]), "numeric", 1.5),
    "pandas: decimals of Arrow": (
        pd.Series([Decimal("1.5"), None], dtype=pd.ArrowDtype(pa.decimal128(9, 2))), "numeric", 1.5),
    "polars: decimals": (pl.Series([Decimal("1.5"), None], dtype=pl.Decimal(9, 2)), "numeric", 1.5),
    "arrow: decimals": (pa.chunked_array([pa.array([Decimal("1.5"), None], pa.decimal128(9, 2))]), "numeric", 1.5),
    "pandas: periods": (pd.Series(pd.PeriodIndex(["2020-03", None], freq="M")), "date", DAYS),
    "objects: periods": (pd.Series([pd.Period("2020-03", "M"), None], dtype=object), "date", DAYS),
    "pandas: quarters": (pd.Series(pd.PeriodIndex(["2020Q2", None], freq="Q")), "date", DAYS + 31),
    "pandas: nullable whole numbers": (pd.Series([3, None], dtype="Int64"), "numeric", 3),
    "pandas: nullable floats": (pd.Series([1.5, None], dtype="Float32"), "numeric", 1.5),
    "pandas: nullable booleans": (pd.Series([True, None], dtype="boolean"), "boolean", 1),
    "pandas: booleans of Arrow": (pd.Series([True, None], dtype="bool[pyarrow]"), "boolean", 1),
    "pandas: sparse": (pd.Series([1.5, np.nan], dtype=pd.SparseDtype(float)), "numeric", 1.5),
    "pandas: categories": (pd.Series(["a", None], dtype="category"), "text", "a"),
    "pandas: categories that are numbers": (pd.Series([7, None], dtype="category"), "text", "7"),
    "pandas: strings": (pd.Series(["a", None], dtype="string"), "text", "a"),
    "pandas: strings of Arrow": (pd.Series(["a", None], dtype="string[pyarrow]"), "text", "a"),
    "pandas: dictionary of Arrow": (
        pd.Series(["a", None], dtype=pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string()))), "text", "a"),
    "polars: categories": (pl.Series(["a", None], dtype=pl.Categorical), "text", "a"),
    "polars: an enumeration": (pl.Series(["a", None], dtype=pl.Enum(["b", "a"])), "text", "a"),
    "polars: nothing": (pl.Series([None, None]), "numeric", None),
    "arrow: nothing": (pa.chunked_array([pa.nulls(2)]), "numeric", None),
    "pandas: moments": (pd.Series([MOMENT, None]), "date", DAYS + 0.5),
    "pandas: moments with a time zone": (pd.Series([ABROAD, None]), "date", DAYS + 0.5),
    "pandas: moments of Arrow with a time zone": (
        pd.Series([ABROAD, None], dtype=pd.ArrowDtype(pa.timestamp("us", "Europe/Paris"))), "date", DAYS + 0.5),
    "pandas: days of Arrow": (pd.Series([DAY, None], dtype=pd.ArrowDtype(pa.date32())), "date", DAYS),
    "objects: days": (pd.Series([DAY, None], dtype=object), "date", DAYS),
    "polars: days": (pl.Series([DAY, None]), "date", DAYS),
    "polars: moments with a time zone": (
        pl.Series([ABROAD, None]).dt.convert_time_zone("Asia/Tokyo"), "date", DAYS + 0.5),
    "polars: moments in milliseconds": (pl.Series([MOMENT, None], dtype=pl.Datetime("ms")), "date", DAYS + 0.5),
    "arrow: moments with a time zone": (
        pa.chunked_array([pa.array([ABROAD, None], pa.timestamp("ns", "Europe/Paris"))]), "date", DAYS + 0.5),
    "pandas: durations": (pd.Series([HOURS, None]), "numeric", 1.5),
    "pandas: durations of Arrow": (pd.Series([HOURS, None], dtype=pd.ArrowDtype(pa.duration("ms"))), "numeric", 1.5),
    "objects: durations": (pd.Series([HOURS, None], dtype=object), "numeric", 1.5),
    "polars: durations": (pl.Series([HOURS, None]), "numeric", 1.5),
    "polars: durations in milliseconds": (pl.Series([HOURS, None], dtype=pl.Duration("ms")), "numeric", 1.5),
    "arrow: durations": (pa.chunked_array([pa.array([HOURS, None], pa.duration("s"))]), "numeric", 1.5),
    "objects: times of day": (pd.Series([datetime.time(18), None]), "numeric", 0.75),
    "polars: times of day": (pl.Series([datetime.time(18), None]), "numeric", 0.75),
    "arrow: times of day": (pa.chunked_array([pa.array([datetime.time(18), None], pa.time32("s"))]), "numeric", 0.75),
}

NESTED = {
    "objects: lists": (pd.Series([[1, 2], None]), "list"),
    "objects: dicts": (pd.Series([{"a": 1}, None]), "dict"),
    "objects: arrays": (pd.Series([np.zeros(2), None], dtype=object), "ndarray"),
    "pandas: lists of Arrow": (pd.Series([[1, 2], None], dtype=pd.ArrowDtype(pa.list_(pa.int64()))), "list"),
    "polars: lists": (pl.Series([[1, 2], None]), "list"),
    "polars: arrays": (pl.Series([[1, 2], None], dtype=pl.Array(pl.Int64, 2)), "list"),
    "polars: structs": (pl.Series([{"a": 1}, None]), "dict"),
    "arrow: lists": (pa.chunked_array([[[1, 2], None]]), "list"),
    "arrow: structs": (pa.chunked_array([[{"a": 1}, None]]), "dict"),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_is_read_as_what_it_is(name):
    column, kind, first = COLUMNS[name]
    found, cells = _data.typed_column(column, "column 'c'")
    assert found == kind
    if kind == "text":
        assert list(cells) == [first, None]
    elif first is None:
        assert np.isnan(cells).all()
    else:
        assert cells[0] == pytest.approx(first, abs=1e-9) and np.isnan(cells[1])


@pytest.mark.parametrize("name", NESTED)
def test_a_nested_column_is_refused_by_name_with_the_remedy(name):
    column, kind = NESTED[name]
    with pytest.raises(TypeError, match=f"column 'tags'.*{kind}.*a column of its own"):
        _data.typed_column(column, "column 'tags'")


def test_other_objects_are_refused_by_name():
    with pytest.raises(TypeError, match="column 'range'.*Interval.*drop the column"):
        _data.typed_column(pd.Series(pd.interval_range(0, 2)), "column 'range'")


def test_decimals_periods_and_durations_go_through_an_estimator():
    rng = np.random.default_rng(0)
    n = 120
    y = rng.integers(0, 2, n)
    frame = pd.DataFrame(
        {
            "price": [Decimal(str(round(value, 2))) for value in rng.normal(size=n) + 3 * y],
            "month": pd.period_range("2010-01", periods=n, freq="M"),
            "wait": pd.to_timedelta(rng.integers(1, 9, n), unit="h"),
        }
    )
    selector = SLMSelector(1, steps=200, random_state=0).fit(frame, y)
    assert list(selector.get_feature_names_out()) == ["price"]
    with pytest.raises(TypeError, match="column 'tags'"):
        SLMSelector(1).fit(frame.assign(tags=[[1]] * n), y)
