"""The scenes of the pub screen that show an evening: each running table, and the podium of tonight or of the last
evening (`league.pub_screen`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import ClubAccess
from league.imported_mark import imported_note
from league.models import Evening, ResultRow
from league.money import format_count, format_money, format_price, gain_class
from league.pub_screen.scenes import Order, Scene
from league.standings.overview import running_evenings
from league.standings.versions import read_state
from league.state_queries import StateQuery
from league.web.page_versions import State

from .. import engine_bridge
from ..hands import selectors
from ..hands.hand_lines import HandLine, hand_line
from ..hands.selectors import HandView
from ..models import Place, Table
from .highlights import highlights, in_antes
from .played_hands import PlayedHand, played_hands, points_of
from .podium import PlayerTotal, podium

MOST_TABLES = 8
MOST_NAMES = 7

# The data of the screen: the club and its counts, and the tables of its open evenings with their hands.
_SCREEN = StateQuery(
    "games_pub_screen_state",
    ("text",),
    """club.id, version.number,
    (SELECT SUM(season.ledger_mark) FROM league_season AS season WHERE season.club_id = club.id),
    (SELECT SUM(count.counted_mark) FROM league_seasoncount AS count
     JOIN league_season AS season ON season.id = count.season_id WHERE season.club_id = club.id),
    (SELECT MAX(count.counted_at) FROM league_seasoncount AS count
     JOIN league_season AS season ON season.id = count.season_id WHERE season.club_id = club.id),
    (SELECT SUM(facts.version) FROM league_seasonfacts AS facts
     JOIN league_season AS season ON season.id = facts.season_id WHERE season.club_id = club.id),
    (SELECT SUM(table_version.number) FROM league_evening AS evening
     JOIN games_table AS card_table ON card_table.evening_id = evening.id
     JOIN games_tableversion AS table_version ON table_version.table_id = card_table.id
     WHERE evening.club_id = club.id AND evening.state = 'open')""",
    """FROM league_club AS club LEFT JOIN league_clubversion AS version ON version.club_id = club.id
    WHERE club.slug = %s""",
)


def screen_state(*, club: str) -> State | None:
    """The state of a club with its running tables."""
    return read_state(_SCREEN, club)


@dataclass(frozen=True)
class SeatShown:
    """A seat of a running table: `worth` is its player's gain of tonight, empty where the reader may not see it."""

    name: str
    worth: str
    css: str
    deals: bool


@dataclass(frozen=True)
class Night:
    """An evening as the screen shows it."""

    access: ClubAccess
    evening: Evening
    tables: Sequence[tuple[Table, Sequence[HandView]]]
    played: Sequence[PlayedHand]
    totals: Sequence[PlayerTotal]
    antes: Mapping[int, Mapping[int, int]]

    def worth(self, total: PlayerTotal | None) -> tuple[str, str]:
        """Return a player's gain, as text and as a CSS class."""
        if total is None or total.rank is None:
            return "", ""
        if self.evening.season.by_points:
            return format_count(total.points, plus="+"), gain_class(total.points)
        if total.change_minor is None:
            return "", ""
        return format_money(total.change_minor, plus="+"), gain_class(total.change_minor)


def evening_scenes(access: ClubAccess) -> Iterator[Scene]:
    """The tables of the running evening and its podium; between two evenings the podium of the last one."""
    running = running_evenings([access.club.pk]).get(access.club.pk)
    evening = _loaded(access, running.pk if running else None)
    if evening is None:
        return
    night = _night(access.within(evening.season), evening)
    if running:
        yield from _tables(night)
    if any(total.rank is not None for total in night.totals):
        yield _podium(night, running=running is not None)


def _loaded(access: ClubAccess, pk: int | None) -> Evening | None:
    """The evening with this key, else the last closed one of the club that has a podium: one that was played, or
    imported with the sum of each player. One query."""
    rows = Evening.nights.filter(club=access.club).select_related("season", "house_rules")
    if pk is not None:
        return rows.get(pk=pk)
    results = ResultRow.objects.filter(evening=OuterRef("pk"))
    # A share of a pot alone is no evening; the sums of a file are stored as shares, too.
    shown = Exists(results.exclude(role=ResultRow.Role.SHARE)) | Q(Exists(results), imported__isnull=False)
    return rows.filter(shown, state=Evening.State.CLOSED).order_by("-held_on", "-number").first()


def _night(access: ClubAccess, evening: Evening) -> Night:
    evening.club = evening.season.club = access.club
    tables = selectors.evening_hands(evening)
    played = played_hands(evening, tables)
    antes = selectors.antes_of_tables(evening, [table for table, _hands in tables])
    totals = podium(access, evening, antes, len(played))
    return Night(access, evening, tables, played, totals, antes)


def _tables(night: Night) -> Iterator[Scene]:
    playing = [(table, hands) for table, hands in night.tables if not table.dissolved][:MOST_TABLES]
    seated: dict[int, list[tuple[int, str]]] = {}
    places = Place.objects.filter(table__in=[table for table, _hands in playing]).order_by("seat")
    for table_id, player, name in places.values_list("table_id", "player_id", "player__nickname"):
        seated.setdefault(table_id, []).append((player, name))
    for table, hands in playing:
        yield _table(night, table, hands, seated.get(table.pk, []), several=len(playing) > 1)


def _table(
    night: Night, table: Table, hands: Sequence[HandView], seated: Sequence[tuple[int, str]], *, several: bool
) -> Scene:
    access, evening = night.access, night.evening
    pot_minor = table.pot_minor + sum(night.antes.get(table.pk, {}).values())
    sees = access.sees_money()
    pot = format_price(pot_minor, access.club.currency) if sees else in_antes(pot_minor, evening)
    last = next((hand for hand in hands if not hand.voided), None)
    name = _("Table %(number)s") % {"number": table.number} if several else evening.title
    data: dict[str, Any] = {
        "name": name,
        "number": table.hands + 1,
        "paused": table.paused_at is not None,
        "pot": pot,
        "seats": [_seat(night, table, player, nickname) for player, nickname in seated],
        "last": _line(night, last) if last else None,
    }
    return Scene(Order.TABLE, "table", name, "games/pub_screen/_table.html", 20, data)


def _seat(night: Night, table: Table, player: int, nickname: str) -> SeatShown:
    total = next((row for row in night.totals if row.player_id == player), None)
    worth, css = night.worth(total)
    return SeatShown(night.access.names.show(player, nickname), worth, css, player == table.dealer_id)


def _line(night: Night, hand: HandView) -> HandLine:
    season = night.evening.season
    line = hand_line(night.access, hand)
    if not season.by_points:
        return line
    # The same as beside the names: points, also for a reader who sees amounts.
    acted = zip(line.active, engine_bridge.active_seats(hand.result), strict=True)
    return replace(line, active=[replace(cell, points=points_of(season, hand, seat)) for cell, seat in acted])


def _podium(night: Night, *, running: bool) -> Scene:
    evening = night.evening
    day = date_format(evening.held_on)
    title = _("Tonight") if running else _("Last evening, %(day)s") % {"day": day}
    ranked = [total for total in night.totals if total.rank is not None]
    count = len(night.played)
    data = {
        "rows": [(total, *night.worth(total)) for total in ranked[:MOST_NAMES]],
        "highlights": highlights(night.access, evening, night.played),
        "caption": " · ".join(filter(None, [title, evening.title, imported_note(evening)])),
        # A file of sums may not have the number of hands.
        "hands": ngettext("%(n)s hand", "%(n)s hands", count) % {"n": format_count(count)} if count else "",
    }
    return Scene(Order.EVENING, "night", title, "games/pub_screen/_podium.html", 16, data)
