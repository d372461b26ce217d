"""The operations of an address of the API, as its view declares them."""

from __future__ import annotations

from typing import Any


def rights_of(callback: Any) -> dict[str, Any]:
    """Return the right or audience of each method of a view, by the name of the method."""
    rights = callback.cls.rights
    actions = getattr(callback, "actions", None) or {name: name for name in rights}
    return {method.upper(): rights[action] for method, action in actions.items() if method != "head"}
