"""``python -m hermes.tools FILE_OR_FOLDER``: runs tools for Hermes."""

import sys
import traceback
from pathlib import Path

from .places import told
from .serve import Server

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m hermes.tools FILE_OR_FOLDER")
    root = Path(sys.argv[1]).resolve()
    try:
        server = Server(root)
    except BaseException as error:
        traceback.print_exc()
        # The last line is what people are told first. The way to Hermes closes after it.
        print(told(error, root), file=sys.stderr, flush=True)
        sys.exit(1)
    server.run()
