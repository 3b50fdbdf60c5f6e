"""From JSON values to the types that a function's parameters have."""

import dataclasses
import enum
import inspect
import typing
from typing import Any, Callable, Optional

Converter = Callable[[Any], Any]


def converter_of(hint: Any) -> Optional[Converter]:
    """What makes a value of this type from JSON; ``None`` where JSON's own value is one."""
    hint = unwrapped(hint)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if inspect.isclass(hint) and issubclass(hint, enum.Enum):
        return hint
    if inspect.isclass(hint) and dataclasses.is_dataclass(hint):
        return _dataclass(hint)
    if hint in (tuple, set, frozenset):
        return _if_list(hint)
    if origin is tuple and arguments and Ellipsis not in arguments:
        return _places([converter_of(argument) for argument in arguments])
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


def unwrapped(hint: Any) -> Any:
    """The type itself, where notes are written beside it: ``Annotated[int, "How many."]``."""
    return hint.__origin__ if hasattr(hint, "__metadata__") else hint


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


def _places(inner: typing.List[Optional[Converter]]) -> Converter:
    """A tuple in which every place has a type of its own."""
    return lambda value: tuple(change(item) if change else item for change, item in zip(inner, value))


def _dataclass(kind: Any) -> Converter:
    hints = typing.get_type_hints(kind)
    fields = {field.name: converter_of(hints.get(field.name)) for field in dataclasses.fields(kind)}

    def convert(value: Any) -> Any:
        def made(name: str, item: Any) -> Any:
            change = fields.get(name)
            return item if change is None or item is None else change(item)

        return kind(**{name: made(name, item) for name, item in value.items()})

    return convert
