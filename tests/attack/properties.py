#!/usr/bin/env python3
"""Usage: properties.py SLM [--long] [--seed N] [--only WORD]

Holds every method and command to three promises, from outside, by the command SLM:

leakage   Changing features or labels of test rows leaves encoders, masks, selections and all that is
          measured on other rows the same to the last bit. Changing those of validation rows leaves the
          encoders the same, and the selection too, except for methods that choose by these rows.
exactly   Exactly k distinct columns, kept ones among them and dropped ones not, on a table with ties,
          copies, constants, a column without cells and groups.
order     Renaming columns changes nothing. Another order of columns or rows changes nothing either,
          except for methods that draw by the seed, where the place of a column decides what is drawn.

Prints the number of cases and every one that fails; exits 1 if any does. The long form tries every k
instead of three, both kinds of targets instead of one, and more changes.
"""

import argparse
import concurrent.futures
import copy
import itertools
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

# Options that make a method quick, where it has them; what is promised does not depend on them.
QUICK = {
    "steps": 60,
    "hidden_units": 8,
    "path_epochs": 5,
    "starts": 1,
    "filter_starts": 1,
    "cross_fit": "never",
    "refits": 1,
    "final_predictors": 1,
    "final_units": 8,
    "final_steps": 20,
    "trees": 10,
    "rounds": 5,
}
# Validation rows choose between runs, epochs, penalties or numbers of trees; see docs/decisions.md.
CHOOSE_BY_VALIDATION = {
    "auto", "concrete-ae", "fsnet", "group-lasso-nn", "lassonet", "seq-attention", "slm", "slm-hsic",
    "softmax-topk", "sparsemax-free", "stg", "xgboost",
}  # fmt: skip
# It compares training rows with test rows to find features that drift, without their labels.
READ_TEST_FEATURES = {"adversarial"}
# The starts of its k-means are drawn by the seed; another one often, but not always, ends in the same
# clusters.
ORDER_COUNTS = {"pfa"}
# XGBoost takes the first of several columns whose splits gain exactly the same, which is common where a node has few
# rows; see docs/decisions.md.
COLUMN_ORDER_COUNTS = {"xgboost"}
# It deals rows to folds in their order.
ROW_ORDER_COUNTS = {"sfs"}
CLASSES_ONLY = "does not support regression"
COMMANDS = {
    "compare": ["-k", "3", "--seeds", "1", "--refits", "1", "--methods", "anova,mi,rf,lasso"],
    "tune": ["-k", "3", "--trials", "3", "--judges", "1", "--steps", "40"],
    "path": ["--method", "anova", "--k-list", "1,3", "--folds", "2"],
    "stability": ["-k", "3", "--methods", "anova,mi", "--resamples", "3"],
    "select": ["-k", "auto", "--method", "anova", "--folds", "2"],
}
# What is measured on held-out rows, test rows among them, and what is said about them. Importance is
# such a measure: it ranks what was chosen, and chooses nothing.
OF_TEST_ROWS = re.compile(
    "test|status|importance|rank|agreement|overlap|seconds|warnings|remarks|peak|version|evidence|interval"
)


class Failure(Exception):
    pass


class Slm:
    def __init__(self, program, folder):
        self.program, self.folder, self.options = program, folder, {}
        for method in json.loads(self.run("methods", "--json"))["methods"]:
            known = {option["name"] for option in method["options"]}
            self.options[method["name"]] = {name: value for name, value in QUICK.items() if name in known}

    def run(self, *words):
        done = subprocess.run([self.program, *words], capture_output=True, cwd=self.folder)
        if done.returncode != 0:
            raise Failure(f"exit {done.returncode}: {' '.join(words)}: {done.stderr.decode(errors='replace')[:300]}")
        return done.stdout

    def quick(self, method):
        words = ["--method", method]
        for name, value in self.options[method].items():
            words += ["--" + name.replace("_", "-"), str(value)]
        return words

    def select(self, tables, method, k, *words, model=None):
        flags = [*self.quick(method), "-k", str(k), "--threads", "1", "--json", "--quiet", *words]
        if model:
            flags += ["--model", model]
        return json.loads(self.run("select", *tables.words(), "--target", "y", *flags))


class Tables:
    """Training, validation and test rows, each a list of cells beside the names of the columns."""

    numbers = itertools.count()

    def __init__(self, folder, names, parts):
        self.folder, self.names, self.parts = folder, list(names), copy.deepcopy(parts)

    def changed(self, change):
        other = Tables(self.folder, self.names, self.parts)
        change(other)
        return other

    def words(self):
        number, paths = next(Tables.numbers), []
        for part in ("train", "valid", "test"):
            path = self.folder / f"{part}{number}.csv"
            lines = [self.names, *self.parts[part]]
            path.write_text("".join(",".join(cells) + "\n" for cells in lines))
            paths.append(str(path))
        return [paths[0], "--valid", paths[1], "--test", paths[2]]


def make_tables(folder, classes, seed):
    """Columns of every type without ties, of which the first three say something about y."""
    draw = random.Random(seed)
    names = ["a", "b", "c", "d", "e", "text", "date", "holes", "y"]

    def row():
        x = [draw.gauss(0, 1) for _ in range(5)]
        signal = x[0] - 0.8 * x[1] + 0.5 * x[2] + draw.gauss(0, 0.3)
        text = draw.choice("rst") if draw.random() < 0.5 else "rt"[signal > 0]
        date = f"20{draw.randrange(10, 24)}-{draw.randrange(1, 13):02}-{draw.randrange(1, 28):02}"
        holes = "" if draw.random() < 0.2 else f"{signal + draw.gauss(0, 2):.6f}"
        return [f"{v:.6f}" for v in x] + [text, date, holes, "yn"[signal > 0] if classes else f"{signal:.6f}"]

    parts = {part: [row() for _ in range(rows)] for part, rows in (("train", 80), ("valid", 40), ("test", 40))}
    return Tables(folder, names, parts)


def shuffled_features(part, draw):
    def change(tables):
        rows = tables.parts[part]
        for j in range(len(tables.names) - 1):
            cells = [row[j] for row in rows]
            draw.shuffle(cells)
            for row, cell in zip(rows, cells, strict=True):
                row[j] = cell

    return change


def far_features(part, draw):
    def change(tables):
        for row in tables.parts[part]:
            for j, name in enumerate(tables.names):
                if name in "abcde":
                    row[j] = f"{float(row[j] or 0) * 1000 + draw.gauss(0, 1e4):.3f}"
            row[tables.names.index("text")] = draw.choice(["unseen", "r", ""])

    return change


def no_features(part, draw):
    def change(tables):
        for row in tables.parts[part]:
            row[:-1] = [""] * (len(row) - 1)

    return change


def other_labels(part, draw):
    def change(tables):
        labels = [row[-1] for row in tables.parts[part]]
        draw.shuffle(labels)
        for row, label in zip(tables.parts[part], labels, strict=True):
            row[-1] = label

    return change


def without_test_rows(value):
    if isinstance(value, dict):
        kept = {key: without_test_rows(part) for key, part in value.items() if not OF_TEST_ROWS.search(key)}
        # These stand in the order of what was measured.
        for key, order in ("selected", "index"), ("results", "method"):
            if key in kept:
                kept[key].sort(key=lambda part: part[order])  # noqa: B023
        return kept
    return [without_test_rows(part) for part in value] if isinstance(value, list) else value


def model_of(path):
    """What a model says of its features by name, and the bytes of its mask and layers."""
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    description = json.loads(json.loads(data[8 : 8 + size])["__metadata__"]["slm"])
    features = {feature["name"]: feature for feature in description["features"]}
    for feature in features.values():
        del feature["rank"]
    return {"target": description["target"], "features": features}, data[8 + size :]


def expect(condition, what):
    if not condition:
        raise Failure(what)


def check_leakage(slm, tables, method, changes, name):
    """A case for each change; gives back how many."""
    def run(these, tag):
        path = slm.folder / f"{name}-{tag}.slm"
        result = slm.select(these, method, 3, "--seed", "1", model=str(path))
        return without_test_rows(result), model_of(path) if path.exists() else ({"features": {}}, b"")

    result, (encoders, layers) = run(tables, "plain")
    for tag, part, change in changes:
        if part == "test" and tag != "labels" and method in READ_TEST_FEATURES:
            continue
        other, (other_encoders, other_layers) = run(tables.changed(change), f"{part}-{tag}")
        where = f"{method}: {tag} of {part} rows"
        common = encoders["features"].keys() & other_encoders["features"].keys()
        expect(
            all(encoders["features"][key] == other_encoders["features"][key] for key in common),
            f"{where} change an encoder",
        )
        if part == "test":
            expect(other == result, f"{where} change the result")
            expect((other_encoders, other_layers) == (encoders, layers), f"{where} change the model")
        elif method not in CHOOSE_BY_VALIDATION:
            names = [[f["name"] for f in one["selected"]] for one in (result, other)]
            weights = [{f["name"]: f["weight"] for f in one["selected"]} for one in (result, other)]
            expect(sorted(names[0]) == sorted(names[1]) and weights[0] == weights[1], f"{where} change the selection")
    return len(changes)


def check_commands(slm, tables, command, changes):
    words = COMMANDS[command]

    def run(these):
        flags = [*words, "--target", "y", "--threads", "1", "--json", "--quiet", "--seed", "1"]
        return without_test_rows(json.loads(slm.run(command, *these.words(), *flags)))

    plain = run(tables)
    for tag, _, change in changes:
        other = run(tables.changed(change))
        expect(other == plain, f"slm {command}: {tag} of test rows change what is not measured on them")
    return len(changes)


def awkward_tables(folder, classes, seed):
    """Ties, copies, constants, a column without cells, and three columns that make one group."""
    tables = make_tables(folder, classes, seed)
    at = tables.names.index("y")
    extra = ["copy", "again", "tied", "two", "constant", "empty", "g_1", "g_2", "g_3"]
    tables.names[at:at] = extra
    for part in tables.parts.values():
        for row in part:
            a = row[0]
            cells = [a, row[1], str(round(float(a))), "01"[float(a) > 0], "7", "", row[2], row[3], row[4]]
            row[at:at] = cells
    return tables


# Of awkward_tables, what can be chosen: neither copies nor what is constant, empty or dropped.
AWKWARD = ["a", "b", "c", "d", "text", "date", "holes", "tied", "two", "g"]


def check_exactly(slm, tables, method, ks):
    flags = ["--groups", "g=g_1,g_2,g_3", "--keep", "tied", "--drop", "e", "--leaks", "ignore", "--ignore", "none"]
    for k in ks:
        result = slm.select(tables, method, k, *flags)
        names = [feature["name"] for feature in result["selected"]]
        expect(len(names) == k == len(set(names)), f"{method}: {names} for k = {k}")
        expect("tied" in names, f"{method}, k = {k}: what is kept is missing from {names}")
        expect(set(names) <= set(AWKWARD), f"{method}, k = {k}: {names} cannot all be chosen")
    return len(ks)


def weights_of(result, plain_name=lambda name: name):
    return {plain_name(feature["name"]): feature["weight"] for feature in result["selected"]}


def check_order(slm, tables, method, draw):
    def run(these, *words):
        # Without the date: it has so many parts that what it leaves to say of so few labels is nothing, by
        # whatever column, and between equals the first one is taken.
        return slm.select(these, method, 4, "--seed", "1", "--ignore", "none", "--drop", "date", *words)

    def rename(these):
        these.names = [name if name in ("y", "date") else f"{name} renamed" for name in these.names]

    def permute_columns(these):
        order = list(range(len(these.names) - 1))
        draw.shuffle(order)
        order.append(len(these.names) - 1)
        these.names = [these.names[j] for j in order]
        for part in these.parts:
            these.parts[part] = [[row[j] for j in order] for row in these.parts[part]]

    def permute_rows(these):
        for rows in these.parts.values():
            draw.shuffle(rows)

    plain = run(tables)
    renamed = run(tables.changed(rename))
    expect(
        weights_of(plain) == weights_of(renamed, lambda name: name.removesuffix(" renamed")),
        f"{method}: other names change the selection",
    )
    if weights_of(run(tables, "--seed", "2")) != weights_of(plain) or method in ORDER_COUNTS:
        return 1, method
    changes = {"columns": permute_columns, "rows": permute_rows}
    if method in COLUMN_ORDER_COUNTS:
        del changes["columns"]
    if method in ROW_ORDER_COUNTS:
        del changes["rows"]
    for what, change in changes.items():
        other = run(tables.changed(change))
        expect(
            weights_of(other).keys() == weights_of(plain).keys(),
            f"{method}: another order of {what} changes {sorted(weights_of(plain))} to {sorted(weights_of(other))}",
        )
    return 1 + len(changes), None


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("slm")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="of the names of cases, those that hold this word")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return run_all(given, pathlib.Path(folder))


def run_all(given, folder):
    slm = Slm(str(pathlib.Path(given.slm).resolve()), folder)
    tasks = []
    for classes in (True, False) if given.long else (True,):
        kind = "classes" if classes else "values"
        tables = make_tables(folder, classes, given.seed)
        awkward = awkward_tables(folder, classes, given.seed)
        parts = [(tag, part, make(part, random.Random(given.seed)))
                 for part in ("test", "valid")
                 for tag, make in (("features", far_features), ("labels", other_labels),
                                   ("order of features", shuffled_features), ("absence of features", no_features))
                 if given.long or tag in ("features", "labels")]  # fmt: skip
        of_test = [change for change in parts if change[1] == "test"]
        ks = range(1, len(AWKWARD) + 1) if given.long else (1, len(AWKWARD) // 2, len(AWKWARD))
        for method in slm.options:
            tasks += [
                (f"leakage {kind} {method}", check_leakage, tables, method, parts, f"{kind}-{method}"),
                (f"exactly {kind} {method}", check_exactly, awkward, method, ks),
                (f"order {kind} {method}", check_order, tables, method, random.Random(given.seed)),
            ]
        tasks += [(f"leakage {kind} slm {name}", check_commands, tables, name, of_test) for name in COMMANDS]
    tasks = [task for task in tasks if given.only in task[0]]
    cases, failures, seeded, refused = {}, [], set(), set()

    def work(task):
        try:
            return task[1](slm, *task[2:])
        except Failure as failure:
            return failure

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for task, outcome in zip(tasks, pool.map(work, tasks), strict=True):
            kind = task[0].split()[0]
            if isinstance(outcome, Failure):
                if CLASSES_ONLY in str(outcome):
                    refused.add(task[0].split()[-1])
                elif "libxgboost" in str(outcome):
                    print(f"left out: {task[0]}: there is no libxgboost")
                else:
                    failures.append(f"{task[0]}: {outcome}")
                continue
            if isinstance(outcome, tuple):
                outcome, drawn = outcome
                seeded |= {drawn} - {None}
            cases[kind] = cases.get(kind, 0) + outcome
    for failure in failures:
        print(f"FAILED: {failure}")
    counts = ", ".join(f"{count} of {kind}" for kind, count in cases.items())
    print(f"{sum(cases.values())} cases ({counts}), {len(failures)} failed, seed {given.seed}")
    if seeded:
        print(f"draw by the seed, so the order of columns and rows counts: {', '.join(sorted(seeded))}")
    if refused:
        print(f"for classes alone: {', '.join(sorted(refused))}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
