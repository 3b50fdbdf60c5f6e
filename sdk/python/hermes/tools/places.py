"""Where things stand in a plugin's files, for messages."""

import inspect
import traceback
from pathlib import Path
from typing import Any, Optional

from .base import BaseTool


class LoadError(Exception):
    """The files cannot be used, and the text says where and why."""


def place_of(tool: Any, root: Optional[Path] = None) -> str:
    """``file:line`` of a tool's definition."""
    try:
        defined = type(tool) if isinstance(tool, BaseTool) else inspect.unwrap(tool.function)
        file = inspect.getsourcefile(defined) or ""
        line = inspect.getsourcelines(defined)[1]
    except (OSError, TypeError):  # Made by other means than a file.
        return ""
    return f"{_shown(file, root)}:{line}"


def told(error: BaseException, root: Path) -> str:
    """What kept the files from being loaded, on one line that begins with its place."""
    if isinstance(error, LoadError):
        return str(error)
    said = str(error) or "no message"
    if isinstance(error, SyntaxError) and error.filename:
        place = f"{_shown(error.filename, root)}:{error.lineno or 1}:{max(error.offset or 1, 1)}"
        return f"{place}: {type(error).__name__}: {error.msg}"
    folder = root if root.is_dir() else root.parent
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(folder)]
    place = f"{_shown(own[-1].filename, root)}:{own[-1].lineno}" if own else root.name
    return f"{place}: {type(error).__name__}: {' '.join(said.split())}"


def _shown(file: str, root: Optional[Path]) -> str:
    """The file as the author calls it."""
    if root is not None:
        folder = root if root.is_dir() else root.parent
        if Path(file).is_relative_to(folder):
            return str(Path(file).relative_to(folder))
    return Path(file).name
