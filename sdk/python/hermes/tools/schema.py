"""From a function's signature to the JSON Schema of its arguments, and to what turns them into its types."""

import dataclasses
import enum
import inspect
import typing
from typing import Any, Callable, Dict, List, NamedTuple, Optional

from .docstring import described
from .values import Converter, converter_of, is_union, unwrapped

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
        hints = typing.get_type_hints(function, include_extras=True)
    except Exception:  # A hint that cannot be read says nothing; the parameter takes anything.
        hints = {}
    said = described(function.__doc__ or "")
    properties: Dict[str, Any] = {}
    required: List[str] = []
    context = ""
    takes_more = False
    converters: Dict[str, Converter] = {}
    for name, parameter in signature.parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            takes_more = takes_more or parameter.kind is parameter.VAR_KEYWORD
            continue
        hint = hints.get(name, parameter.annotation)
        # `context: ToolContext = None` is an Optional for Pythons before 3.11.
        if ToolContext in (hint, *typing.get_args(hint)) or hint == "ToolContext":
            context = name
            continue
        converter = converter_of(hint)
        if converter is not None:
            converters[name] = converter
        if parameter.default is parameter.empty:
            required.append(name)
        properties[name] = _property(hint, parameter.default, said.get(name))
    whole: Dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": takes_more}
    if required:
        whole["required"] = required
    return Signature(whole, context, converters)


def _property(hint: Any, default: Any, said: Optional[str]) -> Dict[str, Any]:
    """One parameter or field: its type, its default and what is said about it."""
    schema = schema_of(hint)
    # Models send null for what they leave out; `x: int = None` takes it, whatever the hint says.
    if default is None:
        schema = _or_null(schema)
    notes = [note for note in getattr(hint, "__metadata__", ()) if isinstance(note, str)]
    if said or notes:
        schema["description"] = said or notes[0]
    if isinstance(default, enum.Enum):
        schema["default"] = default.value
    elif isinstance(default, tuple):
        schema["default"] = list(default)
    elif isinstance(default, (str, int, float, bool, list, dict)):
        schema["default"] = default
    return schema


def schema_of(hint: Any) -> Dict[str, Any]:
    """The schema of one type. A type that is not known takes anything."""
    hint = unwrapped(hint)
    if isinstance(hint, type) and hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple and arguments and Ellipsis not in arguments:
        count = {"minItems": len(arguments), "maxItems": len(arguments)}
        return {"type": "array", "items": _any_of([schema_of(argument) for argument in arguments]), **count}
    if hint in (list, tuple, set, frozenset) or origin in (list, tuple, set, frozenset):
        return {"type": "array", "items": schema_of(arguments[0])} if arguments else {"type": "array"}
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
        whole = _any_of([schema_of(argument) for argument in arguments if argument is not type(None)])
        return _or_null(whole) if type(None) in arguments else whole
    return {}


def _any_of(branches: List[Dict[str, Any]]) -> Dict[str, Any]:
    """One of several schemas, each of them once."""
    different = [branch for place, branch in enumerate(branches) if branch not in branches[:place]]
    return different[0] if len(different) == 1 else {"anyOf": different}


def _or_null(schema: Dict[str, Any]) -> Dict[str, Any]:
    """The same, and null."""
    if isinstance(schema.get("type"), str) and "properties" not in schema:
        listed = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
        return {**schema, "type": [schema["type"], "null"], **listed}
    if not schema or {"type": "null"} in schema.get("anyOf", []) or "null" in schema.get("type", []):
        return schema
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], {"type": "null"}]}
    return {"anyOf": [schema, {"type": "null"}]}


def _one_of(values: List[Any]) -> Dict[str, Any]:
    kinds = {_PLAIN.get(type(value)) for value in values}
    schema: Dict[str, Any] = {"enum": values}
    if len(kinds) == 1 and None not in kinds:
        schema["type"] = kinds.pop()
    return schema


def _fields(hint: Any) -> Dict[str, Any]:
    hints = typing.get_type_hints(hint, include_extras=True)
    fields = dataclasses.fields(hint)
    needed = [f.name for f in fields if f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING]
    said = described(hint.__doc__ or "")
    properties = {f.name: _property(hints.get(f.name, Any), f.default, said.get(f.name)) for f in fields}
    schema: Dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    if needed:
        schema["required"] = needed
    return schema
