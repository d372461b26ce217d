"""The gate of features: the pages of a feature that the club has switched off."""

from __future__ import annotations

from contextvars import ContextVar

from django.http import Http404

from ..models import Club
from .table import Feature

wanted: ContextVar[Feature | None] = ContextVar("wanted", default=None)
"""The feature to which the page of this request belongs (`league.web.switched_off`). None for a page that every club
has, and for whatever writes: what a page sends that was open before is stored."""


class SwitchedOff(Http404):
    """The club has switched off the feature of this page. `may_switch`: the reader may switch it on."""

    def __init__(self, club: Club, feature: Feature, *, may_switch: bool) -> None:
        super().__init__(f"{feature.key} is switched off")
        self.club, self.feature, self.may_switch = club, feature, may_switch


def check_on(club: Club, *, may_switch: bool = False) -> None:
    """Check that the club uses the feature of this page. Call it after the rights are checked.

    Raises:
        SwitchedOff: it does not.
    """
    feature = wanted.get()
    if feature is not None and not feature.is_on(club):
        raise SwitchedOff(club, feature, may_switch=may_switch)
