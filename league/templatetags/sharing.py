"""The metadata of a page for search engines and for link previews: canonical address, title, text,
and picture (Open Graph). Only the pages of `PAGES` do, and only as visitors see them: with public names, in a public
club.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django import template
from django.conf import settings
from django.http import HttpRequest
from django.template.base import Node, NodeList, Parser, Token
from django.template.context import Context
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

register = template.Library()

LOCALES = {"de": "de_CH", "en": "en_GB"}
PICTURE_SIZE = (1200, 630)
"""Width and height in pixels: the proportion in which most programs show the picture of a link."""


@dataclass(frozen=True)
class SharedPage:
    """The sharing of a page: the route of its picture, and the parameters that are part of its canonical address. The
    picture's address has the names of the page's address, or only `names` of them."""

    picture: str
    query: tuple[str, ...] = ()
    names: tuple[str, ...] | None = None

    def picture_path(self, of_page: Mapping[str, Any]) -> str:
        """Return the address of the picture, from the names of the page's address."""
        names = {name: of_page[name] for name in (of_page if self.names is None else self.names)}
        return reverse(self.picture, kwargs=names)


PAGES: Mapping[str, SharedPage] = {
    "home": SharedPage("site-picture", query=("after",)),
    "calculator": SharedPage("site-picture"),
    "hand-worth": SharedPage("site-picture"),
    "api-docs": SharedPage("site-picture"),
    "privacy": SharedPage("site-picture"),
    "club": SharedPage("club-picture"),
    "club-pages": SharedPage("club-picture"),
    "club-privacy": SharedPage("club-picture"),
    "club-feeds": SharedPage("club-picture"),
    "tournaments": SharedPage("club-picture"),
    "tournament": SharedPage("tournament-picture"),
    "tournament-seat": SharedPage("tournament-picture"),
    "tournament-screen": SharedPage("tournament-picture"),
    "player": SharedPage("player-picture", query=("season",)),
    "club-screen": SharedPage("club-picture"),
    "season": SharedPage("season-picture"),
    "season-sum": SharedPage("season-picture", names=("club", "season")),
    "season-team": SharedPage("season-picture", names=("club", "season")),
    "season-report": SharedPage("season-picture"),
    "club-records": SharedPage("club-records-picture"),
    "season-records": SharedPage("season-records-picture"),
    "season-statistics": SharedPage("statistics-picture"),
    "season-chances": SharedPage("chances-picture"),
    "season-luck": SharedPage("season-picture"),
    "season-champions": SharedPage("champions-picture"),
    "club-champions": SharedPage("club-picture"),
    "club-year": SharedPage("club-picture", names=("club",)),
    "player-year": SharedPage("player-picture", names=("club", "player")),
    "evening": SharedPage("evening-picture"),
    "evening-corrections": SharedPage("evening-picture"),
    "evening-report": SharedPage("evening-picture"),
    "hand-through": SharedPage("hand-picture"),
}
"""The shared pages by route."""


class KeptText(Node):
    """Renders its content, and keeps the text for `sharing_tags` under a name."""

    def __init__(self, name: str, nodelist: NodeList) -> None:
        self.name = name
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        rendered = self.nodelist.render(context)
        # It is a part of the page, so it is escaped already.
        context[self.name] = mark_safe(" ".join(rendered.split()))  # noqa: S308
        return rendered


@register.tag
def keep_text(parser: Parser, token: Token) -> KeptText:
    """`{% keep_text page_title %}…{% end_keep_text %}` shows its content, which may be a block, and keeps it."""
    _tag, name = token.split_contents()
    nodelist = parser.parse(("end_keep_text",))
    parser.delete_first_token()
    return KeptText(name, nodelist)


@register.inclusion_tag("league/sharing/_tags.html", takes_context=True)
def sharing_tags(context: Context) -> dict[str, Any]:
    """The tags in the head of a shared page; nothing for somebody signed in, who sees names that are not public."""
    request: HttpRequest | None = context.get("request")
    user = context.get("user")
    match = request.resolver_match if request is not None else None
    page = PAGES.get(match.url_name or "") if match is not None else None
    if request is None or match is None or page is None or user is None or user.is_authenticated:
        return {}
    address = request.build_absolute_uri(canonical_path(request, page))
    title, (width, height) = context.get("page_title", ""), PICTURE_SIZE
    properties = {
        "type": "website",
        "site_name": settings.PRODUCT_NAME,
        "locale": LOCALES.get(get_language() or "", ""),
        "url": address,
        "title": title,
        "description": context.get("page_description", ""),
        "image": request.build_absolute_uri(page.picture_path(match.kwargs)),
        "image:type": "image/png",
        "image:width": width,
        "image:height": height,
        "image:alt": title,
    }
    return {"address": address, "properties": {f"og:{name}": content for name, content in properties.items()}}


def canonical_path(request: HttpRequest, page: SharedPage) -> str:
    """Return path and query of the canonical address: without steps, filters and unknown parameters."""
    query = {name: request.GET[name] for name in page.query if request.GET.get(name)}
    return request.path + (f"?{urlencode(query)}" if query else "")
