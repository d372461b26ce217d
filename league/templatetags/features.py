"""The template tag around links and cards of a feature."""

from __future__ import annotations

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.template.context import Context

from ..features import uses

register = template.Library()


class UsesNode(template.Node):
    """Renders one of two lists of nodes: the first one if the club uses the feature of the route."""

    child_nodelists = ("nodelist", "otherwise")

    def __init__(
        self, route: FilterExpression, club: FilterExpression, nodelist: NodeList, otherwise: NodeList
    ) -> None:
        self.route, self.club, self.nodelist, self.otherwise = route, club, nodelist, otherwise

    def render(self, context: Context) -> str:
        on = uses(self.club.resolve(context), self.route.resolve(context))
        return (self.nodelist if on else self.otherwise).render(context)


# The same in a condition: `{% if hand.mine and club|uses:'hand-dispute' %}`.
register.filter("uses", uses)


@register.tag("uses")
def do_uses(parser: Parser, token: Token) -> UsesNode:
    """Show a link or a card only in a club that uses the feature of its route.

    `{% uses 'tournaments' %}<a href="{% url 'tournaments' club=club.slug %}">…</a>{% enduses %}` takes the club from
    the variable `club`; `{% uses 'tournaments' card.club %}` from another one. `{% else %}` may stand in it.
    """
    bits = token.split_contents()
    if len(bits) not in (2, 3):
        raise template.TemplateSyntaxError("{% uses 'route' %} or {% uses 'route' club %}")
    route = parser.compile_filter(bits[1])
    club = parser.compile_filter(bits[2] if len(bits) == 3 else "club")
    nodelist = parser.parse(("else", "enduses"))
    otherwise = NodeList()
    if parser.next_token().contents == "else":
        otherwise = parser.parse(("enduses",))
        parser.delete_first_token()
    return UsesNode(route, club, nodelist, otherwise)
