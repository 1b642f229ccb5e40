#!/usr/bin/env python3
"""Golden supports of best subset selection, from abess, and by looking at every subset.

Values, two classes and three classes on correlated columns, where the best alone are not the best
together; abess and the search through all subsets agree. Features of several columns come from the
search alone: abess divides what a group is worth by its number of columns, where a feature counts
once, and ends at {0, 3, 6} for two classes, whose loss is larger. To regenerate
golden/best_subset.txt:

    python3 tests/reference/best_subset.py    (abess 0.4.11, scikit-learn 1.9.1, numpy 2.4.6)
"""

import itertools

import golden
import numpy as np
from abess.linear import LinearRegression, LogisticRegression, MultinomialRegression
from sklearn.linear_model import LogisticRegression as Likelihood
from sklearn.metrics import log_loss

K = 3


def correlated(random, rows=50, columns=10):
    x = random.normal(size=(rows, columns))
    x[:, 5] = x[:, 0] - x[:, 1] + 0.4 * x[:, 5]  # good alone, no better than 0 and 1 together
    x[:, 6] = x[:, 1] + x[:, 2] + 0.5 * x[:, 6]
    return golden.single((x - x.mean(0)) / x.std(0))


def support(model, x, y):
    found = model(support_size=K, important_search=0).fit(x, y)
    size = np.abs(found.coef_).reshape(x.shape[1], -1).sum(1)
    return np.flatnonzero(size)


def squared(part, y):
    part, y = part - part.mean(0), y - y.mean()
    return np.mean((y - part @ np.linalg.lstsq(part, y, rcond=None)[0]) ** 2) / 2


def likelihood(part, y):
    model = Likelihood(C=np.inf, tol=1e-10, max_iter=10000).fit(part, y)
    return log_loss(y, model.predict_proba(part))


def best(loss, x, y, offsets):
    """Of all subsets of K features, the one of least loss, and that loss."""
    blocks = [x[:, a:b] for a, b in zip(offsets, offsets[1:])]
    losses = {
        subset: loss(np.hstack([blocks[j] for j in subset]), y)
        for subset in itertools.combinations(range(len(blocks)), K)
    }
    first = min(losses, key=losses.get)
    return first, losses[first]


def main():
    random = np.random.default_rng(7)
    x = correlated(random)
    signal = 1.2 * x[:, 0] - 1.0 * x[:, 1] + 0.8 * x[:, 2]
    y = signal + 0.4 * random.normal(size=len(x))
    y = golden.single((y - y.mean()) / y.std())
    two = (signal + 0.7 * random.logistic(size=len(x)) > 0).astype(int)
    scores = np.stack([signal, -signal + 1.5 * x[:, 3], np.zeros(len(x))], 1)
    three = np.argmax(scores + random.gumbel(size=scores.shape), 1)

    every, loss = best(squared, x, y, range(11))
    supports = dict(
        values=support(LinearRegression, x, y), two=support(LogisticRegression, x, two),
        three=support(MultinomialRegression, x, three))
    assert tuple(supports["values"]) == every
    assert tuple(supports["two"]) == best(likelihood, x, two, range(11))[0]
    assert tuple(supports["three"]) == best(likelihood, x, three, range(11))[0]

    group_y = golden.single(signal + 0.8 * x[:, 7] + 0.4 * random.normal(size=len(x)))
    offsets = [0, 1, 3, 4, 6, 7, 8, 10]
    golden.write(
        "best_subset", "best_subset.py, abess 0.4.11, scikit-learn 1.9.1, numpy 2.4.6", x=x, y=y,
        two_y=two, three_y=three, loss=loss, offsets=offsets,
        group_y=group_y, values_groups=best(squared, x, group_y, offsets)[0],
        two_groups=best(likelihood, x, two, offsets)[0],
        three_groups=best(likelihood, x, three, offsets)[0], **supports)


if __name__ == "__main__":
    main()
