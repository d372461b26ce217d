"""The previews of penalties, bonuses and teams: a form is stored only from a page that has shown its preview."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from django.http import HttpRequest

from ..errors import Refused
from ..models import Season
from ..standings.closed_seasons import check_open
from ..standings.formula import services, team_services
from ..standings.formula.input_previews import preview_adjustment, preview_stay, preview_team_added
from ..standings.formula.preview import Preview
from ..web.club_navigation import show_refusal

DIGEST = 32

Values: TypeAlias = Mapping[str, Any]
Change: TypeAlias = "Callable[[Season, Values], tuple[Preview, Values]]"
"""Checks the fields of a form, and returns the preview with the values that it depends on. Raises as the services."""


@dataclass(frozen=True)
class InputPreview:
    """A form that was sent, with the preview of its fields; None while they are not complete. `shown` is the digest
    that the page sends back to store them. `confirmed`: they are to be stored, and the page has shown this preview;
    `differs`: it has shown the preview of other fields."""

    form: Any
    change: Preview | None = None
    shown: str = ""
    confirmed: bool = False
    differs: bool = False

    @property
    def incomplete(self) -> bool:
        """Return True if the only fault of the fields is that some of them are still empty."""
        codes = [error.code for each in self.form.errors.as_data().values() for error in each]
        return bool(codes) and set(codes) == {"required"}


def input_preview(request: HttpRequest, season: Season, form: Any, change: Change, *, store: str) -> InputPreview:
    """Return the preview of a form that was sent; `store` is the button that stores it. A refusal is shown at its
    field."""
    if not form.is_valid():
        return InputPreview(form)
    try:
        check_open(season)
        preview, values = change(season, form.cleaned_data)
    except Refused as refused:
        show_refusal(form, refused)
        return InputPreview(form)
    shown, sent = digest_of(values), request.POST.get("previewed", "")
    storing = request.POST.get("do") == store and bool(sent)
    return InputPreview(form, preview, shown, confirmed=storing and sent == shown, differs=storing and sent != shown)


def digest_of(values: Values) -> str:
    """Return a digest of the values that a preview depends on."""
    written = json.dumps({name: str(value) for name, value in values.items()}, sort_keys=True)
    return hashlib.sha256(written.encode()).hexdigest()[:DIGEST]


def adjustment_change(season: Season, sent: Values) -> tuple[Preview, Values]:
    """The `Change` of a penalty or bonus. Its reason changes no rank."""
    player, points = sent["player"], sent["points"]
    day = services.adjustment_check(season, player=player, points=points, day=sent["day"])
    preview = preview_adjustment(season, player=player, points=points, day=day)
    return preview, {"player": player.pk, "points": points, "day": day}


def stay_change(season: Season, sent: Values) -> tuple[Preview, Values]:
    """The `Change` of a player who is put into a team."""
    player, team, since = sent["player"], sent["team"], sent["since"]
    team_services.stay_check(season, player=player, team=team, since=since)
    preview = preview_stay(season, player=player, team=team, since=since)
    return preview, {"player": player.pk, "team": team.number if team else 0, "since": since}


def team_change(season: Season, sent: Values) -> tuple[Preview, Values]:
    """The `Change` of a team that is added."""
    team = team_services.team_check(season, name=sent["name"])
    return preview_team_added(team), {"name": team.name}
