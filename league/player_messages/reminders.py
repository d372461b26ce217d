"""The message that reminds of a planned evening on the day before."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..attendance.link import token_of
from ..attendance.selectors import Answers, answers_to, why_closed
from ..features import uses
from ..models import Attendance, AttendanceLink, MessageChoice, PlannedEvening, PlayerMessage
from .letter import Letter, LetterLine

FROM = time(9)
"""Reminders are sent from this hour on, on the day before."""
Answer = Attendance.Answer


def near_evenings(now: datetime) -> QuerySet[PlannedEvening]:
    """Return the planned evenings of tomorrow, from nine o'clock on, and those of today that have not begun: for these
    the service stood still on the day before. Only those about which somebody wants a reminder, and has none."""
    local = timezone.localtime(now)
    days = [local.date()]
    if local.time() >= FROM:
        days.append(local.date() + timedelta(days=1))
    planned, player = OuterRef(OuterRef("pk")), OuterRef("player")
    said_no = Attendance.objects.filter(planned_evening=planned, player=player, answer=Answer.NO)
    has_one = PlayerMessage.objects.filter(planned_evening=planned, day=OuterRef(OuterRef("held_on")), player=player)
    wants = MessageChoice.objects.filter(player__club=OuterRef("club"), reminders_since__isnull=False)
    left = wants.filter(~Exists(said_no), ~Exists(has_one), player__active=True, player__main=None)
    planned_evenings = PlannedEvening.objects.still_planned().filter(Exists(left), held_on__in=days, cancelled_at=None)
    return planned_evenings.filter(season__closed_at=None, club__suspended_at=None, club__practice_until=None)


def to_remind(planned: PlannedEvening, now: datetime) -> QuerySet[MessageChoice]:
    """Return those who still get a reminder of an evening: they want it, and did not say that they are not coming."""
    local = timezone.localtime(now)
    rows = MessageChoice.objects.filter(player__club=planned.club_id, player__active=True, player__main=None)
    if planned.held_on == local.date():
        # They wanted it, and the evening was planned, while there was a day before.
        midnight = timezone.make_aware(datetime.combine(local.date(), time()))
        if planned.begins_at <= local.time() or planned.created_at >= midnight:
            return rows.none()
        rows = rows.filter(reminders_since__lt=midnight)
    said_no = Attendance.objects.filter(planned_evening=planned, player=OuterRef("player"), answer=Answer.NO)
    has_one = PlayerMessage.objects.filter(planned_evening=planned, day=planned.held_on, player=OuterRef("player"))
    return rows.filter(~Exists(said_no), ~Exists(has_one), reminders_since__isnull=False)


def reminder_letter(choice: MessageChoice, message: PlayerMessage) -> Letter | None:
    """Return the reminder for a player; None if the evening is cancelled, moved, open or begun, or if the player said
    meanwhile not to come."""
    planned = PlannedEvening.objects.select_related("club", "season").get(player_messages=message)
    local = timezone.localtime()
    begun = planned.held_on == local.date() and planned.begins_at <= local.time()
    if planned.held_on != message.day or begun or why_closed(planned):
        return None
    answers = answers_to([planned])[planned.pk]
    own = answers.of(choice.player_id)
    if own == Answer.NO:
        return None
    values = {
        "club": planned.club.name,
        "day": f"{date_format(planned.held_on, 'l')}, {date_format(planned.held_on, 'DATE_FORMAT')}",
        "time": time_format(planned.begins_at, "H:i"),
    }
    today = planned.held_on == local.date()
    subject = _("Today at %(time)s: %(club)s") if today else _("Tomorrow at %(time)s: %(club)s")
    asks = uses(planned.club, "planned-coming")
    lines = [*_where(planned), *(_coming(answers) if asks else ())]
    paragraphs = [_own_answer(own)] if asks else []
    link, text = _link(choice, planned, asked=own != Answer.YES, asks=asks)
    short = [*(line.value for line in _where(planned)[:1]), *paragraphs]
    return Letter(subject % values, _("%(day)s, %(time)s") % values, "", paragraphs, lines, link, text, short)


def _where(planned: PlannedEvening) -> list[LetterLine]:
    place = planned.place or planned.club.place
    lines = [LetterLine(_("Where"), place)] if place else []
    return [*lines, LetterLine(_("Note"), planned.note)] if planned.note else lines


def _coming(answers: Answers) -> Sequence[LetterLine]:
    count = len(answers.yes)
    said = ngettext("%(n)s is coming", "%(n)s are coming", count) % {"n": count}
    return [LetterLine(_("So far"), said if count else _("Nobody has said yes yet"), answers.sentence)]


def _own_answer(own: str) -> str:
    if own == Answer.YES:
        return _("You said that you are coming.")
    return _("You were not sure yet. Are you coming?") if own == Answer.OPEN else _("Are you coming?")


def _link(choice: MessageChoice, planned: PlannedEvening, *, asked: bool, asks: bool) -> tuple[str, str]:
    """Return the address on which the player answers with one tap, and its text."""
    slug, text = planned.club.slug, _("Answer with one tap") if asked else _("Change the answer")
    if asks and choice.user_id is None:
        link = AttendanceLink.objects.filter(player=choice.player_id).first()
        if link is None:
            return "", ""
        where = reverse("coming-link", kwargs={"club": slug, "token": token_of(link)})
        return f"{settings.BASE_URL}{where}#evening-{planned.pk}", text
    if asks:
        keys = {"club": slug, "season": planned.season.slug, "planned": planned.pk}
        return f"{settings.BASE_URL}{reverse('planned-coming', kwargs=keys)}", text
    if choice.user_id is None and not planned.club.public:
        return "", ""
    return f"{settings.BASE_URL}{planned.club.get_absolute_url()}", _("To the club")
