"""Methods around any estimator of scikit-learn: the columns that it does best with.

The engine has `rfe`, `sfs`, `permutation` and `boruta` with models of its own. Here the same searches ask an
estimator of the caller's; the predictor that stays, importances and reasons come from the engine
all the same, which is given the columns to keep.
"""

from __future__ import annotations

import inspect
import time
from numbers import Integral, Real
from typing import NamedTuple

import joblib
import numpy as np
from scipy import stats
from sklearn.base import clone, is_classifier
from sklearn.inspection import permutation_importance
from sklearn.metrics import check_scoring
from sklearn.model_selection import GroupKFold, StratifiedGroupKFold, check_cv
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing
from sklearn.utils._param_validation import HasMethods, Interval, RealNotInt, make_constraint
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import has_fit_parameter

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


class OutOfTime(Exception):
    """The time limit has passed: what has begun is not finished."""


class Clock:
    """When to end."""

    def __init__(self, seconds):
        self.deadline = None if seconds is None else time.monotonic() + seconds

    def ask(self):
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise OutOfTime

    def left(self):
        return None if self.deadline is None else max(0.1, self.deadline - time.monotonic())


class Measure:
    """A scorer that looks at the clock before it measures."""

    def __init__(self, scorer, clock):
        self.scorer, self.clock = scorer, clock

    def __call__(self, model, X, y, **weights):
        self.clock.ask()
        return self.scorer(model, X, y, **weights)


class Rows(NamedTuple):
    """Those that a search sees; weight and groups may be None."""

    X: object
    y: np.ndarray
    weight: np.ndarray | None
    groups: np.ndarray | None

    def take(self, rows):
        return Rows(*(None if part is None else _safe_indexing(part, rows) for part in self))

    def with_columns(self, columns):
        return self._replace(X=_data.take_columns(self.X, columns))

    def balanced(self):
        """With weights by which every class counts the same."""
        weight = np.ones(len(self.y)) if self.weight is None else self.weight
        place = np.unique(self.y, return_inverse=True)[1]
        weight = weight / np.bincount(place, weight)[place]
        return self._replace(weight=weight * len(weight) / weight.sum())

    def weighted(self):
        return {} if self.weight is None else {"sample_weight": self.weight}


class Search:
    """What the methods share: the rows, the columns that may be chosen, fits and scores of some of them."""

    def __init__(self, estimator, rows, *, names, kinds, columns, keep, k, scoring, seed, jobs, clock):
        self.estimator, self.rows, self.names, self.kinds = estimator, rows, names, kinds
        self.columns, self.keep, self.k = columns, keep, k
        self.scoring, self.seed, self.jobs, self.clock = scoring, seed, jobs, clock

    def fit(self, rows, columns=()):
        """The estimator on `rows`, whose columns are those of X that `columns` says, or others."""
        try:
            return clone(self.estimator).fit(rows.X, rows.y, **rows.weighted())
        except (TypeError, ValueError) as error:
            other = next((j for j in columns if j in self.kinds), None)
            if other is None:
                raise
            raise ValueError(
                f"estimator: {type(self.estimator).__name__} could not be fitted on columns among which "
                f"{self.names[other]!r} is of type {self.kinds[other]}: {error}; turn what is no number into numbers "
                "in a pipeline, such as by a OneHotEncoder, or leave it out by drop"
            ) from error

    def importances(self, X, columns=()):
        found = importances_of(self.fit(self.rows._replace(X=X), columns))
        if len(found) != X.shape[1]:
            raise ValueError(
                f"estimator: it has {len(found)} importances for {X.shape[1]} columns; take one that leaves their "
                "number as it is, or method 'sfs' or 'permutation', which only ask for scores"
            )
        return found

    def measure(self):
        return Measure(check_scoring(self.estimator, self.scoring), self.clock)

    def folds(self, folds):
        """Pairs of the rows to learn from and the rows to measure on, groups never torn apart."""
        y, groups = self.rows.y, self.rows.groups
        parts = list(self._splitter(folds).split(np.zeros(len(y)), y, groups))
        if any(np.max(part, initial=0) >= len(y) for pair in parts for part in pair):
            raise ValueError(
                f"options: folds names rows beyond the {len(y)} that the search sees, which are those to train on and "
                "of positive weight; give a number, or a splitter that looks at the rows it gets"
            )
        return parts

    def parts(self, columns, fold):
        """The rows to learn from and those to measure on, with some columns."""
        rows = self.rows.with_columns(columns)
        return [rows.take(part) for part in fold]

    def _splitter(self, folds):
        stratify = is_classifier(self.estimator)
        if self.rows.groups is None or not isinstance(folds, Integral):
            return check_cv(folds, self.rows.y, classifier=stratify)
        groups = len(np.unique(self.rows.groups))
        if groups < folds:
            raise ValueError(
                f"options: folds is {folds}, but the rows to train on have {groups} groups; lower folds, or "
                "give more groups"
            )
        classes = stratify and type_of_target(self.rows.y) in ("binary", "multiclass")
        return (StratifiedGroupKFold if classes else GroupKFold)(folds)

    def score(self, columns, fold, measure):
        """What the estimator reaches with the columns on rows held out."""
        self.clock.ask()
        learn, held = self.parts(columns, fold)
        return measure.scorer(self.fit(learn, columns), held.X, held.y, **held.weighted())

    def scores(self, sets, folds, measure):
        """Of each set of columns the mean over the folds."""
        score = joblib.delayed(self.score)
        found = joblib.Parallel(n_jobs=self.jobs)(score(one, fold, measure) for one in sets for fold in folds)
        return self.mean(folds, np.reshape(found, (len(sets), len(folds))).T).tolist()

    def mean(self, folds, figures):
        """The mean of what was measured in folds, each counting by the weight of its rows held out."""
        weight = self.rows.weight
        shares = None if weight is None else [weight[held].sum() for _, held in folds]
        return np.average(figures, axis=0, weights=shares)

    def others(self):
        return [j for j in self.columns if j not in self.keep]


def _ordered(columns, scores):
    """Best first, ties to the earlier column."""
    return [j for _, j in sorted(zip([-s for s in scores], columns))]


# Each search yields what it knows, as often as it knows more: the columns, best first, and what it has measured of
# those that it has looked at.


def rfe(search, step=1):
    """Recursive elimination, as scikit-learn's RFE: the least important columns leave, then it is fitted anew.

    step : int or float, default=1
        Columns that leave at a time, or their share of all columns.
    """
    at_once = int(max(1, step * len(search.columns))) if step < 1 else int(step)
    left, gone, importance = sorted(search.columns), [], {}
    while True:
        X = _data.take_columns(search.rows.X, left)
        importance.update(zip(left, search.importances(X, left)))
        yield _ordered(left, [importance[j] for j in left]) + gone, importance
        if len(left) <= search.k:
            return
        search.clock.ask()
        free = [j for j in left if j not in search.keep]
        out = sorted(free, key=importance.get)[: min(at_once, len(left) - search.k)]
        gone = out[::-1] + gone
        left = [j for j in left if j not in out]


def sfs(search, folds=5, floating=False):
    """Sequential forward selection, as scikit-learn's SequentialFeatureSelector, and floating search.

    folds : int or cross-validation splitter, default=5
        On which sets of columns are scored.
    floating : bool, default=False
        Also take columns out again where the others score better than any set of their number before.
    """
    folds, measure = search.folds(folds), search.measure()
    chosen, best, scores = list(search.keep), {}, {}

    def keep(score):
        best[len(chosen)] = max(best.get(len(chosen), -np.inf), score)

    def known():
        rest = [j for j in search.columns if j not in chosen]
        return chosen + _ordered(rest, [scores.get(j, -np.inf) for j in rest]), scores

    while len(chosen) < search.k:
        free = [j for j in search.columns if j not in chosen]
        reached = search.scores([[*chosen, j] for j in free], folds, measure)
        scores.update(zip(free, reached))
        chosen.append(free[int(np.argmax(reached))])
        keep(max(reached))
        yield known()
        while floating and len(chosen) > 2:
            # The one that has just joined stays: without it they are what they were.
            free = [j for j in chosen[:-1] if j not in search.keep]
            reached = search.scores([[i for i in chosen if i != j] for j in free], folds, measure)
            if not free or max(reached) <= best[len(chosen) - 1]:
                break
            chosen.remove(free[int(np.argmax(reached))])
            keep(max(reached))


def permutation(search, folds=5, repeats=5):
    """Permutation importance on rows held out, by scikit-learn's permutation_importance in every fold.

    folds : int or cross-validation splitter, default=5
    repeats : int, default=5
        How often the cells of a column change places in each fold.
    """
    if _data.is_sparse(search.rows.X):
        raise ValueError("X: 'permutation' around an estimator needs a dense matrix; give X.toarray()")
    columns, rises = sorted(search.columns), []
    folds, measure = search.folds(folds), search.measure()
    for fold in folds:
        search.clock.ask()
        learn, held = search.parts(columns, fold)
        found = permutation_importance(
            search.fit(learn, columns), held.X, held.y, scoring=measure, n_repeats=repeats,
            random_state=search.seed, n_jobs=search.jobs, **held.weighted(),
        )
        rises.append(found.importances_mean)
        importance = dict(zip(columns, search.mean(folds[: len(rises)], rises)))
        yield _ordered(columns, [importance[j] for j in columns]), importance


def _numbers(search, columns):
    """The columns as a matrix, whose cells may change places and stand beside their shadows."""
    X = np.empty((len(search.rows.y), len(columns)))
    for at, j in enumerate(columns):
        cells = _data.take_columns(search.rows.X, [j])
        try:
            X[:, at] = np.asarray(cells.toarray() if _data.is_sparse(cells) else cells, dtype=np.float64).ravel()
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"'boruta' around an estimator needs numbers, and column {search.names[j]!r} is none: {error}; "
                "turn it into numbers, or leave it out by drop"
            ) from error
    return X


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
    columns, random = sorted(search.columns), np.random.default_rng(search.seed)
    X, count = _numbers(search, columns), len(columns)
    hits, sums, decided = np.zeros(count, dtype=int), np.zeros(count), np.zeros(count, dtype=int)
    rejected_at = np.zeros(count, dtype=int)
    for fits in range(1, rounds + 1):
        open_ = np.flatnonzero(decided >= 0)
        shadows = random.permuted(X[:, open_], axis=0)
        while shadows.shape[1] < 5:  # as BorutaPy: the best of very few is too easy to beat
            shadows = np.hstack([shadows, random.permuted(shadows, axis=0)])
        importance = search.importances(np.hstack([X[:, open_], shadows]))
        bar = np.percentile(importance[len(open_):], percentile)
        hits[open_] += importance[: len(open_)] > bar
        sums[open_] += importance[: len(open_)]
        level = alpha / count / 2
        decided[(decided == 0) & (stats.binom.sf(hits - 1, fits, 0.5) <= level)] = 1
        lost = (decided == 0) & (stats.binom.cdf(hits, fits, 0.5) <= level)
        decided[lost], rejected_at[lost] = -1, fits
        keys = zip(-decided, -rejected_at, -hits, -sums / fits, range(count))
        yield [columns[key[-1]] for key in sorted(keys)], {columns[i]: hits[i] / fits for i in range(count)}
        if np.all(decided != 0):
            return
        if fits < rounds:
            search.clock.ask()


WRAPPERS = {"rfe": rfe, "sfs": sfs, "permutation": permutation, "boruta": boruta}

_POSITIVE = [Interval(Integral, 1, None, closed="left")]
_FOLDS = [Interval(Integral, 2, None, closed="left"), HasMethods(["split", "get_n_splits"])]
_OPTIONS = {
    "rfe": {"step": [*_POSITIVE, Interval(RealNotInt, 0, 1, closed="neither")]},
    "sfs": {"folds": _FOLDS, "floating": ["boolean"]},
    "permutation": {"folds": _FOLDS, "repeats": _POSITIVE},
    "boruta": {
        "rounds": _POSITIVE,
        "alpha": [Interval(Real, 0, 1, closed="neither")],
        "percentile": [Interval(Real, 0, 100, closed="both")],
    },
}


def check_options(method, options):
    known = _OPTIONS[method]
    for name, value in options.items():
        if name not in known:
            raise ValueError(
                f"options: {method!r} around an estimator has no {name!r}; it takes {', '.join(known)}"
            )
        allowed = [make_constraint(one) for one in known[name]]
        if not any(one.is_satisfied_by(value) for one in allowed):
            raise ValueError(
                f"options: {name} of {method!r} is {value!r}; give {' or '.join(map(str, allowed))}"
            )


def check_weights(method, estimator, scoring):
    """That every part of the search counts rows by their weights."""
    remedy = "leave out sample_weight and class_weight, or take another"
    if not has_fit_parameter(estimator, "sample_weight"):
        raise ValueError(f"estimator: its fit takes no sample_weight; {remedy} estimator")
    if "folds" not in _OPTIONS[method]:
        return
    scorer = check_scoring(estimator, scoring)
    # A scorer of scikit-learn hands everything on to its metric, or to the estimator's own score.
    metric = estimator.score if scoring is None else getattr(scorer, "_score_func", scorer)
    if "sample_weight" not in inspect.signature(metric).parameters:
        whose = f"the score of {type(estimator).__name__}" if scoring is None else repr(scoring)
        raise ValueError(f"scoring: {whose} takes no sample_weight; {remedy} scoring")


class Found(NamedTuple):
    """What a search came to."""

    columns: list  # the k best, best first, those to keep before all others
    scores: dict  # by column, of those that were looked at
    stopped: bool = False  # before its end
    interrupted: bool = False  # by Ctrl-C


def choose(method, options, search):
    """The k columns that a method takes, or would take by what it knew when it had to end."""
    order, scores, stopped, interrupted = search.others(), {}, False, False
    try:
        for order, scores in WRAPPERS[method](search, **options):
            pass
    except OutOfTime:
        stopped = True
    except KeyboardInterrupt:
        stopped = interrupted = True
    rest = [j for j in order if j not in search.keep]
    return Found([*search.keep, *rest][: search.k], scores, stopped, interrupted)
