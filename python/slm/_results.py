"""Results: the JSON of the command line, as rows, a frame, a picture and a page."""

from __future__ import annotations

import html

from . import _plots
from ._model import Model


def frame_of(columns):
    """A pandas.DataFrame, of which only those who ask for one need the library."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("frames need pandas: pip install pandas") from error
    return pandas.DataFrame(columns)


# Columns of ranking_frame.
RANKING = ("name", "selected", "importance", "importance_sd", "weight", "rank", "reason")


FIGURES = ("importance", "importance_sd", "weight")  # of a chosen column


def number_of(feature, name):
    """One of its figures; NaN where there is none."""
    value = feature.get(name)
    return float("nan") if value is None else value


def chosen_reason(feature):
    return "kept by the user" if feature.get("kept") else "chosen"


def _cell(value):
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    return "" if value is None else html.escape(str(value))


class _Result:
    """What all results share.

    Attributes
    ----------
    json : dict
        The result as the command line writes it.
    rows : list of dict
        What its table shows.
    """

    def __init__(self, json):
        self.json = json

    @property
    def frame(self):
        """The rows as a pandas.DataFrame."""
        return frame_of(self.rows)

    @property
    def warnings(self):
        """What looks wrong with the data: a list of dicts with kind, columns, figure, text and flag."""
        return self.json["data"].get("warnings", [])

    def _title(self):
        return f"{self.json['task']} of {self.json['target']}"

    def _repr_html_(self):
        rows = self.rows
        names = list(dict.fromkeys(name for row in rows for name in row))
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        body = "".join(
            "<tr>" + "".join(f"<td>{_cell(row.get(name))}</td>" for name in names) + "</tr>"
            for row in rows
        )
        return (
            f"<table><caption>{html.escape(self._title())}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )

    def __repr__(self):
        return f"<slm.{type(self).__name__}: {self._title()}>"


class Selection(_Result):
    """What `slm.select` found: the columns in `columns`, best first, and the model in `model`, which is None
    where no column was significant.

    Attributes
    ----------
    cross_validation : dict
        What `cv` measured: metric, folds and how often each column was chosen; None without it.
    null : dict
        What `null` measured: the metric of shuffled labels beside the actual one, and the p-value.
    significance : dict
        What `fdr` or `significance` tested: the test, how many columns it found, and every column tested with
        its q-value, the most significant first; None without them.
    tried : list of dict
        The sets that the method weighed against each other, as `auto` does; empty for the others.
    """

    def __init__(self, json, model):
        super().__init__(json)
        self.model = None if model.empty else Model(model)
        self.cross_validation = json.get("cross_validation")
        self.null = json.get("null")
        self.significance = json.get("significance")
        self.tried = json.get("tried", [])

    @property
    def columns(self):
        return [feature["name"] for feature in self.json["selected"]]

    @property
    def rows(self):
        return self.json["selected"]

    def _title(self):
        metrics = self.json["metrics"]
        value = metrics["valid"] if metrics["test"] is None else metrics["test"]
        shown = "undefined" if value is None else f"{value:.4f}"
        return f"{self.json['k']} columns for {self.json['target']}, {metrics['name']} {shown}"

    def ranking_frame(self):
        """Every column or group with its importance, weight, rank and the reason why it is in or out.

        Returns
        -------
        frame : pandas.DataFrame
            Columns name, selected, importance (what the metric loses when its cells are shuffled),
            importance_sd (its standard error), weight, rank and reason; the best first.
        """
        rows = [
            {name: number_of(feature, name) for name in FIGURES}
            | {"name": feature["name"], "selected": True, "rank": feature["rank"]}
            | {"reason": chosen_reason(feature)}
            for feature in self.rows
        ]
        last = len(rows) + 1
        rows += [
            dict.fromkeys(FIGURES, 0.0)
            | {"name": column["name"], "selected": False, "rank": last, "reason": column["reason"]}
            for column in self.json["not_chosen"]
        ]
        return frame_of({name: [row[name] for row in rows] for name in RANKING})

    def plot(self, ax=None):
        """The importance of the chosen columns, or their weights where it was not measured."""
        if "importance" not in self.json:
            weights = [number_of(feature, "weight") for feature in self.rows]
            return _plots.bars(ax, self.columns, weights, "weight")
        importances, errors = ([f[name] for f in self.rows] for name in FIGURES[:2])
        label = f"loss of {self.json['metrics']['name']} when shuffled"
        return _plots.dots(ax, self.columns, importances, errors, label)


_REFERENCES = ("all-features", "random")  # rows of a comparison that are no methods


class Comparison(_Result):
    """What `slm.compare` found: a row for each method, the best first."""

    @property
    def rows(self):
        rows = []
        for row in self.json["results"]:
            metrics, seconds = row["metrics"], row["seconds"]
            rows.append(
                {
                    "method": row["method"],
                    "valid": metrics["valid"],
                    "test": metrics["test"],
                    "test_sd": metrics["test_sd"],
                    "seconds": seconds["select"],
                    "status": row["status"],
                }
            )
        return rows

    def plot(self, ax=None):
        """What each method reaches on the test rows, or on those of validation if there are none."""
        rows = [row for row in self.rows if row["valid"] is not None]
        part = "validation" if any(row["test"] is None for row in rows) else "test"
        values = [row["valid" if part == "validation" else "test"] for row in rows]
        errors = [None if part == "validation" else row["test_sd"] for row in rows]
        names = [row["method"] for row in rows]
        label = f"{self.json['metric']} on {part} rows"
        return _plots.dots(ax, names, values, errors, label, pale=_REFERENCES)


class Tuning(_Result):
    """What `slm.tune` found: the trials, the winner first, and its settings in `settings`."""

    @property
    def settings(self):
        """What the winner changes, for `options` of `slm.select`, or for the estimators."""
        return self.json["settings"]

    @property
    def rows(self):
        return [
            {"trial": trial["trial"], "valid": trial["valid"], "seconds": trial["seconds"]}
            | trial["settings"]
            for trial in self.json["trials"]
        ]

    def plot(self, ax=None):
        """What each trial reached, in the order of the trials."""
        measured = [row for row in self.rows if row["valid"] is not None]
        rows = sorted(measured, key=lambda row: row["trial"])
        numbers, values = [row["trial"] for row in rows], [row["valid"] for row in rows]
        # The winner comes first, and says which way is better.
        falling = measured[0]["valid"] < sum(values) / len(values)
        return _plots.trials(ax, numbers, values, self.json["metrics"]["name"], falling)


class KPath(_Result):
    """What `slm.path` found: quality for each k, and the k that is enough in `k`."""

    @property
    def k(self):
        return self.json["k"]

    @property
    def rows(self):
        return [
            {
                "k": point["k"],
                "mean": point["method"]["mean"],
                "error": point["method"]["error"],
                "random": point["random"]["mean"],
            }
            for point in self.json["points"]
        ]

    def plot(self, ax=None):
        """Quality against k, beside random columns."""
        rows = self.rows
        columns = {name: [row[name] for row in rows] for name in ("k", "mean", "random")}
        errors = [row["error"] or 0.0 for row in rows]
        method, metric = self.json["method"], self.json["metric"]
        return _plots.path(ax, columns["k"], columns["mean"], errors, columns["random"], self.k, method, metric)


class Stability(_Result):
    """What `slm.stability` found: a row for each method; `frequencies` says how often columns were in."""

    @property
    def rows(self):
        return [
            {
                "method": row["method"],
                "stability": row["stability"],
                "low": row["interval"][0],
                "high": row["interval"][1],
                "jaccard": row["jaccard"],
                "seconds": row["select_seconds"],
            }
            for row in self.json["results"]
        ]

    def frequencies(self, method=None):
        """Share of the selections that hold each column, of one method or of the most stable."""
        for row in self.json["results"]:
            if method in (None, row["method"]):
                return {feature["name"]: feature["frequency"] for feature in row["features"]}
        raise ValueError(f"method: {method!r} was not measured")

    def plot(self, ax=None):
        """How often the columns were chosen by the most stable method."""
        shares = self.frequencies()
        label = "share of the selections"
        return _plots.bars(ax, list(shares)[:30], list(shares.values())[:30], label, limit=1)
