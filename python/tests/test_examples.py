"""The programs of examples/python run, from any directory."""

import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_the_example_runs(path, tmp_path):
    if path.stem.startswith("torch_"):
        pytest.importorskip("torch")
        pytest.importorskip("sklearn")
    ran = subprocess.run(
        [sys.executable, str(path)],
        cwd=tmp_path,
        env={"PATH": "", "MPLBACKEND": "Agg", "MPLCONFIGDIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip()
