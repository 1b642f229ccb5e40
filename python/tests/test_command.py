"""The command of the wheel is the command line: the same bytes, exit codes and signals."""

import os
import pathlib
import signal
import subprocess
import sys
import sysconfig

import pytest

INSTALLED = [str(pathlib.Path(sysconfig.get_path("scripts")) / "slm")]
AS_MODULE = [sys.executable, "-m", "slm"]
TREE = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(params=[INSTALLED, AS_MODULE], ids=["slm", "python -m slm"])
def wheel(request):
    return request.param


@pytest.fixture(autouse=True)
def table(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    subprocess.run([command, *"synth xor --rows 300 --features 8 --output small.csv".split()], check=True)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--version"], 0),
        (["help", "select"], 0),
        (["methods", "--json"], 0),
        (["select", "-", "--target", "y", "-k", "2", "--method", "anova"], 0),
        ([], 2),
        (["select", "small.csv", "--target", "y", "--taget", "z"], 2),
        (["select", "absent.csv", "--target", "y", "-k", "2"], 3),
        (["predict", "small.csv", "small.csv"], 4),
    ],
)
def test_says_what_the_command_line_says(wheel, command, words, code):
    text = pathlib.Path("small.csv").read_bytes()
    ours, theirs = (
        subprocess.run([*program, *words], input=text, capture_output=True)
        for program in (wheel, [command])
    )
    assert (ours.returncode, theirs.returncode) == (code, code)
    assert ours.stdout == theirs.stdout
    assert ours.stderr == theirs.stderr


def test_a_file_name_that_is_not_unicode_is_read(wheel):
    name = os.fsdecode(b"caf\xe9.csv")
    os.rename("small.csv", name)
    done = subprocess.run([*wheel, "select", name, "--target", "y", "-k", "2", "--method", "anova"])
    assert done.returncode == 0


def test_a_reader_that_leaves_ends_it(wheel):
    """Python ignores SIGPIPE, which would turn `slm ... | head` into an error message."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*wheel, "methods"], stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, b"")


def test_signals_and_limits_are_those_of_the_command_line():
    """The command line's own cases of Ctrl-C, SIGTERM and time limits, with the wheel's command."""
    cases = TREE / "tests" / "cli"
    done = subprocess.run([cases / "run-cases", *INSTALLED, cases / "stopping.case"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
