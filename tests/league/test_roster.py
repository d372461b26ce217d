"""The roster: adding and changing players, merging and unmerging them."""

from __future__ import annotations

import uuid
from collections import Counter

import pytest

from games.closing.services import evening_close, payments_mark
from games.hands import selectors
from games.integrity.verify import differences, rebuild
from games.models import Table
from league.access import access_to
from league.errors import Refused
from league.ledger import create_account
from league.models import AuditEntry, EveningScore, Membership, Player, PlayerMerge, Standing
from league.payments import services as payments
from league.roster import merging
from league.roster.merging import merge_preview, players_merge, players_unmerge
from league.roster.services import player_add, player_change
from league.standings import counting
from tests.factories import (
    FAILED,
    MADE,
    ClubFactory,
    PlayerFactory,
    SeasonFactory,
    UserFactory,
    create_table,
    enter,
    void,
)

pytestmark = [pytest.mark.django_db, pytest.mark.services]


# --- Players -----------------------------------------------------------------------------------------------


def test_adding_a_player_is_logged(en):
    club, owner = ClubFactory(), UserFactory()
    player = player_add(club=club, nickname="  Ruedi ", actor=owner, guest=True)
    assert (player.nickname, player.guest, player.active) == ("Ruedi", True, True)
    entry = AuditEntry.objects.get()
    assert (entry.what, entry.about, entry.club, entry.actor) == ("player_added", f"player:{player.pk}", club, owner)
    assert "Ruedi" not in str(entry.data)


@pytest.mark.parametrize("nickname", ["", "   ", "x" * 41, "a\nb", "ANNA"])
def test_an_invalid_nickname_is_refused_with_a_sentence(en, nickname):
    club = PlayerFactory(nickname="Anna").club
    with pytest.raises(Refused) as caught:
        player_add(club=club, nickname=nickname, actor=None)
    assert (caught.value.status, caught.value.at) == (422, "nickname")
    assert caught.value.sentence.endswith(".")
    assert Player.objects.count() == 1


@pytest.mark.both_databases
def test_a_change_without_a_difference_is_not_logged():
    player = PlayerFactory(nickname="Anna")
    player_change(player=player, actor=None, changes={"nickname": "Anna", "active": True})
    assert not AuditEntry.objects.exists()
    player_change(player=player, actor=None, changes={"nickname": "Änneli", "active": False})
    player.refresh_from_db()
    assert (player.nickname, player.active) == ("Änneli", False)
    assert AuditEntry.objects.get().data == {"fields": ["active", "nickname"]}


@pytest.mark.parametrize("field", ["user", "club", "main", "anonymised_at", "id"])
def test_other_fields_of_a_player_cannot_be_changed(field):
    player = PlayerFactory()
    with pytest.raises(Refused) as caught:
        player_change(player=player, actor=None, changes={field: 1})
    assert (caught.value.status, caught.value.at) == (422, field)


def test_a_pseudonym_cannot_be_the_name_of_another_player(en):
    anna = PlayerFactory(nickname="Anna")
    beni = PlayerFactory(club=anna.club, nickname="Beni")
    with pytest.raises(Refused) as caught:
        player_change(player=beni, actor=None, changes={"publicity": "pseudonym", "pseudonym": "anna"})
    assert (caught.value.status, caught.value.at) == (422, "pseudonym")


@pytest.mark.both_databases
@pytest.mark.parametrize("changes", [{"nickname": "änni"}, {"publicity": "pseudonym", "pseudonym": "ÄNNI"}])
@pytest.mark.parametrize("held", ["nickname", "pseudonym"])
def test_a_name_is_taken_in_any_capitals(changes, held):
    club = PlayerFactory(**({"nickname": "Beni"} | {held: "Änni"})).club
    other = PlayerFactory(club=club)
    with pytest.raises(Refused) as caught:
        player_change(player=other, actor=None, changes=changes)
    assert (caught.value.status, caught.value.at) == (422, [*changes][-1])
    with pytest.raises(Refused) as caught:
        player_add(club=club, nickname="äNNI", actor=None)
    assert (caught.value.status, caught.value.at) == (422, "nickname")


@pytest.mark.both_databases
def test_a_player_may_write_the_own_name_in_other_capitals():
    player = PlayerFactory(nickname="änni")
    assert player_change(player=player, actor=None, changes={"nickname": "Änni"}).nickname == "Änni"
    assert player_change(player=player, actor=None, changes={"pseudonym": "ÄNNI"}).pseudonym == "ÄNNI"


def test_equal_names_of_before_the_check_stay_and_can_be_changed():
    club = PlayerFactory(nickname="Änni").club
    other = PlayerFactory(club=club, nickname="Beni", pseudonym="Änni")
    assert not player_change(player=other, actor=None, changes={"active": False}).active


# --- One person, two players -------------------------------------------------------------------------------


def counted(season):
    """Return all counted rows of a season, without keys."""
    counting.count_season(season.pk)
    return [
        sorted(
            sorted((k, v) for k, v in row.items() if k != "id") for row in model.objects.filter(season=season).values()
        )
        for model in (Standing, EveningScore)
    ]


def two_evenings():
    """Anna plays the first evening as Anna, and the second one as Änni."""
    season = SeasonFactory()
    first = create_table(season=season)
    enter(first, MADE)
    enter(first, FAILED)
    others = list(Player.objects.filter(club=season.club).exclude(nickname="Anna").order_by("nickname"))
    aenni = PlayerFactory(club=season.club, nickname="Änni")
    second = create_table(season=season, players=[aenni, *others])
    enter(second, MADE)
    anna = Player.objects.get(nickname="Anna")
    return season, anna, aenni


def line(season, player):
    return Standing.objects.filter(season=season, player=player).first()


@pytest.mark.both_databases
def test_merged_players_count_as_one_and_unmerging_restores_the_counts(en):
    season, anna, aenni = two_evenings()
    before = counted(season)
    separate = [line(season, anna), line(season, aenni)]
    players_merge(club=season.club, player=aenni, main=anna, reason="married", actor=None)
    together = counted(season)
    assert together != before
    merged = line(season, anna)
    assert line(season, aenni) is None
    for field in ("points", "balance_minor", "hands", "declared", "declared_made", "evenings", "joined"):
        assert getattr(merged, field) == sum(getattr(each, field) for each in separate), field
    assert merged.biggest_pot_minor == max(each.biggest_pot_minor for each in separate)
    assert list(differences([season])) == []
    players_unmerge(club=season.club, player=aenni, reason="it was her sister", actor=None)
    assert counted(season) == before
    assert list(differences([season])) == []
    assert [merge.joined for merge in PlayerMerge.objects.order_by("created_at")] == [True, False]
    done = AuditEntry.objects.exclude(what="evening_begun").order_by("pk")
    assert list(done.values_list("what", flat=True)) == [
        "players_merged",
        "players_parted",
    ]


@pytest.mark.both_databases
def test_merged_players_in_one_evening_are_one_line(en):
    season, anna, aenni = two_evenings()
    Player.objects.filter(pk=aenni.pk).update(nickname="Later")
    table = Table.objects.order_by("pk").first()
    table.places.filter(player=anna).update(player=aenni)
    enter(table, MADE)
    players_merge(club=season.club, player=aenni, main=anna, reason="one person", actor=None)
    counted(season)
    nights = EveningScore.objects.filter(season=season, player=anna, evening=table.evening)
    assert [night.hands for night in nights] == [3]


@pytest.mark.both_databases
def test_the_preview_of_a_merge_is_exact_and_stores_nothing(en):
    season, anna, aenni = two_evenings()
    before = counted(season)
    preview = merge_preview(club=season.club, player=aenni, main=anna)
    assert counted(season) == before
    assert not PlayerMerge.objects.exists()
    change = {row.nickname: row for row in preview.seasons[0].changes}
    players_merge(club=season.club, player=aenni, main=anna, reason="married", actor=None)
    counted(season)
    after = line(season, anna)
    shown = change["Anna"].after
    assert (shown.rank, shown.points, shown.balance_minor, shown.hands) == (
        after.rank,
        after.points,
        after.balance_minor,
        after.hands,
    )
    assert change["Änni"].after is None
    assert preview.after_minor == after.balance_minor


@pytest.mark.both_databases
def test_a_reason_with_nul_is_refused(en):
    season, anna, aenni = two_evenings()
    players_merge(club=season.club, player=aenni, main=anna, reason="married", actor=None)
    with pytest.raises(Refused) as refused:
        players_unmerge(club=season.club, player=aenni, reason="a\0b", actor=None)
    assert refused.value.status == 422


@pytest.mark.both_databases
def test_players_of_the_same_hand_cannot_be_merged(en):
    season, anna, aenni = two_evenings()
    beni = Player.objects.get(nickname="Beni")
    with pytest.raises(Refused) as caught:
        players_merge(club=season.club, player=anna, main=beni, reason="no", actor=None)
    assert caught.value.status == 409
    assert "evening 1" in caught.value.sentence
    assert "hand 1" in caught.value.sentence
    # Also if another player of the same person sat in the hand.
    players_merge(club=season.club, player=aenni, main=anna, reason="married", actor=None)
    hugo = PlayerFactory(club=season.club, nickname="Hugo")
    third = create_table(season=season, players=[aenni, hugo])
    enter(third, {"declarer": 0})
    with pytest.raises(Refused):
        players_merge(club=season.club, player=hugo, main=anna, reason="no", actor=None)


def test_without_the_check_of_seats_they_are_merged(monkeypatch):
    season, anna, _aenni = two_evenings()
    monkeypatch.setattr(merging, "seated_together_checks", [])
    players_merge(club=season.club, player=anna, main=Player.objects.get(nickname="Beni"), reason="no", actor=None)


def test_a_voided_hand_does_not_prevent_a_merge():
    season = SeasonFactory()
    table = create_table(season=season, seats=2)
    enter(table, {"declarer": 0})
    void(table)
    table.places.all().delete()
    player, other = Player.objects.order_by("pk")
    players_merge(club=season.club, player=player, main=other, reason="typed twice", actor=None)


def test_players_at_a_table_now_cannot_be_merged(en):
    season = SeasonFactory()
    create_table(season=season, seats=2)
    player, other = Player.objects.order_by("pk")
    with pytest.raises(Refused) as caught:
        players_merge(club=season.club, player=player, main=other, reason="no", actor=None)
    assert "sit at a table" in caught.value.sentence


def line_of(season, player):
    """The line of a player in a season, None if there is none."""
    rows = Standing.objects.filter(season=season, player=player)
    return rows.values("rank", "points", "balance_minor", "hands").first()


def chained():
    """A season with an evening each for Anna, Änni and Anna Meier, beside Beni and Carlo."""
    season = SeasonFactory()
    others = [PlayerFactory(club=season.club, nickname=name) for name in ("Beni", "Carlo")]
    people = [PlayerFactory(club=season.club, nickname=name) for name in ("Änni", "Anna", "Anna Meier")]
    for person in people:
        enter(create_table(club=season.club, season=season, players=[person, *others]), MADE)
    counting.count_season(season.pk)
    return season, *people


@pytest.mark.both_databases
def test_merged_players_are_merged_along_into_another_merge_and_back(en):
    """Änni into Anna, Anna into Anna Meier: all three are one; without the second merge the first is valid again."""
    season, aenni, anna, meier = chained()
    before = [line_of(season, player) for player in (aenni, anna, meier)]
    players_merge(club=season.club, player=aenni, main=anna, reason="married", actor=None)
    counting.count_season(season.pk)
    between = [line_of(season, player) for player in (aenni, anna, meier)]
    preview = merge_preview(club=season.club, player=anna, main=meier)
    assert preview.along == (aenni,)
    assert preview.after_minor == sum(line["balance_minor"] for line in before)
    players_merge(club=season.club, player=anna, main=meier, reason="typed twice", actor=None)
    counting.count_season(season.pk)
    assert [line_of(season, player) for player in (aenni, anna)] == [None, None]
    whole = line_of(season, meier)
    assert whole["hands"] == sum(line["hands"] for line in before)
    assert whole["balance_minor"] == preview.after_minor
    [change] = [row for row in preview.seasons[0].changes if row.player_id == meier.pk]
    assert vars(change.after) == whole
    assert list(differences()) == []
    players_unmerge(club=season.club, player=anna, reason="two after all", actor=None)
    counting.count_season(season.pk)
    assert [line_of(season, player) for player in (aenni, anna, meier)] == between
    players_unmerge(club=season.club, player=aenni, reason="three after all", actor=None)
    counting.count_season(season.pk)
    assert [line_of(season, player) for player in (aenni, anna, meier)] == before
    assert list(differences()) == []


@pytest.mark.both_databases
def test_the_first_of_three_is_unmerged_alone(en):
    season, aenni, anna, meier = chained()
    players_merge(club=season.club, player=aenni, main=anna, reason="married", actor=None)
    players_merge(club=season.club, player=anna, main=meier, reason="typed twice", actor=None)
    merge = players_unmerge(club=season.club, player=aenni, reason="it was her sister", actor=None)
    assert merge.main == anna
    assert dict(Player.objects.filter(main__isnull=False).values_list("pk", "main_id")) == {anna.pk: meier.pk}
    # Merged the other way round nobody goes in a circle.
    players_merge(club=season.club, player=meier, main=aenni, reason="she after all", actor=None)
    mains = dict(Player.objects.filter(main__isnull=False).values_list("pk", "main_id"))
    assert mains == {anna.pk: aenni.pk, meier.pk: aenni.pk}
    assert list(differences()) == []


def test_players_merged_along_cannot_have_sat_with_the_main_player(en):
    season, aenni, anna, _meier = chained()
    beni = Player.objects.get(nickname="Beni")
    gian = PlayerFactory(club=season.club, nickname="Gian")
    players_merge(club=season.club, player=aenni, main=gian, reason="one", actor=None)
    for player, main in ((gian, beni), (beni, gian)):
        with pytest.raises(Refused) as caught:
            merge_preview(club=season.club, player=player, main=main)
        assert caught.value.code == "together"
        assert "Änni" in caught.value.sentence
    assert anna.main is None


def test_players_merged_along_bring_no_second_account(en):
    club = ClubFactory()
    a, b, c = (PlayerFactory(club=club) for _ in range(3))
    Player.objects.filter(pk=a.pk).update(user=UserFactory())
    Player.objects.filter(pk=c.pk).update(user=UserFactory())
    players_merge(club=club, player=a, main=b, reason="one", actor=None)
    with pytest.raises(Refused) as caught:
        players_merge(club=club, player=b, main=c, reason="no", actor=None)
    assert "an account each" in caught.value.sentence


def test_a_merged_player_is_unmerged_before_another_merge():
    club = ClubFactory()
    a, b, c = (PlayerFactory(club=club) for _ in range(3))
    players_merge(club=club, player=b, main=a, reason="one", actor=None)
    for player, main in ((b, c), (c, b), (a, a)):
        with pytest.raises(Refused) as caught:
            players_merge(club=club, player=player, main=main, reason="one", actor=None)
        assert caught.value.status == 409
    players_merge(club=club, player=c, main=a, reason="one", actor=None)
    players_merge(club=club, player=b, main=a, reason="again", actor=None)
    assert PlayerMerge.objects.count() == 2


def test_players_with_different_accounts_cannot_be_merged():
    club = ClubFactory()
    a, b = (PlayerFactory(club=club, user=UserFactory()) for _ in range(2))
    with pytest.raises(Refused):
        players_merge(club=club, player=b, main=a, reason="no", actor=None)


def test_a_player_of_another_club_is_not_found():
    club, foreign = ClubFactory(), PlayerFactory()
    mine = PlayerFactory(club=club)
    for player, main in ((mine, foreign), (foreign, mine)):
        with pytest.raises(Refused) as caught:
            players_merge(club=club, player=player, main=main, reason="no", actor=None)
        assert caught.value.status == 404


@pytest.mark.parametrize("service", [players_merge, players_unmerge])
def test_a_reason_is_required(service):
    club = ClubFactory()
    a, b = (PlayerFactory(club=club) for _ in range(2))
    more = {"main": a} if service is players_merge else {}
    if service is players_unmerge:
        players_merge(club=club, player=b, main=a, reason="one", actor=None)
    with pytest.raises(Refused) as caught:
        service(club=club, player=b, reason="  ", actor=None, **more)
    assert caught.value.at == "reason"


# --- Payments, access and seating of merged players --------------------------------------------------------


def one_evening_under_two_names():
    """An evening that Anna began as Anna and ended as Änni; both names have a gain or a loss."""
    table = create_table(seats=4)
    enter(table, MADE)
    anna = Player.objects.get(nickname="Anna")
    aenni = PlayerFactory(club=table.evening.club, nickname="Änni")
    create_account(club_id=table.evening.club_id, kind="player", player_id=aenni.pk)
    table.places.filter(player=anna).update(player=aenni)
    Table.objects.filter(dealer=anna).update(dealer=Player.objects.get(nickname="Beni"))
    enter(table, FAILED)
    return table, anna, aenni


@pytest.mark.both_databases
def test_payments_are_by_person_and_stay_valid_after_unmerging():
    table, anna, aenni = one_evening_under_two_names()
    club, evening = table.evening.club, table.evening
    players_merge(club=club, player=aenni, main=anna, reason="one", actor=None)
    closing = evening_close(evening=evening, author=None, key=uuid.uuid4())
    paying = list(closing.payments.values_list("payer__player", "payee__player"))
    assert aenni.pk not in [player for both in paying for player in both]
    won = {line.account.player_id: line.won_minor for line in payments.sums(evening)}
    moved = Counter()
    for payer, payee, amount in closing.payments.values_list("payer__player", "payee__player", "amount_minor"):
        moved[payer] -= amount
        moved[payee] += amount
    assert moved[anna.pk] == won[anna.pk] + won[aenni.pk] != 0
    assert list(differences()) == []
    payments_mark(evening=evening, author=None, key=uuid.uuid4(), paid=True)
    assert list(differences()) == []
    players_unmerge(club=club, player=aenni, reason="two", actor=None)
    assert list(differences()) == []


@pytest.mark.both_databases
def test_outstanding_payments_of_merged_players_are_added(en):
    table, anna, aenni = one_evening_under_two_names()
    club = table.evening.club
    evening_close(evening=table.evening, author=None, key=uuid.uuid4())
    apart = payments.outstanding_sum(club, [anna.pk]) + payments.outstanding_sum(club, [aenni.pk])
    players_merge(club=club, player=aenni, main=anna, reason="one", actor=None)
    assert payments.outstanding_sum(club, [anna.pk]) == apart
    assert list(differences()) == []


def test_the_account_of_a_merged_player_has_both_players(client):
    _table, anna, aenni = one_evening_under_two_names()
    person = UserFactory()
    Membership.objects.create(club=anna.club, user=person)
    Player.objects.filter(pk=aenni.pk).update(user=person)
    players_merge(club=anna.club, player=aenni, main=anna, reason="one", actor=None)
    assert access_to(person, anna.club).player_ids == {anna.pk, aenni.pk}
    answer = client.get(aenni.get_absolute_url() + "?season=x")
    assert (answer.status_code, answer["Location"]) == (302, anna.get_absolute_url() + "?season=x")


def test_a_merged_player_is_not_offered_and_is_seated_as_the_main_player(en):
    table, anna, aenni = one_evening_under_two_names()
    players_merge(club=anna.club, player=aenni, main=anna, reason="one", actor=None)
    assert aenni not in selectors.roster(anna.club_id)
    beni = Player.objects.get(nickname="Beni")
    new = create_table(season=table.evening.season, players=[aenni, beni])
    assert set(new.places.values_list("player", flat=True)) == {anna.pk, beni.pk}
    with pytest.raises(Refused) as caught:
        create_table(season=table.evening.season, players=[aenni, anna, beni])
    assert caught.value.sentence == "Somebody is named twice."


@pytest.mark.both_databases
def test_rebuild_sets_the_main_players():
    table, anna, aenni = one_evening_under_two_names()
    players_merge(club=anna.club, player=aenni, main=anna, reason="one", actor=None)
    season = table.evening.season
    before = counted(season)
    Player.objects.filter(pk=aenni.pk).update(main=None)
    assert list(merging.differences())
    rebuild(season)
    assert counted(season) == before
    assert list(differences()) == []


def test_verify_reports_a_main_player_without_a_merge():
    club = ClubFactory()
    a, b = (PlayerFactory(club=club) for _ in range(2))
    Player.objects.filter(pk=b.pk).update(main=a)
    assert list(merging.differences()) == [f"player {b.pk}: counts for {a.pk} instead of None"]


def test_a_merge_is_refused_if_another_merged_player_has_an_account():
    club = ClubFactory()
    anna, aenni, other = (PlayerFactory(club=club) for _ in range(3))
    players_merge(club=club, player=aenni, main=anna, reason="married", actor=None)
    for player in (aenni, other):
        Player.objects.filter(pk=player.pk).update(user=UserFactory())
    with pytest.raises(Refused) as caught:
        players_merge(club=club, player=other, main=anna, reason="no", actor=None)
    assert (caught.value.status, caught.value.code) == (409, "merge")


@pytest.mark.both_databases
def test_one_person_with_two_accounts_is_reported():
    club = ClubFactory()
    anna, aenni = (PlayerFactory(club=club) for _ in range(2))
    players_merge(club=club, player=aenni, main=anna, reason="married", actor=None)
    user, other = UserFactory(), UserFactory()
    Player.objects.filter(pk=aenni.pk).update(user=user)
    assert list(differences()) == []
    Player.objects.filter(pk=anna.pk).update(user=user)
    assert list(differences()) == []
    Player.objects.filter(pk=anna.pk).update(user=other)
    assert list(differences()) == [f"player {anna.pk}: one person with the accounts {user.pk}, {other.pk}"]
