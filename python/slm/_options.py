"""What the engine says of its requests and methods, and how a run ends."""

from __future__ import annotations

import functools
import json
import os
import sys
import warnings

from . import _core


class EarlyStopWarning(UserWarning):
    """The work was ended by Ctrl-C, and the result is the best up to then."""


# Who calls fit many times and compares: half-trained fits would be scored as if they were whole.
_SEARCHES = ("sklearn.model_selection", "joblib")


def end_search():
    """Raises KeyboardInterrupt if the fit that Ctrl-C has ended is one of a search's."""
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if any(name == search or name.startswith(search + ".") for search in _SEARCHES):
            raise KeyboardInterrupt
        frame = frame.f_back


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


@functools.cache
def fields(command):
    """The fields of a request in the order of the engine: name, type, default, allowed, help."""
    return json.loads(_core.fields(command))


def type_doc(field):
    """The type of a field as a docstring has it."""
    words = field["allowed"].split(", ")
    if field["type"] == "text" and field["allowed"] and not any(" " in word for word in words):
        return "{" + ", ".join(f'"{word}"' for word in words) + "}"
    names = {"real": "float", "text": "str", "list": "str or list of str", "object": "dict"}
    return names.get(field["type"], field["type"])


def help_doc(field):
    """The help of a field as a sentence."""
    text = field["help"].rstrip(".")
    return text[0].upper() + text[1:] + "."


def method_table():
    """Every method by name: summary, reference, kind and options."""
    return {method["name"]: method for method in json.loads(_core.methods())}
