"""The texts of the audit log about the club's settings and features."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from ..audit import What, texts
from ..features import FEATURES
from ..models import Club

SENTENCES = {
    "club": {
        What.CLUB_CHANGED: gettext_lazy("%(who)s changed the club: %(fields)s."),
    },
}
VARIANTS = {
    (What.CLUB_CHANGED, "did", "feature_on"): gettext_lazy("%(who)s switched on the feature “%(feature)s”."),
    (What.CLUB_CHANGED, "did", "feature_off"): gettext_lazy("%(who)s switched off the feature “%(feature)s”."),
}
FIELDS = {
    "place": gettext_lazy("where it plays"),
    "visibility": gettext_lazy("who may see it"),
    "publishes_money": gettext_lazy("publishes amounts"),
    "faces": gettext_lazy("cards"),
    "counts_tricks": gettext_lazy("counts tricks"),
    "settling": gettext_lazy("settles up"),
    "publishes_rules": gettext_lazy("publishes the house rules"),
    "correction_hours": gettext_lazy("hours for corrections"),
    "forget_after_months": gettext_lazy("months until players are forgotten"),
}
VALUES: dict[str, Mapping[str, Promise]] = {
    "feature": {feature.key: feature.title for feature in FEATURES},
    "file": {"log": gettext_lazy("log")},
}


def register() -> None:
    """Register the texts."""
    texts.register(sentences=SENTENCES, variants=VARIANTS, fields=FIELDS, values=VALUES, readers={"club": _clubs})


def _clubs(keys: Set[int]) -> Iterable[tuple[int, str]]:
    return Club.objects.filter(pk__in=keys).values_list("pk", "name")
