"""One key, one write, one answer."""

from __future__ import annotations

import uuid

from django.db import IntegrityError, transaction

from .models import Submission, User


class Repeated(Exception):
    """The key was used before in this club; `submission` is that first use, committed."""

    def __init__(self, submission: Submission) -> None:
        super().__init__(str(submission.key))
        self.submission = submission


def submit(*, club_id: int, key: uuid.UUID, body_hash: str, author: User | None) -> Submission:
    """Claim a key for this transaction. Of several at once one gets it; the others wait for its end and raise
    `Repeated`."""
    try:
        with transaction.atomic():
            return Submission.objects.create(club_id=club_id, key=key, body_hash=body_hash, author=author)
    except IntegrityError:
        first = Submission.objects.filter(club_id=club_id, key=key).first()
        if first is None:
            raise
        raise Repeated(first) from None
