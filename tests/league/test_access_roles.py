"""The people of a club: giving and taking roles, the last owner, tying players, invitations on the page."""

from __future__ import annotations

from datetime import date

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from league.access import roles
from league.accounts.invitations import InvitationError, invitation_create
from league.errors import Refused
from league.models import ApiToken, AuditEntry, Club, Membership, Player, Role, Season, User
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def role_of(house, user):
    return Membership.objects.filter(club=house.club, user=user).values_list("role", flat=True).first()


def page(house):
    return reverse("club-people", kwargs={"club": house.club.slug})


def test_a_change_of_role_is_logged(people):
    home = people.home
    roles.role_give(club=home.club, user=home.member, role=Role.RECORDER, actor=home.owner)
    assert role_of(home, home.member) == "recorder"
    entry = AuditEntry.objects.get()
    assert (entry.what, entry.about, entry.actor) == ("role_given", f"user:{home.member.pk}", home.owner)
    assert entry.data == {"role": "recorder", "before": "member"}
    roles.role_give(club=home.club, user=home.member, role=Role.RECORDER, actor=home.owner)
    assert AuditEntry.objects.count() == 1


@pytest.mark.parametrize("less", [Role.TREASURER, Role.RECORDER, Role.MEMBER, None])
def test_the_last_owner_cannot_leave_or_lose_the_role(people, less):
    home = people.home
    given = {"club": home.club, "user": home.owner, "actor": home.owner}
    with pytest.raises(Refused) as caught:
        roles.role_give(**given, role=less) if less else roles.role_take(**given)
    assert caught.value.status == 409
    assert role_of(home, home.owner) == "owner"
    roles.role_give(club=home.club, user=home.member, role=Role.OWNER, actor=home.owner)
    roles.role_take(club=home.club, user=home.owner, actor=home.owner)
    assert role_of(home, home.owner) is None


def test_without_the_check_a_club_loses_its_last_owner(people, monkeypatch):
    monkeypatch.setattr(roles, "_check_not_last", lambda club, user: None)
    roles.role_take(club=people.home.club, user=people.home.owner, actor=None)
    assert not Membership.objects.filter(club=people.home.club, role=Role.OWNER).exists()


def test_a_person_of_another_club_is_not_found(people):
    for call in (
        lambda: roles.role_give(club=people.home.club, user=people.away.member, role=Role.OWNER, actor=None),
        lambda: roles.role_take(club=people.home.club, user=people.away.member, actor=None),
    ):
        with pytest.raises(Refused) as caught:
            call()
        assert caught.value.status == 404
    assert role_of(people.away, people.away.member) == "member"


def test_a_removed_person_loses_players_and_keys_of_the_club(people):
    home = people.home
    player = PlayerFactory(club=home.club, user=home.member)
    elsewhere = PlayerFactory(club=people.away.club, user=home.member)
    _token, _secret = ApiToken.objects.create(user=home.member, name="phone", scopes=["read"], club=home.club)
    ApiToken.objects.create(user=home.member, name="everywhere", scopes=["read"])
    roles.role_take(club=home.club, user=home.member, actor=home.owner)
    player.refresh_from_db()
    elsewhere.refresh_from_db()
    assert (player.user, elsewhere.user) == (None, home.member)
    assert [key.name for key in ApiToken.objects.all()] == ["everywhere"]


def test_a_player_is_tied_to_one_person_of_the_club(people):
    home = people.home
    player = PlayerFactory(club=home.club)
    roles.player_tie(club=home.club, player=player, user=home.member, actor=home.owner)
    for user, status in ((home.recorder, 409), (people.away.member, 404)):
        with pytest.raises(Refused) as caught:
            roles.player_tie(club=home.club, player=player, user=user, actor=home.owner)
        assert caught.value.status == status
    roles.player_tie(club=home.club, player=player, user=None, actor=home.owner)
    roles.player_tie(club=home.club, player=player, user=home.recorder, actor=home.owner)
    assert Player.objects.get().user == home.recorder


def test_a_merged_player_is_tied_to_nobody_and_not_invited(people):
    home = people.home
    merged = PlayerFactory(club=home.club, main=PlayerFactory(club=home.club, user=home.recorder))
    with pytest.raises(Refused) as caught:
        roles.player_tie(club=home.club, player=merged, user=home.member, actor=home.owner)
    assert (caught.value.status, caught.value.code) == (409, "merged")
    with pytest.raises(InvitationError):
        invitation_create(club=home.club, author=home.owner, player=merged)


def test_a_player_cannot_be_tied_if_the_person_has_another_account(people):
    home = people.home
    main = PlayerFactory(club=home.club)
    merged = PlayerFactory(club=home.club, nickname="Maxli", main=main, user=home.recorder)
    with pytest.raises(Refused) as caught:
        roles.player_tie(club=home.club, player=main, user=home.member, actor=home.owner)
    assert (caught.value.status, caught.value.code) == (409, "tied")
    assert "Maxli" in caught.value.sentence
    with pytest.raises(InvitationError):
        invitation_create(club=home.club, author=home.owner, player=main)
    roles.player_tie(club=home.club, player=main, user=home.recorder, actor=home.owner)
    assert Player.objects.filter(pk__in=[main.pk, merged.pk], user=home.recorder).count() == 2


# --- The page ----------------------------------------------------------------------------------------------


def test_the_page_gives_and_takes_roles(client, people):
    home = people.home
    client.force_login(home.owner)
    answer = client.post(page(home), {"do": "role", "user": home.member.pk, "role": "treasurer"}, follow=True)
    assert answer.status_code == 200
    assert role_of(home, home.member) == "treasurer"
    client.post(page(home), {"do": "out", "user": home.member.pk})
    assert role_of(home, home.member) is None


def test_an_owner_who_changes_their_own_role_is_redirected_to_the_club(client, people):
    home = people.home
    MembershipFactory(club=home.club, role=Role.OWNER)
    client.force_login(home.owner)
    answer = client.post(page(home), {"do": "role", "user": home.owner.pk, "role": "member"}, follow=True)
    assert answer.redirect_chain == [(home.club.get_absolute_url(), 303)]


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"do": "role", "user": "1", "role": "king"}, 422),
        ({"do": "role", "user": "x"}, 422),
        ({"do": "crown", "user": "1"}, 422),
        ({"do": "role", "user": "999999999", "role": "owner"}, 404),
        ({"do": "role", "user": "9" * 30, "role": "owner"}, 404),
        ({"do": "tie", "user": "{member}", "player": "999999999"}, 404),
        ({"do": "untie", "user": "{member}", "player": ""}, 404),
        ({"do": "out", "user": "{owner}"}, 409),
        ({}, 422),
    ],
)
def test_bad_input_is_refused_with_a_sentence(client, people, sent, status):
    home = people.home
    client.force_login(home.owner)
    known = {"member": home.member.pk, "owner": home.owner.pk}
    before = list(Membership.objects.order_by("pk").values())
    answer = client.post(page(home), {name: value.format(**known) for name, value in sent.items()})
    assert answer.status_code == status
    assert b'role="alert"' in answer.content
    assert list(Membership.objects.order_by("pk").values()) == before


def test_an_invitation_link_is_shown_once_and_can_be_withdrawn(client, people):
    home = people.home
    player = PlayerFactory(club=home.club, nickname="Ruedi")
    client.force_login(home.owner)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    sent = {"invite": "yes", "role": "recorder", "player": player.pk, "note": "Ruedi from the bar"}
    made = client.post(page(home), sent)
    assert made.status_code == 200
    assert "no-store" in made["Cache-Control"]
    link = made.context["made"]["url"]
    assert link.encode() in made.content
    assert b"<svg" in made.content
    again = client.get(page(home))
    assert link.encode() not in again.content
    assert b"Ruedi from the bar" in again.content
    (invitation,) = home.club.invitations.all()
    assert (invitation.role, invitation.player) == ("recorder", player)
    assert client.post(page(home), {"revoke": str(invitation.pk)}).status_code == 303
    assert client.post(page(home), {"revoke": str(invitation.pk)}).status_code == 409
    assert b"Ruedi from the bar" not in client.get(page(home)).content


@pytest.mark.parametrize(
    "sent", [{"role": "king"}, {"player": "999999999"}, {"note": "x" * 81}, {"player": "{foreign}"}]
)
def test_an_invalid_invitation_is_refused(client, people, sent):
    foreign = PlayerFactory(club=people.away.club)
    client.force_login(people.home.owner)
    asked = {"invite": "yes", "role": "member"} | {k: v.format(foreign=foreign.pk) for k, v in sent.items()}
    answer = client.post(page(people.home), asked)
    assert answer.status_code == 422
    assert b'class="errorlist"' in answer.content
    assert not people.home.club.invitations.exists()


def test_the_number_of_queries_does_not_grow_with_people(client, people, django_assert_max_num_queries):
    home = people.home
    client.force_login(home.owner)
    with django_assert_max_num_queries(12) as few:
        client.get(page(home))
    for _ in range(5):
        person = MembershipFactory(club=home.club).user
        PlayerFactory(club=home.club, user=person)
    with django_assert_max_num_queries(12) as many:
        client.get(page(home))
    assert len(many) == len(few)


# --- A new club --------------------------------------------------------------------------------------------


def test_the_command_creates_a_club_with_its_first_owner(capsys):
    anna = UserFactory(email="anna@example.org")
    call_command("club_new", "roessli", "Chratzclub Rössli", "--owner", "Anna@example.org")
    club = Club.objects.get()
    assert (club.slug, club.name) == ("roessli", "Chratzclub Rössli")
    assert [(m.user, m.role) for m in club.memberships.all()] == [(anna, "owner")]
    assert "/c/roessli/" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("today", "given", "expected"),
    [
        ("2026-07-31", "", ("2025/26", "2025-26")),
        ("2026-08-01", "", ("2026/27", "2026-27")),
        ("2026-08-01", "Winter", ("Winter", "winter")),
    ],
)
def test_a_new_club_has_a_season_to_begin_with(monkeypatch, today, given, expected):
    monkeypatch.setattr("django.utils.timezone.localdate", lambda: date.fromisoformat(today))
    call_command("club_new", "roessli", "Rössli", "--owner", "beni@example.org", "--season", given)
    season = Season.objects.get(club__slug="roessli")
    assert (season.name, season.slug) == expected
    assert season.starts_on == date.fromisoformat(today)


def test_an_unknown_owner_gets_an_account_without_a_password(capsys):
    call_command("club_new", "roessli", "Rössli", "--owner", "beni@example.org")
    beni = User.objects.get()
    assert not beni.has_usable_password()
    assert "beni@example.org" in capsys.readouterr().out


@pytest.mark.parametrize("slug", ["Rössli!", "", "taken", "a" * 61])
def test_an_invalid_club_is_refused_and_nothing_is_stored(slug):
    ClubFactory(slug="taken")
    with pytest.raises(CommandError):
        call_command("club_new", slug, "Rössli", "--owner", "beni@example.org")
    assert Club.objects.count() == 1
    assert not User.objects.exists()
