"""The statement of a player: each season, each evening with gain or loss, and the outstanding payments."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ..access import ClubAccess, Right
from ..imported_mark import imported_note
from ..models import EveningScore, Player, Season, Standing
from ..money import exact_points, format_count, format_place, format_price
from ..payments.outstanding import Outstanding, outstanding_with
from ..standings import selectors
from ..standings.formula.explanation import evenings_unranked, formulas_of
from ..web.csv_download import file_name
from ..web.report_table import Column, Kind, Row, Table, without_empty
from .report import Figure, Report


def player_statement(access: ClubAccess, player: Player, season: Season | None = None) -> Report:
    """Return the statement over all seasons, or over one, as this reader sees it. Amounts need the right to this
    player's amounts; outstanding payments are for the player and for readers who see the amounts of all."""
    lines = [line for line in selectors.player_seasons(player) if season in (None, line.season)]
    scores = _scores(player, season)
    mine = player.pk in access.player_ids
    owing = outstanding_with(access.club, player.pk, access.names) if mine or access.may(Right.SEE_MONEY) else None
    name = access.names.show(player.pk, player.nickname)
    tables = [_seasons(access, player, lines, scores), _evenings(access, player, scores)]
    if owing is not None:
        tables.append(_outstanding(owing))
    return Report(
        kind=_("Statement"),
        title=name,
        about=_about(scores, season),
        file=file_name(access, "player", player.pk, *([season.slug] if season else []), "statement"),
        back=player.get_absolute_url(),
        figures=_figures(access, player, lines, scores, owing),
        tables=tables,
    )


def _scores(player: Player, season: Season | None) -> list[EveningScore]:
    """Return the evenings that the player played, in order. One query."""
    scores = EveningScore.objects.filter(player=player, hands__gt=0).select_related("evening", "season")
    if season is not None:
        scores = scores.filter(season=season)
    return list(scores.order_by("evening__held_on", "evening__number", "pk"))


def _sees(access: ClubAccess, player: Player, season: Season) -> bool:
    return access.within(season).sees_money(player.pk)


def _about(scores: Sequence[EveningScore], season: Season | None) -> str:
    if not scores:
        return season.name if season else _("no evening yet")
    first, last = scores[0].evening.held_on, scores[-1].evening.held_on
    span = date_format(first, "DATE_FORMAT")
    if last != first:
        span = _("%(first)s to %(last)s") % {"first": span, "last": date_format(last, "DATE_FORMAT")}
    evenings = ngettext("%(n)s evening", "%(n)s evenings", len(scores)) % {"n": format_count(len(scores))}
    return " · ".join([*([season.name] if season else []), span, evenings])


def _figures(
    access: ClubAccess,
    player: Player,
    lines: Sequence[Standing],
    scores: Sequence[EveningScore],
    owing: Sequence[Outstanding] | None,
) -> list[Figure]:
    if not scores:
        return []
    figures = [Figure(_("Hands"), format_count(sum(score.hands for score in scores)))]
    best = min((line for line in lines if not line.unranked), key=lambda line: line.rank, default=None)
    if best is not None:
        figures.append(Figure(_("Best rank"), format_place(best.rank), best.season.name))
    seen = [line for line in lines if _sees(access, player, line.season)]
    currency = access.club.currency
    if seen:
        net = sum(line.balance_minor for line in seen)
        figures.append(Figure(_("Won and lost"), format_price(net, currency, plus="+")))
    if owing is not None:
        still = sum(outstanding.amount_minor for outstanding in owing)
        figures.append(Figure(_("Outstanding"), format_price(still, currency, plus="+")))
    return figures


def _seasons(access: ClubAccess, player: Player, lines: Sequence[Standing], scores: Sequence[EveningScore]) -> Table:
    imported = {score.season_id for score in scores if score.evening.is_imported}
    rows: list[Row] = [
        {
            "season": line.season.name,
            "rank": line.shown_rank,
            "points": exact_points(line.points, line.season.points_scale),
            "evenings": line.evenings,
            "hands": line.hands,
            "counted": line.counted_minor if _sees(access, player, line.season) else None,
            "balance": line.balance_minor if _sees(access, player, line.season) else None,
            "imported": imported_note(line.season_id in imported) or None,
        }
        for line in lines
    ]
    columns = [
        Column("season", gettext_lazy("Season")),
        Column("rank", gettext_lazy("Rank"), Kind.COUNT),
        Column("points", gettext_lazy("Points"), Kind.POINTS),
        Column("evenings", gettext_lazy("Evenings"), Kind.COUNT, summed=True),
        Column("hands", gettext_lazy("Hands"), Kind.COUNT, summed=True),
        Column("counted", gettext_lazy("Counted"), Kind.AMOUNT, signed=True),
        Column("balance", gettext_lazy("Balance"), Kind.AMOUNT, signed=True, summed=True),
        Column("imported", gettext_lazy("Imported")),
    ]
    links = [line.season.get_absolute_url() for line in _with_club(access, lines)]
    empty = _("No hand counted.")
    return Table(
        "seasons",
        _("Seasons"),
        without_empty(columns, rows, "counted", "balance", "imported"),
        rows,
        empty=empty,
        links=links,
    )


def _with_club(access: ClubAccess, lines: Sequence[Standing]) -> Sequence[Standing]:
    """Give the seasons their club, which is already read."""
    for line in lines:
        line.season.club = access.club
    return lines


def _evenings(access: ClubAccess, player: Player, scores: Sequence[EveningScore]) -> Table:
    rows: list[Row] = []
    total = 0
    unranked = _unranked(player, scores)
    for score in scores:
        sees = _sees(access, player, score.season)
        total += score.change_minor if sees else 0
        rows.append(
            {
                "held_on": score.evening.held_on,
                "season": score.season.name,
                "evening": score.evening.number,
                "hands": score.hands,
                "rank_after": None if score.evening_id in unranked else score.rank_after,
                "points": score.points,
                "change": score.change_minor if sees else None,
                "total": total if sees else None,
                "imported": imported_note(score.evening) or None,
            }
        )
    columns = [
        Column("held_on", gettext_lazy("Date"), Kind.DATE),
        Column("season", gettext_lazy("Season")),
        Column("evening", gettext_lazy("Evening"), Kind.COUNT),
        Column("hands", gettext_lazy("Hands"), Kind.COUNT, summed=True),
        Column("rank_after", gettext_lazy("Rank after it"), Kind.COUNT),
        Column("points", gettext_lazy("Points"), Kind.POINTS, signed=True),
        Column("change", gettext_lazy("Net"), Kind.AMOUNT, signed=True, summed=True),
        Column("total", gettext_lazy("Total"), Kind.AMOUNT, signed=True),
        Column("imported", gettext_lazy("Imported")),
    ]
    where = {"club": access.club.slug}
    return Table(
        "evenings",
        _("Evenings"),
        without_empty(columns, rows, "change", "total", "imported"),
        rows,
        empty=_("No hand counted."),
        links=[reverse("evening", kwargs={**where, "evening": score.evening_id}) for score in scores],
    )


def _unranked(player: Player, scores: Sequence[EveningScore]) -> set[int]:
    """Return the ids of the evenings after which the player was not ranked. One query at most."""
    seasons = {score.season_id: score.season for score in scores}
    formulas = formulas_of(seasons.values())
    unranked: set[int] = set()
    for key, season in seasons.items():
        own = [score for score in scores if score.season_id == key]
        unranked |= evenings_unranked(formulas[key], season, player, own)
    return unranked


def _outstanding(owing: Sequence[Outstanding]) -> Table:
    rows: list[Row] = [
        {
            "what": outstanding.sentence,
            "from": ", ".join(
                [
                    *(date_format(evening.held_on, "SHORT_DATE_FORMAT") for evening in outstanding.evenings),
                    *outstanding.fees,
                ]
            ),
            "amount": outstanding.amount_minor,
        }
        for outstanding in owing
    ]
    columns = [
        Column("what", gettext_lazy("Outstanding")),
        Column("from", gettext_lazy("from the evenings of")),
        Column("amount", gettext_lazy("Amount"), Kind.AMOUNT, signed=True, summed=True),
    ]
    return Table("outstanding", _("Outstanding"), columns, rows, empty=_("Nothing is outstanding."))
