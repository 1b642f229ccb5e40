"""Products, path and coefficients of pyHSICLasso, for tests/selectors/hsic_lasso_test.cc.

Run: python3 tests/reference/hsic_lasso.py
Made with pyHSICLasso 1.4.2, numpy 2.4.6.

`order` has the order of the rows in each of pyHSICLasso's permutations, so that the test can cut the same
blocks.
"""

import importlib.metadata

import numpy as np
from golden import classification, regression, write
from pyHSICLasso import HSICLasso

TAKEN = 5


def run(x, y, classes, block_size, permutations):
    model = HSICLasso()
    model.input(x, y)
    fit = model.classification if classes else model.regression
    fit(TAKEN, B=block_size, M=permutations, n_jobs=1)
    return dict(
        xty=model.Xty,
        gram=np.dot(model.X.T.astype(float), model.X.astype(float)),
        beta=model.beta,
        lambdas=model.lam[0, : model.path.shape[1]],
        features=model.get_index(),
    )


def orders(rows, permutations):
    """As compute_kernel draws them."""
    order, drawn = np.arange(rows), []
    for m in range(permutations):
        np.random.seed(m)
        order = np.random.permutation(order)
        drawn.append(order)
    return np.stack(drawn)


def main():
    made_by = f"tests/reference/hsic_lasso.py, pyHSICLasso {importlib.metadata.version('pyHSICLasso')}"
    for name, data, classes in (("classes", classification, True), ("values", regression, False)):
        x, y = data(rows=64, columns=10)
        whole = run(x, y, classes, 0, 1)
        blocks = run(x, y, classes, 16, 2)
        write(
            f"hsic_lasso_{name}",
            made_by,
            x=x,
            y=y,
            order=orders(len(x), 2),
            **{f"whole_{key}": value for key, value in whole.items()},
            **{f"blocks_{key}": value for key, value in blocks.items()},
        )


if __name__ == "__main__":
    main()
