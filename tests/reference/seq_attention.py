"""Golden values for tests/selectors/seq_attention_test.cc.

An independent form of Sequential Attention in PyTorch, written from the paper (Yasuda et al., ICLR
2023, Algorithm 1 and section 2.1): gradients come from autograd and the optimiser is torch.optim.Adam.
The authors' package needs TensorFlow and cannot be installed beside the rest.

    python3 tests/reference/seq_attention.py

Made with PyTorch 1.13.0 and NumPy 1.24.2 (Debian 12).
"""

import numpy as np
import torch

import golden

torch.set_default_dtype(torch.float64)


def weights_of(logits, taken):
    open_logits = logits.masked_fill(taken, -torch.inf)
    return torch.where(taken, torch.ones_like(logits), torch.softmax(open_logits, 0))


def one_gradient():
    random = np.random.default_rng(1)
    logits = torch.tensor(golden.single(random.normal(size=7)), requires_grad=True)
    taken = torch.tensor([False, True, False, False, True, False, False])
    d_weights = torch.tensor(golden.single(random.normal(size=7)))
    weights = weights_of(logits, taken)
    (weights * d_weights).sum().backward()
    return {
        "logits": logits.detach().numpy(),
        "taken": taken.numpy(),
        "d_weights": d_weights.numpy(),
        "weights": weights.detach().numpy(),
        "d_logits": logits.grad.numpy(),
    }


def whole_run(steps=120, warm_up=12, k=4, hidden=5, rate=0.01):
    x, y = golden.classification(rows=60, columns=9, seed=3)
    random = np.random.default_rng(2)
    start = {
        "w1": golden.single(0.5 * random.normal(size=(9, hidden))),
        "b1": golden.single(0.1 * random.normal(size=(1, hidden))),
        "w2": golden.single(0.5 * random.normal(size=(hidden, 3))),
        "b2": golden.single(0.1 * random.normal(size=(1, 3))),
    }
    p = {name: torch.tensor(value, requires_grad=True) for name, value in start.items()}
    # Columns 7 and 8 are the parts of one feature.
    feature_of = torch.tensor([0, 1, 2, 3, 4, 5, 6, 7, 7])
    logits = torch.zeros(8, requires_grad=True)
    taken = torch.zeros(8, dtype=torch.bool)
    optimiser = torch.optim.Adam([*p.values(), logits], lr=rate)
    inputs, labels = torch.tensor(x), torch.tensor(y)
    order, scores = [], np.zeros(8)
    boundaries = [warm_up + (steps - warm_up) * (i + 1) // k for i in range(k)]
    for step in range(steps):
        optimiser.zero_grad()
        weights = weights_of(logits, taken) if step >= warm_up else torch.ones(8) + 0 * logits
        hidden_units = torch.relu((inputs * weights[feature_of]) @ p["w1"] + p["b1"])
        out = hidden_units @ p["w2"] + p["b2"]
        torch.nn.functional.cross_entropy(out, labels).backward()
        optimiser.step()
        if step + 1 in boundaries:
            now = weights_of(logits, taken).detach().numpy()
            left = int((~taken).sum())
            best = int(logits.detach().masked_fill(taken, -torch.inf).argmax())
            scores[best] = left * now[best]
            taken = taken.clone()
            taken[best] = True
            order.append(best)
            if len(order) < k:
                with torch.no_grad():
                    logits.zero_()
            else:
                rest = weights_of(logits, taken).detach().numpy()
    for j in range(8):
        if not taken[j]:
            scores[j] = int((~taken).sum()) * rest[j]
    return {"x": x, "y": y, **start, "order": order, "scores": scores}


golden.write("seq_attention", f"tests/reference/seq_attention.py, PyTorch {torch.__version__}",
             **one_gradient(), **whole_run())
