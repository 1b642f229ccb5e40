#!/usr/bin/env python3
"""Golden coefficients of MCP and SCAD at given penalties, from skglm.

A value (Quadratic, which halves the mean square) with more rows than columns and with fewer, and two classes
(Logistic). For classes our gamma is in units of the inverse curvature of the loss without features, so that skglm
has gamma / (p (1 - p)) with p the share of a class; its SCAD has no such form. The penalties fall, each solution being the start of the
next. To regenerate golden/folded.txt:

    python3 tests/reference/folded.py    (skglm 0.5, scikit-learn 1.9.1, numpy 2.4.6)
"""

import golden
import numpy as np
from skglm import GeneralizedLinearEstimator
from skglm.datafits import Logistic, Quadratic
from skglm.penalties import SCAD, MCPenalty
from skglm.solvers import AndersonCD

GAMMA = {"mcp": 2.5, "scad": 3.2}


def path(datafit, penalty, x, y, lambdas):
    """lambdas x (columns and the intercept)."""
    model = GeneralizedLinearEstimator(
        datafit, penalty(lambdas[0]), AndersonCD(max_iter=1000, max_epochs=500000, tol=1e-12, fit_intercept=True,
                                                 warm_start=True, ws_strategy="fixpoint"))
    found = []
    for lam in lambdas:
        model.penalty = penalty(lam)
        model.fit(x, y)
        found.append(np.append(np.ravel(model.coef_), np.ravel(model.intercept_)))
    return np.array(found)


def main():
    value_x, value = golden.regression(rows=60, columns=10, seed=51)
    wide_x, wide = golden.regression(rows=40, columns=70, seed=52)
    class_x, three = golden.classification(rows=90, columns=10, classes=3, seed=53)
    two = (three == 1).astype(int)
    kinds = {"mcp": lambda lam, scale=1: MCPenalty(lam, scale * GAMMA["mcp"]),
             "scad": lambda lam: SCAD(lam, GAMMA["scad"])}
    lambdas = np.array([0.6, 0.4, 0.3, 0.2, 0.15])
    class_lambdas = np.array([0.2, 0.15, 0.1, 0.08, 0.06])
    arrays = {"value_x": value_x, "value": value, "wide_value_x": wide_x, "wide_value": wide, "two_x": class_x,
              "two": two, "three": three, "lambdas": lambdas, "class_lambdas": class_lambdas,
              "mcp_gamma": GAMMA["mcp"], "scad_gamma": GAMMA["scad"]}
    for name, penalty in kinds.items():
        arrays[f"value_{name}"] = path(Quadratic(), penalty, value_x, value, lambdas)
        arrays[f"wide_value_{name}"] = path(Quadratic(), penalty, wide_x, wide, lambdas)
    unit = two.mean() * (1 - two.mean())
    arrays["two_mcp"] = path(Logistic(), lambda lam: kinds["mcp"](lam, 1 / unit), class_x,
                             np.where(two == 1, 1.0, -1.0), class_lambdas)
    for key in arrays:
        if key.endswith(("mcp", "scad")):
            print(key, (arrays[key][:, :-1] != 0).sum(1))
    golden.write("folded", "folded.py, skglm 0.5, numpy 2.4.6", **arrays)


if __name__ == "__main__":
    main()
