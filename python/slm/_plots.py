"""Pictures of results that a paper could print: names in full, no ink without a meaning, and vectors if saved as such."""

from __future__ import annotations

from itertools import accumulate

_WIDTH, _HEIGHT = 5.0, 3.2  # inches: a column and a half of most journals, whose fonts then stay readable
_ROW = 0.24  # height of a row with a name
_FRAME = 0.8  # height of everything else
_LETTER, _SHORT_NAME = 0.08, 20  # names that are longer widen the figure
_LONGEST_NAME = 48
_INK, _PALE = "#1f4e79", "#9aa5b1"  # apart in print without colours too


def axes(ax=None, names=()):
    """`ax`, or those of a new figure with room for a row for each name."""
    if ax is None:
        try:
            import matplotlib.pyplot
        except ImportError as error:
            raise ImportError("plots need matplotlib: pip install matplotlib") from error
        height = _FRAME + _ROW * max(len(names), 2) if names else _HEIGHT
        width = _WIDTH + _LETTER * max(0, max((len(shortened(n)) for n in names), default=0) - _SHORT_NAME)
        ax = matplotlib.pyplot.subplots(figsize=(width, height), layout="constrained")[1]
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def shortened(name):
    """A name of which the beginning and the end are left if it is too long for any page."""
    half = (_LONGEST_NAME - 1) // 2
    return name if len(name) <= _LONGEST_NAME else f"{name[:half]}…{name[-half:]}"


def _name_rows(ax, names):
    ax.set_yticks(range(len(names)), [shortened(name) for name in names])
    ax.set_ylim(len(names) - 0.4, -0.6)  # the first on top
    ax.tick_params(axis="y", length=0)


def bars(ax, names, values, label, limit=None):
    """A bar for each name, for amounts of which zero is nothing."""
    ax = axes(ax, names)
    ax.barh(range(len(names)), values, height=0.7, color=_INK)
    _name_rows(ax, names)
    ax.set_xlim(0, limit)
    ax.set_xlabel(label)
    return ax


def dots(ax, names, values, errors, label, pale=()):
    """A dot with its error for each name, for values that differ by little and not from zero."""
    ax = axes(ax, names)
    for row, (name, value, error) in enumerate(zip(names, values, errors)):
        color = _PALE if name in pale else _INK
        ax.errorbar(value, row, xerr=error or None, fmt="o", color=color, capsize=2, markersize=4)
    _name_rows(ax, names)
    ax.grid(axis="x", color="0.9", linewidth=0.6)
    ax.set_axisbelow(True)
    ax.spines["left"].set_visible(False)
    ax.margins(x=0.08)
    ax.set_xlabel(label)
    return ax


def trials(ax, numbers, values, label, smaller_is_better):
    """Every trial as a dot, and the best so far as a line."""
    ax = axes(ax)
    best = list(accumulate(values, min if smaller_is_better else max))
    ax.plot(numbers, values, "o", color=_PALE, markersize=4, label="trial")
    ax.step(numbers, best, where="post", color=_INK, label="best so far")
    _whole_numbers(ax, "trial", label)
    ax.legend(frameon=False)
    return ax


def path(ax, ks, means, errors, random, enough, method, label):
    """Quality against k with its error, random columns beside it, and the k that is enough."""
    ax = axes(ax)
    ax.axvline(enough, color="0.6", linewidth=0.8, linestyle=":", label=f"enough: k = {enough}")
    ax.plot(ks, random, "--s", color=_PALE, markersize=3, label="random columns")
    ax.errorbar(ks, means, yerr=errors, fmt="-o", color=_INK, capsize=2, markersize=4, label=method)
    _whole_numbers(ax, "number of columns k", label)
    ax.legend(frameon=False)
    return ax


def _whole_numbers(ax, x_label, y_label):
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.set_xlabel(x_label)
    ax.set_ylabel(y_label)
