"""Runs of `slm` with a journal of those that are finished.

Every run is one command. Its result is appended to the journal as soon as it is there, under the command
and the program's own bytes, so that an interrupted program goes on where it was, and another build starts
afresh.
"""

import hashlib
import json
import pathlib
import shlex
import subprocess
import sys
import threading

USAGE, BAD_DATA = 2, 3  # exit codes of slm

# What the quick forms take of each method: enough to see that it works, not how well.
QUICK = {
    "slm": {"steps": 300, "starts": 1, "filter_starts": 1, "cross_fit": "never", "refits": 1,
            "final_predictors": 1, "final_steps": 300},
    "paper": {"epochs": 30},  # slm with --preset paper
    "slm-hsic": {"steps": 300, "starts": 1, "filter_starts": 0, "cross_fit": "never", "refits": 1,
                 "final_predictors": 1, "final_steps": 300},
    "stg": {"steps": 300, "search_rounds": 1},
    "lassonet": {"epochs": 20, "path_epochs": 1, "path_multiplier": 1.2, "hidden_units": 32},
    "xgboost": {"rounds": 5, "max_depth": 4},
    "rf": {"trees": 20},
}


def build_of(slm):
    """A name for the program's own bytes."""
    return hashlib.sha256(pathlib.Path(slm).read_bytes()).hexdigest()[:16]


def json_of(command):
    """The JSON result of a command that has to succeed."""
    done = subprocess.run([*command, "--json", "--quiet"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


class Journal:
    """Finished results by a key of words and numbers, for one build of the program."""

    def __init__(self, path, build):
        self.path, self.build, self.finished = path, build, {}
        path.parent.mkdir(parents=True, exist_ok=True)
        for line in path.read_text().splitlines() if path.exists() else []:
            entry = json.loads(line)
            if entry["build"] == build:
                self.finished[tuple(entry["key"])] = entry["value"]

    def get(self, key, compute):
        if key not in self.finished:
            value = self.finished[key] = compute()
            with open(self.path, "a") as file:
                file.write(json.dumps({"build": self.build, "key": key, "value": value}) + "\n")
        return self.finished[key]


class Runs:
    def __init__(self, slm, journal, folders, shorten):
        """The folders are left out of the commands as they are shown; `shorten` takes from a result what
        need not be kept."""
        self.slm, self.journal, self.folders, self.shorten = slm, journal, folders, shorten
        self.build = build_of(slm)
        self.lock = threading.Lock()
        self.finished = {}
        journal.parent.mkdir(parents=True, exist_ok=True)
        if journal.exists():
            self._read_journal()

    def _read_journal(self):
        text = self.journal.read_text()
        for line in text.splitlines():
            try:
                entry = json.loads(line)
            except json.JSONDecodeError:
                continue  # cut off in the middle of writing
            if entry["build"] == self.build:
                self.finished[entry["command"]] = entry["result"]
        if text and not text.endswith("\n"):
            with open(self.journal, "a") as file:
                file.write("\n")  # what comes next begins a line of its own

    def shown(self, command):
        """The command without the folders of this machine."""
        text = shlex.join(["slm", *command])
        for folder in self.folders:
            text = text.replace(f"{folder}/", "")
        return text

    def run(self, command):
        """The JSON result of `slm COMMAND`, or {"failure": message}."""
        key = self.shown(command)
        with self.lock:
            if key in self.finished:
                return self.finished[key]
        done = subprocess.run([self.slm, *command, "--json", "--quiet"], capture_output=True, text=True)
        if done.returncode == USAGE:
            sys.exit(f"{key}\n{done.stderr}")  # a mistake of ours
        if done.returncode == 0:
            result = self.shorten(json.loads(done.stdout))
        else:
            result = {"failure": done.stderr.strip().removeprefix("slm: ") or f"ended with {done.returncode}"}
        if done.returncode not in (0, BAD_DATA):
            return result  # may go well another time
        with self.lock:
            self.finished[key] = result
            with open(self.journal, "a") as file:
                file.write(json.dumps({"build": self.build, "command": key, "result": result}) + "\n")
            print(f"  {key:.110}", file=sys.stderr, flush=True)
        return result

    def run_whole(self, command):
        """As run, where nothing can be said without the result."""
        result = self.run(command)
        if "failure" in result:
            sys.exit(f"{self.shown(command)}: {result['failure']}")
        return result
