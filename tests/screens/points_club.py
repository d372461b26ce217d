"""The *Hirschen*: an unlisted club whose season counts points and no money.

It also has a merged player, a forgotten player, and disputed hands.
"""

from __future__ import annotations

import uuid
from datetime import date, time, timedelta

from django.utils import timezone

from games.closing.receipts import token_for
from games.closing.services import evening_close
from games.disputes.services import dispute_raise, dispute_settle
from games.models import Table
from league.features.table import ALL
from league.models import Club, Membership, PlannedEvening, Player, Receipt, Role, Season, User
from league.privacy.forgetting import player_forget
from league.roster.merging import players_merge
from league.standings.formula.services import adjustment_add, adjustment_undo, formula_set
from league.standings.formula.team_services import stay_set, team_add
from league.standings.plan_services import evenings_plan, planned_cancel
from tests.factories import FAILED, MADE, PASSED_OUT, WALKOVER, create_table, enter
from tests.imported import imported
from tests.screens.accounts import session_of
from tests.screens.screen import Screen, Who
from tests.screens.taps import all_failed, entered, formula_previewed, opened, sent_empty, team_previewed

NAMES = ("Rosmarie", "Sepp", "Therese", "Urs", "Verena")
NIGHTS = ((MADE, FAILED, WALKOVER, FAILED), (FAILED, MADE, PASSED_OUT, FAILED), (MADE, MADE, FAILED))
TONIGHT = (MADE, FAILED, PASSED_OUT, MADE, FAILED)
PEOPLE = {"recorder": "anna@roessli.example", "member": "carlo@roessli.example"}


def build(owner: User) -> dict[str, str]:
    """Create three closed evenings and an open one; return the parameters of the addresses of its pages."""
    unlisted = Club.Visibility.UNLISTED
    club = Club.objects.create(
        slug="hirschen", name="Hirschenrunde", place="Sumiswald", visibility=unlisted, features=list(ALL)
    )
    Membership.objects.create(club=club, user=owner, role=Role.OWNER)
    recorder, member = (User.objects.get(email=PEOPLE[role]) for role in ("recorder", "member"))
    Membership.objects.create(club=club, user=recorder, role=Role.RECORDER)
    Membership.objects.create(club=club, user=member, role=Role.MEMBER)
    season = Season.objects.create(
        club=club, slug="2026", name="Saison 2026/27", starts_on=date(2026, 8, 1), points_only=True, planned_evenings=12
    )
    five = [Player.objects.create(club=club, nickname=name, publicity="nickname") for name in NAMES]
    own = Player.objects.create(club=club, nickname="Carlo", user=member, publicity="pseudonym", pseudonym="Glücksbub")
    guest = Player.objects.create(club=club, nickname="Rösi", guest=True)
    twin = Player.objects.create(club=club, nickname="Vreni", guest=True)
    gone = Player.objects.create(club=club, nickname="Oskar", publicity="nickname")
    seated = ([*five[:4], own], [guest, *five[1:4], gone], [*five[1:4], twin, gone])
    closed = [_closed_evening(season, who, nth, owner) for nth, who in enumerate(seated)]
    today = timezone.localdate()
    tonight = create_table(club=club, season=season, players=[own, *five[1:]], author=recorder, held_on=today)
    for record in TONIGHT:
        enter(tonight, record, author=recorder)
    _disputes(tonight, closed[0], own, member, recorder)
    players_merge(club=club, player=guest, main=five[0], reason="Rösi ist Rosmarie", actor=owner)
    player_forget(player=gone, actor=owner)
    formula = {"best": 3, "attendance_minimum": 2, "guests": False, "team_best": 2, "ties": ["evenings_won"]}
    formula_set(season=season, actor=owner, values={"best": 4, "handicap": {str(five[1].pk): 2}})
    season = formula_set(season=season, actor=owner, values=formula)
    late = adjustment_add(season=season, player=five[3], points=-1, reason="Falsch gezählt", actor=owner)
    adjustment_undo(adjustment=late, actor=owner)
    late = adjustment_add(season=season, player=five[2], points=-2, reason="Zu spät gekommen", actor=owner)
    _teams(season, [*five[:4], own], owner)
    plan = _plan(season, recorder)
    _season_of_places(club, five[:4], owner)
    newest = Receipt.objects.filter(club=club).latest("number")
    return {
        "points_table": str(tonight.pk),
        "points_evening": str(tonight.evening_id),
        "points_closed": str(closed[0].evening_id),
        "points_closed_table": str(closed[0].pk),
        "points_shared": str(closed[2].evening_id),
        "points_player": str(five[1].pk),
        "points_own": str(own.pk),
        "points_third": str(five[2].pk),
        "points_merged": str(guest.pk),
        "points_main": str(five[0].pk),
        "points_twin": str(twin.pk),
        "points_twin_of": str(five[4].pk),
        "points_gone": str(gone.pk),
        "points_planned": str(plan[0].pk),
        "points_late": str(late.pk),
        "points_receipt": token_for(newest.pk, five[1].pk),
        "recorder_session": session_of(recorder),
    }


def _plan(season: Season, recorder: User) -> list[PlannedEvening]:
    """Plan four evenings: one somewhere else, with a note, and one that is cancelled."""
    today = timezone.localdate()
    days = [today + timedelta(days=14 * nth) for nth in (1, 2, 3)]
    away = {"place": "Restaurant Alte Mühle, Säli", "note": "Der Hirschen ist zu. Bitte Münz mitbringen."}
    plan = evenings_plan(
        season=season, actor=recorder, days=[today + timedelta(days=7)], begins_at=time(19, 30), **away
    )
    plan += evenings_plan(season=season, actor=recorder, days=days, begins_at=time(20))
    planned_cancel(planned=plan[2], actor=recorder)
    return plan


def _teams(season: Season, players: list[Player], owner: User) -> None:
    """Create two teams; one player changes from one into the other."""
    teams = [team_add(season=season, name=name, actor=owner) for name in ("Eichle und Schälle", "Die Rosen")]
    for nth, player in enumerate(players):
        stay_set(season=season, player=player, team=teams[nth % 2], since=season.starts_on, actor=owner)
    day = timezone.localdate() - timedelta(days=10)
    stay_set(season=season, player=players[0], team=teams[1], since=day, actor=owner)


def _season_of_places(club: Club, players: list[Player], owner: User) -> None:
    """Create an imported season that counts the places of the night, with a handicap."""
    season = Season.objects.create(
        club=club, slug="plaetze", name="Saison 2025/26", starts_on=date(2025, 8, 1), points_only=True
    )
    lines = ["Datum;Name;Punkte;Spiele"]
    for day, points in (("12.9.2025", (9, 4, 4, -2)), ("10.10.2025", (-3, 8, 1, 12)), ("7.11.2025", (5, 2, 11, 0))):
        lines += [f"{day};{player.nickname};{each};24" for player, each in zip(players, points, strict=True)]
    imported(season, owner, "\n".join(lines))
    values = {
        "counts": "places", "places": [8, 5, 3, 1], "drop": 1, "handicap": {str(players[2].pk): 3},
        "ties": ["lot"], "lot_seed": "20258"
    }  # fmt: skip
    formula_set(season=season, actor=owner, values=values)


def _closed_evening(season: Season, players: list[Player], nth: int, owner: User) -> Table:
    held_on = timezone.localdate() - timedelta(days=7 * (3 - nth))
    table = create_table(club=season.club, season=season, players=players, author=owner, held_on=held_on)
    for record in NIGHTS[nth]:
        enter(table, record, author=owner)
    evening_close(evening=table.evening, author=owner, key=uuid.uuid4(), pot="carry")
    return table


def _disputes(tonight: Table, before: Table, own: Player, member: User, recorder: User) -> None:
    """Create an unsettled dispute, and one that was settled with an answer."""
    text = "Sepp war draussen, Urs hat mitgespielt und einen Stich gemacht."
    dispute_raise(table=tonight, number=2, player_id=own.pk, author=member, key=uuid.uuid4(), text=text)
    text = "Ich hatte zwei Stiche, nicht einen."
    dispute_raise(table=before, number=1, player_id=own.pk, author=member, key=uuid.uuid4(), text=text)
    answer = "Nachgezählt: Es war ein Stich. Verena und Sepp sagen das auch."
    dispute_settle(table=before, number=1, player_id=own.pk, author=recorder, key=uuid.uuid4(), text=answer)


def _at(name: str, route: str, tail: str, who: Who = "owner", status: int = 200) -> Screen:
    return Screen(name, route, "/c/hirschen/" + tail, who, status=status)


POINTS = (
    _at("points-club-visitor", "club", "", "visitor"),
    _at("points-club", "club", ""),
    _at("points-season-visitor", "season", "s/2026/", "visitor"),
    _at("points-season", "season", "s/2026/"),
    _at("points-season-part", "season", "s/2026/?since=2020-01-01&table=1", "member"),
    Screen("points-season-formula", "season-formula", "/c/hirschen/s/2026/formula/?preset=best", act=formula_previewed),
    _at("points-season-formula-without", "season-formula", "s/2026/formula/?without=1"),
    _at("points-season-formula-versions", "season-formula-versions", "s/2026/formula/versions/"),
    _at("points-season-edit", "season-edit", "s/2026/edit/"),
    _at("points-season-adjustments", "season-adjustments", "s/2026/adjustments/"),
    _at("points-season-adjustments-undo", "season-adjustments", "s/2026/adjustments/?undo={points_late}"),
    _at("points-season-plan", "season-plan", "s/2026/plan/"),
    _at("points-planned-evening", "planned-evening", "s/2026/plan/{points_planned}/"),
    _at("points-season-teams", "season-teams", "s/2026/teams/"),
    _at("points-season-teams-remove", "season-teams", "s/2026/teams/?remove=1"),
    Screen("points-season-teams-previewed", "season-teams", "/c/hirschen/s/2026/teams/", act=team_previewed),
    _at("points-season-sum", "season-sum", "s/2026/sum/{points_third}/"),
    _at("points-season-sum-places", "season-sum", "s/plaetze/sum/{points_third}/"),
    _at("points-season-team", "season-team", "s/2026/team/1/"),
    _at("points-season-team-visitor", "season-team", "s/2026/team/2/", "visitor"),
    _at("points-player", "player", "p/{points_player}/"),
    _at("points-player-own", "player", "p/{points_own}/", "member"),
    _at("points-evening", "evening", "e/{points_evening}/"),
    _at("points-evening-closed", "evening", "e/{points_closed}/"),
    _at("points-evening-new", "evening-new", "e/new/"),
    Screen("points-table", "table", "/c/hirschen/t/{points_table}/", act=entered, whole=False),
    Screen("points-table-refused", "table", "/c/hirschen/t/{points_table}/", act=all_failed, whole=False),
    Screen("points-table-menu", "table", "/c/hirschen/t/{points_table}/", act=opened("more"), whole=False),
    Screen("points-table-whole", "table", "/c/hirschen/t/{points_table}/"),
    Screen("points-paid", "hand-paid", "/c/hirschen/t/{points_table}/h/5/", whole=False),
    _at("points-correct", "hand-out", "t/{points_table}/h/2/out/"),
    _at("points-history", "hand-history", "t/{points_table}/h/2/history/"),
    _at("points-difference", "table-difference", "t/{points_table}/difference/?pot=1.00"),
    _at("points-close", "evening-close", "e/{points_evening}/close/"),
    _at("points-settled", "evening-close", "e/{points_shared}/close/"),
    _at("points-receipts", "receipts", "e/{points_shared}/receipts/"),
    Screen("points-receipt", "receipt", "/r/{points_receipt}/", "visitor"),
    _at("points-debts", "debts", "debts/"),
    _at("points-replay", "rules-replay", "rules/replay/"),
)

DISPUTED = (
    Screen("dispute-own", "hand-dispute", "/c/hirschen/t/{points_table}/h/4/dispute/", "member"),
    Screen("dispute-own-empty", "hand-dispute", "/c/hirschen/t/{points_table}/h/4/dispute/", "member", sent_empty),
    _at("dispute-own-open", "hand-dispute", "t/{points_table}/h/2/dispute/", "member"),
    _at("dispute-own-settled", "hand-dispute", "t/{points_closed_table}/h/1/dispute/", "member"),
    Screen(
        "dispute-recorder",
        "hand-dispute",
        "/c/hirschen/t/{points_table}/h/2/dispute/",
        "visitor",
        session="recorder_session",
    ),
    _at("dispute-none", "hand-dispute", "t/{points_table}/h/1/dispute/"),
    _at("disputes-none", "club-disputes", "disputes/", "owner"),
    _at("evening-disputed", "evening", "e/{points_evening}/", "member"),
)

ROSTER = (
    _at("roster-merged", "club-roster", "roster/"),
    _at("player-edit-merged", "player-edit", "p/{points_merged}/edit/"),
    _at("player-unmerge", "player-merge", "p/{points_merged}/same/"),
    _at("player-merged-shown", "player", "p/{points_merged}/"),
    _at("player-main-shown", "player", "p/{points_main}/"),
    _at("player-merge-refused", "player-merge", "p/{points_player}/same/?main={points_own}", status=409),
    _at("player-merge-preview", "player-merge", "p/{points_twin}/same/?main={points_twin_of}"),
    _at("player-merge-along", "player-merge", "p/{points_main}/same/?main={points_twin}"),
    _at("player-forgotten", "player", "p/{points_gone}/"),
    _at("player-forgotten-edit", "player-edit", "p/{points_gone}/edit/"),
    _at("player-forgotten-again", "player-forget", "p/{points_gone}/forget/"),
    _at("evening-forgotten", "evening", "e/{points_shared}/"),
    _at("log-people", "club-log", "log/"),
    Screen("account-forget-last", "account-forget", "/account/forget/"),
)
