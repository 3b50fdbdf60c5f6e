"""``python -m hermes.tools FILE_OR_FOLDER``: runs tools for Hermes."""

import sys
from pathlib import Path

from .serve import Server

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m hermes.tools FILE_OR_FOLDER")
    Server(Path(sys.argv[1]).resolve()).run()
