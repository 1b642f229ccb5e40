"""Where the command line is: SLM_COMMAND, or the release build of this tree."""

import os
import pathlib
import sys

import pytest


@pytest.fixture(scope="session")
def command():
    tree = pathlib.Path(__file__).resolve().parents[2]
    path = os.environ.get("SLM_COMMAND", tree / "build/release/slm")
    # The wheel is also tested by itself, where nobody has built a command to compare with.
    if not os.access(path, os.X_OK):
        pytest.skip("there is no command line to compare with; make build")
    return str(path)


def pytest_terminal_summary(terminalreporter):
    """Counts the checks of scikit-learn, and lists those that are expected to fail, with the reason."""
    estimators = sys.modules.get("estimators")
    if estimators is None or not estimators.COUNTS:
        return
    terminalreporter.section(f"checks of scikit-learn {sys.modules['sklearn'].__version__}")
    for name, (passed, expected) in estimators.COUNTS.items():
        terminalreporter.write_line(f"{name}: {passed} passed, {len(expected)} expected to fail")
        for check, reason in expected.items():
            terminalreporter.write_line(f"    {check}: {reason}")
