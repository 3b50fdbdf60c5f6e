"""Finds the tools of a file or folder."""

import ast
import importlib.util
import inspect
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Dict, List, Tuple

from .base import BaseTool
from .places import LoadError, place_of

_GETTERS = ("os.environ.get", "environ.get", "os.getenv", "getenv")


def load(path: Path) -> List[ModuleType]:
    """Runs the file, or every Python file of the folder, and returns the modules."""
    files = [path] if path.is_file() else sorted(file for file in path.glob("*.py") if not file.name.startswith("_"))
    # Files of a plugin may import each other and what lies beside them.
    sys.path.insert(0, str(path.parent if path.is_file() else path))
    return [_module(file) for file in files]


def _module(file: Path) -> ModuleType:
    if file.stem in sys.modules and getattr(sys.modules[file.stem], "__file__", None) == str(file):
        return sys.modules[file.stem]
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    # Tools are short, and nearly all of them read a key: `os` is there without being asked for.
    module.__dict__.setdefault("os", os)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


def tools_of(modules: List[ModuleType]) -> Dict[str, Any]:
    """All decorated functions and all tool classes that the modules define themselves, by name."""
    found: Dict[str, Any] = {}
    for module in modules:
        for value in list(vars(module).values()):
            if inspect.isclass(value) and issubclass(value, BaseTool) and value.__module__ == module.__name__:
                _add(found, value.name or value.__name__, value())
            elif getattr(value, "__module__", None) == module.__name__ and hasattr(value, "__hermes_tool__"):
                _add(found, value.__hermes_tool__.name, value.__hermes_tool__)
    if not found:
        names = ", ".join(Path(str(module.__file__)).name for module in modules) or "the folder"
        raise LoadError(f"{names}: no tools; decorate a function with @tool, or write a class of BaseTool")
    return dict(sorted(found.items()))


def _add(found: Dict[str, Any], name: str, tool: Any) -> None:
    known = found.setdefault(name, tool)
    if known is not tool:
        raise LoadError(f"{place_of(tool)}: a second tool is called {name}; the first is at {place_of(known)}")


def variables_of(path: Path) -> List[Dict[str, Any]]:
    """The environment variables that the files read by name, found without running them."""
    files = [path] if path.is_file() else sorted(path.glob("*.py"))
    optional: Dict[str, bool] = {}
    for file in files:
        for node in ast.walk(ast.parse(file.read_bytes())):
            name, may_lack = _variable(node)
            if name:
                optional[name] = may_lack and optional.get(name, True)
    return [{"name": name, "optional": optional[name]} for name in sorted(optional)]


def _variable(node: ast.AST) -> Tuple[str, bool]:
    """The variable that an expression reads, and whether it does without."""
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) in ("os.environ", "environ"):
        key, may_lack = node.slice, False
    elif isinstance(node, ast.Call) and ast.unparse(node.func) in _GETTERS and node.args:
        key, may_lack = node.args[0], True
    else:
        return "", True
    return (key.value, may_lack) if isinstance(key, ast.Constant) and isinstance(key.value, str) else ("", True)
