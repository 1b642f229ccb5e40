"""Predictors that are not slm's, to judge columns by: scikit-learn's, on rows that no selection has seen.

What is judged are columns of the table as they were named, whoever selected them. They are encoded in the
same plain way for everyone, by training rows: numbers are standardised, missing ones replaced by the median,
texts become indicators of their frequent values.
"""

import functools
import warnings

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.metrics import accuracy_score, r2_score, roc_auc_score
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, SVR

# Of few rows: a line, a kernel machine, trees, a perceptron. Of many: what is used on business tables.
FEW = {
    "accuracy": {
        "logistic": lambda: LogisticRegression(C=1, max_iter=500),
        "rbf": lambda: SVC(C=1),
        "forest": lambda: RandomForestClassifier(200, random_state=0),
        "perceptron": lambda: MLPClassifier((64,), alpha=1e-2, max_iter=300, random_state=0),
    },
    "r2": {
        "ridge": lambda: RidgeCV(np.logspace(-2, 4, 13)),
        "rbf": lambda: SVR(C=1),
        "forest": lambda: RandomForestRegressor(200, random_state=0),
        "perceptron": lambda: MLPRegressor((64,), alpha=1e-2, max_iter=300, random_state=0),
    },
}
MANY = {
    "auc": {
        "logistic": lambda: LogisticRegression(C=1, max_iter=500),
        "forest": lambda: RandomForestClassifier(200, min_samples_leaf=5, random_state=0),
        "boosting": lambda: HistGradientBoostingClassifier(random_state=0),
    },
    "r2": {
        "ridge": lambda: RidgeCV(np.logspace(-2, 4, 13)),
        "forest": lambda: RandomForestRegressor(200, min_samples_leaf=2, random_state=0),
        "boosting": lambda: HistGradientBoostingRegressor(random_state=0),
    },
}
MANY["accuracy"] = MANY["auc"]


def encoder(frame):
    """Of the columns of training rows, not fitted yet."""
    numbers = [name for name in frame if pd.api.types.is_numeric_dtype(frame[name])]
    texts = [name for name in frame if name not in numbers]
    return make_column_transformer(
        (make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler()), numbers),
        (make_pipeline(SimpleImputer(strategy="constant", fill_value="missing"),
                       OneHotEncoder(max_categories=32, handle_unknown="infrequent_if_exist", sparse_output=False)),
         texts))


def measure(metric, model, x, y):
    if metric == "r2":
        return r2_score(y, model.predict(x))
    if metric == "accuracy":
        return accuracy_score(y, model.predict(x))
    scores = model.predict_proba(x)
    return roc_auc_score(y, scores[:, 1]) if scores.shape[1] == 2 else roc_auc_score(y, scores, multi_class="ovr")


def judge(predictors, metric, train, y_train, test, y_test):
    """By name of the predictor, what it reaches on the test rows with the columns of the frames."""
    encode = encoder(train).fit(train)
    x, x_test = (np.asarray(encode.transform(part), dtype=np.float32) for part in (train, test))
    reached = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of perceptrons that have not converged
        for name, make in predictors[metric].items():
            reached[name] = float(measure(metric, make().fit(x, y_train), x_test, y_test))
    return reached


@functools.cache
def read(path, target):
    """A table with its texts as they are, and its target apart."""
    frame = pd.read_csv(path, skipinitialspace=True, na_values=["?"])
    frame = frame[frame[target].notna()].reset_index(drop=True)
    return frame.drop(columns=target), frame[target]
