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
        # Threads of PyTorch that wait for each other in a loop would take the cores.
        env={"PATH": "", "MPLBACKEND": "Agg", "MPLCONFIGDIR": str(tmp_path), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip()
