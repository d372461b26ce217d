"""The parts that agreed with the records at their last check; the next check can leave them out.

A part is new if something was stored in it since, or if the code that computes results has changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache

from django.conf import settings
from django.utils import timezone

from ..models import Verified
from .verify import PLAYERS, Part

COMPUTES = ("engine/**/*.py", "games/engine_bridge.py", "games/integrity/*.py", "league/standings/counting.py")


def only_new(parts: Iterable[Part]) -> list[Part]:
    """Return the parts that are new since they last agreed. Merged players are always new: their check is short."""
    known = dict(Verified.objects.values_list("subject", "state"))
    return [part for part in parts if part.kind == PLAYERS or known.get(part.subject) != _state(part)]


def remember(parts: Sequence[Part]) -> None:
    """Store that these parts agreed, in the state that they had before their check."""
    now = timezone.now()
    Verified.objects.bulk_create(
        (Verified(subject=part.subject, state=_state(part), at=now) for part in parts),
        batch_size=200,
        update_conflicts=True,
        unique_fields=["subject"],
        update_fields=["state", "at"],
    )


def forget(part: Part) -> None:
    """Store that a part did not agree."""
    Verified.objects.filter(subject=part.subject).delete()


def _state(part: Part) -> str:
    return f"{_code()}:{part.state}"


@cache
def _code() -> str:
    """Return a digest of the code that computes results and compares them."""
    digest = hashlib.sha256()
    for pattern in COMPUTES:
        for path in sorted(settings.BASE_DIR.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
