"""Golden values for tests/selectors/fsnet_test.cc.

An independent form of FsNet's two weight predictors in NumPy and PyTorch, written from the paper (Singh
et al. 2020, section 3): histograms by numpy.histogram, gradients from autograd. The authors offer a
script for Keras of 2019, no package.

    python3 tests/reference/fsnet.py

Made with PyTorch 1.13.0 and NumPy 1.24.2 (Debian 12).
"""

import numpy as np
import torch

import golden

torch.set_default_dtype(torch.float64)

BINS, NODES, UNITS, ROWS = 6, 3, 4, 5


def histograms(x):
    u = np.zeros((x.shape[1], BINS))
    for c in range(x.shape[1]):
        counts, edges = np.histogram(x[:, c], BINS)
        u[c] = counts / len(x) * 0.5 * (edges[:-1] + edges[1:])
    return u


def whitened(u):
    centred = u - u.mean(0)
    values, vectors = np.linalg.eigh(centred.T @ centred / len(u))
    inverse = np.where(values > 1e-5 * values.max(), 1 / np.sqrt(np.maximum(values, 1e-300)), 0)
    return centred @ (vectors * inverse) @ vectors.T


random = np.random.default_rng(6)
x = golden.single(random.normal(size=(40, 7)) ** 3)
raw = histograms(x)
u = golden.single(whitened(raw))

w = torch.tensor(golden.single(0.3 * random.normal(size=(BINS, NODES))), requires_grad=True)
logits = (torch.tensor(u) @ w).T
d_logits = torch.tensor(golden.single(random.normal(size=(NODES, 7))))
(logits * d_logits).sum().backward()

v = torch.tensor(golden.single(0.3 * random.normal(size=(BINS, UNITS))), requires_grad=True)
h = torch.tensor(golden.single(random.normal(size=(ROWS, UNITS))), requires_grad=True)
made = h @ torch.tanh(torch.tensor(u) @ v).T
d_made = torch.tensor(golden.single(random.normal(size=(ROWS, 7))))
(made * d_made).sum().backward()

golden.write(
    "fsnet", f"tests/reference/fsnet.py, PyTorch {torch.__version__}, NumPy {np.__version__}",
    x=x, y=np.zeros(40), histograms=raw, whitened=u,
    w=w.detach().numpy(), logits=logits.detach().numpy(), d_logits=d_logits.numpy(),
    d_w=w.grad.numpy(),
    v=v.detach().numpy(), h=h.detach().numpy(), made=made.detach().numpy(),
    d_made=d_made.numpy(), d_v=v.grad.numpy(), d_h=h.grad.numpy())
