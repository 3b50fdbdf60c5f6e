"""What a running tool knows about its call."""

import logging
import threading
from dataclasses import dataclass, field


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
