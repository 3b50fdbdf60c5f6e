"""From JSON values to the types that a function's parameters have."""

import dataclasses
import enum
import inspect
import typing
from typing import Any, Callable, Optional

Converter = Callable[[Any], Any]


def converter_of(hint: Any) -> Optional[Converter]:
    """What makes a value of this type from JSON; ``None`` where JSON's own value is one."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if inspect.isclass(hint) and issubclass(hint, enum.Enum):
        return hint
    if inspect.isclass(hint) and dataclasses.is_dataclass(hint):
        return _dataclass(hint)
    if hint in (tuple, set, frozenset):
        return _if_list(hint)
    if origin in (list, tuple, set, frozenset):
        return _items(origin, [argument for argument in arguments if argument is not Ellipsis])
    if origin is dict and len(arguments) == 2:
        inner = converter_of(arguments[1])
        return inner and (lambda value: {key: inner(item) for key, item in value.items()})
    if is_union(origin):
        rest = [argument for argument in arguments if argument is not type(None)]
        # Which of several types is meant, only the function can tell.
        inner = converter_of(rest[0]) if len(rest) == 1 else None
        return inner and (lambda value: None if value is None else inner(value))
    return None


def is_union(origin: Any) -> bool:
    """Whether it is one of several types: ``int | None`` has a type of its own from 3.10 on."""
    return origin is typing.Union or getattr(origin, "__name__", "") == "UnionType"


def _if_list(kind: Any) -> Converter:
    return lambda value: kind(value) if isinstance(value, list) else value


def _items(kind: Any, arguments: typing.List[Any]) -> Optional[Converter]:
    inner = converter_of(arguments[0]) if arguments else None
    if kind is list:
        return inner and (lambda value: [inner(item) for item in value])
    return lambda value: kind(inner(item) if inner else item for item in value)


def _dataclass(kind: Any) -> Converter:
    hints = typing.get_type_hints(kind)
    fields = {field.name: converter_of(hints.get(field.name)) for field in dataclasses.fields(kind)}

    def convert(value: Any) -> Any:
        inner = {name: fields.get(name) for name in value}
        return kind(**{name: change(value[name]) if change else value[name] for name, change in inner.items()})

    return convert
