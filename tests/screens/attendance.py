"""Who comes, on the screens: the *Bären*, whose next evening is today and the one after in a week, with answers."""

from __future__ import annotations

from datetime import date, time, timedelta

from django.utils import timezone
from playwright.sync_api import Page

from league.attendance.link import link_renew, token_of
from league.attendance.reserves import reserves_set
from league.attendance.services import answer_set
from league.features.table import ALL
from league.models import Club, Membership, Player, Role, Season, User
from league.standings.plan_services import evenings_plan, planned_cancel
from tests.screens.screen import Screen, World

ANSWERS = {"Bartholomäus-Christoph": "yes", "Elsbeth": "yes", "Fritz": "open", "Gusti": "no", "Hanneli": "yes"}
RESERVES = ("Ida", "Köbi-Valentin", "Lina")


def build(owner: User) -> World:
    """Create the club with three planned evenings; return the parameters of its addresses."""
    unlisted = Club.Visibility.UNLISTED
    club = Club.objects.create(slug="baeren", name="Bärenrunde", visibility=unlisted, features=list(ALL))
    Membership.objects.create(club=club, user=owner, role=Role.OWNER)
    season = Season.objects.create(club=club, slug="2026", name="Saison 2026", starts_on=date(2026, 8, 1))
    own = Player.objects.create(club=club, nickname="Doris", user=owner)
    players = [Player.objects.create(club=club, nickname=name) for name in (*ANSWERS, "Ida")]
    Player.objects.create(club=club, nickname="Kari", guest=True)
    others = [Player.objects.create(club=club, nickname=name, guest=True) for name in RESERVES[1:]]
    reserves_set(club=club, players=[players[-1].pk, *(guest.pk for guest in others)], actor=owner)
    today = timezone.localdate()
    about = {"season": season, "actor": owner, "place": "Bären, Säli", "note": "Münz mitbringen"}
    days = [today + timedelta(days=7 * nth) for nth in range(4)]
    tonight, next_week, cancelled, declined = evenings_plan(days=days, begins_at=time(19, 30), least_players=4, **about)
    for evening in (tonight, next_week):
        for player, answer in zip(players, ANSWERS.values(), strict=False):
            answer_set(planned=evening, player=player, answer=answer, actor=owner)
    answer_set(planned=tonight, player=own, answer="yes", actor=owner)
    for player in players[:2]:
        answer_set(planned=declined, player=player, answer="no", actor=owner)
    planned_cancel(planned=cancelled, actor=owner)
    return {
        "coming_tonight": str(tonight.pk),
        "coming_cancelled": str(cancelled.pk),
        "coming_next_week": str(next_week.pk),
        "coming_linked": str(players[0].pk),
        "coming_without": str(players[-1].pk),
        "coming_declined": str(declined.pk),
        "coming_token": token_of(link_renew(player=players[0], actor=owner)),
    }


def unfolded(page: Page) -> None:
    """Unfold every part of the page."""
    page.evaluate("document.querySelectorAll('main details').forEach((each) => { each.open = true; })")


ATTENDANCE = (
    Screen("coming", "planned-coming", "/c/baeren/s/2026/plan/{coming_tonight}/coming/"),
    Screen("coming-unfolded", "planned-coming", "/c/baeren/s/2026/plan/{coming_next_week}/coming/", act=unfolded),
    Screen("coming-cancelled", "planned-coming", "/c/baeren/s/2026/plan/{coming_cancelled}/coming/"),
    Screen("coming-ask", "planned-coming", "/c/baeren/s/2026/plan/{coming_declined}/coming/"),
    Screen("coming-reserves", "club-reserves", "/c/baeren/reserves/"),
    Screen("coming-link", "coming-link", "/c/baeren/coming/{coming_token}/", "visitor", act=unfolded),
    Screen("coming-player", "player-coming", "/c/baeren/p/{coming_linked}/coming/"),
    Screen("coming-player-none", "player-coming", "/c/baeren/p/{coming_without}/coming/"),
    Screen("coming-club", "club", "/c/baeren/"),
    Screen("coming-season", "season", "/c/baeren/s/2026/"),
    Screen("coming-new", "evening-new", "/c/baeren/e/new/"),
    Screen("coming-change", "planned-evening", "/c/baeren/s/2026/plan/{coming_tonight}/"),
)
