"""Template filters and tags: amounts, points, rates (`league.money`), ages and moves in a ranking."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import template
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from .. import money as formats
from ..imported_mark import imported_mark
from ..models import Club
from ..played_games import description
from ..unnamed import Unnamed

register = template.Library()

register.filter("money", formats.format_money)
register.filter("price", formats.format_price)
register.filter("unit", formats.unit)
register.filter("points", formats.format_count)
register.filter("scaled", formats.format_points)
register.filter("place", formats.format_place)
register.filter("gain_class", formats.gain_class)
register.simple_tag(formats.format_rate, name="rate")
register.simple_tag(formats.per_hand, name="per_hand")
register.simple_tag(imported_mark)
register.simple_tag(description, name="product_description")


@register.filter
def named(name: str) -> bool:
    """Return False for the number in place of a name: nothing links to the pages of that player."""
    return not isinstance(name, Unnamed)


@register.simple_tag
def player_link(club: Club, player: int, name: str, season: str = "", *, keeps_focus: bool = False) -> str:
    """The name of a player with a link to the player's page, which shows the season with this short name first.
    `keeps_focus`: the link has an id, by which it keeps the focus in a part of a page that is renewed."""
    if not named(name):
        return conditional_escape(name)
    query = f"?season={season}" if season else ""
    where = reverse("player", kwargs={"club": club.slug, "player": player})
    own_id = format_html(' id="player-{}"', player) if keeps_focus else ""
    return format_html('<a{} href="{}{}">{}</a>', own_id, where, query, name)


@register.simple_tag
def amounts_class() -> str:
    """The CSS class of a page whose amounts are chips: its scripts then write whole numbers."""
    return " in-chips" if formats.shows_chips() else ""


@register.filter
def gain(amount_minor: int | None) -> str:
    """A change of an amount: `+1.60`, `−3.20`, `0.00`; `–` for none."""
    return formats.format_money(amount_minor, plus="+")


@register.filter
def gain_price(amount_minor: int | None, currency: str) -> str:
    """A change of an amount with its currency: `+CHF 1.20`; `–` for none."""
    return formats.format_price(amount_minor, currency, plus="+")


@register.filter
def points_gain(value: int | None) -> str:
    """A change in points: `+3`, `−3`, `0`; `–` for none."""
    return formats.format_count(value, plus="+")


@register.filter
def big_price(amount_minor: int, currency: str) -> SafeString:
    """The largest amount of a page: the currency beside it is small."""
    amount = formats.format_money(amount_minor)
    if not currency:
        return format_html("{}", amount)
    small = format_html('<span class="unit">{}</span>', formats.unit(currency))
    return format_html("{}\xa0{}", *((amount, small) if formats.unit_follows(currency) else (small, amount)))


@register.simple_tag
def age(then: datetime) -> SafeString:
    """Render a time. The page's script writes its age instead: a kept page is sent for longer than an age lasts."""
    patterns = "|".join((_("{n} s ago"), _("{n} min ago"), _("{n} h ago"), _("{n} d ago")))
    return format_html(
        '<time class="age" datetime="{}" data-patterns="{}">{}</time>',
        then.isoformat(timespec="seconds"),
        patterns,
        date_format(localtime(then), "SHORT_DATETIME_FORMAT"),
    )


@register.simple_tag
def move(rank: int | None, rank_before: int | None) -> SafeString:
    """Render the change of a rank since the evening before: `▲ 2`, `▼ 1`, nothing for the same rank and without one."""
    if rank is None or rank_before is None or rank_before == rank:
        return SafeString("")
    up = rank < rank_before
    places = abs(rank - rank_before)
    text = (_("up %(places)s") if up else _("down %(places)s")) % {"places": places}
    return format_html(
        '<span class="move {}"><span aria-hidden="true">{} {}</span><span class="visually-hidden">{}</span></span>',
        "gain" if up else "loss",
        "▲" if up else "▼",
        places,
        text,
    )


@register.simple_block_tag(end_name="end_more_menu")
def more_menu(content: str) -> SafeString:
    """Render the items (`<li>`) behind ⋯; nothing without items. It opens without a script."""
    if not content.strip():
        return SafeString("")
    return format_html(
        '<details class="more-menu no-print"><summary aria-label="{}"><span aria-hidden="true">⋯</span></summary>'
        '<ul class="menu">{}</ul></details>',
        _("More"),
        SafeString(content),
    )


@register.filter
def has(mapping: Any, key: Any) -> bool:
    """Return True if `key` is in a set or mapping."""
    return key in mapping
