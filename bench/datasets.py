"""The real data sets of the benchmarks as CSV files that `slm` reads.

The sources are not part of the project: they lie in a folder named by --data-dir or SLM_DATA_DIR, one
folder each (mice, isolet, activity, coil20, mnist, fashion-mnist, ames), as their publishers ship them.
Each becomes a CSV with a header and the target in the column `target`; sets with a split of their own
become two files. Converted files are kept and reused.
"""

import gzip
import os
import pathlib
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


CONVERTERS = {
    "isolet": _isolet,
    "activity": _activity,
    "mice": _mice,
    "coil20": _coil20,
    "mnist": _ten_thousand,
    "fashion-mnist": _ten_thousand,
}


def data_dir(argument=None):
    """The folder of the sources, or None if the user has not named one."""
    name = argument or os.environ.get("SLM_DATA_DIR")
    return pathlib.Path(name) if name else None


def prepare(name, source_dir, cache_dir):
    """Arguments of `slm select` for a set: the data file and, if it has a split of its own, --test."""
    out = pathlib.Path(cache_dir) / name
    if not (out / "done").exists():
        out.mkdir(parents=True, exist_ok=True)
        CONVERTERS[name](source_dir / name, out)
        (out / "done").touch()
    arguments = [str(out / "data.csv"), "--target", "target"]
    if (out / "test.csv").exists():
        arguments += ["--test", str(out / "test.csv")]
    return arguments
