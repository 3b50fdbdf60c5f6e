"""Messages as lines of JSON."""

import base64
import dataclasses
import datetime
import enum
import json
import math
from typing import Any, Dict

#: The longest line that Hermes reads, in bytes.
MAX_LINE = 16 << 20


def line_of(message: Dict[str, Any]) -> bytes:
    """One message as its line. An answer that is too long becomes an error that says so."""
    try:
        text = _dumped(message)
    except ValueError:  # JSON knows no NaN and no infinity; as elsewhere they are written as null.
        text = _dumped(_finite(message))
    # Half a surrogate pair, as in names of files that are not UTF-8, is no text anybody could read.
    line = text.encode("utf-8", "replace") + b"\n"
    if len(line) <= MAX_LINE or "id" not in message:
        return line
    text = f"the answer has {len(line) >> 20} MiB, and at most {MAX_LINE >> 20} MiB are read"
    return line_of({"id": message["id"], "error": {"code": "too_large", "message": text}})


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain, separators=(",", ":"))


def _plain(value: Any) -> Any:
    """What JSON does not know, as something it does."""
    if isinstance(value, (set, frozenset)):
        return _finite(list(value))
    if isinstance(value, (bytes, bytearray, memoryview)):
        return {"base64": base64.b64encode(value).decode("ascii")}
    if isinstance(value, enum.Enum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _finite(dataclasses.asdict(value))
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return str(value)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return value
