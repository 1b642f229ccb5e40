#!/usr/bin/env python3
"""Golden values of orthogonal matching pursuit.

Regression comes from scikit-learn's orthogonal_mp, on columns of equal norm. For several outputs and
for features of several columns there is no such implementation, so those are worked out here in plain
NumPy: projections by least squares on the columns themselves, no second moments. To regenerate
golden/omp.txt:

    python3 tests/reference/omp.py    (scikit-learn 1.9.1, numpy 2.4.6)
"""

import golden
import numpy as np
from sklearn.linear_model import orthogonal_mp

STEPS = 7


def by_projection(x, y, offsets, steps, weight=None):
    """Features in the order taken, and by which share the residual fell each time."""
    weight = np.ones(len(x)) if weight is None else weight
    root = np.sqrt(weight)[:, None]
    x = root * (x - np.average(x, axis=0, weights=weight))
    y = root * (y - np.average(y, axis=0, weights=weight))
    blocks = [x[:, a:b] for a, b in zip(offsets, offsets[1:])]

    def left(columns, of):
        return of - columns @ np.linalg.lstsq(columns, of, rcond=1e-8)[0]

    taken, shares, residual = [], [], y
    for _ in range(steps):
        gains = [np.sum(residual**2) - np.sum(left(b, residual) ** 2) for b in blocks]
        for j in taken:
            gains[j] = -1
        taken.append(int(np.argmax(gains)))
        after = left(np.hstack([blocks[j] for j in taken]), y)
        shares.append((np.sum(residual**2) - np.sum(after**2)) / np.sum(y**2))
        residual = after
    return taken, shares


def main():
    random = np.random.default_rng(1)
    x, y = golden.regression(rows=36, columns=12, seed=3)
    x[:, 5] = golden.single(0.8 * x[:, 0] + 0.6 * x[:, 5])
    x = golden.single((x - x.mean(0)) / x.std(0))
    order = []
    for k in range(1, STEPS + 1):
        chosen = np.flatnonzero(orthogonal_mp(x - x.mean(0), y - y.mean(), n_nonzero_coefs=k))
        order += [j for j in chosen if j not in order]
    coefficients = orthogonal_mp(x - x.mean(0), y - y.mean(), n_nonzero_coefs=STEPS)
    error = np.sum((y - y.mean() - (x - x.mean(0)) @ coefficients) ** 2)

    classes_x, classes_y = golden.classification(rows=36, columns=12, classes=4, seed=5)
    weight = golden.single(random.uniform(0.2, 1.8, size=36))
    one_hot = np.eye(4)[classes_y]
    plain = by_projection(classes_x, one_hot, range(13), STEPS)
    weighted = by_projection(classes_x, one_hot, range(13), STEPS, weight)

    # The second block's columns add up to a constant, the last block repeats one.
    offsets = [0, 1, 4, 7, 9, 10, 12]
    block_x = classes_x.copy()
    level = random.integers(0, 3, size=36)
    block_x[:, 4:7] = golden.single(np.eye(3)[level] - 1 / 3)
    block_x[:, 11] = block_x[:, 10]
    blocks = by_projection(block_x, one_hot, offsets, 5)

    golden.write(
        "omp", "omp.py, scikit-learn 1.9.1, numpy 2.4.6", x=x, y=y, order=order,
        explained=1 - error / np.sum((y - y.mean()) ** 2), classes_x=classes_x, classes_y=classes_y,
        weight=weight, plain_order=plain[0], plain_shares=plain[1], weighted_order=weighted[0],
        weighted_shares=weighted[1], block_x=block_x, offsets=offsets, block_order=blocks[0],
        block_shares=blocks[1])


if __name__ == "__main__":
    main()
