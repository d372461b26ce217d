"""The pages of receipts: the list of links for recorders, and the page that a participant visits without signing in.
It shows the amounts of this participant; for the others it only counts hands."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_safe

from league.access import Right
from league.models import Evening, Receipt, ReceiptOpening
from league.money import show_chips
from league.web.game_terms import terms_of
from league.web.qr import qr

from .. import engine_bridge
from ..evening.gate import evening_for
from ..evening.rule_sentences import RULE_KEYS, rule_sentences
from ..hands.effect_lines import EffectLine, effect_lines
from ..hands.gate import signed_in
from ..hands.rounds import is_hidden, round_at
from ..hands.selectors import newest_revisions
from ..models import Revision
from ..offered import game_of
from . import receipt_openings, receipts, selectors, sentences
from .receipt_payments import receipt_payments
from .receipts import Check, Content

HandKey = tuple[int, int]
"""Table and number of a hand."""
Effects = Mapping[HandKey, tuple[EffectLine, ...]]

SHORT = 12
"""How many letters of a digest are shown: enough to distinguish two receipts when they are read aloud."""


@dataclass(frozen=True)
class Link:
    """The link of a participant, as an address and as a QR code."""

    name: str
    url: str
    qr: SafeString
    opened: ReceiptOpening | None


@dataclass(frozen=True)
class PlayerHand:
    """A hand from the side of one participant: `role` is declarer, joiner or out."""

    table: int
    number: int
    role: str
    outcome: str
    failed: bool
    change_minor: int
    muss: bool = False
    effects: tuple[EffectLine, ...] = ()
    """The house rules that changed the amounts, where the participant played."""


@dataclass(frozen=True)
class HandCounts:
    """The numbers of a player's hands, counted as in the standings: `declared` includes walkovers, `contested` does
    not; hands that everybody had to play are counted apart. `sum_minor` is None where the reader may not see it."""

    name: str
    hands: int
    declared: int
    contested: int
    declared_made: int
    walkovers: int
    joined: int
    joined_made: int
    musses: int
    musses_made: int
    sum_minor: int | None


@dataclass(frozen=True)
class ReceiptView:
    """A receipt as one participant sees it. `count` is the number of hands of the evening, `tables` that of its
    tables."""

    name: str
    sum_minor: int
    share_minor: int
    hands: tuple[PlayerHand, ...]
    others: tuple[HandCounts, ...]
    count: int
    tables: int
    pots_sentence: str
    payments: tuple[str, ...]
    sheet_minor: int | None = None
    """What the sheet of a tournament's table says of the participant; None without a sheet."""

    @property
    def with_walkovers(self) -> bool:
        """Return True if somebody played a hand that nobody else played."""
        return any(other.walkovers for other in self.others)

    @property
    def with_muss(self) -> bool:
        """Return True if somebody had to play a hand."""
        return any(other.musses for other in self.others)


@signed_in
@never_cache
@require_GET
def receipt_links(request: HttpRequest, club: str, evening: int) -> HttpResponse:
    """The links to an evening's receipt, one for each participant."""
    access, night = evening_for(request, club, evening, Right.RECORD)
    closings = selectors.closings_of(night)
    newest = closings[-1] if closings else None
    receipt: Receipt | None = getattr(newest, "receipt", None)
    context = {
        "club": access.club,
        "evening": night,
        "receipt": receipt,
        "short": receipt.digest[:SHORT] if receipt else "",
        "links": list(_links(request, receipt)) if receipt else [],
        "sees_openings": access.may(Right.MANAGE),
        "earlier": [closing.receipt for closing in closings[:-1] if hasattr(closing, "receipt")],
    }
    return render(request, "games/closing/receipts.html", context)


def _links(request: HttpRequest, receipt: Receipt) -> Iterator[Link]:
    opened = receipt_openings.openings_of(receipt)
    for player, name in sorted(receipts.readable(receipt)["players"].items(), key=lambda item: item[1].casefold()):
        token = receipts.token_for(receipt.pk, int(player))
        url = request.build_absolute_uri(reverse("receipt", kwargs={"token": token}))
        yield Link(name, url, qr(url), opened.get(int(player)))


@never_cache
@require_safe
def receipt(request: HttpRequest, token: str) -> HttpResponse:
    """A participant's receipt: its content, its seal, and its agreement with the stored data."""
    visited = receipts.receipt_of_link(token)
    if visited is None:
        raise Http404("no such receipt")
    receipt, player = visited
    evening = receipt.closing.evening
    check = receipts.check(receipt, evening)
    mine = f"p{player}"
    content = receipts.readable(receipt)
    in_points, all_money = what_is_shown(receipt, evening)
    view = receipt_view_of(
        content,
        player,
        all_money=all_money,
        currency=receipt.club.currency,
        musses=musses_of(evening),
        effects={} if in_points else effects_of(evening, content),
    )
    context = {
        "receipt": receipt,
        "club": receipt.club,
        "evening": evening,
        "in_points": in_points,
        "all_money": all_money,
        "round": round_at(evening),
        "view": view,
        "rules": _rules_of(
            content, {effect.rule for hand in view.hands for effect in hand.effects}, receipt.club.currency
        ),
        "settling": None if evening.season.points_only else receipt_payments(receipt, content, player, check),
        "check": check,
        "differences": [
            sentences.difference_sentence(difference, receipt.club.currency, mine, amounts=not in_points)
            for difference in check.differences
        ],
        "newer": _newer(check, player),
        "terms": terms_of([content["evening"]["game"]]),
        "game": game_of(content["evening"]["game"]),
        "short": receipt.digest[:SHORT],
        "before": check.before,
        "now": timezone.now(),
        "opened": receipt_openings.opened_before(receipt, player),
    }
    response = render(request, "games/closing/receipt.html", context)
    receipt_openings.note_opening(request, receipt, player)
    # Everybody with the address can read the receipt, so no search engine may list it. No other site gets it either:
    # every
    # answer carries the referrer policy `same-origin`.
    response["X-Robots-Tag"] = "noindex"
    return response


def what_is_shown(receipt: Receipt, evening: Evening) -> tuple[bool, bool]:
    """Return True if the season hides all amounts, and True if the participant sees those of the others. Chips have no
    currency;
    everybody sees them once the round is no longer hidden."""
    if evening.season.in_chips:
        show_chips()
        receipt.club.currency = ""
        return False, not is_hidden(evening)
    in_points = evening.season.points_only
    return in_points, receipt.club.publishes_money and not in_points


def _newer(check: Check, player: int) -> tuple[int, str] | None:
    """Number and address of the receipt that replaced this one, for the same participant."""
    if check.newer is None:
        return None
    took_part = str(player) in check.newer.content["players"]
    token = receipts.token_for(check.newer.pk, player)
    return check.newer.number, reverse("receipt", kwargs={"token": token}) if took_part else ""


def musses_of(evening: Evening) -> set[HandKey]:
    """The hands of an evening that everybody had to play. One query; none in a game without such hands."""
    if not game_of(evening.game).records.has_forced_hands:
        return set()
    revisions = newest_revisions().filter(hand__table__evening=evening, result__muss=True)
    return set(revisions.values_list("hand__table__number", "hand__number"))


def effects_of(evening: Evening, content: Content) -> Effects:
    """The house rules that changed the amounts of each hand, where its record is still the one of the receipt. One
    query."""
    stored = newest_revisions().filter(hand__table__evening=evening, kind=Revision.Kind.ENTERED)
    records = {
        (table, number): (record, result)
        for table, number, record, result in stored.values_list(
            "hand__table__number", "hand__number", "record", "result"
        )
    }
    effects = {}
    for table in content["tables"]:
        for hand in table["hands"]:
            record, result = records.get((table["number"], hand["number"]), ({}, {}))
            if engine_bridge.body_hash(record) == hand["record"]:
                names = [content["players"][str(player)] for player in hand["players"]]
                effects[table["number"], hand["number"]] = effect_lines(record, result, names)
    return effects


def _rules_of(content: Content, keys: Collection[str], currency: str) -> list[tuple[str, str, str]]:
    """The house rules of the evening with these keys: key, heading and sentence."""
    game = content["evening"]["game"]
    rules = engine_bridge.house_rules(game, content["evening"]["rules"]["values"])
    lines = zip(RULE_KEYS[game], rule_sentences(rules, game, currency), strict=True)
    return [(key, heading, sentence) for key, (heading, sentence) in lines if key in keys]


def receipt_view_of(
    content: Content,
    player: int,
    *,
    all_money: bool,
    currency: str,
    musses: Collection[HandKey] = (),
    effects: Effects | None = None,
) -> ReceiptView:
    """The content of a receipt as one participant sees it; `musses` are the hands of the evening that were a Muss,
    `effects` the house rules that changed the amounts of its hands."""
    of_round = "sheets" in content
    content = _own_table(content, player) if of_round else content
    mine, pot = f"p{player}", content["pot"]
    shared = pot["way"] == "share"
    played = [(table["number"], hand) for table in content["tables"] for hand in table["hands"]]
    return ReceiptView(
        name=content["players"][str(player)],
        sum_minor=content["sums"].get(mine, 0),
        share_minor=pot["to"].get(mine, 0) if shared else 0,
        hands=tuple(
            _player_hand(table, hand, player, musses, effects or {})
            for table, hand in played
            if player in hand["players"]
        ),
        others=tuple(
            _counts(content, int(other), name, musses, shown=all_money)
            for other, name in sorted(content["players"].items(), key=lambda item: item[1].casefold())
            if int(other) != player
        ),
        count=len(played),
        tables=len(content["tables"]),
        pots_sentence=_pots_sentence(content, all_money=all_money, currency=currency),
        sheet_minor=next((dict(sheet["chips"])[player] for sheet in content.get("sheets", ())), None),
        payments=tuple(_payment(content, payment, currency) for payment in content["payments"] if mine in payment[:2]),
    )


def _own_table(content: Content, player: int) -> Content:
    """The content of a round's receipt with the participant's table alone: those at other tables play other hands."""
    tables = [table for table in content["tables"] if any(player in hand["players"] for hand in table["hands"])]
    sheets = [sheet for sheet in content["sheets"] if player in dict(sheet["chips"])]
    here = {player, *(other for table in tables for hand in table["hands"] for other in hand["players"])}
    here |= {other for sheet in sheets for other, _chips in sheet["chips"]}
    names = {key: name for key, name in content["players"].items() if int(key) in here}
    to = {label: chips for label, chips in content["pot"]["to"].items() if label.removeprefix("p") in names}
    pot = content["pot"] | {"to": to, "amount": sum(to.values())}
    return content | {"players": names, "tables": tables, "sheets": sheets, "pot": pot}


def _round_pot_sentence(content: Content) -> str:
    """The use of the pot of a table of a round."""
    if content["pot"]["way"] != "share":
        return _("What was left in the pot belongs to nobody.")
    chips = content["pot"]["amount"]
    if chips == 0:
        return _("The pot was empty.")
    return _("%(chips)s chips that were left in the pot were divided among the table.") % {"chips": chips}


def _pots_sentence(content: Content, *, all_money: bool, currency: str) -> str:
    """The use of the pot; the amount is shown only to those who see all amounts."""
    pot = content["pot"]
    if "sheets" in content:
        return _round_pot_sentence(content)
    people = len(pot["to"])
    if pot["amount"] == 0 or all_money:
        return sentences.pots_sentence(pot["way"], pot["amount"], people, currency)
    return {
        "share": ngettext("The pot went to one player.", "The pot was shared among %(n)d.", people) % {"n": people},
        "kitty": _("The pot went to the kitty."),
        "carry": _("The pot stays for the next evening."),
    }[pot["way"]]


def _player_hand(
    table: int, hand: Mapping[str, Any], player: int, musses: Collection[HandKey], effects: Effects
) -> PlayerHand:
    seat = hand["players"].index(player)
    role = "declarer" if seat == hand["declarer"] else "joiner" if seat in hand["joiners"] else "out"
    key = (table, hand["number"])
    failed, change = seat in hand["failed"], hand["deltas"][seat]
    acted = () if role == "out" else effects.get(key, ())
    return PlayerHand(*key, role, hand["outcome"], failed, change, key in musses, acted)


def _counts(content: Content, player: int, name: str, musses: Collection[HandKey], *, shown: bool) -> HandCounts:
    hands = [
        _player_hand(table["number"], hand, player, musses, {})
        for table in content["tables"]
        for hand in table["hands"]
        if player in hand["players"]
    ]
    # Who plays alone where nobody declares counts as a declarer whom nobody joined.
    alone = [hand for hand in hands if hand.outcome == "walkover" and hand.role != "out"]
    declared = [hand for hand in hands if not hand.muss and (hand.role == "declarer" or hand in alone)]
    contested = [hand for hand in declared if hand.outcome != "walkover"]
    joined = [hand for hand in hands if hand.role == "joiner" and not hand.muss and hand.outcome != "walkover"]
    muss_hands = [hand for hand in hands if hand.muss]
    return HandCounts(
        name=name,
        hands=len(hands),
        declared=len(declared),
        contested=len(contested),
        declared_made=sum(not hand.failed for hand in contested),
        walkovers=len(alone),
        joined=len(joined),
        joined_made=sum(not hand.failed for hand in joined),
        musses=len(muss_hands),
        musses_made=sum(not hand.failed for hand in muss_hands),
        sum_minor=content["sums"].get(f"p{player}", 0) if shown else None,
    )


def _payment(content: Content, payment: list[Any], currency: str) -> str:
    payer, payee = (receipts.account_named(content, label) for label in payment[:2])
    return sentences.payment_sentence(payer, payee, payment[2], currency)
