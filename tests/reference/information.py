"""Golden values of the greedy methods that choose by mutual information of binned columns.

Run: python3 tests/reference/information.py
Needs skfeature-chappers, whose cmim chooses and whose midd and cmidd estimate information. Its mrmr
does not divide the redundancy by the number of features taken, so that mRMR as published, like JMIM
and the diversity maximisation (which no package has), is written here in NumPy. The stored files
were made with skfeature-chappers 1.2.1 and NumPy 2.4.6.
"""

import golden
import numpy as np
from skfeature.function.information_theoretical_based.CMIM import cmim
from skfeature.utility.entropy_estimators import cmidd, midd

MADE_BY = "tests/reference/information.py, skfeature-chappers 1.2.1"
BINS = 4
K = 9
BITS = np.log(2)  # scikit-feature counts in bits


def quantile_bins(column):
    if len(np.unique(column)) <= BINS:
        return np.unique(column, return_inverse=True)[1]
    edges = np.sort(column)[[q * len(column) // BINS for q in range(1, BINS)]]
    return np.searchsorted(edges, column, side="right")


def greedy(features, k, first, score):
    taken = [int(np.argmax(first))]
    worth = [first[taken[0]]]
    while len(taken) < k:
        rest = [f for f in range(features) if f not in taken]
        scores = [score(f, taken) for f in rest]
        worth.append(max(scores))
        taken.append(rest[int(np.argmax(scores))])
    return taken, worth


def mrmr(b, y, k, quotient):
    relevance = [midd(f, y) * BITS for f in b.T]

    def score(f, taken):
        redundancy = np.mean([midd(b[:, f], b[:, s]) for s in taken]) * BITS
        return relevance[f] / redundancy if quotient else relevance[f] - redundancy

    return greedy(b.shape[1], k, relevance, score)


def jmim(b, y, k):
    relevance = [midd(f, y) * BITS for f in b.T]
    joint = lambda f, s: midd([(u, v) for u, v in zip(b[:, f], b[:, s])], y) * BITS
    return greedy(b.shape[1], k, relevance, lambda f, taken: min(joint(f, s) for s in taken))


def cmim_worth(b, y, taken):
    """What each feature was worth when cmim took it."""
    worth = [midd(b[:, taken[0]], y) * BITS]
    for i in range(1, len(taken)):
        f = b[:, taken[i]]
        worth.append(min(cmidd(f, y, b[:, s]) for s in taken[:i]) * BITS)
    return worth


def entropy(*columns):
    p = np.unique(np.stack(columns), axis=1, return_counts=True)[1] / len(columns[0])
    return -(p * np.log(p)).sum()


def dismi(b, y, k, diversity):
    def shared(u, v):
        return entropy(u) + entropy(v) - entropy(u, v)

    relevance = [shared(f, y) / np.sqrt(entropy(f) * entropy(y)) for f in b.T]

    def distance(f, s):
        variation = 1 - shared(b[:, f], b[:, s]) / entropy(b[:, f], b[:, s])
        return diversity * variation + (1 - diversity) * (relevance[f] + relevance[s]) / 2

    return greedy(b.shape[1], k, relevance,
                  lambda f, taken: np.mean([distance(f, s) for s in taken]))


def short(x):
    """Multiples of 1/256, which make short files."""
    return np.round(256 * x) / 256


def data(x):
    """Some redundancy: copies with noise, and a column of three values."""
    random = np.random.default_rng(7)
    x[:, 5] = x[:, 0] + 0.4 * random.normal(size=len(x))
    x[:, 6] = x[:, 0] - x[:, 1]
    x[:, 7] = np.digitize(x[:, 2], [-0.5, 0.5])
    return short(x)


def write(name, x, y, y_bins):
    b = np.stack([quantile_bins(column) for column in x.T], axis=1)
    out = {}
    for key, (taken, worth) in {
        "mrmr": mrmr(b, y_bins, K, False),
        "mrmr_quotient": mrmr(b, y_bins, K, True),
        "jmim": jmim(b, y_bins, K),
        "dismi": dismi(b, y_bins, K, 0.5),
        "dismi_diverse": dismi(b, y_bins, K, 0.8),
    }.items():
        out[key] = taken
        out[key + "_worth"] = worth
    out["cmim"] = cmim(b, y_bins, mode="index", n_selected_features=K)
    out["cmim_worth"] = cmim_worth(b, y_bins, out["cmim"])
    golden.write(name, MADE_BY, x=x, y=y, **out)


def main():
    x, y = golden.classification(rows=200)
    write("class_information", data(x), y, y)
    x, y = golden.regression(rows=200)
    y = short(y)
    write("value_information", data(x), y, quantile_bins(y))


if __name__ == "__main__":
    main()
