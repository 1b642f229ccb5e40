"""What the tests of the benchmarks share: the program under test, and a way to run a benchmark."""

import os
import pathlib
import subprocess
import sys

BENCH, SLM = (str(pathlib.Path(argument).resolve()) for argument in sys.argv[1:3])
sys.dont_write_bytecode = True  # the sources may be read-only
sys.path[:0] = [BENCH, os.path.join(BENCH, "paper")]


def run(folder, program, *arguments):
    """Runs bench/PROGRAM on the `slm` under test, in the folder, with no real data in sight."""
    environment = {name: value for name, value in os.environ.items() if name != "SLM_DATA_DIR"}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    # Before the arguments, which may name another program.
    command = [sys.executable, os.path.join(BENCH, program), "--slm", SLM, "--out", str(folder / "out"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder)
