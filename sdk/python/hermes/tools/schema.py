"""From a function's signature to the JSON Schema of its arguments, and to what turns them into its types."""

import dataclasses
import enum
import inspect
import re
import typing
from typing import Any, Callable, Dict, List, NamedTuple

from .values import Converter, converter_of, is_union

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}


class Signature(NamedTuple):
    """What a function takes."""

    schema: Dict[str, Any]
    #: The parameter that wants the context; '' if none does.
    context: str
    #: What makes an enum or a dataclass of a JSON value, for the parameters that are one.
    converters: Dict[str, Converter]


def parameters_of(function: Callable[..., Any]) -> Signature:
    """The schema of a function's arguments, and how to hand them to it."""
    from .context import ToolContext

    signature = inspect.signature(function)
    try:
        hints = typing.get_type_hints(function)
    except Exception:  # A hint that cannot be read says nothing; the parameter takes anything.
        hints = {}
    described = _described(function.__doc__ or "")
    properties: Dict[str, Any] = {}
    required: List[str] = []
    context = ""
    converters: Dict[str, Converter] = {}
    for name, parameter in signature.parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        hint = hints.get(name, parameter.annotation)
        # `context: ToolContext = None` is an Optional for Pythons before 3.11.
        if ToolContext in (hint, *typing.get_args(hint)) or hint == "ToolContext":
            context = name
            continue
        schema = schema_of(hint)
        converter = converter_of(hint)
        if converter is not None:
            converters[name] = converter
        if name in described:
            schema["description"] = described[name]
        default = parameter.default
        if default is parameter.empty:
            required.append(name)
        elif isinstance(default, enum.Enum):
            schema["default"] = default.value
        elif isinstance(default, (str, int, float, bool, list, dict)):
            schema["default"] = default
        properties[name] = schema
    whole: Dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        whole["required"] = required
    return Signature(whole, context, converters)


def schema_of(hint: Any) -> Dict[str, Any]:
    """The schema of one type. A type that is not known takes anything."""
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint in (list, tuple, set) or origin in (list, tuple, set, frozenset):
        items = [argument for argument in arguments if argument is not Ellipsis]
        return {"type": "array", "items": schema_of(items[0])} if items else {"type": "array"}
    if hint is dict or origin is dict:
        schema: Dict[str, Any] = {"type": "object"}
        if len(arguments) == 2 and arguments[1] is not Any:
            schema["additionalProperties"] = schema_of(arguments[1])
        return schema
    if origin is getattr(typing, "Literal", None):
        return _one_of(list(arguments))
    if inspect.isclass(hint) and issubclass(hint, enum.Enum):
        return _one_of([member.value for member in hint])
    if dataclasses.is_dataclass(hint):
        return _fields(hint)
    if is_union(origin):
        branches = [schema_of(argument) for argument in arguments if argument is not type(None)]
        return branches[0] if len(branches) == 1 else {"anyOf": branches}
    return {}


def _one_of(values: List[Any]) -> Dict[str, Any]:
    kinds = {_PLAIN.get(type(value)) for value in values}
    schema: Dict[str, Any] = {"enum": values}
    if len(kinds) == 1 and None not in kinds:
        schema["type"] = kinds.pop()
    return schema


def _fields(hint: Any) -> Dict[str, Any]:
    hints = typing.get_type_hints(hint)
    fields = dataclasses.fields(hint)
    needed = [f.name for f in fields if f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING]
    properties = {f.name: schema_of(hints.get(f.name, Any)) for f in fields}
    schema: Dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    if needed:
        schema["required"] = needed
    return schema


def first_paragraph(doc: str) -> str:
    """What a docstring says before its sections begin."""
    return " ".join(inspect.cleandoc(doc).split("\n\n")[0].split())


def _described(doc: str) -> Dict[str, str]:
    """What a docstring says about parameters: Google, NumPy and reStructuredText style."""
    found: Dict[str, str] = {}
    for name, text in re.findall(r":param\s+(?:[\w\[\], ]+\s+)?(\w+):\s*(.+)", doc):
        found[name] = text.strip()
    section = re.search(r"^\s*(?:Args|Arguments|Parameters):?\s*\n(?:\s*-+\s*\n)?(.*?)(?:\n\s*\n\S|\n\s*(?:Returns|Raises|Yields|Examples?):|\Z)", doc, re.S | re.M)
    for line in (section.group(1) if section else "").splitlines():
        match = re.match(r"\s+(\w+)\s*(?:\([^)]*\))?\s*:\s*(.+)", line)
        if match and match.group(1) not in found:
            found[match.group(1)] = match.group(2).strip()
    return found
