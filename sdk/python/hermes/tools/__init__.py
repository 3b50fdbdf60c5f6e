"""Write tools for Hermes: a decorator for functions, a base class for tools with a life of their own."""

from .base import BaseTool
from .context import ToolContext
from .decorator import tool
from .result import ToolError, ToolResult

__all__ = ["BaseTool", "ToolContext", "ToolError", "ToolResult", "tool"]
