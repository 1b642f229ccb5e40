"""The values that tests/corpus expects of slm are those that pandas reads from the same files.

What pandas has to be told is stated beside each file in expected.json, under "pandas":
  read      arguments of read_csv
  na        words for missing cells of a column, which slm finds out itself
  strip     a pattern of what to take out of the texts of a column before they are numbers
  replace   a text and what to put in its place, after that
  comma     columns whose decimal comma is turned into a point, after that
  dates     the format of a column of dates; utc for ISO 8601 with a zone
  epoch     columns of times, which are on the first day of 1970
  coerce    days that no month has are missing
  bools     the texts of false and true
  index     the column that pandas makes the index
  skip      columns that pandas cannot read together with the others
"""

import json
import pathlib

import numpy as np
import pandas as pd
import pytest

import slm

CORPUS = pathlib.Path(__file__).parents[2] / "tests" / "corpus"
EXPECTED = json.loads((CORPUS / "expected.json").read_text(encoding="utf-8"))


def read(entry, told):
    arguments = {"keep_default_na": True, "na_values": dict(told.get("na", {})), **told.get("read", {})}
    if not arguments["na_values"]:
        del arguments["na_values"]
    texts = [*told.get("strip", {}), *told.get("replace", {}), *told.get("dates", {}), *told.get("bools", {})]
    if texts:
        arguments["dtype"] = {name: "str" for name in texts}
    frame = pd.read_csv(CORPUS / entry["file"], **arguments)
    if "index" in told:
        frame = frame.reset_index(names=told["index"])
    frame.columns = [f"f{name}" if isinstance(name, int) else name for name in frame.columns]
    return frame


def as_days(texts, form, told, name):
    errors = "coerce" if told.get("coerce") else "raise"
    if form == "utc":
        days = pd.to_datetime(texts, format="ISO8601", utc=True).dt.tz_localize(None)
    elif form == "quarter":
        days = pd.Series(pd.PeriodIndex(texts.str.replace(" ", ""), freq="Q").to_timestamp())
    else:
        days = pd.to_datetime(texts, format=form, errors=errors)
    if name in told.get("epoch", []):
        days = pd.Timestamp("1970-01-01") + (days - days.dt.normalize())
    return days


def pandas_values(frame, column, told):
    name = column["name"]
    cells = frame[name]
    if column["type"] == "date":
        days = as_days(cells, told["dates"][name], told, name)
        return [None if pd.isna(day) else day for day in days]
    if column["type"] == "boolean":
        false, true = told["bools"][name]
        return [None if pd.isna(cell) else {false: False, true: True}[cell] for cell in cells]
    if name in told.get("strip", {}):
        cells = cells.str.replace(told["strip"][name], "", regex=True)
    if name in told.get("replace", {}):
        cells = cells.str.replace(*told["replace"][name], regex=False)
    if name in told.get("comma", []):
        cells = cells.str.replace(",", ".", regex=False)
    if column["type"] == "numeric":
        return [None if np.isnan(x) else x for x in cells.astype(float)]
    return [None if pd.isna(cell) else str(cell) for cell in cells]


@pytest.mark.parametrize("name", EXPECTED)
def test_pandas_reads_the_same_values(name):
    entry = EXPECTED[name]
    told = entry["pandas"]
    frame = read(entry, told)
    for column in entry["columns"]:
        if column["name"] in told.get("skip", []):
            continue
        expected = column["values"]
        if column["type"] == "date":
            expected = [None if text is None else pd.Timestamp(text) for text in expected]
        assert pandas_values(frame, column, told) == expected, column["name"]


def test_the_report_of_a_file_has_types_reasons_and_remarks():
    report = slm.inspect(CORPUS / "missing-div0.csv", target="y")
    assert report["task"] == "regression"
    x = next(column for column in report["columns"] if column["name"] == "x")
    assert x["type"] == "numeric" and x["odd_cells"] == 1
    assert x["odd"][0]["text"] == "#DIV/0!" and x["odd"][0]["place"].endswith("line 6")
    assert any("#DIV/0!" in remark for remark in report["remarks"])


def test_options_of_reading_arrive_as_they_were_written():
    def types(file, **reading):
        return [column["type"] for column in slm.inspect(CORPUS / file, **reading)["columns"]]

    assert types("types-text.csv", types={"zip": "text"}) == ["text", "numeric"]
    assert types("types-text.csv", types=["zip=text"]) == ["text", "numeric"]
    report = slm.inspect(CORPUS / "date-format-flag.csv", date_format="when=%d/%m/%Y")
    assert report["columns"][0]["date_format"] == "%d/%m/%Y"
    with pytest.raises(TypeError, match="colour"):
        slm.inspect(CORPUS / "pipe.csv", colour="red")


def test_classes_are_named_as_in_the_file(tmp_path):
    rows = [f"{i * 37 % 101},{'Yes' if i * 37 % 101 > 50 else 'No'}" for i in range(80)]
    path = tmp_path / "data.csv"
    path.write_text("x,y\n" + "\n".join(rows) + "\n")
    chosen = slm.select(path, target="y", k=1, method="anova")
    assert chosen.model.classes == ["No", "Yes"]
