"""What Python takes for the engine's training rows is what the engine trains on."""

import numpy as np
import pytest

from slm import FeatureSelector
from slm._splitting import training_rows

ROWS = 150
_random = np.random.default_rng(5)
TARGETS = {
    "two classes": _random.integers(0, 2, ROWS),
    "classes of few rows": np.r_[[7], [9, 9], [4] * 5, _random.integers(1, 4, ROWS - 8)],
    "texts": _random.choice(["no", "yes", "ä", "Z"], ROWS),
    "booleans": _random.random(ROWS) < 0.1,
    "values": _random.normal(size=ROWS),
}
GROUPS = {
    "none": None,
    "numbers": _random.integers(-5, 20, ROWS),
    "texts": _random.choice([f"{i}" for i in range(30)], ROWS),
    "one large": np.maximum(np.arange(ROWS) - 90, 0),
}


# A class of one group may be all in one part, which the engine refuses.
PAIRS = [(y, groups) for y in TARGETS for groups in GROUPS if y != "classes of few rows" or groups == "none"]


@pytest.mark.parametrize("target, groups", PAIRS)
@pytest.mark.parametrize("share, seed", [(0.125, 0), (0.3, 1), (0.5, 2**31 - 2), (0.01, 3), (0.9, 4)])
def test_training_rows_are_those_of_the_engine(target, groups, share, seed):
    y, groups = TARGETS[target], GROUPS[groups]
    # A column that marks one row is constant on all others, and left out if that row does not train.
    X = np.hstack([np.eye(ROWS), np.random.default_rng(0).normal(size=(ROWS, 1))])
    selector = FeatureSelector("anova", 1, validation_fraction=share, random_state=seed).fit(X, y, groups=groups)
    dropped = selector.selection_["data"]["dropped"]
    held = {int(one["name"][1:]) for one in dropped if one["reason"] == "constant"}
    stratify = selector.selection_["task"] == "classification"
    rows = training_rows(y, share, seed, stratify=stratify, groups=groups)
    assert rows.tolist() == [row for row in range(ROWS) if row not in held]
