"""The texts of the audit log about evenings and their files."""

from __future__ import annotations

from collections.abc import Iterable, Set

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.audit import texts
from league.models import Evening

VALUES = {
    "file": {"hands": gettext_lazy("hands")},
}


def register() -> None:
    """Register the texts."""
    texts.register(values=VALUES, readers={"evening": _evenings}, field_objects={"evening": "evening"})


def _evenings(keys: Set[int]) -> Iterable[tuple[int, str]]:
    for evening in Evening.objects.filter(pk__in=keys).select_related("season"):
        name = _("round %(number)d (%(season)s)") if evening.season.in_chips else _("evening %(number)d (%(season)s)")
        yield evening.pk, name % {"number": evening.number, "season": evening.season.name}
