"""Why something was not done, in a form that a page, an API and a person can use."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _


class Refused(Exception):
    """A request that was understood and not carried out; nothing of it is stored.

    `status` is the HTTP status, `code` a rulebook clause, a record code or a word of ours, `sentence` what to
    tell the person,
    `at` the place in the record ('' where there is none), `details` what a client may want to show (plain data).
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


def key_reused() -> Refused:
    """422: a key was used before, for something else."""
    return Refused(
        status=422, code="key", sentence=_("This request was sent before with other content. Load the page again.")
    )
