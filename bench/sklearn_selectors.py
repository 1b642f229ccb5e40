#!/usr/bin/env python3
"""SLM and mRMR beside scikit-learn's own selectors, selection inside the folds.

Usage: bench/sklearn_selectors.py [--folds 5] [--k 10]

Breast cancer (569 rows, 30 columns) and digits (1797 rows, 64 pixels). Every selector stands in a
pipeline before the same predictor, a support vector machine on standardised columns, and sees the
training rows of a fold alone. Prints a Markdown table: mean accuracy over the folds, its standard
deviation, and seconds for a selection.
"""

import argparse
import time
import warnings

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFE, SelectFromModel, SelectKBest, f_classif, mutual_info_classif
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from slm import FeatureSelector, SLMSelector


def selectors(k):
    def information(X, y):
        return mutual_info_classif(X, y, random_state=0)

    forest = RandomForestClassifier(200, random_state=0)
    logistic = LogisticRegression(max_iter=2000)
    return {
        "slm: `SLMSelector`": SLMSelector(k),
        'slm: `FeatureSelector("mrmr")`': FeatureSelector("mrmr", k),
        "`SelectKBest(f_classif)`": SelectKBest(f_classif, k=k),
        "`SelectKBest(mutual_info_classif)`": SelectKBest(information, k=k),
        "`SelectFromModel(RandomForest)`": SelectFromModel(forest, max_features=k, threshold=-np.inf),
        "`RFE(LogisticRegression)`": RFE(logistic, n_features_to_select=k),
        "all columns": "passthrough",
    }


def measure(selector, X, y, folds):
    scores, seconds = [], []
    for train, test in StratifiedKFold(folds, shuffle=True, random_state=0).split(X, y):
        scaler = StandardScaler().fit(X[train])
        kept = [scaler.transform(X[rows]) for rows in (train, test)]
        start = time.perf_counter()
        if selector != "passthrough":
            selector.fit(kept[0], y[train])
            kept = [selector.transform(part) for part in kept]
        seconds.append(time.perf_counter() - start)
        predictor = make_pipeline(StandardScaler(), SVC()).fit(kept[0], y[train])
        scores.append(predictor.score(kept[1], y[test]))
    return np.mean(scores), np.std(scores, ddof=1), np.median(seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folds", default=5, type=int)
    parser.add_argument("--k", default=10, type=int)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| selector | breast cancer | seconds | digits | seconds |\n|---|---|---|---|---|")
    sets = [load(return_X_y=True) for load in (load_breast_cancer, load_digits)]
    for name in selectors(arguments.k):
        cells = []
        for X, y in sets:
            mean, spread, seconds = measure(selectors(arguments.k)[name], X, y, arguments.folds)
            cells.append(f"{mean:.3f} ± {spread:.3f} | {seconds:.2f}" if name != "all columns"
                         else f"{mean:.3f} ± {spread:.3f} | ")
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
