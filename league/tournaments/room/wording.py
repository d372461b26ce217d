"""The words of a tournament's public pages: format, rounds, draws and cells of the ranking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from draw import Report

from ...models import Draw, Round, Tournament
from ...money import format_count
from .. import tables
from ..draw_reasons import repeats_reason
from ..formats import Format
from ..ranking import Cell
from .picture import Figure
from .selectors import Person, Ranked, Room, amount

State = Tournament.State


@dataclass(frozen=True, slots=True)
class ShownCell:
    """One round of a line as text. `kind` is that of `league.tournaments.ranking.Cell`."""

    round: int
    text: str
    kind: str
    dropped: bool
    says: str


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of the ranking as text; `tie` names the tie-break that decided."""

    ranked: Ranked
    cells: tuple[ShownCell, ...]
    total: str
    tie: str


@dataclass(frozen=True, slots=True)
class ShownDraw:
    """The published data of the draw of a round."""

    round: Round
    title: str
    how: str
    figures: tuple[tuple[str, str], ...]
    changes: tuple[str, ...]
    out: tuple[Person, ...]
    why: str


def round_name(room: Room, number: int) -> str:
    """Return `Round 3 of 6`, or `Final`."""
    if number > room.format.rounds:
        return _("Final")
    return _("Round %(number)d of %(rounds)d") % {"number": number, "rounds": room.format.rounds}


def round_title(room: Room) -> str:
    """Return the name of the last published round, empty before the first one."""
    return round_name(room, room.current.number) if room.current else ""


def state_text(room: Room) -> str:
    """Return the state of the tournament in one sentence."""
    state, current = room.tournament.state, room.current
    if state == State.DRAFT:
        return _("In preparation: only the desk sees this page.")
    if room.finished:
        return _("The tournament is over.")
    if current is None:
        return _("Open for entries. The first draw appears here.")
    values = {"round": round_title(room)}
    if current.state == Round.State.DRAWN:
        return _("%(round)s is drawn and has not begun.") % values
    if current.state == Round.State.PLAYING:
        return _("%(round)s is being played.") % values
    if room.hides_last:
        return _("All rounds are played. The last result is shown at the prize giving.")
    if current.number >= room.format.all_rounds:
        return _("All rounds are played.")
    return _("%(round)s is finished. The next draw appears here.") % values


def details(room: Room) -> list[tuple[str, str]]:
    """Return the practical details: begin, game, fee, and for members the prizes."""
    tournament = room.tournament
    rows = [(_("When"), when(tournament)), (_("Game"), tables.of_games().games().get(tournament.game, tournament.game))]
    words = ((_("Entry fee"), tournament.fee), (_("Prizes"), room.prizes.words))
    rows += [(label, text) for label, text in words if text]
    return rows


def picture_figures(room: Room) -> list[Figure]:
    """Return the figures of the tournament's picture."""
    rounds = format_count(room.format.all_rounds)
    if room.counted:
        rounds = _("%(n)s of %(of)s") % {"n": format_count(len(room.counted)), "of": rounds}
    return [
        Figure(_("When"), when(room.tournament)),
        Figure(_("Rounds"), rounds),
        Figure(_("Entrants"), format_count(len(room.entered))),
    ]


def when(tournament: Tournament) -> str:
    """Return the days of a tournament, and its beginning."""
    days = date_format(tournament.starts_on, "DATE_FORMAT")
    if tournament.ends_on and tournament.ends_on != tournament.starts_on:
        days = _("%(first)s to %(last)s") % {"first": days, "last": date_format(tournament.ends_on, "DATE_FORMAT")}
    if tournament.begins_at:
        return _("%(day)s, %(time)s") % {"day": days, "time": time_format(tournament.begins_at)}
    return days


def law() -> str:
    """Return the one sentence about the law."""
    return _(
        "A private event within the club's own circle, in chips without value in money: whoever lets the public play "
        "for money needs a permit in Switzerland (Federal Act on Gambling, BGS)."
    )


def rules_in_words(format: Format) -> list[str]:
    """Return the format as sentences."""
    return [
        sentence
        for sentence in (*_rounds_in_words(format), *_results_in_words(format), *_ends_in_words(format))
        if sentence
    ]


def _rounds_in_words(format: Format) -> Iterator[str]:
    values: dict[str, Any] = {"rounds": format.rounds, "hands": format.hands, "minutes": format.minutes}
    if format.hands and format.minutes:
        sentence = ngettext(
            "%(rounds)d round of %(hands)d hands, at most %(minutes)d minutes.",
            "%(rounds)d rounds of %(hands)d hands, at most %(minutes)d minutes each.",
            format.rounds,
        )
    elif format.hands:
        sentence = ngettext(
            "%(rounds)d round of %(hands)d hands.", "%(rounds)d rounds of %(hands)d hands.", format.rounds
        )
    else:
        sentence = ngettext(
            "%(rounds)d round of %(minutes)d minutes.", "%(rounds)d rounds of %(minutes)d minutes.", format.rounds
        )
    yield sentence % values
    sizes = {"wished": format.wished, "least": format.least, "most": format.most}
    if format.least == format.most:
        yield _("Tables of %(wished)d.") % sizes
    else:
        yield _("Tables of %(wished)d, where that does not work out of %(least)d to %(most)d.") % sizes
    yield {
        "random": _("The seats of each round are drawn by lot."),
        "balanced": _("The draw lets the same people meet as rarely as possible."),
        "standing": _("The draw puts neighbours in the ranking together."),
    }[format.mode]
    if format.slips:
        yield _("For the first round each draws a slip at check-in.")


def _results_in_words(format: Format) -> Iterator[str]:
    yield _("Each begins every round with %(chips)d times the ante in chips.") % {"chips": format.chips}
    yield {
        "chips": _("A round is worth the chips won or lost."),
        "points": _("A round is worth the points, counted as in a season."),
        "placing": _("A round is worth the place at the table: 100 for the first, 0 for the last."),
    }[format.result]
    yield {
        "divided": _("The chips left in the pot at the end of a round are divided among the table."),
        "nobody": _("The chips left in the pot at the end of a round belong to nobody."),
    }[format.pot]
    if format.drop_worst:
        yield ngettext("The worst round does not count.", "The worst %(n)d rounds do not count.", format.drop_worst) % {
            "n": format.drop_worst
        }
    yield _("An entrant who sits out gets the mean of the own rounds.")
    if format.missed == "mean":
        yield _("An entrant who comes late gets the mean for the missed rounds.")
    else:
        yield _("An entrant who comes late gets nothing for the missed rounds.")


def _ends_in_words(format: Format) -> Iterator[str]:
    if format.team_size:
        values = {"size": format.team_size, "best": format.team_best}
        if format.team_best and format.team_best < format.team_size:
            yield _("Teams of %(size)d: the best %(best)d of each count.") % values
        else:
            yield _("Teams of %(size)d: the sum counts.") % values
    if format.final_places:
        values = {"places": format.final_places, "hands": format.final_hands}
        if format.final_carries:
            yield _("The best %(places)d play a final of %(hands)d hands and keep their totals.") % values
        else:
            yield _("The best %(places)d play a final of %(hands)d hands that starts at zero.") % values
    if format.tie_breaks:
        names = ", ".join(tie_name(tie_break) for tie_break in format.tie_breaks)
        yield _("Ties are broken by: %(names)s.") % {"names": names}
    else:
        yield _("Equal sums share a rank.")
    if format.hide_last:
        yield _("The result of the last round is shown at the prize giving.")


def tie_name(tie: str) -> str:
    """Return the name of a tie-break."""
    return {
        "best_round": _("best single round"),
        "rounds_won": _("rounds won"),
        "direct": _("direct meeting"),
        "made": _("goals made"),
        "missed": _("fewest goals missed"),
        "lot": _("lot"),
    }.get(tie, "")


def what_counts(room: Room) -> str:
    """Return the heading of the ranking, with the number of rounds."""
    count = len(room.counted)
    if not count:
        return _("Standings")
    if room.finished and count == len(room.rounds):
        return _("Final ranking")
    return ngettext("Ranking after %(n)d round", "Ranking after %(n)d rounds", count) % {"n": count}


def columns(room: Room) -> list[tuple[str, str]]:
    """Return the heads of the rounds' columns: short, and in full."""
    return [
        (
            _("F") if tournament_round.number > room.format.rounds else str(tournament_round.number),
            round_name(room, tournament_round.number),
        )
        for tournament_round in room.counted
    ]


def ranking_lines(room: Room) -> list[ShownLine]:
    """Return the lines of the ranking as text."""
    return [
        ShownLine(
            ranked=ranked,
            cells=tuple(_cell(room.format, cell) for cell in ranked.line.cells),
            total=amount(room.format, ranked.line.total),
            tie=tie_name(ranked.line.tie),
        )
        for ranked in room.ranking
    ]


def _cell(format: Format, cell: Cell) -> ShownCell:
    says = {
        "mean": _("sat out: mean of the own rounds"),
        "missed": _("missed"),
        "none": _("not played"),
        "played": "",
    }[cell.kind]
    if cell.dropped:
        says = ", ".join(filter(None, (says, _("does not count"))))
    return ShownCell(cell.round, amount(format, cell.value), cell.kind, cell.dropped, says)


def draws(room: Room) -> list[ShownDraw]:
    """Return the published data of each draw, the newest first."""
    return [_draw(room, tournament_round) for tournament_round in reversed(room.rounds)]


def _draw(room: Room, tournament_round: Round) -> ShownDraw:
    draw = tournament_round.draw
    report = draw.report
    judged = Report(**report)
    figures = [
        (_("Seed"), str(draw.seed)),
        (_("Repeated meetings"), str(report.get("repeats", 0))),
        (_("At least, by arithmetic"), str(report.get("bound", 0))),
        (_("Most meetings of two"), str(report.get("most", 0))),
    ]
    return ShownDraw(
        round=tournament_round,
        title=round_name(room, tournament_round.number),
        how=_how(draw),
        figures=tuple(figures),
        changes=tuple(_changes(room, draw.changes)),
        out=tuple(room.people[number] for number in draw.plan["out"] if number in room.people),
        why=repeats_reason(judged),
    )


def _how(draw: Draw) -> str:
    mode = {
        "random": _("by lot"),
        "balanced": _("balanced"),
        "standing": _("by standing"),
        "slips": _("slips drawn at check-in"),
    }.get(draw.mode, "")
    kind = {
        Draw.Kind.REDRAWN.value: _("drawn again in parts"),
        Draw.Kind.SWAPPED.value: _("changed by the desk"),
    }.get(draw.kind, "")
    return f"{mode}, {kind}" if kind else mode


def _changes(room: Room, changes: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Return the changes by a redraw or a swap, one sentence each."""

    def name(number: int) -> str:
        return room.people[number].name if number in room.people else str(number)

    for change in changes:
        if "swapped" in change:
            first, second = change["swapped"]
            yield _("%(first)s and %(second)s exchanged their places.") % {
                "first": name(first),
                "second": name(second),
            }
        elif change.get("arrived"):
            yield _("%(name)s came.") % {"name": name(change["number"])}
        elif change.get("withdrawn"):
            yield _("%(name)s left.") % {"name": name(change["number"])}
        elif "number" in change:
            yield _moved(name(change["number"]), change.get("before"), change.get("after"))
        elif change.get("new"):
            yield _("Table %(table)d is new.") % {"table": change["table"]}
        elif change.get("closed"):
            yield _("Table %(table)d is no longer played.") % {"table": change["table"]}


def _moved(name: str, before: int | None, after: int | None) -> str:
    values = {"name": name, "before": before, "after": after}
    if after is None:
        return _("%(name)s sits out, before at table %(before)s.") % values
    if before is None:
        return _("%(name)s sits at table %(after)s, before out.") % values
    return _("%(name)s sits at table %(after)s, before at table %(before)s.") % values
