"""The common context of the pages of the club admin."""

from __future__ import annotations

from typing import Any

from ..access import ClubAccess
from ..errors import Refused


def club_admin_context(access: ClubAccess) -> dict[str, Any]:
    """Return the common context of the pages of the club admin."""
    return {"club": access.club, "access": access}


def show_refusal(form: Any, refused: Refused) -> None:
    """Add a refusal to a form: at its field, or above the form."""
    form.add_error(refused.at if refused.at in form.fields else None, refused.sentence)
