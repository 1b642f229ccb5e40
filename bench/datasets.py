"""The real data sets of the benchmarks as CSV files that `slm` reads.

The sources are not part of the project: they lie in a folder named by --data-dir or SLM_DATA_DIR, one
folder each (mice, isolet, activity, coil20, mnist, fashion-mnist, ames, ieee-fraud-detection, kdd99), as
their publishers ship them. Each becomes a CSV with a header and the target in the column `target`; sets
with a split of their own become two files. Converted files are kept and reused.
"""

import csv
import gzip
import os
import pathlib
import statistics
import struct


def _rows(path, separator=None):
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt") as file:
        for line in file:
            cells = [cell.strip() for cell in line.split(separator)]
            if any(cells):
                yield cells


def _write(path, rows, columns):
    names = [f"f{j}" for j in range(columns)] + ["target"]
    with open(path, "w") as file:
        file.write(",".join(names) + "\n")
        for row in rows:
            file.write(",".join(row) + "\n")


def _idx(path):
    with gzip.open(path, "rb") as file:
        data = file.read()
    dimensions = data[3]
    shape = struct.unpack(f">{dimensions}I", data[4 : 4 + 4 * dimensions])
    return shape, data[4 + 4 * dimensions :]


def _images(folder, part):
    (count, height, width), pixels = _idx(folder / f"{part}-images-idx3-ubyte.gz")
    _, labels = _idx(folder / f"{part}-labels-idx1-ubyte.gz")
    size = height * width
    for i in range(count):
        yield [str(p) for p in pixels[i * size : (i + 1) * size]] + [f"c{labels[i]}"]


def _isolet(source, out):
    for name, part in (("isolet1+2+3+4", "data"), ("isolet5", "test")):
        rows = (r[:-1] + ["c" + r[-1]] for r in _rows(source / f"{name}.data.gz", ","))
        _write(out / f"{part}.csv", rows, 617)


def _activity(source, out):
    for name, part in (("train", "data"), ("test", "test")):
        labels = (r[0] for r in _rows(source / f"y_{name}.txt"))
        rows = (x + ["c" + y] for x, y in zip(_rows(source / f"X_{name}.txt.gz"), labels))
        _write(out / f"{part}.csv", rows, 561)


def _mice(source, out):
    rows = list(_rows(source / "Data_Cortex_Nuclear.csv.gz", ","))[1:]
    # The identifier and the three columns that determine the class are no inputs.
    _write(out / "data.csv", (r[1:78] + [r[81]] for r in rows), 77)


def _coil20(source, out):
    rows = (r[:-1] + ["c" + r[-1]] for r in _rows(source / "coil20_20x20.csv.gz", ",") if r[-1][0].isdigit())
    _write(out / "data.csv", rows, 400)


def _ten_thousand(source, out):
    _write(out / "data.csv", _images(source, "t10k"), 784)


def _table(path):
    """A CSV file with a header, its cells as they are; quotes and commas inside them are kept."""
    with open(path, newline="") as file:
        yield from csv.reader(file)


def _write_table(path, header, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*header, "target"])
        writer.writerows(rows)


def _ames(source, out):
    """The price in standard deviations, as the paper measures it; the identifier is not a feature."""
    header, *rows = _table(source / "train.csv")
    prices = [float(row[-1]) for row in rows]
    mean, deviation = statistics.fmean(prices), statistics.pstdev(prices)
    standardised = (f"{(price - mean) / deviation:.9g}" for price in prices)
    _write_table(out / "data.csv", header[1:-1], (row[1:-1] + [y] for row, y in zip(rows, standardised)))


def _fraud(transactions, identity=None):
    """Transactions, with what is known of the buyer joined on the TransactionID, which is not a feature."""

    def convert(source, out):
        names, known = [], {}
        if identity is not None:
            table = _table(source / identity)
            names = next(table)[1:]
            known = {row[0]: row[1:] for row in table}
        unknown = [""] * len(names)
        table = _table(source / transactions)
        header = next(table)
        if header[:2] != ["TransactionID", "isFraud"]:
            raise SystemExit(f"{source / transactions} does not begin with TransactionID,isFraud")
        joined = (row[2:] + known.get(row[0], unknown) + ["yes" if row[1] == "1" else "no"] for row in table)
        _write_table(out / "data.csv", header[2:] + names, joined)

    return convert


def _kdd99(source, out):
    """Attack or not; the publisher's test rows have attacks that the training rows have not."""
    for name, part in (("kddcup.data_10_percent", "data"), ("corrected", "test")):
        rows = (r[:-1] + ["normal" if r[-1] == "normal." else "attack"] for r in _rows(source / f"{name}.gz", ","))
        _write(out / f"{part}.csv", rows, 41)


CONVERTERS = {  # name: folder, converter
    "isolet": ("isolet", _isolet),
    "activity": ("activity", _activity),
    "mice": ("mice", _mice),
    "coil20": ("coil20", _coil20),
    "mnist": ("mnist", _ten_thousand),
    "fashion-mnist": ("fashion-mnist", _ten_thousand),
    "ames": ("ames", _ames),
    "fraud": ("ieee-fraud-detection", _fraud("train_transaction.csv", "train_identity.csv")),
    "fraud-1500": ("ieee-fraud-sample", _fraud("train_transaction_1500x394.csv", "train_identity_348x41.csv")),
    "fraud-18000": ("ieee-fraud-sample", _fraud("train_transaction_18000x55.csv")),
    "kdd99": ("kdd99", _kdd99),
}


def data_dir(argument=None):
    """The folder of the sources, or None if the user has not named one."""
    name = argument or os.environ.get("SLM_DATA_DIR")
    return pathlib.Path(name) if name else None


def available(name, source_dir):
    return (pathlib.Path(source_dir) / CONVERTERS[name][0]).is_dir()


def prepare(name, source_dir, cache_dir):
    """Arguments of `slm select` for a set: the data file and, if it has a split of its own, --test."""
    out = pathlib.Path(cache_dir) / name
    if not (out / "done").exists():
        folder, convert = CONVERTERS[name]
        out.mkdir(parents=True, exist_ok=True)
        try:
            convert(source_dir / folder, out)
        except FileNotFoundError as error:
            raise SystemExit(f"the set {name} needs the file {error.filename}") from None
        (out / "done").touch()
    arguments = [str(out / "data.csv"), "--target", "target"]
    if (out / "test.csv").exists():
        arguments += ["--test", str(out / "test.csv")]
    return arguments
