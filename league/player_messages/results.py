"""The message with the result of an evening: the own sum, the rank of the season, open payments, the hand of the
night. It has no amount of anybody else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace

from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..access import ClubAccess
from ..models import Closing, Evening, MessageChoice, Player, PlayerMessage, Role, Season
from ..money import format_count, format_place, format_price
from ..payments.outstanding import outstanding_with
from ..standings.selectors import evening_totals, freshness_as_read, season_ranks
from .hand_of_the_night import hand_of_the_night
from .letter import Letter, LetterLine

Sums = tuple[int, int | None]
"""Points, and the amount that was won or lost (Rappen); the latter is None in a season of points only."""


def own_sums(evening: Evening) -> dict[int, Sums]:
    """Return the sums of each person of an evening, by main player. Three queries at most."""
    rows = evening_totals(evening)
    merged = Player.objects.filter(pk__in=[row["player_id"] for row in rows], main__isnull=False)
    mains: Mapping[int, int] = dict(merged.values_list("pk", "main_id"))
    sums: dict[int, Sums] = {}
    for row in rows:
        player = mains.get(row["player_id"], row["player_id"])
        points, change = sums.get(player, (0, 0))
        amount = None if evening.season.points_only else (change or 0) + row["change_minor"]
        sums[player] = (points + row["points"], amount)
    return sums


def newest_closing(evening: Evening) -> Closing | None:
    """Return the newest closing of an evening, or its reopening."""
    ends = Closing.objects.filter(evening=evening).exclude(kind=Closing.Kind.CASHED)
    return ends.order_by("-number").first()


def result_letter(choice: MessageChoice, message: PlayerMessage) -> Letter | None:
    """Return the result of an evening for its player; None if it is no longer final, or if a later closing changed the
    own sum: another message has that."""
    evening = Evening.objects.select_related("club", "season__club", "season__count", "house_rules").get(
        player_messages=message
    )
    sums = own_sums(evening).get(choice.player_id) if evening.stage() == Evening.Stage.FINAL else None
    closing = newest_closing(evening)
    if sums is None or closing is None:
        return None
    if sums != (message.points, message.change_minor):
        if closing.number != message.version:
            return None
        # The points of the season were changed while the message waited.
        message.points, message.change_minor = sums
        message.save(update_fields=["points", "change_minor"])
    access = _reader(choice, evening)
    day = date_format(evening.held_on, "DATE_FORMAT")
    values = {"evening": evening.title, "day": day}
    corrected = _sent_before(message)
    subject = _("Corrected: %(evening)s, %(day)s") if corrected else _("Your result: %(evening)s, %(day)s")
    main, other = _worth(evening, sums)
    rank, payments = _rank(evening, choice), _payments(access, evening, choice)
    lines = [*other, *rank, *payments, *_hand(access, evening)]
    note = [_("This evening was corrected, and your result with it.")] if corrected else []
    link = f"{settings.BASE_URL}{evening.get_absolute_url()}" if choice.user_id or evening.club.public else ""
    title = _("%(evening)s, %(day)s") % values
    letter = Letter(subject % values, title, main, note, lines, link, _("To the evening"))
    return replace(letter, short=_short(sums, rank), short_money=_short_money(evening, sums, payments))


def _short(sums: Sums, rank: Sequence[LetterLine]) -> list[str]:
    """Return the lines of a push that show no amount."""
    return [_in_points(sums[0]), *(_said(line) for line in rank)]


def _short_money(evening: Evening, sums: Sums, payments: Sequence[LetterLine]) -> list[str]:
    """Return the lines of a push with amounts: won and lost, and what is to be paid."""
    if sums[1] is None:
        return []
    amount = LetterLine(_("Won and lost"), format_price(sums[1], evening.club.currency, plus="+"))
    return [_said(line) for line in (amount, *payments)]


def _said(line: LetterLine) -> str:
    return f"{line.label}: {line.value}, {line.note}" if line.note else f"{line.label}: {line.value}"


def _in_points(points: int) -> str:
    return ngettext("%(n)s point", "%(n)s points", points) % {"n": format_count(points, plus="+")}


def _sent_before(message: PlayerMessage) -> bool:
    same = PlayerMessage.objects.filter(player=message.player_id, evening=message.evening_id)
    return same.filter(state=PlayerMessage.State.SENT).exclude(pk=message.pk).exists()


def _reader(choice: MessageChoice, evening: Evening) -> ClubAccess:
    """Return the access of a member, whatever the role: a mail is read by whoever holds the phone. Amounts of others
    are in none, also where the club publishes them."""
    club = copy(evening.club)
    club.publishes_money = False
    return ClubAccess(club=club, role=Role.MEMBER, player_ids=frozenset({choice.player_id})).within(evening.season)


def _worth(evening: Evening, sums: Sums) -> tuple[str, list[LetterLine]]:
    """Return the sum by which the evening ranks, and a line with the other one."""
    points, change = sums
    in_points = _in_points(points)
    if change is None:
        return in_points, []
    amount = format_price(change, evening.club.currency, plus="+")
    if evening.season.ranking == Season.Ranking.POINTS:
        return in_points, [LetterLine(_("Won and lost"), amount)]
    return amount, [LetterLine(_("Points"), format_count(points, plus="+"))]


def _rank(evening: Evening, choice: MessageChoice) -> list[LetterLine]:
    """Return the rank of the season after the evening; nothing while it waits to be counted."""
    if freshness_as_read(evening.season).waiting:
        return []
    rank, before = season_ranks(evening).get(choice.player_id, (None, None))
    if rank is None:
        return []
    return [LetterLine(evening.season.name, format_place(rank), _moved(rank, before))]


def _moved(rank: int, before: int | None) -> str:
    if before is None:
        return ""
    if rank == before:
        return _("as before")
    up = _("up from %(place)s") if rank < before else _("down from %(place)s")
    return up % {"place": format_place(before)}


def _payments(access: ClubAccess, evening: Evening, choice: MessageChoice) -> list[LetterLine]:
    """Return what the player owes and gets over all evenings; nothing in a season of points only."""
    if evening.season.points_only:
        return []
    lines = []
    for payment in outstanding_with(evening.club, choice.player_id, access.names):
        label = _("You pay") if payment.amount_minor < 0 else _("You get")
        lines.append(LetterLine(label, format_price(abs(payment.amount_minor), evening.club.currency), payment.name))
    return lines or [LetterLine(_("Payments"), _("all paid"))]


def _hand(access: ClubAccess, evening: Evening) -> list[LetterLine]:
    hand = hand_of_the_night(access, evening)
    return [LetterLine(_("Hand of the night"), hand.pot, hand.note)] if hand else []
