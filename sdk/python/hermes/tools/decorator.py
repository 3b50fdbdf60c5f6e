"""Functions as tools."""

from typing import Any, Callable, Dict, List, Optional, Union

from .context import ToolContext
from .docstring import first_paragraph
from .schema import parameters_of


class FunctionTool:
    """What the decorator notes about a function."""

    def __init__(self, function: Callable[..., Any], **given: Any) -> None:
        self.function = function
        self.name = given["name"] or function.__name__
        self.description = given["description"] or first_paragraph(function.__doc__ or "") or self.name
        signature = parameters_of(function)
        self.context_name, self.converters = signature.context, signature.converters
        self.parameters: Dict[str, Any] = given["parameters"] or signature.schema
        self.tags = list(given["tags"] or [])
        self.timeout_seconds = given["timeout_seconds"]
        self.effect = given["effect"]
        self.requires_env = list(given["requires_env"] or [])
        self.permissions = list(given["permissions"] or [])

    def call(self, arguments: Dict[str, Any], context: ToolContext) -> Any:
        """Calls the function with arguments as they came, made what its parameters are."""
        for name in self.converters.keys() & arguments.keys():
            if arguments[name] is not None:
                arguments[name] = self.converters[name](arguments[name])
        if self.context_name:
            arguments[self.context_name] = context
        return self.function(**arguments)


def tool(
    function: Union[Callable[..., Any], str, None] = None,
    *,
    name: Optional[str] = None,
    description: Optional[str] = None,
    parameters: Optional[Dict[str, Any]] = None,
    tags: Optional[List[str]] = None,
    timeout_seconds: int = 60,
    effect: str = "mutating",
    requires_env: Optional[List[Any]] = None,
    permissions: Optional[List[str]] = None,
) -> Any:
    """Makes a function a tool; it stays an ordinary function for everybody else.

    The schema of the arguments comes from type hints, defaults and the docstring. ``effect`` is one of
    ``none``, ``read_only`` and ``mutating``; ``permissions`` are asked of whoever enables the plugin, such as
    ``file:write``. A parameter of type ``ToolContext`` is given the context.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        function.__hermes_tool__ = FunctionTool(  # type: ignore[attr-defined]
            function,
            name=name,
            description=description,
            parameters=parameters,
            tags=tags,
            timeout_seconds=timeout_seconds,
            effect=effect,
            requires_env=requires_env,
            permissions=permissions,
        )
        return function

    return decorate(function) if callable(function) else decorate
