"""Golden files: named arrays as text, made by other implementations and read by the tests.

Each array is a line "name rows columns" and then its rows, numbers written so that reading gives the
same double again. tests/selectors/golden.h reads them.
"""

import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).parent / "golden"


def write(name, made_by, **arrays):
    """Writes golden/NAME.txt. `made_by` says which script and which versions the values come from."""
    with open(FOLDER / f"{name}.txt", "w") as out:
        out.write(f"# {made_by}\n")
        for key, array in arrays.items():
            array = np.atleast_2d(np.asarray(array, dtype=np.float64))
            out.write(f"{key} {array.shape[0]} {array.shape[1]}\n")
            for row in array:
                out.write(" ".join(f"{x:.17g}" for x in row) + "\n")


def single(x):
    """Rounded to float32, so that both sides start from the same numbers."""
    return np.asarray(x, dtype=np.float32).astype(np.float64)


def classification(rows=80, columns=10, classes=3, seed=0):
    """Standardised columns, the first three of which move with the class; y has every class."""
    random = np.random.default_rng(seed)
    y = np.arange(rows) % classes
    x = random.normal(size=(rows, columns))
    x[:, 0] += 1.5 * y
    x[:, 1] -= 1.0 * (y == 1)
    x[:, 2] += 0.7 * (y == classes - 1)
    x = (x - x.mean(0)) / x.std(0)
    return single(x), y


def regression(rows=80, columns=10, seed=0):
    """Standardised columns, the first three of which make up a standardised y."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(rows, columns))
    y = 2 * x[:, 0] - x[:, 1] + 0.5 * np.abs(x[:, 2]) + 0.5 * random.normal(size=rows)
    x = (x - x.mean(0)) / x.std(0)
    return single(x), single((y - y.mean()) / y.std())
