"""Own entries: the public page with and without mail, places and the waiting list, the desk, limits, forgetting."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail as outbox
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.accounts import sign_in_limits
from league.audit import sentences
from league.errors import Refused
from league.models import AuditEntry, Club, DeskMember, Entrant, OwnEntry, Player, Tournament
from league.privacy.forgetting import person_forget, player_forget
from league.privacy.personal_data_export import PARTS, _rows
from league.tournaments import own_entries, services
from league.tournaments.room import own_entry
from tests.cast import Cast, House
from tests.clients import reader, shown
from tests.factories import PlayerFactory
from tests.tournaments.rounds import create_tournament, entrants_of

pytestmark = pytest.mark.django_db
MAIL = "zora@example.org"


@pytest.fixture
def home(people: Cast) -> House:
    return people.home


@pytest.fixture
def cup(home: House) -> Tournament:
    """A tournament that is open for entries, with three places, two of them taken."""
    tournament = create_tournament(home.club)
    entrants_of(tournament, 2)
    day = timezone.localdate() + timedelta(days=9)
    Tournament.objects.filter(pk=tournament.pk).update(
        state="open", own_entry_places=3, own_entry_labels=[], starts_on=day
    )
    tournament.refresh_from_db()
    return tournament


@pytest.fixture(autouse=True)
def without_mail(settings: Any) -> None:
    settings.MAIL_ON = False


@pytest.fixture
def mails(without_mail: None, settings: Any) -> None:
    settings.MAIL_ON = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


def page_of(tournament: Tournament) -> str:
    return reverse("tournament-own-entry", kwargs={"club": tournament.club.slug, "tournament": tournament.slug})


def desk_of(tournament: Tournament) -> str:
    return reverse("tournament-own-entries", kwargs={"club": tournament.club.slug, "tournament": tournament.slug})


def ask(tournament: Tournament, name: str, **more: Any) -> OwnEntry:
    return own_entries.own_entry_ask(tournament=tournament, name=name, **more)


def names(tournament: Tournament) -> list[str]:
    return [entry.name for entry in own_entries.waiting(tournament)]


def entered(tournament: Tournament) -> list[str]:
    rows = Entrant.objects.filter(tournament=tournament, number__gt=2).order_by("number")
    return [entrant.player.nickname for entrant in rows.select_related("player")]


def code_of_mail() -> str:
    match = re.search(r"\b(\d{6})\b", outbox.outbox[-1].body)
    assert match is not None
    return match[1]


def status(write: Any, **given: Any) -> int:
    try:
        write(**given)
    except Refused as refused:
        return refused.status
    return 0


# --- The public page ---------------------------------------------------------------------------------------


def test_without_mail_an_entry_waits_for_the_desk_at_once(cup):
    visitor = reader()
    assert "1 place is left" in shown(visitor.get(page_of(cup)).content.decode())
    assert visitor.post(page_of(cup), {"name": " Zora  vom Berg "}).status_code == 303
    entry = OwnEntry.objects.get()
    assert (entry.name, entry.mail, entry.confirmed_at is not None) == ("Zora vom Berg", "", True)
    page = shown(visitor.get(page_of(cup)).content.decode())
    assert "Zora vom Berg waits for the organisers" in page
    # Another browser reads no name, and that all places are taken.
    other = shown(reader().get(page_of(cup)).content.decode())
    assert ("Zora" in other, "All places are taken" in other) == (False, True)
    assert not Entrant.objects.filter(number__gt=2).exists()


@pytest.mark.usefixtures("mails")
def test_with_mail_an_entry_waits_once_its_code_is_typed(cup, django_capture_on_commit_callbacks):
    visitor = reader()
    assert visitor.post(page_of(cup), {"name": "Zora"}).status_code == 422
    with django_capture_on_commit_callbacks(execute=True):
        visitor.post(page_of(cup), {"name": "Zora", "mail": MAIL})
    (sent,) = outbox.outbox
    assert (sent.to, names(cup)) == ([MAIL], [])
    code = code_of_mail()
    assert code not in OwnEntry.objects.get().code
    wrong = visitor.post(page_of(cup), {"code": "000000" if code != "000000" else "111111"})
    assert (wrong.status_code, names(cup)) == (422, [])
    # In another browser the code opens nothing.
    assert reader().post(page_of(cup), {"code": code}).status_code == 409
    assert visitor.post(page_of(cup), {"code": f" {code[:3]} {code[3:]} "}).status_code == 303
    assert names(cup) == ["Zora"]


@pytest.mark.usefixtures("mails")
def test_a_code_ends_after_some_tries_and_after_a_day(cup, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        entry = ask(cup, "Zora", mail=MAIL)
    code = code_of_mail()

    def confirm(text: str) -> Any:
        return own_entries.own_entry_confirm(tournament=cup, entry_id=entry.pk, code=text)

    for _each in range(own_entries.TRIES):
        assert confirm("x") is None
    with pytest.raises(Refused) as refused:
        confirm(code)
    assert (refused.value.status, names(cup)) == (409, [])
    OwnEntry.objects.update(tries=0, created_at=timezone.now() - timedelta(hours=own_entries.CODE_HOURS, minutes=1))
    with pytest.raises(Refused):
        confirm(code)
    OwnEntry.objects.update(created_at=timezone.now())
    assert confirm(code).name == "Zora"
    assert confirm(code).name == "Zora", "a second time changes nothing"


def test_a_label_is_one_of_the_tournament(cup):
    Tournament.objects.filter(pk=cup.pk).update(own_entry_labels=["Women", "Men"])
    visitor = reader()
    assert "Women" in visitor.get(page_of(cup)).content.decode()
    for wrong in ({}, {"label": "Kings"}):
        assert visitor.post(page_of(cup), {"name": "Zora", **wrong}).status_code == 422
    assert visitor.post(page_of(cup), {"name": "Zora", "label": "Women"}).status_code == 303
    own_entries.own_entries_accept(tournament=cup, author=None)
    assert Entrant.objects.get(player__nickname="Zora").labels == ["Women"]


@pytest.mark.parametrize("state", ["draft", "running", "finished", "off"])
def test_nobody_enters_where_the_desk_did_not_say_so(home, cup, state):
    if state == "off":
        Tournament.objects.filter(pk=cup.pk).update(own_entry_places=None)
    else:
        Tournament.objects.filter(pk=cup.pk).update(state=state)
    owner = reader(home.owner)
    page = owner.get(page_of(cup))
    assert "Nobody can enter here now" in page.content.decode()
    assert owner.post(page_of(cup), {"name": "Zora"}).status_code == 409
    assert reader().get(page_of(cup)).status_code == (404 if state == "draft" else 200)
    tournament_page = owner.get(cup.get_absolute_url()).content.decode()
    assert page_of(cup) not in tournament_page
    assert not OwnEntry.objects.exists()


def test_the_page_of_the_tournament_leads_to_it(cup):
    assert page_of(cup) in reader().get(cup.get_absolute_url()).content.decode()


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\tb\x00"])
def test_a_name_is_short_and_printable(cup, name):
    assert reader().post(page_of(cup), {"name": name}).status_code == 422
    assert not OwnEntry.objects.exists()


def test_a_private_club_shows_no_page_to_strangers(people, cup):
    Club.objects.filter(pk=cup.club_id).update(visibility="private")
    for client in (reader(), reader(people.stranger), reader(people.away.owner)):
        assert client.get(page_of(cup)).status_code == 404
        assert client.post(page_of(cup), {"name": "Zora"}).status_code == 404


# --- Limits ------------------------------------------------------------------------------------------------


def test_one_address_enters_only_so_many(cup, monkeypatch):
    monkeypatch.setattr(own_entry, "FROM_PLACE", sign_in_limits.Limit(2, 600))
    got = [Client().post(page_of(cup), {"name": f"Guest {n}"}).status_code for n in range(3)]
    assert (got, OwnEntry.objects.count()) == ([303, 303, 429], 2)
    elsewhere = Client(REMOTE_ADDR="203.0.113.9")
    assert elsewhere.post(page_of(cup), {"name": "Zora"}).status_code == 303


@pytest.mark.usefixtures("mails")
def test_one_mail_address_gets_only_so_many_mails(cup, monkeypatch):
    monkeypatch.setattr(sign_in_limits, "MAILS", sign_in_limits.Limit(2, 600))
    sent = [Client().post(page_of(cup), {"name": f"Guest {n}", "mail": MAIL}).status_code for n in range(3)]
    assert sent == [303, 303, 429]


def test_a_tournament_has_only_so_many_who_wait(cup, monkeypatch):
    monkeypatch.setattr(own_entries, "MOST_WAITING", 2)
    assert [status(ask, tournament=cup, name=f"Guest {n}") for n in range(3)] == [0, 0, 409]


# --- The desk ----------------------------------------------------------------------------------------------


def test_the_desk_enters_and_refuses_one_by_one(home, cup, django_capture_on_commit_callbacks):
    zora, yves = ask(cup, "Zora"), ask(cup, "Yves")
    owner = reader(home.owner)
    entrants = reverse("tournament-entrants", kwargs={"club": home.club.slug, "tournament": cup.slug})
    page = shown(owner.get(entrants).content.decode())
    assert ("Zora" in page, "waiting list" in page) == (True, True)
    assert owner.post(desk_of(cup), {"do": "refuse", "entry": yves.pk}).status_code == 303
    assert names(cup) == ["Zora"]
    owner.post(desk_of(cup), {"do": "accept", "entry": zora.pk})
    assert (names(cup), entered(cup), OwnEntry.objects.count()) == ([], ["Zora"], 0)
    assert Player.objects.get(nickname="Zora").guest is True
    # Nobody waits any more: a second tap enters nobody twice.
    owner.post(desk_of(cup), {"do": "accept", "entry": zora.pk})
    assert entered(cup) == ["Zora"]
    lines = [line.sentence for line in sentences.lines_of(AuditEntry.objects.select_related("actor"))]
    assert not [line for line in lines if "Yves" in line]


def test_as_many_as_there_are_places_in_their_order(home, cup):
    for name in ("Zora", "Yves", "Xaver"):
        ask(cup, name)
    assert own_entries.places_of(cup) == own_entries.Places(3, 2, 3)
    own_entries.own_entries_accept(tournament=cup, author=home.owner)
    assert (entered(cup), names(cup)) == (["Zora"], ["Yves", "Xaver"])
    full = {"tournament": cup, "author": home.owner}
    assert status(own_entries.own_entries_accept, **full) == 409
    last = OwnEntry.objects.get(name="Xaver")
    assert status(own_entries.own_entries_accept, **full, entry_id=last.pk) == 409
    # Somebody withdraws: the next one is entered.
    Entrant.objects.filter(number=1).update(struck=True)
    own_entries.own_entries_accept(**full)
    assert (entered(cup), names(cup)) == (["Zora", "Yves"], ["Xaver"])


def test_without_the_guard_more_are_entered_than_there_are_places(home, cup, monkeypatch):
    for name in ("Zora", "Yves"):
        ask(cup, name)
    monkeypatch.setattr(own_entries.Places, "free", 9)
    own_entries.own_entries_accept(tournament=cup, author=home.owner)
    assert entered(cup) == ["Zora", "Yves"]


def test_who_is_in_the_roster_is_entered_as_that_player_once(home, cup):
    known = PlayerFactory(club=home.club, nickname="Zora")
    ask(cup, "zora")
    ask(cup, "Zora")
    Tournament.objects.filter(pk=cup.pk).update(own_entry_places=9)
    entry, other = own_entries.waiting(cup)
    who = {"tournament": cup, "author": home.owner}
    own_entries.own_entries_accept(**who, entry_id=entry.pk)
    assert Entrant.objects.get(tournament=cup, number=3).player == known
    assert status(own_entries.own_entries_accept, **who, entry_id=other.pk) == 409
    assert names(cup) == ["Zora"]


def test_only_the_desk_decides(people, home, cup):
    zora = ask(cup, "Zora")
    for do in ("accept", "refuse", "accept_all", "offer"):
        sent = {"do": do, "entry": zora.pk, "places": "9"}
        assert reader().post(desk_of(cup), sent).status_code == 302
        for person in (home.member, home.recorder, people.stranger, people.away.owner):
            assert reader(person).post(desk_of(cup), sent).status_code == 403
    assert (names(cup), entered(cup)) == (["Zora"], [])
    DeskMember.objects.create(tournament=cup, user=home.recorder)
    assert reader(home.recorder).post(desk_of(cup), {"do": "accept_all"}).status_code == 303
    assert entered(cup) == ["Zora"]


def test_an_entry_of_another_tournament_or_club_is_not_decided(people, home, cup):
    other, foreign = create_tournament(home.club), create_tournament(people.away.club)
    Tournament.objects.exclude(pk=cup.pk).update(state="open", own_entry_places=9)
    for tournament in (other, foreign):
        tournament.refresh_from_db()
        entry = ask(tournament, "Zora")
        for do in ("accept", "refuse"):
            reader(home.owner).post(desk_of(cup), {"do": do, "entry": entry.pk})
        assert names(tournament) == ["Zora"]
    reader(home.owner).post(desk_of(cup), {"do": "accept", "entry": "x"})
    assert entered(cup) == []


def test_the_desk_sets_places_and_labels(home, cup):
    owner = reader(home.owner)
    owner.post(desk_of(cup), {"do": "offer", "places": "12", "labels": "Women, Men,"})
    cup.refresh_from_db()
    assert (cup.own_entry_places, cup.own_entry_labels) == (12, ["Women", "Men"])
    setup = reverse("tournament-setup", kwargs={"club": home.club.slug, "tournament": cup.slug})
    assert f"http://testserver{page_of(cup)}" in owner.get(setup).content.decode()
    for wrong in ("0", "2001", "many", "-1"):
        owner.post(desk_of(cup), {"do": "offer", "places": wrong})
        cup.refresh_from_db()
        assert cup.own_entry_places == 12
    owner.post(desk_of(cup), {"do": "offer", "places": "", "labels": ""})
    cup.refresh_from_db()
    assert (cup.own_entry_places, cup.own_entry_labels) == (None, [])


@pytest.mark.usefixtures("mails")
def test_who_gave_a_mail_address_gets_the_decision_and_the_address_is_deleted(
    home, cup, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        for name in ("Zora", "Yves"):
            ask(cup, name, mail=MAIL)
    OwnEntry.objects.update(confirmed_at=timezone.now())
    outbox.outbox.clear()
    refused = OwnEntry.objects.get(name="Yves")
    with django_capture_on_commit_callbacks(execute=True):
        own_entries.own_entry_refuse(tournament=cup, author=home.owner, entry_id=refused.pk)
        own_entries.own_entries_accept(tournament=cup, author=home.owner)
    assert [mail.to for mail in outbox.outbox] == [[MAIL], [MAIL]]
    assert ["Yves" in outbox.outbox[0].body, "Zora" in outbox.outbox[1].body] == [True, True]
    assert not OwnEntry.objects.exists()


# --- What stays --------------------------------------------------------------------------------------------


def test_own_entries_end_with_the_tournament_and_with_their_code(home, cup):
    ask(cup, "Zora")
    ask(cup, "Yves", mail=MAIL)
    assert own_entries.own_entries_end() == 0
    OwnEntry.objects.filter(name="Yves").update(created_at=timezone.now() - timedelta(hours=25))
    assert (own_entries.own_entries_end(), names(cup)) == (1, ["Zora"])
    over = timezone.localdate() - timedelta(days=own_entries.KEPT_DAYS + 1)
    Tournament.objects.filter(pk=cup.pk).update(starts_on=over)
    assert own_entries.own_entries_end() == 1
    Tournament.objects.filter(pk=cup.pk).update(starts_on=timezone.localdate())
    ask(cup, "Zora")
    Tournament.objects.filter(pk=cup.pk).update(state="running")
    services.tournament_finish(tournament=cup, author=home.owner)
    assert not OwnEntry.objects.exists()


def test_forgetting_deletes_own_entries_by_name_and_by_mail(people, home, cup):
    zora = PlayerFactory(club=home.club, nickname="Zora")
    ask(cup, "Zora vom Berg")
    ask(cup, "Yves")
    player_forget(player=zora, actor=None)
    assert names(cup) == ["Yves"]
    foreign = create_tournament(people.away.club)
    Tournament.objects.filter(pk=foreign.pk).update(state="open", own_entry_places=9)
    foreign.refresh_from_db()
    ask(foreign, "Momo", mail=home.member.email.upper())
    (row,) = _rows(home.member, next(part for part in PARTS if part.name == "own_entries"))
    assert row["name"] == "Momo"
    person_forget(user=home.member, actor=None)
    assert list(OwnEntry.objects.values_list("name", flat=True)) == ["Yves"]


def test_an_unknown_entry_is_refused(cup):
    given = {"tournament": cup, "entry_id": uuid.uuid4(), "code": "123456"}
    assert status(own_entries.own_entry_confirm, **given) == 409
