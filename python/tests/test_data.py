"""Everything that Python calls a table gives the same selection."""

import datetime
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from sklearn.datasets import make_classification

import slm
from slm import FeatureSelector, SLMClassifier, _core, _data


@pytest.fixture(scope="module")
def numbers():
    X, y = make_classification(200, 12, n_informative=4, random_state=0)
    return X.astype(np.float32), y


@pytest.fixture(scope="module")
def mixed():
    """A pandas frame with columns of every type, each with a missing cell."""
    rng = np.random.default_rng(0)
    n = 240
    y = rng.integers(0, 2, n)
    kind = np.where(y == 1, "good", np.where(rng.random(n) < 0.5, "bad", "ugly")).astype(object)
    days = pd.Series(pd.to_datetime("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), "D"))
    frame = pd.DataFrame(
        {
            "number": rng.normal(size=n) + y,
            "text": kind,
            "flag": pd.array(rng.random(n) < 0.3 + 0.4 * y, dtype="boolean"),
            "day": days,
            "group": pd.Categorical(rng.choice(["a", "b", "c"], n)),
            "whole": pd.array(rng.integers(0, 9, n), dtype="Int64"),
        }
    )
    for j in range(frame.shape[1]):
        frame.iloc[j, j] = None
    return frame, y


def chosen(X, y, **more):
    fitted = FeatureSelector("anova", 4, **more).fit(X, y)
    return fitted.feature_weights_.tolist()


def test_arrays_of_any_layout_give_the_same(numbers, tmp_path):
    X, y = numbers
    expected = chosen(X, y)
    wide = np.zeros((200, 24), dtype=np.float32)
    wide[:, ::2] = X
    stored = np.memmap(tmp_path / "x", dtype=np.float32, mode="w+", shape=X.shape)
    stored[:] = X
    read_only = X.copy()
    read_only.flags.writeable = False
    backwards = X[:, ::-1].copy()[:, ::-1]
    layouts = [
        X.astype(np.float64), np.asfortranarray(X), wide[:, ::2], stored, read_only, backwards,
        X.astype(object), X.tolist(), scipy.sparse.csr_matrix(X), scipy.sparse.csc_array(X),
    ]  # fmt: skip
    for layout in layouts:
        assert chosen(layout, y) == expected, type(layout)


def test_frames_of_any_library_give_the_same(numbers):
    X, y = numbers
    expected = chosen(X, y)
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(12)])
    for other in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame)):
        assert chosen(other, y) == expected, type(other)


class OnlyAStream:
    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def test_columns_of_every_type_mean_the_same_in_every_library(mixed):
    frame, y = mixed
    arrow = pa.Table.from_pandas(frame)
    tables = [frame, pl.from_pandas(frame), arrow, OnlyAStream(arrow)]
    expected = chosen(frame, y)
    assert sum(weight > 0 for weight in expected) == 4
    for table in tables:
        assert chosen(table, y) == expected, type(table)
    names = list(frame.columns)
    types = ["numeric", "text", "boolean", "date", "text", "numeric"]
    for table in (frame, tables[1], arrow):
        built = _data.table_of(table, names)
        built.finish()
        assert built.types == types


def test_a_frame_gives_what_its_file_gives(mixed, tmp_path):
    frame, y = mixed
    frame.assign(y=y).to_csv(tmp_path / "d.csv", index=False)
    of_file = slm.select(tmp_path / "d.csv", target="y", k=4, method="anova").json
    of_frame = slm.select(frame.assign(y=y), target="y", k=4, method="anova").json
    assert of_frame["selected"] == of_file["selected"]


@pytest.mark.parametrize("convert", [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas])
def test_a_frame_comes_back_as_its_own_type(mixed, convert):
    frame, y = mixed
    frame = convert(frame)
    selector = FeatureSelector("anova", 2).fit(frame, y)
    out = selector.transform(frame)
    assert type(out) is type(frame)
    names = out.column_names if isinstance(out, pa.Table) else list(out.columns)
    assert names == list(selector.get_feature_names_out())


def test_predicts_from_frames_whose_cells_are_missing_or_new(mixed):
    frame, y = mixed
    classifier = SLMClassifier(4, steps=200).fit(frame, y)
    new = frame.head(5).copy()
    new["text"] = ["never seen", None, "good", "bad", "ugly"]
    new.loc[0, "number"] = np.nan
    assert np.isfinite(classifier.predict_proba(new)).all()
    assert np.array_equal(classifier.predict(pl.from_pandas(new)), classifier.predict(new))


def test_dates_are_days_with_fractions():
    moments = [datetime.datetime(1970, 1, 3, 6), None, datetime.datetime(1969, 12, 31)]
    for column in (
        pd.Series(moments), pl.Series(moments), pa.chunked_array([pa.array(moments)]),
        np.array(moments, dtype=object), np.array(moments, dtype="datetime64[s]"),
    ):  # fmt: skip
        kind, days = _data.typed_column(column, "x")
        assert kind == "date"
        np.testing.assert_array_equal(days, [2.25, np.nan, -1.0])


def test_names_the_column_that_cannot_be_read(numbers):
    X, y = numbers
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(12)]).astype({"c3": object})
    frame.at[5, "c3"] = {"a": 1}
    with pytest.raises(TypeError, match="c3.*must be a string or a number"):
        FeatureSelector("anova", 2).fit(frame, y)
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(12)])
    frame.iloc[7, 4] = np.inf
    with pytest.raises(ValueError, match="row 7, column 'c4' is infinite"):
        FeatureSelector("anova", 2).fit(frame, y)


HALF = "caf\udce9"  # what errors="surrogateescape" makes of Latin-1


def test_half_a_character_is_named_with_its_column_and_row():
    cells = ["here", "there"] * 3 + ["here", HALF] + ["here", "there"] * 16
    frame = pd.DataFrame({"a": range(40), "place": pd.Series(cells, dtype=object)})
    for data, name in (frame, "place"), (frame.to_numpy(), "f1"):
        with pytest.raises(ValueError, match=rf"column '{name}', row 7: 'caf.*' holds a lone surrogate"):
            FeatureSelector("anova", 1).fit(data, [0, 1] * 20)


def test_half_a_character_in_a_name_or_in_the_targets_is_named():
    X = pd.DataFrame(np.arange(80.0).reshape(40, 2), columns=pd.Index(["a", HALF], dtype=object))
    with pytest.raises(ValueError, match="the name of column 1: 'caf.*' holds a lone surrogate"):
        FeatureSelector("anova", 1).fit(X, [0, 1] * 20)
    labels = ["no", "yes"] * 19 + ["no", HALF]
    with pytest.raises(ValueError, match="row 39: 'caf.*' holds a lone surrogate"):
        FeatureSelector("anova", 1).fit(np.arange(80.0).reshape(40, 2), labels)


def test_the_engine_reads_a_matrix_without_copying():
    # A view of every second row and third column, backwards.
    base = np.arange(60, dtype=np.float64).reshape(6, 10)
    view = base[::-2, ::3]
    table = _core.Table(3)
    table.add_matrix(view, ["a", "b", "c", "d"])
    table.add_numbers("y", "numeric", np.array([0.0, 1.0, 0.0]))
    assert table.names == ["a", "b", "c", "d", "y"]
    with pytest.raises(ValueError, match="3 rows"):
        _core.Table(4).add_matrix(view, ["a", "b", "c", "d"])


def test_a_fit_holds_no_copy_of_a_matrix_of_floats():
    """The engine's table is 8 bytes a cell; a copy of the matrix would be 4 bytes more."""
    code = """
import numpy as np
from slm import FeatureSelector, _data


def status(field):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(field))


selector = FeatureSelector("variance", 2)
X = np.random.default_rng(0).random((20000, 1000), dtype=np.float32)
small = selector._check_X(X[:50], reset=True)
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")
before = status("VmRSS")
checked = selector._check_X(X, reset=True)
assert np.shares_memory(checked, X)
table = _data.table_of(checked, [f"f{j}" for j in range(1000)])
table.finish()
grown = (status("VmHWM") - before) * 1024
assert grown < 1.2 * X.size * 8, (grown, X.size * 8)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
