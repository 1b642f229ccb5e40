"""Values for group_lasso_nn_test.cc: a sparse-input network (Feng and Simon 2017) in plain NumPy.

    python3 tests/reference/group_lasso_nn.py

Made with numpy 2.4.6. The authors published no package; this is their objective, the mean loss plus a
ridge on the weights above the first layer plus the sparse group lasso on the input weights of each
feature, minimised by proximal gradient steps over all rows. Gradients are written out by hand.
"""

import numpy as np

import golden

MADE_BY = "tests/reference/group_lasso_nn.py, numpy " + np.__version__


def proximal(w, threshold, alpha):
    """The proximal step of threshold * ((1 - alpha) |w|_1 + alpha |w|_2), for one feature."""
    soft = np.sign(w) * np.maximum(np.abs(w) - (1 - alpha) * threshold, 0)
    norm = np.linalg.norm(soft)
    return soft * max(0, 1 - alpha * threshold / norm) if norm > 0 else soft


def loss_and_gradients(p, x, y, classes, ridge):
    w, b, v, c = p
    n = len(x)
    before = x @ w + b
    hidden = np.maximum(before, 0)
    scores = hidden @ v + c
    if classes:
        shifted = np.exp(scores - scores.max(1, keepdims=True))
        share = shifted / shifted.sum(1, keepdims=True)
        loss = -np.log(share[np.arange(n), y]).mean()
        d_scores = share
        d_scores[np.arange(n), y] -= 1
        d_scores /= n
    else:
        rest = scores[:, 0] - y
        loss = (rest**2).mean()
        d_scores = 2 * rest[:, None] / n
    d_before = (d_scores @ v.T) * (before > 0)
    gradients = [x.T @ d_before, d_before.sum(0), hidden.T @ d_scores + 2 * ridge * v, d_scores.sum(0)]
    return loss + ridge * (v**2).sum(), gradients


def train(prefix, x, y, classes, alpha):
    random = np.random.default_rng(5)
    outputs = classes or 1
    p = [random.uniform(-0.5, 0.5, shape) for shape in
         ((x.shape[1], 5), (5,), (5, outputs), (outputs,))]
    p = [golden.single(a) for a in p]
    arrays = {f"{prefix}_start_{i}": a for i, a in enumerate(p)}
    rate, ridge, penalty = 0.2, 0.01, 0.27
    for _ in range(12):
        loss, gradients = loss_and_gradients(p, x, y, classes, ridge)
        p = [a - rate * g for a, g in zip(p, gradients)]
        p[0] = np.stack([proximal(row, rate * penalty, alpha) for row in p[0]])
    loss, _ = loss_and_gradients(p, x, y, classes, ridge)
    arrays |= {f"{prefix}_end_{i}": a for i, a in enumerate(p)}
    arrays[f"{prefix}_loss"] = loss
    arrays[f"{prefix}_alpha"] = alpha
    arrays["settings"] = [rate, ridge, penalty]
    return arrays


if __name__ == "__main__":
    x, y = golden.classification(rows=40, columns=6)
    u, z = golden.regression(rows=40, columns=6)
    golden.write("group_lasso_nn", MADE_BY, x=x, y=y, u=u, z=z,
                 **train("classes", x, y, 3, 1.0),
                 **{k: v for k, v in train("values", u, z, 0, 0.6).items() if k != "settings"})
