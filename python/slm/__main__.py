"""The command line: ``slm`` where the package is installed, and ``python -m slm``."""

import os
import sys

from . import _core


def main():
    """Runs the command that the words of the process ask for; its exit code."""
    return _core.command_line([os.fsencode(word) for word in sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
