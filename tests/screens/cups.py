"""The screens of cups: that of the demo, one of evenings, and invitations to the Krone."""

from __future__ import annotations

from league.cups.evenings import may_count
from league.cups.own_part import own_part
from league.cups.services import (
    Basics,
    club_invite,
    cup_create,
    evenings_set,
    invitation_accept,
    players_set,
    tournaments_set,
)
from league.models import Club, Cup, User
from tests.screens.screen import Screen, World

EVENINGS = 8
"""So many evenings of each club count."""


def build(owner: User) -> World:
    """Invite the Krone to two other cups, and the Adler by a name; return the short names of the cups."""
    cup = Cup.objects.get(owner__slug="roessli")
    club_invite(cup=cup, actor=owner, short_name="adler")
    basics = Basics(name="Emmentaler Wintercup der Chratzclubs")
    second = cup_create(club=Club.objects.get(slug="sternen"), actor=owner, basics=basics)
    club_invite(cup=second, actor=owner, short_name="krone")
    third = _of_evenings(owner)
    club_invite(cup=third, actor=owner, short_name="krone")
    return {"cup": cup.slug, "cup_invited": second.slug, "cup_evenings": third.slug}


def _of_evenings(owner: User) -> Cup:
    """Make a cup of two clubs with a tournament and many evenings, one of which is not final yet."""
    first, second = Club.objects.get(slug="roessli"), Club.objects.get(slug="sternen")
    basics = Basics(name="Abend-Cup", events="both", best_of=6, public=True)
    cup = cup_create(club=first, actor=owner, basics=basics)
    invitation = club_invite(cup=cup, actor=owner, short_name=second.slug)
    invitation_accept(invitation=invitation, club=second, actor=owner, public=True)
    tournaments_set(cup=cup, club=first, actor=owner, slugs=[first.tournaments.earliest("starts_on").slug])
    for club in (first, second):
        chosen = may_count(club).values_list("pk", flat=True)[:EVENINGS]
        evenings_set(cup=cup, club=club, actor=owner, evenings=list(chosen))
        places = {player.pk: 0 for player in own_part(cup, club).players}
        players_set(cup=cup, club=club, actor=owner, places=places)
    return cup


CUPS = (
    Screen("cups", "cups", "/c/roessli/cups/"),
    Screen("cups-none", "cups", "/c/linde/cups/"),
    Screen("cup", "cup", "/c/roessli/cups/{cup}/", "visitor"),
    Screen("cup-owner", "cup", "/c/sternen/cups/{cup}/"),
    Screen("cup-empty", "cup", "/c/sternen/cups/{cup_invited}/"),
    Screen("cup-evenings", "cup", "/c/roessli/cups/{cup_evenings}/"),
    Screen("cup-ours", "cup-ours", "/c/roessli/cups/{cup}/ours/"),
    Screen("cup-ours-evenings", "cup-ours", "/c/sternen/cups/{cup_evenings}/ours/"),
    Screen("cup-run", "cup-run", "/c/roessli/cups/{cup}/run/"),
    Screen("cup-rules", "cup-rules", "/c/roessli/cups/{cup}/rules/"),
    Screen("cup-new", "cup-new", "/c/roessli/cups/new/"),
    Screen("cup-new-by-chips", "cup-new", "/c/roessli/cups/new/", act=lambda page: page.check("[value=chips]")),
    Screen("cup-join", "cup-join", "/c/roessli/cups/join/"),
    Screen("cup-invitation", "cup-invitation", "/c/krone/cups/{cup_invited}/invitation/"),
    Screen("cup-invitation-evenings", "cup-invitation", "/c/krone/cups/{cup_evenings}/invitation/"),
    Screen("cup-leave", "cup-leave", "/c/sternen/cups/{cup}/leave/"),
    Screen("account-cups", "account-cups", "/account/cups/"),
)
