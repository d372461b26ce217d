"""Messages by push: who gets them, what a device shows, once, and what ends them."""

from __future__ import annotations

import sys
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from cryptography.hazmat.primitives.asymmetric import ec
from django.core import mail
from django.test import Client
from django.utils import timezone

from league.attendance.link import link_renew
from league.models import MessageChoice, Player, PlayerMessage, PushDelivery, PushDevice, PushKey
from league.money import format_money
from league.player_messages import choices, push_crypto, push_devices, push_key, queue
from league.standings.counting import count_season
from league.web.kept_pages import account_digest
from tests.cast import Cast, House
from tests.factories import FAILED, MADE, PlayerFactory
from tests.league.player_messages import account, close, final, planned, played, reopen, wants, work
from tests.league.push_devices import anna as anna  # fixtures
from tests.league.push_devices import later, on, page
from tests.league.push_devices import push_on as push_on
from tests.league.push_devices import service as service
from tests.league.push_service import PushService, bytes_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("push_on")]


# --- Keys ---


def test_the_example_of_rfc_8291() -> None:
    """Appendix A: keys, salt and text give this body."""
    private = int.from_bytes(bytes_of("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big")
    body = push_crypto.encrypt(
        b"When I grow up, I want to be a watermelon",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
        key=ec.derive_private_key(private, ec.SECP256R1()),
        salt=bytes_of("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert push_crypto.to_text(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A"
        "_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_the_key_is_made_once_and_is_sealed(settings: Any, home: House, service: PushService) -> None:
    first = push_key.public_key()
    assert push_key.public_key() == first
    (row,) = PushKey.objects.all()
    plain = push_key.private_key().private_numbers().private_value.to_bytes(32, "big")
    assert plain not in bytes_of(row.sealed)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another"
    assert push_key.public_key() == first
    on(service.phone(), home.member)
    settings.SECRET_KEY_FALLBACKS = []
    assert push_key.public_key() != first, "it cannot be opened any more"
    assert PushDevice.objects.count() == 0, "they know the former key"


# --- What a device shows ---


def test_the_result_comes_by_push_and_not_by_mail(home: House, anna: Player, service: PushService) -> None:
    phone, tablet = on(service.phone(), home.member), on(service.phone(), home.member)
    stranger = on(service.phone(), home.recorder)
    table = played(home)
    final(table)
    assert work() == []
    assert work() == []
    assert (len(phone.got), len(tablet.got), len(stranger.got)) == (1, 1, 0)
    (got,) = phone.got
    assert got["title"].startswith("Your result: ")
    assert got["url"] == table.evening.get_absolute_url()
    assert got["account"] == account_digest(home.member.pk)
    assert got["title"] not in got["hidden"]
    assert phone.heads[0]["TTL"] == "86400"
    assert phone.heads[0]["Topic"] == got["tag"] == f"result-{PlayerMessage.objects.get().pk}"
    assert service.keys == {push_key.public_key()}
    assert service.contacts == {"mailto:karten@club.example"}
    assert PlayerMessage.objects.get().state == "sent"


@pytest.mark.parametrize("amounts", [False, True])
def test_no_amount_is_shown_unless_it_is_wanted(home: House, anna: Player, service: PushService, amounts: bool) -> None:
    """Each amount of the evening is a canary."""
    wants(anna, home.member, way="push", amounts=amounts)
    phone = on(service.phone(), home.member)
    table = played(home, MADE, FAILED)
    final(table)
    work()
    (got,) = phone.got
    own = queue.own_sums(table.evening)[anna.pk][1]
    assert own
    assert ("CHF" in got["body"], format_money(abs(own)) in got["body"]) == (amounts, amounts)
    assert "point" in got["body"]
    assert "Season" in got["body"], "the rank"
    assert len(str(got).encode()) < push_crypto.MAX_TEXT_BYTES


def test_no_push_has_another_club_or_the_amounts_of_others(people: Cast, service: PushService) -> None:
    home, away = people.home, people.away
    anna = account(PlayerFactory(club=home.club, nickname="Anna"), home.owner)
    wants(anna, home.owner, way="push", amounts=True)
    phone = on(service.phone(), home.owner)
    PlayerFactory(club=away.club, nickname="Anna", user=home.owner)
    table, foreign = played(home, MADE, FAILED), played(away, MADE, MADE, MADE)
    final(table, foreign)
    work()
    (got,) = phone.got
    assert away.club.slug not in str(got)
    assert away.club.name not in str(got)
    sums = queue.own_sums(table.evening)
    own = abs(sums[anna.pk][1] or 0)
    for change in {abs(change or 0) for _points, change in sums.values()} - {own, 0}:
        assert f"Won and lost: +{format_money(change)}" not in got["body"]


def test_it_is_in_the_language_in_which_it_was_chosen(home: House, anna: Player, service: PushService) -> None:
    wants(anna, home.member, "de", way="push")
    phone = on(service.phone(), home.member)
    final(played(home))
    work()
    (got,) = phone.got
    assert got["title"].startswith("Dein Resultat: ")
    assert got["hidden"] == "Eine Nachricht ist da. Melde dich an, um sie zu lesen."


def test_a_reminder_has_its_place_and_leads_to_the_answer(home: House, anna: Player, service: PushService) -> None:
    phone = on(service.phone(), home.member)
    with time_machine.travel(timezone.localtime().replace(hour=12, minute=0), tick=True):
        evening = planned(home, place="Rössli")
        work()
        work()
    (got,) = phone.got
    assert got["title"].startswith("Tomorrow at 20:00")
    assert got["body"].startswith("Rössli")
    assert str(evening.pk) in got["url"]


def test_a_player_without_an_account_gets_it_on_the_device_of_the_link(home: House, service: PushService) -> None:
    beni = PlayerFactory(club=home.club, nickname="Beni")
    link_renew(player=beni, actor=None)
    wants(beni, None, way="push")
    phone = on(service.phone(), player=beni)
    final(played(home))
    assert work() == []
    assert [got["account"] for got in phone.got] == [""]
    link_renew(player=beni, actor=None)
    assert PushDevice.objects.count() == 0, "somebody else may have had the former link"


# --- Once ---


@pytest.mark.rest
@pytest.mark.both_databases
def test_a_season_by_push_is_one_message_a_person_and_evening(home: House, anna: Player, service: PushService) -> None:
    """Twenty evenings; workers are killed between claim and push; Anna has the mail from the eleventh evening on; Beni
    removes his device after the tenth."""
    beni = account(PlayerFactory(club=home.club, nickname="Beni"), home.recorder)
    wants(beni, home.recorder, way="push")
    phone, other = on(service.phone(), home.member), on(service.phone(), home.recorder)
    for nth in range(1, 21):
        final(played(home, MADE))
        if nth % 3 == 0:
            count_season(home.season.pk)
            queue.store_due()
            assert queue._claim() is not None
            work()
            later()
        work()
        work()
        if nth == 10:
            wants(anna, home.member, way="mail")
            PushDevice.objects.filter(endpoint=other.endpoint).delete()
    assert (len(phone.got), len(other.got)) == (10, 10)
    assert len({got["tag"] for got in phone.got + other.got}) == 20
    assert [letter.to[0] for letter in mail.outbox] == [home.member.email] * 10


@pytest.mark.both_databases
def test_a_device_that_has_it_does_not_get_it_again(
    home: House, anna: Player, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The push service of one of two devices is away for a time."""
    phone, tablet = on(service.phone(), home.member), on(service.phone(), home.member)
    tablet.status = 503
    final(played(home))
    work()
    message = PlayerMessage.objects.get()
    assert (message.state, message.error) == ("waiting", "push 503")
    tablet.status = 201
    later()
    work()
    assert (len(phone.got), len(tablet.got)) == (1, 1)
    assert PlayerMessage.objects.get().state == "sent"
    # Without its guard it does.
    PlayerMessage.objects.update(next_at=timezone.now())
    PushDelivery.objects.all().delete()
    work()
    assert (len(phone.got), len(tablet.got)) == (2, 2)


def test_killed_between_push_service_and_mark_it_comes_again_with_the_same_tag(
    home: House, anna: Player, service: PushService
) -> None:
    """The one case of a second push, which docs/messages.md names."""
    phone = on(service.phone(), home.member)
    final(played(home))
    count_season(home.season.pk)
    queue.store_due()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("league.player_messages.push_sending.PushDelivery", lambda **_more: sys.exit())
        patch.setattr("league.player_messages.push_sending.PushDelivery.objects", PushDelivery.objects, raising=False)
        with pytest.raises(SystemExit):
            queue.send_due()
    later()
    work()
    first, second = phone.got
    assert first["tag"] == second["tag"]


def test_whoever_changes_to_the_mail_while_a_device_waits_gets_no_mail_too(
    home: House, anna: Player, service: PushService
) -> None:
    phone, tablet = on(service.phone(), home.member), on(service.phone(), home.member)
    tablet.status = 503
    final(played(home))
    work()
    wants(anna, home.member, way="mail")
    later()
    assert work() == []
    assert (len(phone.got), len(tablet.got)) == (1, 0)
    assert PlayerMessage.objects.get().state == "sent"


def test_a_correction_is_sent_once_more_and_the_same_sum_is_not(
    home: House, anna: Player, service: PushService
) -> None:
    phone = on(service.phone(), home.member)
    table = played(home)
    final(table)
    work()
    reopen(table)
    close(table)
    final(table)
    work()
    assert len(phone.got) == 1


# --- Ending ---


def test_nothing_comes_after_the_end(home: House, anna: Player, service: PushService) -> None:
    phone = on(service.phone(), home.member)
    final(played(home))
    count_season(home.season.pk)
    assert queue.store_due() == 1
    choices.all_off(MessageChoice.objects.get())
    assert work() == []
    assert phone.got == []


def test_the_last_look_before_each_device_sees_the_end(
    home: House, anna: Player, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anna ends the messages while the first of two devices gets one."""
    phone, tablet = on(service.phone(), home.member), on(service.phone(), home.member)
    real = push_devices.taken

    def ended_meanwhile(device: PushDevice) -> None:
        real(device)
        MessageChoice.objects.update(results_since=None)

    monkeypatch.setattr(push_devices, "taken", ended_meanwhile)
    final(played(home))
    work()
    assert (len(phone.got), len(tablet.got)) == (1, 0)
    assert PlayerMessage.objects.get().state == "sent"
    # Without its guard the second one gets it.
    MessageChoice.objects.update(results_since=timezone.now() - timedelta(days=1))
    monkeypatch.setattr(queue, "_wants", lambda *_args: True)
    final(played(home))
    work()
    assert (len(phone.got), len(tablet.got)) == (2, 1)


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_removed_and_the_page_says_so(
    home: House, anna: Player, service: PushService, status: int
) -> None:
    phone = on(service.phone(), home.member)
    phone.status = status
    final(played(home))
    assert work() == []
    assert PushDevice.objects.count() == 0
    assert (PlayerMessage.objects.get().state, PlayerMessage.objects.get().error) == ("waiting", "no device")
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(home.member)
    assert "Your last device took no messages any more" in client.get(page(home)).content.decode()
    on(service.phone(), home.member)
    assert MessageChoice.objects.get().device_lost_at is None
    later()
    work()
    assert PlayerMessage.objects.get().state == "sent", "the new device has it"


def test_a_device_that_fails_for_a_week_is_removed(home: House, anna: Player, service: PushService) -> None:
    phone = on(service.phone(), home.member)
    phone.status = 500
    now = timezone.now()
    for day in range(9):
        with time_machine.travel(now + timedelta(days=day), tick=True):
            final(played(home))
            work()
            assert PushDevice.objects.count() == (1 if day < 7 else 0)
    assert MessageChoice.objects.get().device_lost_at is not None


# --- The page ---
