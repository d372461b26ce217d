"""The calendar of a player's link to *Who comes?*: the planned evenings, each with the address at which the player
answers. Only whoever has the link reads it; the feeds of the club never have one."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ...attendance.link import keep_private, linked_player
from ...attendance.selectors import answers_to
from ...models import Attendance, PlannedEvening, Player, Reserve
from ...standings.plan import with_evening

MOST = 200
"""The newest planned evenings of a calendar."""


@never_cache
@require_safe
def coming_calendar(request: HttpRequest, club: str, token: str) -> HttpResponse:
    """Send the calendar of a player's link."""
    player = linked_player(club, token)
    page = request.build_absolute_uri(reverse("coming-link", kwargs={"club": club, "token": token}))
    body = calendar_for(player, page, request.get_host().partition(":")[0])
    response = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{club}.ics"'
    return keep_private(response)


def calendar_for(player: Player, page: str, host: str) -> bytes:
    """Return the planned evenings of the player's club. `page`: the address of the link. A reserve has those alone for
    which the player is asked, or was. Five queries."""
    from .calendar import finished, new_calendar, planned_event

    club = player.club
    rows = with_evening(PlannedEvening.objects.filter(club=club)).select_related("season").order_by("-held_on", "-pk")
    evenings = list(rows[:MOST])
    answered = Attendance.objects.filter(player=player, planned_evening__in=evenings)
    own = {attendance.planned_evening_id: attendance for attendance in answered}
    is_reserve = Reserve.objects.filter(player=player).exists()
    asked = _asked(player, evenings)
    calendar = new_calendar(club.name)
    for planned in evenings:
        planned.club = planned.season.club = club
        answer = own.get(planned.pk)
        if is_reserve and answer is None and not asked.get(planned.pk):
            continue
        url = f"{page}#evening-{planned.pk}" if planned.pk in asked else ""
        lines = [planned.season.name]
        if answer is not None:
            lines.append(_("Your answer: %(answer)s") % {"answer": answer.get_answer_display()})
        if url:
            lines.append(_("Are you coming? Answer here: %(url)s") % {"url": url})
        changed_at = planned.changed_at if answer is None else max(planned.changed_at, answer.answered_at)
        text = "\n".join(lines)
        calendar.add_component(planned_event(planned, host, description=text, url=url, changed_at=changed_at))
    return finished(calendar, club)


def _asked(player: Player, evenings: list[PlannedEvening]) -> Mapping[int, bool]:
    """Return for each evening that still takes answers if the player is asked. Two queries."""
    today = timezone.localdate()
    planned = [evening for evening in evenings if evening.held_on >= today and evening.cancelled_at is None]
    waiting = [evening for evening in planned if evening.season.closed_at is None and evening.evening is None]  # type: ignore[attr-defined]
    return {key: answers.asks(player.pk) for key, answers in answers_to(waiting).items()}
