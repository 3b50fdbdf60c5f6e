"""The two ways to Hermes, kept where tools cannot reach them.

A tool may read standard input and print: both are its own, not the protocol's. What it reads is empty, and what
it prints goes to standard error. The programs it starts inherit the same.
"""

import os
import sys
import threading
from typing import Any, Dict, Iterator

from .wire import line_of


class Channel:
    """Takes standard input and output for the protocol. Made before any code of a tool is loaded."""

    def __init__(self) -> None:
        # Duplicates are not inherited by programs that a tool starts.
        self._in = os.fdopen(os.dup(0), "rb")
        self._out = os.fdopen(os.dup(1), "wb")
        self._writing = threading.Lock()
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        sys.stdout = sys.stderr

    def lines(self) -> Iterator[bytes]:
        """What Hermes sends. Bytes, because the protocol is UTF-8 whatever the language of the machine."""
        return iter(self._in)

    def send(self, message: Dict[str, Any]) -> None:
        line = line_of(message)
        with self._writing:
            self._out.write(line)
            self._out.flush()
