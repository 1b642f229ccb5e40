#!/usr/bin/env python3
"""Values of the PyTorch layer slm.torch.SparseMask in double, which the engine has to give as well.

    tests/reference/sparse_mask.py        (needs a Python with torch and numpy)

Writes golden/sparse_mask.txt. Masks: argument v, count F and gradient of the weights, to weights and gradient of
the argument, for both scales and both gradients. Objectives: a batch to the loss and its gradients.
"""

import importlib.util
import pathlib

import golden
import numpy as np
import torch

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "python" / "slm" / "torch.py"
_spec = importlib.util.spec_from_file_location("sparse_mask_layer", SOURCE)
layer = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(layer)

SCALES, GRADIENTS = ("left_end", "nearest_one"), ("fixed_scale", "through_scale")
FEATURES = 9


def arguments():
    random = np.random.default_rng(3)
    return {
        "spread": random.normal(0, 1, FEATURES),
        "narrow": 1 + random.normal(0, 0.02, FEATURES),
        "wide": random.normal(0, 50, FEATURES),
        "ties": np.array([1, 2, 2, 2, 0.5, 3, 2, 0.5, 1]),
        "equal": np.full(FEATURES, 0.7),
    }


def make_mask(v, count, **options):
    mask = layer.SparseMask(len(v), count, schedule="none", **options).double()
    with torch.no_grad():
        mask.argument.copy_(torch.tensor(golden.single(v)))
    return mask


def mask_arrays():
    random = np.random.default_rng(4)
    arrays = {"dp": golden.single(random.normal(size=FEATURES))}
    for name, v in arguments().items():
        arrays[f"v_{name}"] = golden.single(v)
        for scale in SCALES:
            for gradient in GRADIENTS:
                weights, slopes = [], []
                for count in range(1, FEATURES + 1):
                    mask = make_mask(v, count, mask_scale=scale, mask_gradient=gradient)
                    p = mask.weights()
                    p.backward(torch.tensor(arrays["dp"], dtype=torch.float64))
                    weights.append(p.detach().numpy())
                    slopes.append(mask.argument.grad.numpy())
                arrays[f"p_{name}_{scale}_{gradient}"] = weights
                arrays[f"dv_{name}_{scale}_{gradient}"] = slopes
    return arrays


def objective_arrays():
    """A batch of 24 rows: columns of few values, half zero, and continuous."""
    random = np.random.default_rng(5)
    rows, classes, count = 24, 3, 4
    x = random.normal(size=(rows, 6))
    x[:, 0] = random.integers(0, 2, rows)
    x[:, 1] = random.integers(0, 5, rows)
    x[:, 2] = np.maximum(x[:, 2], 0)
    x = golden.single(x)
    v = golden.single(1 + random.normal(0, 0.3, 6))
    labels = {"classes": np.arange(rows) % classes, "values": golden.single(random.normal(size=rows))}
    arrays = {"x": x, "v": v, "count": [count], "weight": golden.single(random.uniform(0.5, 2, rows))}
    for task, y in labels.items():
        outputs = classes if task == "classes" else 1
        scores = golden.single(random.normal(size=(rows, outputs)))
        arrays.update({f"y_{task}": y, f"scores_{task}": scores})
        for objective in ("mi", "hsic"):
            mask = make_mask(v, count, objective=objective, alpha=0.7, rcs_weight=1.5)
            output = torch.tensor(scores, dtype=torch.float64, requires_grad=True)
            target = torch.tensor(y) if task == "classes" else torch.tensor(y, dtype=torch.float64)
            loss = mask.loss(output, target, torch.tensor(x, dtype=torch.float64),
                             torch.tensor(arrays["weight"], dtype=torch.float64))
            loss.backward()
            arrays[f"loss_{task}_{objective}"] = [float(loss)]
            arrays[f"dv_{task}_{objective}"] = mask.argument.grad.numpy()
            if objective == "mi":
                arrays[f"dscores_{task}"] = output.grad.numpy()
    return arrays


if __name__ == "__main__":
    golden.write("sparse_mask", f"tests/reference/sparse_mask.py, PyTorch {torch.__version__}", **mask_arrays(),
                 **objective_arrays())
