"""Links between the pages of the club admin, and their common context."""

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
    ("treasury", Right.SEE_LEDGER, _("Kitty")),
    ("club-seasons", Right.MANAGE, _("Seasons")),
    ("imports", Right.MANAGE, _("Import")),
    ("club-settings", Right.MANAGE, _("Settings")),
    ("webhooks", Right.MANAGE, _("Webhooks")),
    ("club-log", Right.SEE_LOG, _("Log")),
)


@dataclass(frozen=True)
class ClubPage:
    """A link to a page of the club admin; `here` marks the current page."""

    href: str
    text: str
    here: bool


def club_pages(access: ClubAccess, here: str = "") -> list[ClubPage]:
    """Return links to the pages of the club admin that the person may visit."""
    where = {"club": access.club.slug}
    return [
        ClubPage(reverse(name, kwargs=where), str(text), name == here)
        for name, right, text in PAGES
        if access.may(right)
    ]


def club_admin_context(access: ClubAccess, here: str) -> dict[str, Any]:
    """Return the common context of the pages of the club admin."""
    return {"club": access.club, "access": access, "pages": club_pages(access, here)}


def show_refusal(form: Any, refused: Refused) -> None:
    """Add a refusal to a form: at its field, or above the form."""
    form.add_error(refused.at if refused.at in form.fields else None, refused.sentence)
