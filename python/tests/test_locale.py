"""The locale belongs to the program that imports slm, and changes nothing."""

import json
import os
import shutil
import subprocess
import sys

import pytest

LOCALE = "de_DE.UTF-8"  # 0,5 is one half

# Prints all that has numbers in it: options, results, and what is written for people.
PROGRAM = """
import json, locale, sys
if len(sys.argv) > 1:
    locale.setlocale(locale.LC_ALL, sys.argv[1])
    assert locale.str(0.5) == "0,5"
import numpy as np
import pandas as pd
import slm

rng = np.random.default_rng(0)
X = pd.DataFrame(rng.normal(size=(120, 5)), columns=list("abcde"))
X["when"] = pd.date_range("2021-03-04 05:06:07", periods=120, freq="7h")
y = np.where(X["a"] + X["b"] > 0, "yes", "no")
said = []


def say(work):
    try:
        said.append(work())
    except Exception as error:
        said.append(repr(error))


def plain(value):
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items() if "seconds" not in key and key != "memory"}
    return [plain(part) for part in value] if isinstance(value, list) else value


data = X.assign(y=y)
for method, options in [
    ("xgboost", {"learning_rate": 0.25, "subsample": 0.5}),
    ("slm", {"steps": 60, "learning_rate": 0.0125}),
    ("lasso", {}),
]:
    say(lambda: plain(slm.select(data, target="y", k=2, method=method, options=options).json))
say(lambda: plain(slm.tune(data, target="y", k=2, trials=2, judges=1, options={"steps": 40}).json))
say(lambda: plain(slm.path(data, target="y", method="anova", k_list=[1, 2], folds=2).json))
say(lambda: slm.methods())
print(json.dumps(said, default=str))
"""


def run(*arguments, **environment):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def decimal_comma(tmp_path_factory):
    """The folder of a locale with a decimal comma, made here: few machines have one."""
    folder = tmp_path_factory.mktemp("locales")
    # A minimal system may lack the program, or the description of the locale that it reads.
    if shutil.which("localedef") is None:
        pytest.skip("there is no localedef to make a locale with a decimal comma")
    made = subprocess.run(
        ["localedef", "-i", "de_DE", "-f", "UTF-8", str(folder / LOCALE)], capture_output=True, text=True
    )
    if not (folder / LOCALE / "LC_NUMERIC").exists():
        pytest.skip(f"localedef cannot make {LOCALE}: {made.stderr.strip()}")
    return folder


def test_a_decimal_comma_changes_no_result_and_no_text(decimal_comma):
    plain, comma = run(), run(LOCALE, LOCPATH=str(decimal_comma))
    # A machine may lack XGBoost's library; all else has to work.
    assert all(isinstance(part, dict) for part in plain[1:]), plain
    assert comma == plain
