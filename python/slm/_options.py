"""Options by name as the words of a command line, and complaints about them in Python's names."""

from __future__ import annotations

import contextlib
import json
import os
import re
import warnings

import numpy as np

from . import _core


class EarlyStopWarning(UserWarning):
    """The work was ended by Ctrl-C, and the result is the best up to then."""


def _text(value):
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, (tuple, list)):
        return ",".join(_text(part) for part in value)
    return str(value)


def words(options):
    """``{"time_limit": 3}`` as ``["--time-limit=3"]``; None leaves an option at its default."""
    result = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is None:
            continue
        if name == "k":
            result.append(f"-k{_text(value)}")
        elif isinstance(value, (bool, np.bool_)):
            result.append(flag if value else "--no-" + flag[2:])
        elif name in ("drop", "groups", "keep", "methods", "set"):
            value = [value] if isinstance(value, str) else value
            result += [f"{flag}={_text(part)}" for part in value]
        else:
            result.append(f"{flag}={_text(value)}")
    return result


def _python_names(message, k_name):
    message = re.sub(r"(?<![\w-])--([a-z][a-z0-9-]*)", lambda m: m[1].replace("-", "_"), message)
    return re.sub(r"(?<![\w-])-k\b|^k(?= is\b)", k_name, message)


@contextlib.contextmanager
def python_names(k_name="k", about=None):
    """The engine speaks of flags; Python's callers know parameters. `about` is the one at hand."""
    try:
        yield
    except (ValueError, RuntimeError) as error:
        message = _python_names(str(error), k_name)
        if about is not None and not message.startswith(about):
            message = f"{about}: {message}"
        if message == str(error):
            raise
        raise type(error)(message) from None


def warn_interrupted(what, stacklevel=3):
    warnings.warn(
        f"interrupted: {what} is the best up to then", EarlyStopWarning, stacklevel=stacklevel + 1
    )


def threads_of(n_jobs):
    """0, which is one thread for each core, unless told otherwise. The result is the same."""
    if n_jobs is None:
        import multiprocessing

        # Inside a worker of a pool every core has its own process already.
        return 1 if multiprocessing.parent_process() is not None else 0
    cores = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    return n_jobs if n_jobs > 0 else max(1, cores + 1 + n_jobs)


def method_table():
    """Every method by name: summary, reference, kind and options."""
    return {method["name"]: method for method in json.loads(_core.methods())}
