"""Connections for tools that query databases: SQLite always, PostgreSQL and MySQL with their drivers.

Drivers block, so every connection works in one thread of its own.
"""

import asyncio
import importlib
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Callable, List
from urllib.parse import unquote, urlsplit

from .context import current


@dataclass
class QueryResult:
    """What a query came to."""

    rows: List[List[Any]]
    columns: List[str]
    execution_time_ms: float


class Connection:
    """A connection of the Python database API, used from its own thread."""

    def __init__(self, open_connection: Callable[[], Any]) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._open = open_connection
        self._inner: Any = None

    async def _do(self, work: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def open(self) -> "Connection":
        def work() -> None:
            self._inner = self._open()

        await self._do(work)
        return self

    async def query(self, text: str) -> QueryResult:
        """Runs one statement and commits it; a statement that fails is rolled back."""

        def work() -> QueryResult:
            started = time.perf_counter()
            cursor = self._inner.cursor()
            try:
                cursor.execute(text)
                columns = [column[0] for column in cursor.description or []]
                rows = [list(row) for row in cursor.fetchall()] if columns else []
                self._inner.commit()
            except BaseException:
                self._inner.rollback()
                raise
            finally:
                cursor.close()
            return QueryResult(rows, columns, (time.perf_counter() - started) * 1000)

        return await self._do(work)

    async def close(self) -> None:
        await self._do(self._inner.close)
        self._thread.shutdown(wait=False)


async def connect(connection_string: str, dialect: str) -> Connection:
    """Opens a database by its URL: ``sqlite:///file``, ``postgresql://user@host/name``, ``mysql://…``."""
    if dialect == "sqlite":
        return await Connection(lambda: _sqlite(connection_string)).open()
    if dialect in ("postgresql", "postgres"):
        return await Connection(lambda: _postgresql(connection_string)).open()
    if dialect == "mysql":
        return await Connection(lambda: _mysql(connection_string)).open()
    raise ValueError(f"no driver is known for the dialect {dialect!r}: sqlite, postgresql, mysql")


def located(connection_string: str, dialect: str) -> str:
    """The same database by a name that holds everywhere: a relative file lies in the folder of the call."""
    if dialect != "sqlite":
        return connection_string
    file = _sqlite_file(connection_string)
    call = current.get()
    if call is None or not call.cwd or file == ":memory:" or file.startswith("file:"):
        return connection_string
    return "sqlite:///" + os.path.join(call.cwd, file)


def _sqlite_file(text: str) -> str:
    for prefix in ("sqlite:///", "sqlite://"):
        if text.startswith(prefix):
            return text[len(prefix) :] or ":memory:"
    return text


def _sqlite(text: str) -> Any:
    import sqlite3

    text = _sqlite_file(text)
    try:
        return sqlite3.connect(text, check_same_thread=False)
    except sqlite3.OperationalError as error:
        raise sqlite3.OperationalError(f"{error}: {text}") from None


def _postgresql(text: str) -> Any:
    for name in ("psycopg", "psycopg2"):
        try:
            return importlib.import_module(name).connect(text)
        except ModuleNotFoundError:
            continue
    raise RuntimeError("PostgreSQL needs the package psycopg or psycopg2")


def _mysql(text: str) -> Any:
    parts = urlsplit(text)
    try:
        driver = importlib.import_module("pymysql")
    except ModuleNotFoundError:
        raise RuntimeError("MySQL needs the package pymysql") from None
    return driver.connect(
        host=parts.hostname or "localhost",
        port=parts.port or 3306,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        database=parts.path.lstrip("/"),
    )
