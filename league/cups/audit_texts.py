"""The texts of the audit log about cups."""

from __future__ import annotations

from collections.abc import Iterable, Set

from django.utils.translation import gettext_lazy, pgettext_lazy

from ..audit import What, texts
from ..models import Cup

SENTENCES = {
    "tournaments": {
        What.CUP_CHANGED: gettext_lazy("%(who)s: cup %(about)s %(cup_did)s."),
    },
}
VARIANTS = {
    (What.CUP_CHANGED, "did", "club_joined"): gettext_lazy("A club accepted the invitation to the cup %(about)s."),
    (What.CUP_CHANGED, "did", "club_declined"): gettext_lazy("A club declined the invitation to the cup %(about)s."),
    (What.CUP_CHANGED, "did", "club_left"): gettext_lazy("A club left the cup %(about)s."),
    (What.CUP_CHANGED, "did", "accepted"): gettext_lazy("%(who)s accepted the invitation to the cup %(about)s."),
    (What.CUP_CHANGED, "did", "declined"): gettext_lazy("%(who)s declined the invitation to the cup %(about)s."),
    (What.CUP_CHANGED, "did", "left"): gettext_lazy("%(who)s: the club left the cup %(about)s."),
    (What.CUP_CHANGED, "did", "tournaments"): gettext_lazy(
        "%(who)s changed which tournaments count in the cup %(about)s."
    ),
    (What.CUP_CHANGED, "did", "evenings"): gettext_lazy("%(who)s changed which evenings count in the cup %(about)s."),
    (What.CUP_CHANGED, "did", "players"): gettext_lazy("%(who)s changed the club's list in the cup %(about)s."),
    (What.CUP_CHANGED, "did", "invited"): gettext_lazy("%(who)s invited a club to the cup %(about)s."),
    (What.CUP_CHANGED, "did", "withdrawn"): gettext_lazy("%(who)s withdrew an invitation to the cup %(about)s."),
    (What.CUP_CHANGED, "did", "final"): gettext_lazy("%(who)s made the tournament of the final of the cup %(about)s."),
}
VALUES = {
    "cup_did": {
        "made": pgettext_lazy("cup", "created"),
        "changed": pgettext_lazy("cup", "changed"),
        "closed": pgettext_lazy("cup", "closed"),
        "reopened": pgettext_lazy("cup", "opened again"),
    },
}


def register() -> None:
    """Register the texts."""
    texts.register(sentences=SENTENCES, variants=VARIANTS, values=VALUES, readers={"cup": _cups})


def _cups(keys: Set[int]) -> Iterable[tuple[int, str]]:
    return Cup.objects.filter(pk__in=keys).values_list("pk", "name")
