"""What docstrings say: Google, NumPy and reStructuredText style."""

import inspect
import re
from typing import Dict, Iterator, List, Tuple

_HEADER = re.compile(r"(?:Args|Arguments|Parameters|Other Parameters|Keyword Args|Keyword Arguments|Attributes):?$")
_FIELD = re.compile(r":(?:param|parameter|arg|argument)\s+(?:[^:]*\s)?\*{0,2}(\w+)\s*:\s*(.*)$")
#: `name (type): text`, where the type may have brackets of its own.
_ENTRY = re.compile(r"\*{0,2}(\w+)\s*(?:\((?:[^()]|\([^()]*\))*\))?\s*:\s*(.*)$")
#: `name : type` or `one, other : type`, with the text below it.
_NAMES = re.compile(r"(\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?$")


def first_paragraph(doc: str) -> str:
    """What a docstring says first; nothing if a section begins it."""
    first = inspect.cleandoc(doc).split("\n\n")[0]
    line = first.split("\n")[0].strip()
    return "" if _HEADER.match(line) or line.startswith(":") else " ".join(first.split())


def described(doc: str) -> Dict[str, str]:
    """What a docstring says about each parameter, on one line."""
    lines = inspect.cleandoc(doc).split("\n")
    found: Dict[str, str] = {}
    for place, line in enumerate(lines):
        field = _FIELD.match(line.strip())
        if field:
            entries = [(field.group(1), [field.group(2), *_indented(lines[place + 1 :], _indent(line))])]
        elif not _HEADER.match(line.strip()):
            continue
        elif _is_rule(lines, place + 1):
            entries = list(_numpy(lines, place + 2))
        else:
            entries = list(_google(_indented(lines[place + 1 :], _indent(line))))
        for name, text in entries:
            found.setdefault(name, " ".join(" ".join(text).split()))
    return {name: text for name, text in found.items() if text}


def _numpy(lines: List[str], place: int) -> Iterator[Tuple[str, List[str]]]:
    """The entries of a section under a rule, which goes on to the next heading with one."""
    while place < len(lines) and not _is_rule(lines, place + 1):
        names = _NAMES.match(lines[place])
        text = _indented(lines[place + 1 :], 0)
        if names:
            for name in names.group(1).split(","):
                yield name.strip().lstrip("*"), text
        place += 1 + len(text)


def _google(lines: List[str]) -> Iterator[Tuple[str, List[str]]]:
    """The entries of an indented section: what is indented further goes on with one."""
    depth = min((_indent(line) for line in lines if line.strip()), default=0)
    for place, line in enumerate(lines):
        entry = _ENTRY.match(line.strip()) if _indent(line) == depth else None
        if entry:
            yield entry.group(1), [entry.group(2), *_indented(lines[place + 1 :], depth)]


def _indented(lines: List[str], depth: int) -> List[str]:
    """The lines up to the next one that is not indented further than this."""
    ends = (place for place, line in enumerate(lines) if line.strip() and _indent(line) <= depth)
    return lines[: next(ends, len(lines))]


def _is_rule(lines: List[str], place: int) -> bool:
    return place < len(lines) and re.match(r"\s*-{3,}\s*$", lines[place]) is not None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
