"""Errors of requests, with the data that a page or the API shows of them."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from . import measures


class Refused(Exception):
    """A request that was not carried out; nothing of it is stored.

    `status` is the HTTP status; `code` a rulebook clause, a record code or an error code of the service; `sentence` the
    text for the person; `at` the place in the record ('' where there is none); `details` plain data for a client.
    """

    def __init__(
        self, *, status: int, code: str, sentence: str, at: str = "", details: dict[str, Any] | None = None
    ) -> None:
        super().__init__(f"{code}: {sentence}")
        self.status = status
        self.code = code
        self.sentence = sentence
        self.at = at
        self.details = details or {}
        measures.count_refusal(code)


def form_outdated() -> Refused:
    """422: a form was sent with fields or values that the page of today does not offer."""
    sentence = _("The page sent something that this form does not have. Reload the page.")
    return Refused(status=422, code="R1", sentence=sentence)


def unknown_player(player: int, path: str, *, status: int = 422, code: str = "player") -> Refused:
    """A player who is not in the club, named by the id that was sent. `at`: the place of that id in the request."""
    sentence = _("There is no player %(id)d in this club.") % {"id": player}
    return Refused(status=status, code=code, sentence=sentence, at=path)


def key_reused() -> Refused:
    """422: a key was used before for another request."""
    return Refused(
        status=422, code="key_reused", sentence=_("This request was sent before with other content. Reload the page.")
    )
