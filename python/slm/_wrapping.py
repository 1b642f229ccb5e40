"""Methods around any estimator of scikit-learn: the columns that it does best with.

The engine has `rfe`, `sfs`, `permutation` and `boruta` with models of its own. Here the same searches ask an
estimator of the caller's; the predictor that stays, importances and reasons come from the engine
all the same, which is given the columns to keep.
"""

from __future__ import annotations

import inspect
import time
from numbers import Integral

import joblib
import numpy as np
from scipy import stats
from sklearn.base import clone, is_classifier
from sklearn.inspection import permutation_importance
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing

from . import _data


def importances_of(model):
    """The squared coefficients of each column, summed over classes, or its feature_importances_."""
    if isinstance(model, Pipeline):
        model = model[-1]
    found = getattr(model, "coef_", None)
    if found is not None:
        found = np.atleast_2d(found.toarray() if hasattr(found, "toarray") else found)
        return np.sum(found**2, axis=0)
    found = getattr(model, "feature_importances_", None)
    if found is None:
        raise ValueError(
            f"estimator: a fitted {type(model).__name__} has neither coef_ nor feature_importances_; "
            "take another estimator, or method 'sfs' or 'permutation', which only ask for scores"
        )
    return np.asarray(found, dtype=np.float64)


class Search:
    """What the methods share: the data, the columns that may be chosen, fits and scores of some of them."""

    def __init__(self, estimator, X, y, weight, *, columns, keep, k, scoring, seed, jobs, deadline):
        self.estimator, self.y, self.weight = estimator, y, weight
        self.X = X.to_pandas() if _data.is_arrow(X) else X
        self.columns, self.keep, self.k = columns, keep, k
        self.scorer = check_scoring(estimator, scoring)
        self.seed, self.jobs, self.deadline = seed, jobs, deadline

    def expired(self):
        return self.deadline is not None and time.monotonic() >= self.deadline

    def fit(self, columns, rows=None, X=None):
        X = _data.take_columns(self.X, columns) if X is None else X
        y, weight = self.y, self.weight
        if rows is not None:
            X, y = _safe_indexing(X, rows), y[rows]
            weight = None if weight is None else weight[rows]
        model = clone(self.estimator)
        return model.fit(X, y) if weight is None else model.fit(X, y, sample_weight=weight)

    def held_out(self, columns, rows):
        return _safe_indexing(_data.take_columns(self.X, columns), rows), self.y[rows]

    def folds(self, count):
        cv = check_cv(count, self.y, classifier=is_classifier(self.estimator))
        return list(cv.split(np.zeros(len(self.y)), self.y))

    def score(self, columns, folds):
        """Mean over the folds of what the estimator reaches with the columns on rows held out."""
        scores = [self.scorer(self.fit(columns, learn), *self.held_out(columns, held)) for learn, held in folds]
        return float(np.mean(scores))

    def scores(self, sets, folds):
        return joblib.Parallel(n_jobs=self.jobs)(joblib.delayed(self.score)(one, folds) for one in sets)

    def others(self):
        return [j for j in self.columns if j not in self.keep]


def _ordered(columns, scores):
    """Best first, ties to the earlier column."""
    return [j for _, j in sorted(zip([-s for s in scores], columns))]


def rfe(search, step=1):
    """Recursive elimination, as scikit-learn's RFE: the least important columns leave, then it is fitted anew.

    step : int or float, default=1
        Columns that leave at a time, or their share of all columns.
    """
    at_once = int(max(1, step * len(search.columns))) if step < 1 else int(step)
    left, gone, importance = sorted(search.columns), [], {}
    while True:
        importance.update(zip(left, importances_of(search.fit(left))))
        if len(left) <= search.k or search.expired():
            break
        free = [j for j in left if j not in search.keep]
        out = sorted(free, key=importance.get)[: min(at_once, len(left) - search.k)]
        gone = out[::-1] + gone
        left = [j for j in left if j not in out]
    order = _ordered(left, [importance[j] for j in left]) + gone
    return order, importance


def sfs(search, folds=5, floating=False):
    """Sequential forward selection, as scikit-learn's SequentialFeatureSelector, and floating search.

    folds : int or cross-validation splitter, default=5
        On which sets of columns are scored.
    floating : bool, default=False
        Also take columns out again where the others score better than any set of their number before.
    """
    parts = search.folds(folds)
    chosen, best, scores = list(search.keep), {}, {}

    def keep(score):
        best[len(chosen)] = max(best.get(len(chosen), -np.inf), score)

    while len(chosen) < search.k and not search.expired():
        free = [j for j in search.columns if j not in chosen]
        reached = search.scores([[*chosen, j] for j in free], parts)
        scores.update(zip(free, reached))
        chosen.append(free[int(np.argmax(reached))])
        keep(max(reached))
        while floating and len(chosen) > 2 and not search.expired():
            # The one that has just joined stays: without it they are what they were.
            free = [j for j in chosen[:-1] if j not in search.keep]
            reached = search.scores([[i for i in chosen if i != j] for j in free], parts)
            if not free or max(reached) <= best[len(chosen) - 1]:
                break
            chosen.remove(free[int(np.argmax(reached))])
            keep(max(reached))
    rest = [j for j in search.columns if j not in chosen]
    return chosen + _ordered(rest, [scores.get(j, -np.inf) for j in rest]), scores


def permutation(search, folds=5, repeats=5):
    """Permutation importance on rows held out, by scikit-learn's permutation_importance in every fold.

    folds : int or cross-validation splitter, default=5
    repeats : int, default=5
        How often the cells of a column change places in each fold.
    """
    columns, rises = sorted(search.columns), []
    for learn, held in search.folds(folds):
        if rises and search.expired():
            break
        found = permutation_importance(
            search.fit(columns, learn), *search.held_out(columns, held), scoring=search.scorer,
            n_repeats=repeats, random_state=search.seed, n_jobs=search.jobs,
        )
        rises.append(found.importances_mean)
    importance = dict(zip(columns, np.mean(rises, axis=0)))
    return _ordered(columns, [importance[j] for j in columns]), importance


def boruta(search, rounds=100, alpha=0.05, percentile=100):
    """Boruta (Kursa and Rudnicki 2010): columns that beat shadows of all columns more often than chance does.

    First are those confirmed, then those undecided, then those rejected, the latest first; of one kind those
    with more hits, then those of larger mean importance.

    rounds : int, default=100
        Most fits, each with new shadows.
    alpha : float, default=0.05
        Level of the two-sided test, after Bonferroni's correction for the number of columns.
    percentile : float, default=100
        Of the shadows' importances, which a hit has to be above.
    """
    X = np.asarray(_data.take_columns(search.X, sorted(search.columns)), dtype=np.float64)
    columns, random = sorted(search.columns), np.random.default_rng(search.seed)
    count = len(columns)
    hits, sums, decided = np.zeros(count, dtype=int), np.zeros(count), np.zeros(count, dtype=int)
    rejected_at = np.zeros(count, dtype=int)
    fits = 0
    for fits in range(1, rounds + 1):
        open_ = np.flatnonzero(decided >= 0)
        shadows = random.permuted(X[:, open_], axis=0)
        while shadows.shape[1] < 5:  # as BorutaPy: the best of very few is too easy to beat
            shadows = np.hstack([shadows, random.permuted(shadows, axis=0)])
        importance = importances_of(search.fit(None, X=np.hstack([X[:, open_], shadows])))
        bar = np.percentile(importance[len(open_):], percentile)
        hits[open_] += importance[: len(open_)] > bar
        sums[open_] += importance[: len(open_)]
        level = alpha / count / 2
        decided[(decided == 0) & (stats.binom.sf(hits - 1, fits, 0.5) <= level)] = 1
        lost = (decided == 0) & (stats.binom.cdf(hits, fits, 0.5) <= level)
        decided[lost], rejected_at[lost] = -1, fits
        if np.all(decided != 0) or np.all(decided < 0) or search.expired():
            break
    keys = zip(-decided, -rejected_at, -hits, -sums / max(1, fits), range(count))
    order = [columns[key[-1]] for key in sorted(keys)]
    return order, {columns[i]: hits[i] / max(1, fits) for i in range(count)}


WRAPPERS = {"rfe": rfe, "sfs": sfs, "permutation": permutation, "boruta": boruta}


def number_of_columns(k, available):
    """What n_features_to_select comes to."""
    if k == "auto":
        raise ValueError("n_features_to_select: 'auto' does not go with an estimator; give a number")
    if k is None:
        return min(10, available)
    if isinstance(k, Integral):
        if k > available:
            raise ValueError(f"n_features_to_select is {k}, but only {available} columns can be chosen; lower it")
        return int(k)
    return max(1, int(k * available))


def usable_columns(X, drop):
    """Columns that are not constant, not a copy of an earlier one, and not dropped."""
    usable, seen = [], set()
    for j in range(X.num_columns if _data.is_arrow(X) else X.shape[1]):
        cells = _data.column_of(X, j) if _data.is_frame(X) else X[:, [j]]
        cells = np.asarray(cells.toarray() if hasattr(cells, "toarray") else cells).ravel()
        key = cells.tobytes() if cells.dtype.kind in "biuf" else tuple(map(str, cells.tolist()))
        if j in drop or key in seen or len(set(map(str, cells.tolist()))) < 2:
            continue
        seen.add(key)
        usable.append(j)
    return usable


def choose(method, options, search):
    """The k columns, best first, and what the method measured of each column that it looked at."""
    known = list(inspect.signature(WRAPPERS[method]).parameters)[1:]
    for name in options:
        if name not in known:
            raise ValueError(
                f"options: {method!r} around an estimator has no {name!r}; it takes {', '.join(known)}"
            )
    order, scores = WRAPPERS[method](search, **options)
    rest = [j for j in order if j not in search.keep]
    return [*search.keep, *rest][: search.k], scores
