"""Receipts handed out: the list of links for those who write down, and the page that a participant opens without
signing in. It shows that participant's own amounts; of the others it counts hands only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_safe

from league.access import Right
from league.models import Account, Player, Receipt
from league.qr import qr
from league.words import words_of

from ..pages import evening_for
from ..views import signed_in
from . import receipts, selectors, words
from .receipts import Check, Content

SHORT = 12
"""So many letters of a digest tell two receipts apart when they are read aloud."""


@dataclass(frozen=True)
class Link:
    """A participant's link, and the same as a picture to point a phone at."""

    name: str
    url: str
    qr: SafeString


@dataclass(frozen=True)
class HandOf:
    """A hand as one participant played it: `role` is declarer, joiner or out."""

    table: int
    number: int
    role: str
    outcome: str
    failed: bool
    change_minor: int


@dataclass(frozen=True)
class Counts:
    """How often somebody played; `sum_minor` is None where the reader may not see it."""

    name: str
    hands: int
    declared: int
    declared_made: int
    joined: int
    joined_made: int
    sum_minor: int | None


@dataclass(frozen=True)
class Story:
    """A receipt as one participant sees it."""

    name: str
    sum_minor: int
    share_minor: int
    hands: tuple[HandOf, ...]
    others: tuple[Counts, ...]
    count: int
    way: str
    payments: tuple[str, ...]


@signed_in
@never_cache
@require_GET
def receipts_out(request: HttpRequest, club: str, evening: int) -> HttpResponse:
    """The links of an evening's receipt, one for each who took part."""
    access, found = evening_for(request, club, evening, Right.RECORD)
    told = selectors.story(found)
    newest = told[-1] if told else None
    receipt: Receipt | None = getattr(newest, "receipt", None)
    context = {
        "club": access.club,
        "evening": found,
        "receipt": receipt,
        "short": receipt.digest[:SHORT] if receipt else "",
        "links": list(_links(request, receipt)) if receipt else [],
        "earlier": [one.receipt for one in told[:-1] if hasattr(one, "receipt")],
    }
    return render(request, "games/receipts.html", context)


def _links(request: HttpRequest, receipt: Receipt) -> Iterator[Link]:
    for player, name in sorted(receipts.readable(receipt)["players"].items(), key=lambda one: one[1].casefold()):
        token = receipts.token_for(receipt.pk, int(player))
        url = request.build_absolute_uri(reverse("receipt", kwargs={"token": token}))
        yield Link(name, url, qr(url))


@never_cache
@require_safe
def receipt(request: HttpRequest, token: str) -> HttpResponse:
    """A participant's receipt: what it says, its seal, and whether it still agrees with what is stored."""
    opened = receipts.opened(token)
    if opened is None:
        raise Http404("no such receipt")
    found, player = opened
    evening = found.closing.evening
    check = receipts.check(found, evening)
    mine = f"p{player}"
    content = receipts.readable(found)
    in_points = evening.season.points_only
    context = {
        "receipt": found,
        "club": found.club,
        "evening": evening,
        "in_points": in_points,
        "all_money": found.club.publishes_money and not in_points,
        "told": story_of(
            content,
            player,
            all_money=found.club.publishes_money and not in_points,
            currency=found.club.currency,
        ),
        "check": check,
        "differences": [
            words.differs(one, found.club.currency, mine, amounts=not in_points) for one in check.differences
        ],
        "newer": _newer(check, player),
        "words": words_of([content["evening"]["game"]]),
        "short": found.digest[:SHORT],
        "before": receipts.before(found),
    }
    response = render(request, "games/receipt.html", context)
    # The address is the key: it goes into no index, and to no other site (`same-origin`, which every answer has).
    response["X-Robots-Tag"] = "noindex"
    return response


def _newer(check: Check, player: int) -> tuple[int, str] | None:
    """Number and address of the receipt that stands in the place of this one, for the same participant."""
    if check.newer is None:
        return None
    there = str(player) in check.newer.content["players"]
    token = receipts.token_for(check.newer.pk, player)
    return check.newer.number, reverse("receipt", kwargs={"token": token}) if there else ""


def story_of(content: Content, player: int, *, all_money: bool, currency: str) -> Story:
    """What a receipt's content says to one who took part."""
    mine, pot = f"p{player}", content["pot"]
    shared = pot["way"] == "share"
    played = [(table["number"], hand) for table in content["tables"] for hand in table["hands"]]
    return Story(
        name=content["players"][str(player)],
        sum_minor=content["sums"].get(mine, 0),
        share_minor=pot["to"].get(mine, 0) if shared else 0,
        hands=tuple(_hand_of(table, hand, player) for table, hand in played if player in hand["players"]),
        others=tuple(
            _counts(content, int(other), name, shown=all_money)
            for other, name in sorted(content["players"].items(), key=lambda one: one[1].casefold())
            if int(other) != player
        ),
        count=len(played),
        way=_way(content, all_money=all_money, currency=currency),
        payments=tuple(_payment(content, one, currency) for one in content["payments"] if mine in one[:2]),
    )


def _way(content: Content, *, all_money: bool, currency: str) -> str:
    """What became of the pot; how much lay there is for those who see all amounts."""
    pot = content["pot"]
    people = len(pot["to"])
    if pot["amount"] == 0 or all_money:
        return words.pots_way(pot["way"], pot["amount"], people, currency)
    return {
        "share": ngettext(
            "What lay in the pot went to one player.", "What lay in the pot was shared among %(n)d.", people
        )
        % {"n": people},
        "kitty": _("What lay in the pot went to the kitty."),
        "carry": _("What lay in the pot stays for the next evening."),
    }[pot["way"]]


def _hand_of(table: int, hand: Mapping[str, Any], player: int) -> HandOf:
    seat = hand["players"].index(player)
    role = "declarer" if seat == hand["declarer"] else "joiner" if seat in hand["joiners"] else "out"
    return HandOf(table, hand["number"], role, hand["outcome"], seat in hand["failed"], hand["deltas"][seat])


def _counts(content: Content, player: int, name: str, *, shown: bool) -> Counts:
    hands = [
        _hand_of(table["number"], hand, player)
        for table in content["tables"]
        for hand in table["hands"]
        if player in hand["players"]
    ]
    declared = [hand for hand in hands if hand.role == "declarer"]
    joined = [hand for hand in hands if hand.role == "joiner"]
    return Counts(
        name=name,
        hands=len(hands),
        declared=len(declared),
        declared_made=sum(not hand.failed for hand in declared),
        joined=len(joined),
        joined_made=sum(not hand.failed for hand in joined),
        sum_minor=content["sums"].get(f"p{player}", 0) if shown else None,
    )


def _payment(content: Content, payment: list[Any], currency: str) -> str:
    payer, payee, amount = payment
    return words.told(_purse(content, payer), _purse(content, payee), amount, currency)


def _purse(content: Content, label: str) -> Account:
    """A purse as the receipt names it, to be told of; it is not read from the database."""
    if label[0] == "p" and label[1:].isdecimal():
        player = Player(pk=int(label[1:]), nickname=content["players"][label[1:]])
        return Account(kind=Account.Kind.PLAYER, player=player)
    return Account(kind=label)
