"""Golden values of the stability index of Nogueira, Sechidis and Brown (JMLR 2018) with its variance.

Run: python3 tests/reference/stability.py
Needs NumPy. The stored file was made with NumPy 2.4.6.

Matrices of zeros and ones, a row for each set. Where all sets have one size the index is checked
against the mean of Kuncheva's over all pairs, and the variance against a jackknife.
"""

import itertools

import golden
import numpy as np


def kuncheva(a, b):
    """Of two sets of one size k, as rows of zeros and ones."""
    d, k = len(a), a.sum()
    return ((a * b).sum() - k * k / d) / (k - k * k / d)


def index(z):
    """One less the mean variance of a feature over that of random features."""
    d = z.shape[1]
    k = z.sum(axis=1).mean()
    return 1 - z.var(axis=0, ddof=1).mean() / (k / d * (1 - k / d))


def variance(z, phi):
    """Of the index, by the contribution of each set; `phi` is the index that stands in for the true
    one."""
    m, d = z.shape
    k = z.sum(axis=1)
    mean = k.mean()
    chance = mean / d * (1 - mean / d)
    agreement = (z @ z.T).mean(axis=1) / d  # what each set shares with all
    correction = phi / 2 * (2 * k * mean / d**2 - k / d - mean / d + 1)
    parts = (agreement - k * mean / d**2 + correction) / chance
    return 4 / m * parts.var()


def jackknifed(z):
    """The infinitesimal jackknife, by numeric derivatives: the same variance from no formula. Returned
    with the index that it is the variance of, which lacks the factor m / (m - 1)."""
    m, d = z.shape

    def of_weights(w):
        p = w @ z / w.sum()
        k = p.sum()
        return 1 - (p * (1 - p)).mean() / (k / d * (1 - k / d))

    step, ones = 1e-5, np.ones(m)
    slopes = [(of_weights(ones + step * e) - of_weights(ones - step * e)) / (2 * step)
              for e in np.eye(m)]
    return np.sum(np.square(slopes)), of_weights(ones)


def overlap(z):
    pairs = list(itertools.combinations(z, 2))
    jaccard = np.mean([(a * b).sum() / np.maximum(a, b).sum() for a, b in pairs])
    shared = np.mean([(a * b).sum() / min(a.sum(), b.sum()) for a, b in pairs])
    return jaccard, shared


def draw(random, sets, features, sizes, pull):
    """Sets that lean on the first features, the more the larger `pull` is."""
    z = np.zeros((sets, features))
    lean = pull * np.exp(-np.arange(features) / 4)
    for row, k in zip(z, sizes):
        row[np.argsort(-(lean + random.gumbel(size=features)))[:k]] = 1
    return z


def main():
    random = np.random.default_rng(0)
    cases = {
        "equal": draw(random, 20, 30, [6] * 20, 4),
        "lot": draw(random, 40, 25, [5] * 40, 0),
        "mixed": draw(random, 15, 40, random.integers(2, 12, size=15), 6),
        "pair": draw(random, 2, 12, [4, 4], 2),
    }
    arrays = {}
    for name, z in cases.items():
        if len(set(z.sum(axis=1))) == 1:
            pairs = [kuncheva(a, b) for a, b in itertools.combinations(z, 2)]
            assert np.isclose(index(z), np.mean(pairs)), name
        by_slopes, plain_index = jackknifed(z)
        assert np.isclose(variance(z, plain_index), by_slopes, rtol=1e-6, atol=1e-12), name
        phi, var = index(z), variance(z, index(z))
        reach = 1.959963984540054 * np.sqrt(var)
        arrays[name] = z
        arrays[name + "_index"] = [phi, var, phi - reach, phi + reach]
        arrays[name + "_overlap"] = overlap(z)
    golden.write("stability", f"tests/reference/stability.py, NumPy {np.__version__}", **arrays)


if __name__ == "__main__":
    main()
