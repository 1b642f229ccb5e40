"""Plots: nothing is cut off, values that differ by little are told apart, and vectors stay vectors."""

import io

import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
from sklearn.datasets import load_breast_cancer  # noqa: E402

import slm  # noqa: E402

CALLS = {
    "select": lambda X, y: slm.select(X, y, k=4, method="anova"),
    "compare": lambda X, y: slm.compare(X, y, k=4, methods=["anova", "mrmr"], seeds=2),
    "tune": lambda X, y: slm.tune(X, y, k=4, method="lasso", trials=4),
    "path": lambda X, y: slm.path(X, y, method="anova", k_list=[1, 2, 4]),
    "stability": lambda X, y: slm.stability(X, y, k=4, methods="anova", resamples=4),
}


@pytest.fixture(scope="module")
def results():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    X = X.rename(columns={"worst perimeter": "the perimeter of the worst of all the nuclei in the image, in pixels"})
    return {name: call(X, y) for name, call in CALLS.items()}


@pytest.fixture(params=CALLS)
def plot(request, results):
    ax = results[request.param].plot()
    yield ax
    plt.close(ax.figure)


def test_every_text_lies_within_the_figure(plot):
    figure = plot.figure
    figure.canvas.draw()
    page, drawn = figure.bbox, plot.get_tightbbox()
    assert page.x0 <= drawn.x0 + 1 and drawn.x1 <= page.x1 + 1
    assert page.y0 <= drawn.y0 + 1 and drawn.y1 <= page.y1 + 1


def test_axes_have_labels_and_vectors_hold_them_as_text(plot):
    assert plot.get_xlabel()
    file = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none"}):
        plot.figure.savefig(file, format="svg")
    assert plot.get_xlabel() in file.getvalue() and "<image" not in file.getvalue()


def test_the_axis_of_a_comparison_starts_where_its_values_are(results):
    ax = results["compare"].plot()
    low, high = ax.get_xlim()
    values = [row["test"] for row in results["compare"].rows]
    assert low > 0.5 and low < min(values) and high > max(values)
    plt.close(ax.figure)


@pytest.mark.parametrize("name", CALLS)
def test_axes_of_the_caller_are_drawn_on(results, name):
    figure, (left, right) = plt.subplots(1, 2)
    assert results[name].plot(left) is left
    assert left.has_data() and not right.has_data()
    plt.close(figure)
