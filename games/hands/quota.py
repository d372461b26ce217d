"""The number of hands a day that the operator of the server allows a club."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from league.ordered_ids import first_id

from ..errors import Refused
from ..models import Hand
from .chain import Chain


def check_hands_a_day(chain: Chain) -> None:
    """Raises Refused (409) if the club has stored all hands of today. No query for a club without a limit."""
    if chain.hands_a_day is None:
        return
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    today = Hand.objects.filter(pk__gte=first_id(midnight), table__evening__club=chain.table.evening.club_id)
    if today.count() >= chain.hands_a_day:
        sentence = _("This server takes %(n)d hands a day of this club, and these are stored. It goes on tomorrow.")
        raise Refused(status=409, code="quota", sentence=sentence % {"n": chain.hands_a_day})
