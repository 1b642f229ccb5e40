"""A data folder of random numbers in the formats of the publishers, for tests of the experiments: what
comes out says nothing of the methods."""

import csv
import gzip
import random
import struct

ROWS = 110


def _classes(rows, columns, classes, seed, share=0.15):
    """Rows of numbers with their class; a share of the columns has another mean in each class."""
    draw = random.Random(seed)
    means = [[draw.gauss(0, 1) for _ in range(max(3, int(share * columns)))] for _ in range(classes)]
    for i in range(rows):
        label = i % classes
        shift = means[label]
        yield [draw.gauss(shift[j] if j < len(shift) else 0, 1) for j in range(columns)], label


def _text(rows, separator, end=lambda label: [f"{label + 1}"]):
    return "".join(separator.join([f"{v:.3f}" for v in x] + end(label)) + "\n" for x, label in rows)


def _write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", 1) if path.suffix == ".gz" else open(path, "w") as file:
        file.write(text)


def _idx(path, shape, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wb", 1) as file:
        file.write(struct.pack(f">{len(shape) + 1}I", 0x800 + len(shape), *shape) + bytes(content))


def _mice(folder):
    header = ",".join(["MouseID", *(f"P{j}_N" for j in range(77)), "Genotype", "Treatment", "Behavior", "class"])
    rows = "".join(f"m_{i}," + ",".join(f"{v:.3f}" for v in x) + f",g,t,b,c{y}\n"
                   for i, (x, y) in enumerate(_classes(ROWS, 77, 4, 1)))
    _write(folder / "mice" / "Data_Cortex_Nuclear.csv.gz", header + "\n" + rows)


def _isolet(folder):
    for name in ("isolet1+2+3+4", "isolet5"):
        _write(folder / "isolet" / f"{name}.data.gz", _text(_classes(ROWS, 617, 4, 2), ", "))


def _activity(folder):
    for part in ("train", "test"):
        rows = list(_classes(ROWS, 561, 3, 3))
        _write(folder / "activity" / f"X_{part}.txt.gz", _text(rows, " ", lambda label: []))
        _write(folder / "activity" / f"y_{part}.txt", "".join(f"{label + 1}\n" for _, label in rows))


def _coil20(folder):
    _write(folder / "coil20" / "coil20_20x20.csv.gz", _text(_classes(ROWS, 400, 4, 4), ","))


def _images(name, seed):
    def make(folder):
        rows = list(_classes(ROWS, 784, 3, seed))
        pixels = [max(0, min(255, int(60 * v + 60))) for x, _ in rows for v in x]
        _idx(folder / name / "t10k-images-idx3-ubyte.gz", (ROWS, 28, 28), pixels)
        _idx(folder / name / "t10k-labels-idx1-ubyte.gz", (ROWS,), [label for _, label in rows])

    return make


def _ames(folder):
    """79 columns, some of them text with missing cells, as in the real file."""
    names = ["OverallQual", "FullBath", "GarageFinish", *(f"Column{j}" for j in range(76))]
    draw, lines = random.Random(6), []
    for i in range(2 * ROWS):
        cells = [draw.gauss(0, 1) for _ in names]
        finish = draw.choice(("Fin", "RFn", "NA"))
        price = 180000 + 50000 * cells[0] + 20000 * cells[1] + 10000 * (finish == "Fin") + draw.gauss(0, 5000)
        row = [f"{v:.2f}" for v in cells]
        row[2] = finish
        lines.append([i + 1, *row, int(price)])
    _table(folder / "ames" / "train.csv", [["Id", *names, "SalePrice"], *lines])


def _table(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def _fraud(folder):
    """Transactions, a third of them with an identity, cells with commas among them."""
    draw = random.Random(7)
    names = [f"V{j}" for j in range(110)]
    transactions = [["TransactionID", "isFraud", *names]]
    identities = [["TransactionID", "id_01", "DeviceInfo"]]
    for i in range(2 * ROWS):
        fraud = int(draw.random() < 0.15)
        transactions.append([3000 + i, fraud, *(f"{draw.gauss(fraud * (j < 8), 1):.2f}" for j in range(110))])
        if i % 3 == 0:
            identities.append([3000 + i, draw.randrange(9), draw.choice(("a phone, blue", "a desk"))])
    _table(folder / "ieee-fraud-detection" / "train_transaction.csv", transactions)
    _table(folder / "ieee-fraud-detection" / "train_identity.csv", identities)


def make(folder):
    """Makes the folder once."""
    if not (folder / "done").exists():
        images = (_images("mnist", 8), _images("fashion-mnist", 9))
        for write in (_mice, _isolet, _activity, _coil20, *images, _ames, _fraud):
            write(folder)
        (folder / "done").touch()
    return folder
