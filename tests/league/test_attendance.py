"""Who comes: storing answers with each refusal, the least number, links, forgetting, merging and the person's data."""

from __future__ import annotations

from datetime import time, timedelta

import pytest
from django.utils import timezone, translation

from league.attendance import link, selectors
from league.attendance.services import answer_set
from league.audit import sentences
from league.errors import Refused
from league.models import Attendance, AttendanceLink, AuditEntry, Evening, PlannedEvening, Player, Season
from league.privacy.forgetting import player_forget
from league.privacy.personal_data_export import PARTS, _rows
from league.roster.merging import players_merge, players_unmerge
from league.standings import plan_services
from tests.cast import Cast, House
from tests.factories import PlayerFactory, create_table

pytestmark = pytest.mark.django_db


def planned(home: House, days: int = 7, **more: object) -> PlannedEvening:
    day = timezone.localdate() + timedelta(days=days)
    values = {"club": home.club, "season": home.season, "held_on": day, "begins_at": time(20)} | more
    return PlannedEvening.objects.create(**values)


@pytest.fixture
def evening(home: House) -> PlannedEvening:
    return planned(home)


@pytest.fixture
def anna(home: House) -> Player:
    return PlayerFactory(club=home.club, nickname="Anna")


def refusal(evening: PlannedEvening, player: Player, answer: str = "yes") -> tuple[int, str]:
    """Return status and sentence of a refused answer; nothing is stored. (0, "") if it was stored."""
    before = list(Attendance.objects.values_list("player_id", "answer"))
    with translation.override("en"):
        try:
            answer_set(planned=evening, player=player, answer=answer, actor=None)
        except Refused as refused:
            assert list(Attendance.objects.values_list("player_id", "answer")) == before
            return refused.status, refused.sentence
    return 0, ""


# --- Answers -----------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_a_player_has_one_answer_and_the_last_one_counts(home, evening, anna):
    for answer in ("yes", "open", "no", "no"):
        answer_set(planned=evening, player=anna, answer=answer, actor=None)
    stored = Attendance.objects.get()
    assert (stored.player, stored.answer, stored.author) == (anna, "no", None)
    answered_at = stored.answered_at
    answer_set(planned=evening, player=anna, answer="no", actor=home.recorder)
    stored.refresh_from_db()
    assert (stored.answered_at, stored.author) == (answered_at, None)


def test_the_evening_is_to_come(home, evening, anna):
    assert refusal(evening, anna) == (0, "")
    PlannedEvening.objects.update(held_on=timezone.localdate())
    assert refusal(evening, anna, "no") == (0, "")
    PlannedEvening.objects.update(held_on=timezone.localdate() - timedelta(days=1))
    assert refusal(evening, anna) == (409, "The evening is over. Answers can no longer be changed.")


def test_without_its_guard_an_evening_that_is_over_takes_an_answer(home, anna, monkeypatch):
    over = planned(home, -1)
    assert refusal(over, anna)[0] == 409
    monkeypatch.setattr("league.attendance.services.why_closed", lambda _planned: "")
    assert refusal(over, anna) == (0, "")


def test_a_cancelled_evening_takes_no_answer_until_it_is_restored(home, evening, anna):
    plan_services.planned_cancel(planned=evening, actor=None)
    assert refusal(evening, anna) == (409, "The evening is cancelled. Answers can no longer be changed.")
    plan_services.planned_cancel(planned=evening, actor=None, cancelled=False)
    assert refusal(evening, anna) == (0, "")


def test_an_opened_evening_of_the_season_ends_the_answers(home, evening, anna):
    other = Season.objects.create(club=home.club, slug="other", name="Other", starts_on=home.season.starts_on)
    create_table(club=home.club, season=other, held_on=evening.held_on)
    assert refusal(evening, anna) == (0, "")
    create_table(club=home.club, season=home.season, held_on=evening.held_on)
    assert refusal(evening, anna, "no") == (
        409,
        "The evening has been opened. Answers can no longer be changed.",
    )


def test_a_closed_season_ends_the_answers(home, evening, anna):
    Season.objects.filter(pk=home.season.pk).update(closed_at=timezone.now())
    assert refusal(evening, anna) == (409, "The season is closed. Answers can no longer be changed.")
    Season.objects.filter(pk=home.season.pk).update(closed_at=None)
    assert refusal(evening, anna) == (0, "")


def test_only_a_player_of_the_roster_of_this_club_answers(people, home, evening, anna):
    foreign = PlayerFactory(club=people.away.club)
    assert refusal(evening, foreign)[0] == 404
    gone = PlayerFactory(club=home.club, nickname="Gone", active=False)
    assert refusal(evening, gone) == (409, "Gone is not in the roster.")
    merged = PlayerFactory(club=home.club, nickname="Änni", main=anna)
    assert refusal(evening, merged) == (409, "Änni is not in the roster.")
    assert refusal(evening, anna) == (0, "")


def test_there_are_three_answers(evening, anna):
    assert [refusal(evening, anna, each)[0] for each in ("maybe", "", "YES")] == [422] * 3
    assert [refusal(evening, anna, each)[0] for each in Attendance.Answer.values] == [0] * 3


def test_the_log_has_an_entry_for_an_answer_by_somebody_else_only(home, evening, anna):
    anna.user = home.member
    anna.save()
    also = PlayerFactory(club=home.club, nickname="Änni", main=anna)
    answer_set(planned=evening, player=anna, answer="yes", actor=home.member)
    answer_set(planned=evening, player=anna, answer="open", actor=None)
    assert not AuditEntry.objects.exists()
    answer_set(planned=evening, player=anna, answer="no", actor=home.recorder)
    assert also.main == anna
    with translation.override("en"):
        (line,) = sentences.lines_of(AuditEntry.objects.select_related("actor"))
        day = evening.held_on.strftime("%d.%m.%Y")
    assert line.sentence.startswith("Recorder entered whether Anna comes on ")
    assert day[:2].lstrip("0") in line.sentence


# --- The least number --------------------------------------------------------------------------------------


def test_the_sentence_says_how_many_are_missing(home):
    evening = planned(home, least_players=3)
    said = []
    with translation.override("en"):
        for name in ("Anna", "Beni", "Carlo", "Doris"):
            player = PlayerFactory(club=home.club, nickname=name)
            answer_set(planned=evening, player=player, answer="yes", actor=None)
            said.append(selectors.answers_to([evening])[evening.pk].sentence)
    enough = "It takes place: at least 3 are coming."
    assert said == [
        "It takes place from 3 on: 2 more.",
        "It takes place from 3 on: 1 more.",
        enough,
        enough,
    ]
    assert selectors.answers_to([planned(home, 14)]).popitem()[1].sentence == ""


def test_whoever_left_the_roster_does_not_come(home, evening, anna):
    answer_set(planned=evening, player=anna, answer="yes", actor=None)
    assert selectors.answers_to([evening])[evening.pk].yes == [anna]
    Player.objects.filter(pk=anna.pk).update(active=False)
    assert selectors.answers_to([evening])[evening.pk].yes == []


@pytest.mark.parametrize(("least", "status"), [(1, 422), (2, 0), (None, 0), (99, 0), (100, 422)])
def test_the_least_number_has_limits(home, evening, least, status):
    about = {"season": home.season, "actor": None, "days": [evening.held_on + timedelta(days=1)], "begins_at": time(20)}
    for write in (
        lambda: plan_services.evenings_plan(**about, least_players=least),
        lambda: plan_services.planned_change(planned=evening, actor=None, changes={"least_players": least}),
    ):
        if status:
            with pytest.raises(Refused) as refused:
                write()
            assert (refused.value.status, refused.value.at) == (status, "least_players")
        else:
            write()
    assert PlannedEvening.objects.filter(least_players=least).count() == (2 if not status else 0)


def test_an_evening_on_another_day_has_no_answers_yet(home, evening, anna):
    answer_set(planned=evening, player=anna, answer="yes", actor=None)
    plan_services.planned_change(planned=evening, actor=None, changes={"begins_at": time(19), "place": "Hall"})
    assert Attendance.objects.count() == 1
    moved = {"held_on": evening.held_on + timedelta(days=1)}
    plan_services.planned_change(planned=evening, actor=None, changes=moved)
    assert Attendance.objects.count() == 0


def test_a_removed_evening_takes_its_answers_along(home, evening, anna):
    answer_set(planned=evening, player=anna, answer="yes", actor=None)
    plan_services.planned_remove(planned=evening, actor=None)
    assert not Attendance.objects.exists()


# --- Links -------------------------------------------------------------------------------------------------


def test_a_link_names_its_player_until_it_is_renewed_or_ended(home, anna):
    slug = home.club.slug
    first = link.token_of(link.link_renew(player=anna, actor=home.recorder))
    assert link.player_of_token(slug, first) == anna
    second = link.token_of(link.link_renew(player=anna, actor=home.recorder))
    assert [link.player_of_token(slug, each) for each in (first, second)] == [None, anna]
    for _twice in range(2):
        link.link_end(player=anna, actor=None)
    assert link.player_of_token(slug, second) is None
    did = AuditEntry.objects.order_by("pk").values_list("about", "data__did", "actor")
    made = (f"player:{anna.pk}", "link_made", home.recorder.pk)
    assert list(did) == [made, made, (f"player:{anna.pk}", "link_ended", None)]
    with translation.override("en"):
        lines = sentences.lines_of(AuditEntry.objects.select_related("actor").order_by("pk"))
    assert [lines[0].sentence, lines[-1].sentence] == [
        "Recorder made a link for Anna: “Who comes?”.",
        "Somebody ended the link of Anna: “Who comes?”.",
    ]


def test_a_link_is_of_this_club_and_of_this_server(people, home, anna):
    token = link.token_of(link.link_renew(player=anna, actor=None))
    number = token.partition(".")[0]
    assert link.player_of_token(people.away.club.slug, token) is None
    for wrong in (number, f"{number}.x", f"1{token}", "", "x"):
        assert link.player_of_token(home.club.slug, wrong) is None
    assert link.player_of_token(home.club.slug, token) == anna


def test_a_link_is_over_while_the_player_is_not_in_the_roster(home, anna):
    token = link.token_of(link.link_renew(player=anna, actor=None))
    Player.objects.filter(pk=anna.pk).update(active=False)
    assert link.player_of_token(home.club.slug, token) is None
    with pytest.raises(Refused) as refused:
        link.link_renew(player=anna, actor=None)
    assert refused.value.status == 409
    Player.objects.filter(pk=anna.pk).update(active=True)
    assert link.player_of_token(home.club.slug, token) == anna


# --- People ------------------------------------------------------------------------------------------------


def test_forgetting_a_player_deletes_answers_and_link(home, evening, anna):
    other = PlayerFactory(club=home.club, nickname="Beni")
    for player in (anna, other):
        answer_set(planned=evening, player=player, answer="yes", actor=None)
        link.link_renew(player=player, actor=None)
    player_forget(player=anna, actor=None)
    assert list(Attendance.objects.values_list("player", flat=True)) == [other.pk]
    assert list(AttendanceLink.objects.values_list("player", flat=True)) == [other.pk]


@pytest.mark.parametrize("later", ["player", "main"])
def test_of_two_answers_of_a_merged_person_the_later_one_counts(home, evening, anna, later):
    again = PlayerFactory(club=home.club, nickname="Änni")
    answers = [(again, "no"), (anna, "yes")] if later == "main" else [(anna, "yes"), (again, "no")]
    for nth, (player, answer) in enumerate(answers):
        answer_set(planned=evening, player=player, answer=answer, actor=None)
        answered_at = timezone.now() + timedelta(minutes=nth)
        Attendance.objects.filter(player=player).update(answered_at=answered_at)
    only = planned(home, 14)
    answer_set(planned=only, player=again, answer="open", actor=None)
    players_merge(club=home.club, player=again, main=anna, reason="one", actor=None)
    kept = "yes" if later == "main" else "no"
    stored = Attendance.objects.order_by("planned_evening__held_on").values_list("planned_evening", "player", "answer")
    assert list(stored) == [(evening.pk, anna.pk, kept), (only.pk, anna.pk, "open")]
    players_unmerge(club=home.club, player=again, reason="two", actor=None)
    assert set(Attendance.objects.values_list("player", flat=True)) == {anna.pk}


@pytest.mark.parametrize("main_has_one", [True, False])
def test_a_merged_person_keeps_one_link(home, anna, main_has_one):
    again = PlayerFactory(club=home.club, nickname="Änni")
    old = link.token_of(link.link_renew(player=again, actor=None))
    new = link.token_of(link.link_renew(player=anna, actor=None)) if main_has_one else old
    players_merge(club=home.club, player=again, main=anna, reason="one", actor=None)
    assert AttendanceLink.objects.count() == 1
    assert link.player_of_token(home.club.slug, new) == anna
    assert (link.player_of_token(home.club.slug, old) is None) == main_has_one


def test_the_data_of_a_person_have_answers_and_links(people: Cast, evening, anna):
    home = people.home
    anna.user = home.member
    anna.save()
    other = PlayerFactory(club=home.club, nickname="Beni")
    answer_set(planned=evening, player=anna, answer="yes", actor=None)
    answer_set(planned=evening, player=other, answer="no", actor=home.recorder)
    link.link_renew(player=anna, actor=None)
    parts = {part.name: part for part in PARTS}

    def answers(user):
        return [(row["player_id"], row["answer"]) for row in _rows(user, parts["attendances"])]

    assert answers(home.member) == [(anna.pk, "yes")]
    assert answers(home.recorder) == [(other.pk, "no")]
    assert answers(home.owner) == []
    (row,) = _rows(home.member, parts["attendance_links"])
    assert row["player_id"] == anna.pk
    assert "number" not in row


def test_those_who_come_today_are_those_of_the_season_and_of_today(home, anna):
    assert not Evening.objects.exists()
    today, later = planned(home, 0), planned(home, 1)
    beni, gone = (PlayerFactory(club=home.club, nickname=name) for name in ("Beni", "Gone"))
    for evening, player, answer in (
        (today, anna, "yes"),
        (today, beni, "open"),
        (today, gone, "yes"),
        (later, beni, "yes"),
    ):
        answer_set(planned=evening, player=player, answer=answer, actor=None)
    Player.objects.filter(pk=gone.pk).update(active=False)
    assert selectors.coming_today(home.club, home.season.pk) == {anna.pk}
    PlannedEvening.objects.filter(pk=today.pk).update(cancelled_at=timezone.now())
    assert selectors.coming_today(home.club, home.season.pk) == set()
    PlannedEvening.objects.filter(pk=today.pk).update(cancelled_at=None)
    create_table(club=home.club, season=home.season, held_on=timezone.localdate())
    assert selectors.coming_today(home.club, home.season.pk) == set()
