"""One key, one write, one answer: the same request sent again is stored once."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction

from ..errors import key_reused
from ..models import Submission, User

Given = ParamSpec("Given")
Stored = TypeVar("Stored")


class Repeated(Exception):
    """The key was used before for this request; `submission` is that first use, committed."""

    def __init__(self, submission: Submission) -> None:
        super().__init__(str(submission.key))
        self.submission = submission


def submit(*, club_id: int, key: uuid.UUID, body_hash: str, author: User | None) -> Submission:
    """Claim a key for this transaction. Of several at once one gets it; the others wait for its commit and raise
    `Repeated`, or Refused (422) if it was for another request."""
    submission, is_new = Submission.objects.get_or_create(
        club_id=club_id, key=key, defaults={"body_hash": body_hash, "author": author}
    )
    if is_new:
        return submission
    raise Repeated(submission) if submission.body_hash == body_hash else key_reused()


def keyed(stored: Callable[..., Stored]) -> Callable[[Callable[Given, Stored]], Callable[Given, Stored]]:
    """Decorate a service that claims a key: a repeated request gets what `stored` returns for the first submission and
    the arguments. It may raise `ObjectDoesNotExist`."""

    def decorate(service: Callable[Given, Stored]) -> Callable[Given, Stored]:
        @wraps(service)
        def call(*args: Given.args, **kwargs: Given.kwargs) -> Stored:
            try:
                return service(*args, **kwargs)
            except Repeated as repeated:
                first = repeated.submission
            try:
                return stored(first, *args, **kwargs)
            except ObjectDoesNotExist:
                raise key_reused() from None

        return call

    return decorate


def new_claims(club_id: int, author: User | None, body_hashes: Iterable[str]) -> list[Submission]:
    """Store a submission under a new key for each hash: for writes of the service itself, which no client repeats."""
    return Submission.objects.bulk_create(
        Submission(club_id=club_id, key=uuid.uuid4(), body_hash=body_hash, author=author) for body_hash in body_hashes
    )


def submit_once(
    *,
    club_id: int,
    key: uuid.UUID,
    body_hash: str,
    author: User | None,
    write: Callable[[Submission], Stored],
    stored: Callable[[Submission], Stored],
) -> Stored:
    """Claim a key and run `write` in one transaction; for a key that was used before, return the object of its first
    use.

    `write` gets the submission of this key. `stored` gets the submission of the first use and loads the object of that
    use; it may raise `ObjectDoesNotExist`.

    Raises:
        Refused: 422 where the key was used for another request; and the refusals of `write`.
    """

    @keyed(stored)
    def once() -> Stored:
        with transaction.atomic():
            return write(submit(club_id=club_id, key=key, body_hash=body_hash, author=author))

    return once()
