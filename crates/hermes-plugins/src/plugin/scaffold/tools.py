"""A plugin in Python. Every decorated function is a tool; its signature is the schema of its arguments."""

from hermes.tools import tool


@tool(name="TOOL_NAME", effect="none")
def greet(name: str, loud: bool = False) -> dict:
    """Greet somebody by name.

    Args:
        name: Who to greet.
        loud: Whether to shout.
    """
    greeting = f"Hello, {name}!"
    return {"greeting": greeting.upper() if loud else greeting}
