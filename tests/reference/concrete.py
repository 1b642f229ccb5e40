"""Golden values for tests/selectors/concrete_layer_test.cc.

An independent form of the concrete selector layer in PyTorch, written from the paper (Balin, Abid and
Zou, ICML 2019, section 3) with gradients from autograd; its annealing schedule; and the rule by which
nodes that want the same feature get one each. The authors' package needs TensorFlow and Keras of 2019
and cannot be installed beside the rest.

    python3 tests/reference/concrete.py

Made with PyTorch 1.13.0 and NumPy 1.24.2 (Debian 12).
"""

import math

import numpy as np
import torch

import golden

torch.set_default_dtype(torch.float64)


def layer(temperature=0.7, nodes=3, rows=5):
    """Five features, the second of which has two columns and the fourth three."""
    random = np.random.default_rng(4)
    offsets = [0, 1, 3, 4, 7, 8]
    x = golden.single(random.normal(size=(rows, 8)))
    noise = golden.single(random.gumbel(size=(nodes, 5)))
    logits = torch.tensor(golden.single(random.normal(size=(nodes, 5))), requires_grad=True)
    mixture = torch.softmax((logits + torch.tensor(noise)) / temperature, dim=1)
    # Output s of a node mixes the s-th columns.
    outputs = []
    for slot in range(3):
        owners = [j for j in range(5) if offsets[j + 1] - offsets[j] > slot]
        columns = torch.tensor(x[:, [offsets[j] + slot for j in owners]])
        outputs.append(columns @ mixture[:, owners].T)
    y = torch.stack(outputs)  # slot, row, node
    d_y = torch.tensor(golden.single(random.normal(size=tuple(y.shape))))
    (y * d_y).sum().backward()
    return {
        "x": x,
        "offsets": offsets,
        "temperature": [temperature],
        "logits": logits.detach().numpy(),
        "noise": noise,
        "samples": mixture.detach().numpy(),
        "y": y.detach().numpy().reshape(3 * rows, nodes),
        "d_y": d_y.numpy().reshape(3 * rows, nodes),
        "d_logits": logits.grad.numpy(),
    }


def schedule(start=10.0, end=0.1, epochs=7, steps_per_epoch=4):
    """The authors' update: before each batch T becomes max(end, T alpha)."""
    alpha = math.exp(math.log(end / start) / (epochs * steps_per_epoch))
    temperatures = []
    now = start
    for _ in range(epochs * steps_per_epoch):
        now = max(end, now * alpha)
        temperatures.append(now)
    return {"temperatures": temperatures}


def distinct():
    """The largest probability first; its node and its feature are then out."""
    random = np.random.default_rng(5)
    p = golden.single(random.dirichlet(0.3 * np.ones(9), size=6))
    p[4] = p[1]
    p[5] = p[1]
    left, order = p.copy(), []
    for _ in range(6):
        node, feature = np.unravel_index(left.argmax(), left.shape)
        order.append(feature)
        left[node, :] = -1
        left[:, feature] = -1
    return {"probabilities": p, "order": order}


golden.write("concrete", f"tests/reference/concrete.py, PyTorch {torch.__version__}",
             **layer(), **schedule(), **distinct())
