"""Principal feature analysis in NumPy with scikit-learn's k-means, for tests/selectors/pfa_selector_test.cc.

Written from Lu, Cohen, Zhou, Tian: Feature Selection Using Principal Feature Analysis (2007); no package of
it exists. Run: python3 tests/reference/pfa.py
Made with numpy 2.4.6, scikit-learn 1.9.1.
"""

import numpy as np
import sklearn
from golden import single, write
from sklearn.cluster import KMeans


def pfa(x, k, share):
    values, vectors = np.linalg.eigh(np.cov(x.T, bias=True))
    values, vectors = values[::-1], vectors[:, ::-1]
    q = int(np.searchsorted(np.cumsum(values) / values.sum(), share) + 1)
    rows = np.abs(vectors[:, :q])
    fit = KMeans(k, n_init=2000, random_state=0).fit(rows)
    chosen = []
    for c in range(k):
        members = np.flatnonzero(fit.labels_ == c)
        distance = np.linalg.norm(rows[members] - fit.cluster_centers_[c], axis=1)
        # Two members are equally far from their middle: the first counts.
        chosen.append(members[np.flatnonzero(distance <= distance.min() * (1 + 1e-6))[0]])
    return sorted(chosen)


def grouped(rows, sizes, seed):
    """Groups of columns that share a factor, with signs of their own and unlike amounts of noise."""
    random = np.random.default_rng(seed)
    columns = []
    for size in sizes:
        factor = random.normal(size=rows)
        for i in range(size):
            sign = 1 if i % 2 == 0 else -1
            columns.append(sign * factor + (0.1 + 0.12 * i) * random.normal(size=rows))
    x = np.stack(columns, 1)
    return single((x - x.mean(0)) / x.std(0))


def main():
    made_by = f"tests/reference/pfa.py, numpy {np.__version__}, scikit-learn {sklearn.__version__}"
    for name, x in (("pfa", grouped(70, (5, 4, 4, 3), 0)), ("pfa_wide", grouped(14, (6, 6, 5, 4, 3), 1))):
        write(
            name,
            made_by,
            x=x,
            y=np.zeros(len(x)),
            k2=pfa(x, 2, 0.9),
            k4=pfa(x, 4, 0.9),
            k6=pfa(x, 6, 0.9),
            k9=pfa(x, 9, 0.9),
            few=pfa(x, 4, 0.5),
        )


if __name__ == "__main__":
    main()
