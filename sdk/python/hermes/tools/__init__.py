"""Write tools for Hermes: a decorator for functions, a base class for tools with a life of their own."""

import sys

if sys.version_info < (3, 9):
    raise ImportError("hermes.tools needs Python 3.9 or later, and this is %d.%d" % sys.version_info[:2])

from .base import BaseTool
from .context import ToolContext
from .decorator import tool
from .result import ToolError, ToolResult

__all__ = ["BaseTool", "ToolContext", "ToolError", "ToolResult", "tool"]
