"""The report on an evening: its winners, every hand in a line, its highlights."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from league.access import ClubAccess
from league.imported_mark import imported_note
from league.models import Evening
from league.money import format_count
from league.reports.pages import Large, answer
from league.reports.report import Figure, Report, money_note
from league.standings.selectors import evening_totals
from league.web.csv_download import file_name
from league.web.game_terms import Terms, terms_of
from league.web.report_table import Column, Kind, Row, Table, without_empty

from ..hands import selectors
from ..seating.name_lists import listed
from .gate import evening_for
from .highlights import highlights
from .played_hands import PlayedHand, played_hands


@require_safe
def report(request: HttpRequest, club: str, evening: int) -> HttpResponseBase:
    """Show the report on an evening. The rounds of a tournament have papers of their own."""
    access, night = evening_for(request, club, evening)
    if night.season.in_chips:
        raise Http404("a round of a tournament")
    large = Large("evening-report", night.pk)
    return answer(request, access, evening_report(access, night), about=f"evening:{night.pk}", large=large)


def evening_report(access: ClubAccess, evening: Evening) -> Report:
    """Return the report as this reader sees it; `access` is within the season."""
    played = played_hands(evening, selectors.evening_hands(evening))
    totals = evening_totals(evening)
    terms = terms_of([evening.game])
    return Report(
        kind=_("Evening report"),
        title=_("Evening %(number)s") % {"number": evening.number},
        about=_about(evening, played, len(totals)),
        file=file_name(access, evening.season.slug, "evening", evening.number, "report"),
        back=evening.get_absolute_url(),
        figures=[
            Figure(highlight.label, highlight.text, highlight.note) for highlight in highlights(access, evening, played)
        ],
        tables=[_players(access, evening, totals, terms), _hands(access, evening, played, terms)],
    )


def _about(evening: Evening, played: Sequence[PlayedHand], players: int) -> str:
    parts = [
        evening.season.name,
        date_format(evening.held_on, "DATE_FORMAT"),
        evening.game.title(),
        ngettext("%(n)s player", "%(n)s players", players) % {"n": format_count(players)},
        ngettext("%(n)s hand", "%(n)s hands", len(played)) % {"n": format_count(len(played))},
        str(evening.stage().label),
        *filter(None, [imported_note(evening)]),
    ]
    return " · ".join(parts)


def _players(access: ClubAccess, evening: Evening, totals: Sequence[dict[str, object]], terms: Terms) -> Table:
    rows: list[Row] = [_player(access, evening, row) for row in totals]
    columns = [
        Column("rank", gettext_lazy("Rank"), Kind.COUNT),
        Column("player", gettext_lazy("Player")),
        Column("points", gettext_lazy("Points"), Kind.POINTS, signed=True),
        Column("change", gettext_lazy("Net"), Kind.AMOUNT, signed=True, summed=True),
        Column("hands", gettext_lazy("Hands"), Kind.COUNT),
        *(_declared_columns(terms) if terms.has_declarer else []),
        Column("joined", terms.joins, Kind.COUNT, summed=True),
        Column("joined_made", _("%(term)s: made") % {"term": terms.joins}, Kind.COUNT, summed=True),
        Column("imported", gettext_lazy("Imported")),
    ]
    return Table(
        "players",
        _("Players"),
        without_empty(columns, rows, "points", "change", "imported"),
        rows,
        note=money_note(access, any_amount=any(row["change"] is not None for row in rows)),
        empty=_("No hand has been played yet."),
    )


def _declared_columns(terms: Terms) -> list[Column]:
    return [
        Column("contested", terms.declares, Kind.COUNT, summed=True),
        Column("declared_made", _("%(term)s: made") % {"term": terms.declares}, Kind.COUNT, summed=True),
    ]


def _player(access: ClubAccess, evening: Evening, row: dict[str, object]) -> Row:
    player, declared, walkovers = (int(str(row[name])) for name in ("player_id", "declared", "walkovers"))
    whole = {name: int(str(row[name])) for name in ("rank", "hands", "declared_made", "joined_made", "joined")}
    return {
        **whole,
        "player": access.names.show(player, str(row["nickname"])),
        "points": int(str(row["points"])) if evening.season.by_points else None,
        "change": int(str(row["change_minor"])) if access.sees_money(player) else None,
        "contested": declared - walkovers,
        "imported": imported_note(evening) or None,
    }


def _hands(access: ClubAccess, evening: Evening, played: Sequence[PlayedHand], terms: Terms) -> Table:
    several = len({played_hand.table for played_hand in played}) > 1
    note = imported_note(evening) or None
    rows: list[Row] = [{**_hand(access, played_hand, several, terms), "imported": note} for played_hand in played]
    columns = [
        Column("table", gettext_lazy("Table"), Kind.COUNT),
        Column("hand", gettext_lazy("Hand"), Kind.COUNT),
        *([Column("declarer", terms.declares)] if terms.has_declarer else []),
        Column("joiners", terms.joins),
        Column("failed", gettext_lazy("failed")),
        Column("pot", gettext_lazy("Pot"), Kind.AMOUNT),
        Column("imported", gettext_lazy("Imported")),
    ]
    return Table(
        "hands",
        _("Hands"),
        without_empty(columns, rows, "table", "pot", "imported"),
        rows,
        empty=_("No hand has been played yet."),
    )


def _hand(access: ClubAccess, played_hand: PlayedHand, several: bool, terms: Terms) -> Row:
    hand = played_hand.hand

    def names(seats: Sequence[int]) -> str:
        return listed([access.names.show(hand.player_ids[seat], hand.names[seat]) for seat in seats])

    nobody, alone = _("nobody"), hand.outcome == "walkover"
    joiners = names(hand.joiners) if hand.joiners else ""
    if terms.has_declarer:
        joiners = _("alone") if alone else joiners
    elif hand.muss:
        joiners = str(terms.forced)
    else:
        # Nobody declares, so all that is said stands in the column of those who play.
        joiners = ", ".join((joiners, _("alone"))) if alone else joiners or nobody
    return {
        "table": played_hand.table if several else None,
        "hand": hand.number,
        "declarer": str(terms.forced) if hand.muss else nobody if hand.declarer is None else names([hand.declarer]),
        "joiners": joiners,
        "failed": names(sorted(hand.failed)) if hand.failed else "",
        "pot": hand.pot if access.sees_money() else None,
    }
