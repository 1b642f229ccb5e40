"""Files that other programs write are the tables that pandas reads from them."""

import datetime
import json
import subprocess
import zipfile

import numpy as np
import openpyxl
import pandas as pd
import pytest
from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900


def selection(command, path, *flags):
    """What `slm select` finds, to the last bit, and how it reads the columns."""
    request = ["select", str(path), "--target", "y", "-k", "4", "--method", "lasso", "--json", "--quiet"]
    out = subprocess.run([command, *request, *flags], check=True, stdout=subprocess.PIPE).stdout
    found = json.loads(out)
    return [found[key] for key in ("task", "selected", "metrics")] + [found["data"]["rows"]]


def frame():
    rng = np.random.default_rng(5)
    n = 160
    number = rng.normal(size=n)
    when = pd.Timestamp("1999-12-30 23:59:58") + pd.to_timedelta(rng.integers(0, 10**8, n), "s")
    return pd.DataFrame(
        {
            "number": np.where(np.arange(n) % 7 == 0, np.nan, number),
            "whole": rng.integers(-5, 10**9, n),
            "text": rng.choice(["a, b", 'say "x"', "déjà", "<&>"], n),
            "flag": rng.random(n) < 0.5,
            "day": when.normalize(),
            "when": when,
            "time": [datetime.time(int(h), int(m)) for h, m in zip(rng.integers(0, 24, n), rng.integers(0, 60, n))],
            "empty": [None] * n,
            "y": number + (when.hour > 12) + rng.normal(size=n) / 9,
        }
    )


@pytest.mark.parametrize("epoch", [CALENDAR_WINDOWS_1900, CALENDAR_MAC_1904])
def test_a_workbook_is_what_pandas_reads(tmp_path, command, epoch):
    book = openpyxl.Workbook()
    book.epoch = epoch
    sheet = book.active
    table = frame()
    sheet.append(list(table.columns))
    for row in table.itertuples(index=False):
        sheet.append([None if pd.isna(cell) else cell for cell in row])
    sheet["A5"] = "#DIV/0!"
    for row in range(2, sheet.max_row + 1):
        sheet.cell(row, 2).number_format = '#,##0.00 "days";[Red]-0'
        sheet.cell(row, 5).number_format = "d. mmmm yyyy"
    other = book.create_sheet("other")
    other.append(["y"])
    book.save(tmp_path / "book.xlsx")
    read = pd.read_excel(tmp_path / "book.xlsx")
    assert read["when"].equals(table["when"].astype(read["when"].dtype)) or epoch == CALENDAR_MAC_1904
    read.to_csv(tmp_path / "book.csv", index=False)
    found = selection(command, tmp_path / "book.xlsx")
    assert found == selection(command, tmp_path / "book.csv")
    assert found == selection(command, tmp_path / "book.xlsx", "--sheet", "Sheet")
    assert "when" in [column["name"] for column in found[1]]


@pytest.mark.parametrize("rows", ["objects", "arrays"])
def test_a_json_array_is_its_csv(tmp_path, command, rows):
    table = frame().drop(columns=["time", "empty"])
    table["day"] = table["day"].dt.strftime("%Y-%m-%d")
    table["when"] = table["when"].dt.strftime("%Y-%m-%d %H:%M:%S")
    table.to_csv(tmp_path / "table.csv", index=False)
    names = list(table.columns)
    cells = [[None if pd.isna(cell) else cell for cell in row] for row in table.astype(object).values.tolist()]
    content = [names, *cells] if rows == "arrays" else [dict(zip(names, row)) for row in cells]
    (tmp_path / "table.json").write_text(json.dumps(content))
    assert selection(command, tmp_path / "table.json") == selection(command, tmp_path / "table.csv")


def test_a_json_array_of_pandas_is_read(tmp_path, command):
    table = frame().drop(columns=["time", "empty"])
    table.to_json(tmp_path / "table.json", orient="records", date_format="iso")
    assert selection(command, tmp_path / "table.json")[3] == len(table)


def test_an_archive_is_the_file_inside(tmp_path, command):
    table = frame()
    table.to_csv(tmp_path / "table.csv", index=False)
    with zipfile.ZipFile(tmp_path / "table.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(tmp_path / "table.csv", "table.csv")
    assert selection(command, tmp_path / "table.zip") == selection(command, tmp_path / "table.csv")
    table.to_csv(tmp_path / "pandas.zip", index=False)
    assert selection(command, tmp_path / "pandas.zip") == selection(command, tmp_path / "table.csv")
