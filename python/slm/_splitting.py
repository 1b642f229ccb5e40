"""The rows that the engine trains on, for what has to know them before it runs.

The same cut as that of src/data/splits, by the same random numbers (src/base/random.h); the tests ask the engine
whether it is.
"""

from __future__ import annotations

import math

import numpy as np

from . import _data

_WORD = 2**64 - 1
_SPLIT_STREAM, _GROUP_STREAM = 0x5B1, 0x5B3


def _mix(x):
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & _WORD
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & _WORD
    return x ^ x >> 31


class _RandomStream:
    """Random numbers addressed by seed, stream and counter."""

    _STEP = 0x9E3779B97F4A7C15

    def __init__(self, seed, stream):
        self.key = _mix(_mix((seed + self._STEP) & _WORD) ^ (stream * 0xD1342543DE82EF95 & _WORD))
        self.at = self.key

    def substream(self, index):
        return _RandomStream(self.key, index + 1)

    def below(self, n):
        while True:
            self.at = (self.at + self._STEP) & _WORD
            product = _mix(self.at) * n
            if product & _WORD >= 2**64 % n:
                return product >> 64

    def shuffle(self, items):
        for i in range(len(items), 1, -1):
            j = self.below(i)
            items[i - 1], items[j] = items[j], items[i - 1]


def _codes(values, where):
    """Each distinct cell by its place among all of them, and -1 for a missing one."""
    kind, cells = _data.typed_column(values, where)
    present = np.array([cell is not None for cell in cells]) if kind == "text" else ~np.isnan(cells)
    codes = np.full(len(cells), -1)
    cells = np.asarray(cells, dtype=object if kind == "text" else None)
    codes[present] = np.unique(cells[present], return_inverse=True)[1]
    return codes


def _members(rows, codes):
    """The rows of each code, ascending by code."""
    order = rows[np.argsort(codes[rows], kind="stable")]
    return [part.tolist() for part in np.split(order, np.flatnonzero(np.diff(codes[order])) + 1)]


def _round(x):
    """To the nearest, halves up."""
    return math.floor(x) + (x - math.floor(x) >= 0.5)


def _at_random(rows, classes, share, seed):
    """Validation rows with their share of every class."""
    random = _RandomStream(seed, _SPLIT_STREAM)
    valid, owed = [], 0.0
    for members in _members(rows, classes):
        random.substream(int(classes[members[0]])).shuffle(members)
        owed += share * len(members)
        # A class of two rows or more is in both parts; one row is always left to train on.
        least = 1 if len(members) > 1 else 0
        count = min(max(_round(owed), least), max(least, len(members) - 1))
        owed -= count
        valid += members[:count]
    return valid


def _by_group(rows, classes, groups, share, seed):
    """Validation rows of whole groups: the largest first, each where rows and classes lack most."""
    shares = (1 - share, share)
    groups = _members(rows, groups)
    _RandomStream(seed, _GROUP_STREAM).shuffle(groups)
    groups.sort(key=len, reverse=True)
    total = np.bincount(classes[rows]).astype(float).tolist()
    lacks = [[of_part * one for one in total] for of_part in shares]
    parts = [[], []]
    for at, members in enumerate(groups):
        # The last groups are for a part that would stay empty.
        fill = len(groups) - at <= sum(not part for part in parts)
        labels, sizes = np.unique(classes[members], return_counts=True)
        counts = dict(zip(labels.tolist(), sizes.tolist()))

        def gain(part):
            """(lack^2 - (lack - n)^2) / (share * total), summed over the classes of the group."""
            gained = 0.0  # term by term as the engine: `sum` compensates for rounding
            for c, n in counts.items():
                gained += n * (2 * lacks[part][c] - n) / (shares[part] * total[c])
            return gained

        best = max((part for part in (0, 1) if not (fill and parts[part])), key=gain)
        for label, n in counts.items():
            lacks[best][label] -= n
        parts[best] += members
    return parts[1]


def training_rows(y, share, seed, *, stratify, groups=None):
    """The rows that stay when the engine sets a share of them aside for validation; ascending.

    Parameters
    ----------
    y : array, shape (n_samples,)
        Rows without a target are in no part.
    share : float
        Of the validation rows, which there have to be.
    seed : int
    stratify : bool
        Whether y are classes, which have their share of either part.
    groups : array-like, shape (n_samples,), default=None
        Rows of one group are not torn apart.
    """
    classes = _codes(y, "y")
    rows = np.flatnonzero(classes >= 0)
    if not stratify:
        classes[rows] = 0
    if groups is None:
        valid = _at_random(rows, classes, share, seed)
    else:
        valid = _by_group(rows, classes, _codes(groups, "groups"), share, seed)
    return np.setdiff1d(rows, valid)
