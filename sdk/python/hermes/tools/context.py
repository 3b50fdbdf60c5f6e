"""What a running tool knows about its call."""

import logging
import threading
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Optional


@dataclass
class ToolContext:
    """One call's surroundings."""

    call_id: str = ""
    session_id: str = ""
    cwd: str = ""
    data_dir: str = ""
    _cancelled: threading.Event = field(default_factory=threading.Event)

    @property
    def cancelled(self) -> bool:
        """Whether nobody waits for the answer any more. Long loops look at it now and then."""
        return self._cancelled.is_set()

    @property
    def logger(self) -> logging.Logger:
        """Goes to standard error, which Hermes keeps for the operator."""
        return logging.getLogger("hermes.tools")


#: The context of the call that this code works for, where it is not handed on.
current: ContextVar[Optional[ToolContext]] = ContextVar("hermes_call", default=None)
