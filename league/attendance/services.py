"""Writing who comes to a planned evening."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from .. import audit
from ..access import own_players
from ..audit import What
from ..errors import Refused, form_outdated, unknown_player
from ..models import Attendance, AttendanceLink, PlannedEvening, Player, User
from .reserves import reserve_move
from .selectors import answers_to, why_closed


@transaction.atomic
def answer_set(
    *, planned: PlannedEvening, player: Player, answer: str, actor: User | None, recorder: bool = False
) -> Attendance:
    """Store the answer of a player; the same again changes nothing. `actor`: the user who enters it, None for the
    player's link. `recorder`: a recorder enters it, also for a reserve whose turn it is not. Of an answer for somebody
    else the log has an entry.

    Raises:
        Refused: 404 for a player of another club; 409 once the evening is cancelled, over or begun, in a closed season,
            for a player who is not in the roster, and for a reserve who is not asked yet; 422 for an unknown answer.
    """
    fresh = PlannedEvening.objects.select_for_update(of=("self",)).select_related("season").get(pk=planned.pk)
    if player.club_id != fresh.club_id:
        raise unknown_player(player.pk, "player", status=404)
    if answer not in Attendance.Answer.values:
        raise form_outdated()
    if why := why_closed(fresh):
        sentence = _("%(why)s Answers can no longer be changed.") % {"why": why}
        raise Refused(status=409, code="attendance", sentence=sentence)
    if not player.active or player.main_id is not None:
        sentence = _("%(name)s is not in the roster.") % {"name": player.nickname}
        raise Refused(status=409, code="roster", sentence=sentence)
    if not recorder and not answers_to([fresh])[fresh.pk].asks(player.pk):
        sentence = _("%(name)s is a reserve, and is asked when somebody is missing.") % {"name": player.nickname}
        raise Refused(status=409, code="reserve", sentence=sentence)
    known = Attendance.objects.filter(planned_evening=fresh, player=player).first()
    if known is not None and known.answer == answer:
        return known
    values = {"answer": answer, "answered_at": timezone.now(), "author": actor}
    stored, _new = Attendance.objects.update_or_create(planned_evening=fresh, player=player, defaults=values)
    if actor is not None and not own_players(actor).filter(pk=player.pk).exists():
        data: audit.Data = {"did": "answered", "player": player.pk, "day": fresh.held_on.isoformat()}
        audit.write(What.SEASON_CHANGED, club=player.club, actor=actor, about=f"season:{fresh.season_id}", data=data)
    return stored


def answers_move(*, player: Player, main: Player) -> None:
    """Give the answers, the link and the place among the reserves of a merged player to the main one. Where both
    answered, the later answer stays, and where both have a link or a place, that of the main player. The caller holds
    the transaction."""
    reserve_move(player=player, main=main)
    for attendance in Attendance.objects.filter(player=player):
        other = Attendance.objects.filter(planned_evening=attendance.planned_evening_id, player=main).first()
        if other is not None and other.answered_at > attendance.answered_at:
            attendance.delete()
            continue
        if other is not None:
            other.delete()
        attendance.player = main
        attendance.save(update_fields=["player"])
    link = AttendanceLink.objects.filter(player=player).first()
    if link is not None and AttendanceLink.objects.filter(player=main).exists():
        link.delete()
    elif link is not None:
        link.player = main
        link.save(update_fields=["player"])
