"""Tools with a life of their own."""

from typing import Any, ClassVar, Dict, List, Optional

from . import database
from .context import ToolContext
from .result import ToolResult


class BaseTool:
    """Subclass it, give it a name and a description, and write ``run``.

    ``setup`` runs once before the first call and ``teardown`` once after the last; both may be coroutines,
    and so may ``run``. ``parameters`` is a JSON Schema; without one any object is accepted.
    """

    name: ClassVar[str] = ""
    description: ClassVar[str] = ""
    parameters: ClassVar[Optional[Dict[str, Any]]] = None
    tags: ClassVar[List[str]] = []
    timeout_seconds: ClassVar[int] = 60
    effect: ClassVar[str] = "mutating"
    permissions: ClassVar[List[str]] = []

    def setup(self) -> Any:
        """Opens what the tool needs."""

    def run(self, params: Dict[str, Any], context: ToolContext) -> Any:
        """Does the work and returns a :class:`ToolResult`."""
        raise NotImplementedError

    def teardown(self) -> Any:
        """Closes what ``setup`` opened."""

    async def _get_connection(self, connection_string: str, dialect: str) -> Any:
        """A connection from the tool's pool, opened at the first call. For tools that query databases."""
        pool = self.__dict__.setdefault("connection_pool", {})
        # The same words mean another file for a call that is made in another folder.
        place = database.located(connection_string, dialect)
        if place not in pool:
            pool[place] = await database.connect(place, dialect)
        return pool[place]

    async def _execute_query(self, connection: Any, query: str, dialect: str) -> Any:
        """The rows, columns and time of a query on a connection of ``_get_connection``."""
        return await connection.query(query)


def as_result(value: Any) -> ToolResult:
    """What a handler returned, as a result: a plain value is an output."""
    return value if isinstance(value, ToolResult) else ToolResult(success=True, output=value)
