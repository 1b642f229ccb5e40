"""The request of main.cc in Python: request.py FILE"""

import json
import sys

import slm

result = slm.select(
    sys.argv[1],
    target="price",
    k=4,
    weights="weight",
    groups={"place": ["x", "y"]},
    keep=["rooms", "place"],
    drop=["owner"],
    cv=3,
    time_limit=600,
    seed=7,
    options={"steps": 300, "starts": 2, "final_predictors": 2},
)
print(json.dumps(result.json))
