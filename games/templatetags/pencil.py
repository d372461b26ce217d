"""Template tag of the line about the pencil, for the pages beside the table screen."""

from __future__ import annotations

from typing import Any

from django import template

from ..table.live_context import hold_for, line_context

register = template.Library()


@register.inclusion_tag("games/table/_pencil_line.html", takes_context=True)
def pencil_line(context: template.Context, page: str) -> dict[str, Any]:
    """The line about the pencil of the page's table. `page` is the page's route. One query."""
    request, access, table = context["request"], context["access"], context["table"]
    return line_context(request, access, table, hold_for(request, table), page)
