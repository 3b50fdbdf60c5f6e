"""The process that runs tools: one JSON object a line on standard input and output.

``docs/plugins.md`` describes the protocol. Synchronous tools run in threads, coroutines in one event loop,
so calls do not wait for each other.
"""

import asyncio
import contextvars
import inspect
import json
import os
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Dict, Optional

from .base import BaseTool, as_result
from .channel import Channel
from .context import ToolContext, current
from .loading import load, tools_of, variables_of
from .places import place_of
from .result import ToolError, ToolResult

PROTOCOL = 1


class Server:
    """Answers requests until there are no more."""

    def __init__(self, path: Path) -> None:
        self.channel = Channel()
        self.send = self.channel.send
        self.path = path
        self.tools = tools_of(load(path))
        self.threads = ThreadPoolExecutor(max_workers=32)
        self.loop: Optional[asyncio.AbstractEventLoop] = None
        self.contexts: Dict[Any, ToolContext] = {}
        self.tasks: Dict[Any, Any] = {}
        #: What was set up, by the tool's identity: names may be missing.
        self.ready: Dict[int, Any] = {}
        self.setting_up = threading.Lock()

    def run(self) -> None:
        for line in self.channel.lines():
            try:
                message = json.loads(line)
            except ValueError:
                continue
            method = message.get("method")
            if method == "describe":
                self.send({"id": message["id"], "result": self.describe()})
            elif method == "call":
                self.start(message["id"], message["params"])
            elif method == "cancel":
                self.cancel(message["params"]["id"])
            elif method == "shutdown":
                break
            else:
                error = {"code": "invalid_argument", "message": f"unknown method {method!r}"}
                self.send({"id": message.get("id"), "error": error})
        self.shut_down()

    def describe(self) -> Dict[str, Any]:
        declared = [need for tool in self.tools.values() for need in getattr(tool, "requires_env", [])]
        named = [need["name"] if isinstance(need, dict) else need for need in declared]
        inferred = [need for need in variables_of(self.path) if need["name"] not in named]
        return {
            "protocol": PROTOCOL,
            "tools": [self.described(name, tool) for name, tool in self.tools.items()],
            "requires_env": declared + inferred,
            "permissions": sorted({asked for tool in self.tools.values() for asked in tool.permissions}),
        }

    def described(self, name: str, tool: Any) -> Dict[str, Any]:
        """What Hermes needs to know about a tool before it runs."""
        return {
            "name": name,
            "description": tool.description or name,
            "parameters": tool.parameters or {"type": "object"},
            "tags": list(tool.tags),
            "timeout_seconds": tool.timeout_seconds,
            "effect": tool.effect,
            "at": place_of(tool, self.path),
        }

    def start(self, call: Any, params: Dict[str, Any]) -> None:
        tool = self.tools.get(params["tool"])
        if tool is None:
            self.fail(call, "not_found", f"there is no tool {params['tool']}")
            return
        given = params.get("context") or {}
        known = {key: given[key] for key in ("call_id", "session_id", "cwd", "data_dir") if key in given}
        self.contexts[call] = ToolContext(**known)
        if is_async(tool):
            coroutine = self.run_async(call, tool, params.get("arguments") or {})
            self.tasks[call] = asyncio.run_coroutine_threadsafe(coroutine, self.event_loop())
        else:
            self.threads.submit(self.run_sync, call, tool, params.get("arguments") or {})

    def event_loop(self) -> asyncio.AbstractEventLoop:
        if self.loop is None:
            self.loop = asyncio.new_event_loop()
            threading.Thread(target=self.loop.run_forever, daemon=True).start()
        return self.loop

    def run_sync(self, call: Any, tool: Any, arguments: Dict[str, Any]) -> None:
        try:
            context = self.contexts[call]
            current.set(context)
            if isinstance(tool, BaseTool):
                with self.setting_up:
                    if id(tool) not in self.ready:
                        tool.setup()
                        self.ready[id(tool)] = True
                value = tool.run(arguments, context)
            else:
                value = tool.call(arguments, context)
            if inspect.isawaitable(value):  # A coroutine behind a decorator that does not look like one.
                value = asyncio.run_coroutine_threadsafe(awaited(value), self.event_loop()).result()
            self.answer(call, value)
        except BaseException as error:  # Whatever a tool raises is its answer.
            self.raised(call, error)
        finally:
            self.contexts.pop(call, None)

    async def run_async(self, call: Any, tool: Any, arguments: Dict[str, Any]) -> None:
        try:
            context = self.contexts[call]
            current.set(context)
            if isinstance(tool, BaseTool):
                if id(tool) not in self.ready:
                    # The first caller sets up; whoever comes meanwhile waits for the same.
                    self.ready[id(tool)] = asyncio.ensure_future(awaited(tool.setup()))
                try:
                    await asyncio.shield(self.ready[id(tool)])
                except BaseException:
                    self.ready.pop(id(tool), None)
                    raise
                if inspect.iscoroutinefunction(tool.run):
                    value = await tool.run(arguments, context)
                else:
                    # What blocks must not keep the others of the loop waiting.
                    inner = contextvars.copy_context()
                    loop = asyncio.get_running_loop()
                    value = await awaited(
                        await loop.run_in_executor(self.threads, inner.run, tool.run, arguments, context)
                    )
            else:
                value = await tool.call(arguments, context)
            self.answer(call, value)
        except asyncio.CancelledError:
            self.fail(call, "cancelled", "the call was cancelled")
        except BaseException as error:  # Whatever a tool raises is its answer.
            self.raised(call, error)
        finally:
            self.contexts.pop(call, None)
            self.tasks.pop(call, None)

    def answer(self, call: Any, value: Any) -> None:
        result: ToolResult = as_result(value)
        message: Dict[str, Any] = {"id": call}
        if result.success:
            message["result"] = result.output
        else:
            message["error"] = {"code": "exec_failed", "message": str(result.error or "the tool failed")}
        if result.metadata:
            message["metadata"] = result.metadata
        self.send(message)

    def raised(self, call: Any, error: BaseException) -> None:
        if isinstance(error, ToolError):
            self.fail(call, error.code, str(error))
            return
        traceback.print_exception(type(error), error, error.__traceback__)
        self.fail(call, "exec_failed", f"{type(error).__name__}: {error}")

    def fail(self, call: Any, code: str, message: str) -> None:
        self.send({"id": call, "error": {"code": code, "message": message}})

    def cancel(self, call: Any) -> None:
        context = self.contexts.get(call)
        if context is not None:
            context._cancelled.set()
        task = self.tasks.get(call)
        if task is not None:
            task.cancel()

    def shut_down(self) -> None:
        for tool in self.tools.values():
            if isinstance(tool, BaseTool) and id(tool) in self.ready:
                try:
                    if self.loop is not None and is_async(tool):
                        asyncio.run_coroutine_threadsafe(awaited(tool.teardown()), self.loop).result(5)
                    else:
                        tool.teardown()
                except BaseException as error:  # One tool's end must not keep the others from theirs.
                    traceback.print_exception(type(error), error, error.__traceback__)
        # Threads of tools that do not end are not waited for.
        os._exit(0)


def is_async(tool: Any) -> bool:
    """Whether a tool wants the event loop: a coroutine anywhere in its life, and it has it for all of it."""
    if isinstance(tool, BaseTool):
        return any(inspect.iscoroutinefunction(step) for step in (tool.setup, tool.run, tool.teardown))
    return inspect.iscoroutinefunction(tool.function)


async def awaited(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value
