"""What a tool answers with."""

from dataclasses import dataclass, field
from typing import Any, Dict, Optional


@dataclass
class ToolResult:
    """The answer of a tool: an output, or an error that says what to change."""

    success: bool = True
    output: Any = None
    error: Optional[str] = None
    metadata: Dict[str, Any] = field(default_factory=dict)


class ToolError(Exception):
    """Raised by a tool to fail with a code of Hermes, such as ``not_found`` or ``invalid_argument``."""

    def __init__(self, message: str, code: str = "exec_failed") -> None:
        super().__init__(message)
        self.code = code
