#!/usr/bin/env python3
"""Usage: check.py SLM MODEL DATA [TOLERANCE]

Exports the model to ONNX, runs it on the rows of the CSV file DATA by onnxruntime, and compares what
comes out with what `slm predict` says: classes must be the same, probabilities and values (relative to
their size, if above 1) within the tolerance, 1e-5 unless given. Prints the largest difference.
"""
import csv
import datetime
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import onnxruntime

EPOCH = datetime.datetime(1970, 1, 1)
MISSING = {"", "na", "nan", "null", "?"}


def number(cell):
    """A cell as the model's input wants it: booleans as 0 and 1, dates as days since 1970."""
    if cell.strip().lower() in MISSING:
        return np.nan
    if cell.lower() in ("true", "false"):
        return float(cell.lower() == "true")
    try:
        return float(cell)
    except ValueError:
        return (datetime.datetime.fromisoformat(cell) - EPOCH) / datetime.timedelta(days=1)


def text(cell):
    return "" if cell.strip().lower() in MISSING else cell


def main():
    slm, model, data = sys.argv[1:4]
    tolerance = float(sys.argv[4]) if len(sys.argv) > 4 else 1e-5
    with open(data, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "model.onnx")
        subprocess.run([slm, "export", model, "--onnx", path], check=True)
        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    inputs = {}
    for column in session.get_inputs():
        cells = [row[column.name] for row in rows]
        if column.type == "tensor(string)":
            values = np.array([text(cell) for cell in cells], dtype=object)
        else:
            values = np.array([number(cell) for cell in cells], dtype=np.float64)
        inputs[column.name] = values.reshape(-1, 1)
    names = [output.name for output in session.get_outputs()]
    outputs = dict(zip(names, session.run(names, inputs)))

    inspected = json.loads(subprocess.run([slm, "inspect", model, "--json"], check=True,
                                          stdout=subprocess.PIPE).stdout)
    command = [slm, "predict", model, data, "--json", "--quiet"]
    if inspected["task"] == "classification":
        command.append("--probabilities")
    expected = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    if len(rows) != expected["rows"] or len(rows) == 0:
        sys.exit(f"{len(rows)} rows were read, and {expected['rows']} predicted")
    columns = set(inputs)

    def output(name):
        while name in columns:  # taken by a column
            name += "_"
        return outputs[name]

    if expected["task"] == "classification":
        theirs, ours = output("probabilities"), np.array(expected["probabilities"])
        labels = [str(label) for label in output("label")]
        wrong = sum(a != b for a, b in zip(labels, expected["predictions"]))
        # Two classes may be as probable as each other to the last digits.
        near = np.sort(ours, axis=1)
        ties = int(np.sum(near[:, -1] - near[:, -2] < tolerance))
        if wrong > ties:
            sys.exit(f"{wrong} of {len(rows)} classes differ")
    else:
        theirs, ours = output("value")[:, 0], np.array(expected["predictions"])
    if theirs.shape != ours.shape:
        sys.exit(f"the shapes differ: {theirs.shape} and {ours.shape}")
    difference = float(np.max(np.abs(theirs - ours) / np.maximum(1, np.abs(ours))))
    print(f"{len(rows)} rows, {len(inputs)} columns: largest difference {difference:.2g}")
    if not difference <= tolerance:
        sys.exit(f"that is more than {tolerance}")


if __name__ == "__main__":
    main()
