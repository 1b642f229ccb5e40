"""Progress: what is remembered of it, who is told, and a line for people."""

from __future__ import annotations

import shutil
import sys
import time

_FIELDS = ("phase", "step", "steps", "active_features", "loss", "valid_metric")


class _Line:
    """One line that is drawn over and over, on terminals and in notebooks; plain lines elsewhere."""

    def __init__(self):
        notebook = "ipykernel" in sys.modules
        self.redraw = notebook or sys.stderr.isatty()
        self.width = 0
        self.quarter = (None, -1)
        self.phase, self.start = None, 0.0

    def show(self, event):
        share = min(1.0, event["step"] / event["steps"]) if event["steps"] > 0 else 0.0
        if event["phase"] != self.phase:
            self.phase, self.start = event["phase"], time.monotonic()
        text = f"{event['phase']} [{'#' * int(20 * share):.<20}] {100 * share:3.0f}%"
        if event["active_features"] > 0:
            text += f"  F {event['active_features']}"
        for label, name in (("loss", "loss"), ("valid", "valid_metric")):
            if event[name] == event[name]:
                text += f"  {label} {event[name]:.4g}"
        if 0 < share < 1:
            left = (time.monotonic() - self.start) * (1 - share) / share
            text += f"  {int(left) // 60}:{int(left) % 60:02d} left"
        if self.redraw:
            text = text[: shutil.get_terminal_size().columns - 1]
            sys.stderr.write("\r" + text + " " * max(0, self.width - len(text)))
            self.width = len(text)
        elif (event["phase"], int(4 * share)) != self.quarter:
            self.quarter = (event["phase"], int(4 * share))
            sys.stderr.write(text + "\n")
        sys.stderr.flush()

    def close(self):
        if self.redraw and self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()


class Events:
    """What the engine calls with its news: keeps them, draws them, and asks the callbacks.

    Parameters
    ----------
    verbose : int or bool
        Whether to draw.
    callbacks : callable or list of callables, or None
        Each is called with a dict for each event; True ends the work with the best so far.
    """

    def __init__(self, verbose=False, callbacks=None):
        self.history = []
        self.line = _Line() if verbose else None
        self.callbacks = [callbacks] if callable(callbacks) else list(callbacks or ())

    def __call__(self, events):
        stop = False
        for values in events:
            event = dict(zip(_FIELDS, values))
            self.history.append(event)
            if self.line and (not self.line.redraw or values is events[-1]):
                self.line.show(event)
            for callback in self.callbacks:
                stop = callback(event) is True or stop
        return stop

    def close(self):
        if self.line:
            self.line.close()
