"""The way between the pages of a club's desk, and what they share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from ..access import ClubAccess, Right
from ..errors import Refused

PAGES = (
    ("club-people", Right.PEOPLE, _("People")),
    ("club-roster", Right.ROSTER, _("Roster")),
    ("club-seasons", Right.MANAGE, _("Seasons")),
    ("club-settings", Right.MANAGE, _("Settings")),
    ("hooks", Right.MANAGE, _("Webhooks")),
    ("club-log", Right.SEE_LOG, _("Log")),
)


@dataclass(frozen=True)
class Way:
    """One of the pages: where, how it is called, and whether one is there."""

    href: str
    text: str
    here: bool


def ways(access: ClubAccess, here: str = "") -> list[Way]:
    """The pages of the desk that this person may open."""
    where = {"club": access.club.slug}
    return [
        Way(reverse(name, kwargs=where), str(text), name == here) for name, right, text in PAGES if access.may(right)
    ]


def desk_context(access: ClubAccess, here: str) -> dict[str, Any]:
    """What every page of the desk shows."""
    return {"club": access.club, "access": access, "ways": ways(access, here)}


def tell(form: Any, refused: Refused) -> None:
    """Say at its field, or above the form, why something was refused."""
    form.add_error(refused.at if refused.at in form.fields else None, refused.sentence)
