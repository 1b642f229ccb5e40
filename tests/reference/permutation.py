#!/usr/bin/env python3
"""Golden values of permutation importance, from scikit-learn.

The rise of the log loss of a perceptron on rows held out, mean over five folds. Its random numbers are its
own, so ranks and sizes agree, not digits. To regenerate golden/permutation.txt:

    python3 tests/reference/permutation.py    (scikit-learn 1.9.1, numpy 2.4.6)
"""

import golden
import numpy as np
from sklearn.inspection import permutation_importance
from sklearn.model_selection import StratifiedKFold
from sklearn.neural_network import MLPClassifier


def main():
    random = np.random.default_rng(6)
    x = random.normal(size=(600, 8))
    signal = 1.6 * x[:, 0] - 1.1 * x[:, 3] + 1.4 * np.abs(x[:, 5]) - 1.1 + 0.5 * x[:, 6] + 0.3 * random.normal(size=600)
    y = (signal > 0).astype(int)
    x = golden.single((x - x.mean(0)) / x.std(0))
    rises = []
    for learn, held in StratifiedKFold(5).split(x, y):
        model = MLPClassifier((64,), alpha=0.3, max_iter=400, random_state=0).fit(x[learn], y[learn])
        rises.append(permutation_importance(model, x[held], y[held], scoring="neg_log_loss", n_repeats=20,
                                            random_state=0).importances_mean)
    importance = np.mean(rises, axis=0)
    order = np.argsort(-importance)[:4]
    golden.write("permutation", "permutation.py, scikit-learn 1.9.1, numpy 2.4.6", x=x, y=y,
                 importance=importance, order=order)
    print(importance.round(3), order)


if __name__ == "__main__":
    main()
