"""The rule by which a club reminds of unpaid member fees: the days of the reminders, and storing it. The messages are
sent by `fees`."""

from __future__ import annotations

from datetime import date, timedelta

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .. import audit
from ..audit import What
from ..errors import Refused
from ..locks import lock_club
from ..models import Club, FeeReminders, User

FIRST_DAYS, EVERY_DAYS, MOST = 14, 14, 3
"""What the form proposes."""
MOST_DAYS = 365
LEAST_EVERY = 7
"""Nobody is reminded more often than once a week."""
MOST_MOST = 12


def due_number(rule: FeeReminders, owed_from: date, today: date) -> int:
    """Return the number of the latest reminder that is due of a fee that is owed from a day; 0 before the first one."""
    late = (today - owed_from).days - rule.first_days
    return 0 if late < 0 else min(1 + late // rule.every_days, rule.most)


def due_day(rule: FeeReminders, owed_from: date, number: int) -> date:
    """Return the day of a reminder; the first one has the number 1."""
    return owed_from + timedelta(days=rule.first_days + (number - 1) * rule.every_days)


def rule_of(club: Club) -> FeeReminders | None:
    """Return the rule of a club; None if it reminds nobody."""
    return FeeReminders.objects.filter(club=club).first()


@transaction.atomic
def rule_set(*, club: Club, actor: User | None, rule: FeeReminders | None) -> None:
    """Store the rule of a club, None to remind nobody.

    Raises:
        Refused: 422 for numbers out of range.
    """
    lock_club(club.pk)
    if rule is None:
        FeeReminders.objects.filter(club=club).delete()
    else:
        _check("first_days", rule.first_days, 1, MOST_DAYS)
        _check("every_days", rule.every_days, LEAST_EVERY, MOST_DAYS)
        _check("most", rule.most, 1, MOST_MOST)
        values = {"first_days": rule.first_days, "every_days": rule.every_days, "most": rule.most}
        FeeReminders.objects.update_or_create(club=club, defaults=values)
    data: audit.Data = {"fields": ["fee_reminders"]}
    audit.write(What.CLUB_CHANGED, club=club, actor=actor, about=f"club:{club.pk}", data=data)


def _check(path: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        sentence = _("Write a number from %(least)d to %(most)d.") % {"least": least, "most": most}
        raise Refused(status=422, code="reminders", sentence=sentence, at=path)


def in_words(rule: FeeReminders | None) -> str:
    """Return the rule in words."""
    if rule is None:
        return _("off")
    first = ngettext("%(n)d day after the day", "%(n)d days after the day", rule.first_days) % {"n": rule.first_days}
    if rule.most == 1:
        return _("%(first)s, once") % {"first": first}
    values = {"first": first, "every": rule.every_days, "most": rule.most}
    return _("%(first)s, then every %(every)d days, %(most)d at most") % values
