"""The final of a cup: a tournament of the club that runs it, with the qualified people as its first entries."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from django.db import transaction
from django.utils.translation import gettext as _

from .. import audit
from ..audit import What
from ..errors import Refused
from ..features.table import TOURNAMENTS
from ..locks import lock_club
from ..models import Club, Cup, Player, Tournament, User
from ..roster.services import MAX_NICKNAME
from ..tournaments.entries import Newcomer
from ..tournaments.presets import PRESETS
from ..tournaments.quick_start import tournament_start
from ..tournaments.services import Basics
from .selectors import Row, cup_view
from .services import locked


@transaction.atomic
def final_make(*, cup: Cup, actor: User | None, starts_on: date) -> Tournament:
    """Make the tournament of the final, open for entries, with everybody who is qualified. People of other clubs become
    guests under their cup name; where somebody in the roster has that name, with the name of their club.

    Raises:
        Refused: 409 without places in the final, without two qualified people, where there is a final already, or
            without the feature of tournaments; else as `tournament_start`.
    """
    now = locked(cup)
    club = lock_club(now.owner_id)
    if now.final_id is not None:
        raise Refused(status=409, code="final", sentence=_("The final has a tournament already."))
    if not TOURNAMENTS.is_on(club):
        sentence = _("Your club has switched off tournaments. Switch them on first.")
        raise Refused(status=409, code="feature", sentence=sentence)
    view = cup_view(now)
    if len(view.qualified) < 2:
        raise Refused(status=409, code="final", sentence=_("Nobody is qualified yet."))
    made = tournament_start(
        club=club,
        author=actor,
        basics=Basics(
            name=(_("%(cup)s: final") % {"cup": now.name})[:80],
            starts_on=starts_on,
            game=view.counting[-1].event.game,
        ),
        format=PRESETS["evening"].format,
        people=_newcomers(club, view.qualified),
    )
    now.final = made
    now.save(update_fields=["final"])
    audit.write(What.CUP_CHANGED, club=club, actor=actor, about=f"cup:{now.pk}", data={"did": "final"})
    return made


def _newcomers(club: Club, rows: Iterable[Row]) -> list[Newcomer]:
    taken = {name.casefold() for name in Player.objects.filter(club=club).values_list("nickname", flat=True)}
    people = []
    for row in rows:
        own = next((player.player for player in row.person.players if player.club == club.pk), None)
        if own is not None:
            people.append(Newcomer(player_id=own))
            continue
        name = _free_name(row.name, row.clubs[0], taken)
        taken.add(name.casefold())
        people.append(Newcomer(nickname=name))
    return people


def _free_name(name: str, club: str, taken: set[str]) -> str:
    """Return a nickname that nobody in the roster has."""
    nickname, number = name[:MAX_NICKNAME].strip(), 1
    while nickname.casefold() in taken:
        end = f" ({club[: MAX_NICKNAME // 2].strip()})" if number == 1 else f" {number}"
        nickname = f"{name[: MAX_NICKNAME - len(end)].strip()}{end}"
        number += 1
    return nickname
