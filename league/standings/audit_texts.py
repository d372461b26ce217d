"""The texts of the audit log about seasons, their plan and their formula."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from functools import partial
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..audit import What, texts
from ..audit.formats import day_text, strings
from ..audit.object_names import ObjectNames
from ..models import Season, SeasonReopening
from .formula.differences import difference_words, players_in

SENTENCES = {
    "club": {
        What.SEASON_CHANGED: gettext_lazy("%(who)s changed the season %(about)s: %(fields)s."),
    },
}
VARIANTS = {
    (What.SEASON_CHANGED, "new", True): gettext_lazy("%(who)s added the season %(about)s."),
    (What.SEASON_CHANGED, "did", "formula"): gettext_lazy(
        "%(who)s created version %(version)s of the formula of the season %(about)s%(changes)s."
    ),
    (What.SEASON_CHANGED, "did", "formula_removed"): gettext_lazy(
        "%(who)s removed the formula of the season %(about)s%(changes)s."
    ),
    (What.SEASON_CHANGED, "did", "adjusted"): gettext_lazy(
        "%(who)s gave %(player)s a penalty or bonus in the season %(about)s%(on_day)s: %(points)s points."
    ),
    (What.SEASON_CHANGED, "did", "adjustment_undone"): gettext_lazy(
        "%(who)s undid a penalty or bonus of %(player)s in the season %(about)s%(on_day)s: %(points)s points."
    ),
    (What.SEASON_CHANGED, "did", "team_added"): gettext_lazy("%(who)s added team %(team)s to the season %(about)s."),
    (What.SEASON_CHANGED, "did", "team_renamed"): gettext_lazy(
        "%(who)s renamed team %(team)s of the season %(about)s."
    ),
    (What.SEASON_CHANGED, "did", "team_removed"): gettext_lazy(
        "%(who)s removed team %(team)s from the season %(about)s."
    ),
    (What.SEASON_CHANGED, "did", "team_joined"): gettext_lazy(
        "%(who)s put %(player)s into team %(team)s of the season %(about)s, from %(since)s on."
    ),
    (What.SEASON_CHANGED, "did", "team_left"): gettext_lazy(
        "%(who)s took %(player)s out of the teams of the season %(about)s, from %(since)s on."
    ),
    (What.SEASON_CHANGED, "did", "team_stay_removed"): gettext_lazy(
        "%(who)s took back which team %(player)s was in, in the season %(about)s."
    ),
    (What.SEASON_CHANGED, "did", "planned"): gettext_lazy(
        "%(who)s planned evenings of the season %(about)s (%(evenings)s), the first one on %(day)s."
    ),
    (What.SEASON_CHANGED, "did", "plan_changed"): gettext_lazy(
        "%(who)s changed the planned evening of %(day)s (season %(about)s)."
    ),
    (What.SEASON_CHANGED, "did", "plan_cancelled"): gettext_lazy(
        "%(who)s cancelled the planned evening of %(day)s (season %(about)s)."
    ),
    (What.SEASON_CHANGED, "did", "plan_restored"): gettext_lazy(
        "%(who)s took back that the planned evening of %(day)s was cancelled (season %(about)s)."
    ),
    (What.SEASON_CHANGED, "did", "plan_removed"): gettext_lazy(
        "%(who)s removed the planned evening of %(day)s (season %(about)s)."
    ),
    (What.SEASON_CHANGED, "did", "season_closed"): gettext_lazy("%(who)s closed the season %(about)s."),
    (What.SEASON_CHANGED, "did", "season_opened"): gettext_lazy("%(who)s opened the season %(about)s again%(why)s."),
}
FIELDS = {
    "starts_on": gettext_lazy("from"),
    "ends_on": gettext_lazy("to"),
    "planned_evenings": gettext_lazy("planned evenings"),
    "ranking": gettext_lazy("ranking"),
    "games": gettext_lazy("games that count"),
    "best_evenings": gettext_lazy("best evenings that count"),
    "points_only": gettext_lazy("points only"),
    "points_declared": gettext_lazy("points: declared and made"),
    "points_joined": gettext_lazy("points: joined and made"),
    "points_walkover": gettext_lazy("points: walkover"),
    "points_declared_failed": gettext_lazy("points: declared and failed"),
    "points_joined_failed": gettext_lazy("points: joined and failed"),
}
VALUES = {
    "file": {
        "standings": gettext_lazy("standings"),
        "results": gettext_lazy("results"),
        "ledger": gettext_lazy("ledger"),
    },
}


def register() -> None:
    """Register the texts."""
    texts.register(
        sentences=SENTENCES,
        variants=VARIANTS,
        fields=FIELDS,
        values=VALUES,
        parts={"why": _why, "on_day": _on_day, "changes": _changes},
        readers={"season": _seasons, "reopening": _reasons},
        field_objects={"reopening": "reopening"},
        mentions={What.SEASON_CHANGED: _named_players},
    )


def _seasons(keys: Set[int]) -> Iterable[tuple[int, str]]:
    return Season.objects.filter(pk__in=keys).values_list("pk", "name")


def _reasons(keys: Set[int]) -> Iterable[tuple[int, str]]:
    return SeasonReopening.objects.filter(pk__in=keys).exclude(reason="").values_list("pk", "reason")


def _why(data: Mapping[str, Any], names: ObjectNames) -> str:
    # A reason is emptied when a person in it is forgotten.
    why = names.name("reopening", data.get("reopening"), missing="")
    return _(": “%(reason)s”") % {"reason": why} if why else ""


def _on_day(data: Mapping[str, Any], _names: ObjectNames) -> str:
    return _(", %(day)s") % {"day": day_text(data["day"])} if "day" in data else ""


def _codes(data: Mapping[str, Any]) -> Iterable[str]:
    """Return the codes of the differences between two formulas."""
    return strings(data.get("changes", ())) if data.get("did") in ("formula", "formula_removed") else ()


def _changes(data: Mapping[str, Any], names: ObjectNames) -> str:
    changes = difference_words(_codes(data), partial(names.name, "player"))
    return ": " + "; ".join(changes) if changes else ""


def _named_players(data: Mapping[str, Any]) -> Iterable[tuple[str, int]]:
    return (("player", player) for player in players_in(_codes(data)))
