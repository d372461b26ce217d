"""Devices of messages by push: switched on and off, removed, renewed, and what is known of them."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client

from league.accounts.services import session_end, sessions_end_others
from league.errors import Refused
from league.models import Club, MessageChoice, Player, PlayerMessage, PushDevice
from league.player_messages import push_devices, push_key
from league.player_messages.push_devices import Owner, Subscription
from league.privacy.forgetting import person_forget, player_forget
from league.privacy.personal_data_export import PARTS, _rows
from league.roster.merging import players_merge
from tests.cast import House
from tests.factories import PlayerFactory
from tests.league.player_messages import account, final, played, wants, work
from tests.league.push_devices import anna as anna  # fixtures
from tests.league.push_devices import linked, on, page
from tests.league.push_devices import push_on as push_on
from tests.league.push_devices import service as service
from tests.league.push_service import Phone, PushService

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("push_on")]


def test_a_device_is_switched_on_tried_and_removed_on_the_page(home: House, anna: Player, service: PushService) -> None:
    wants(anna, home.member, way="mail")
    head = {"User-Agent": "Mozilla/5.0 (Android 14) Firefox/140.0", "Accept-Language": "en"}
    client, phone = Client(headers=head), service.phone()
    client.force_login(home.member)
    text = client.get(page(home)).content.decode()
    assert 'data-renew="/push/renew/"' in text
    assert client.get("/push/renew/").json()["key"] == push_key.public_key()
    sent = client.post(page(home), {"do": "device-on", **phone.fields}, headers={"Accept": "application/json"})
    assert (sent.status_code, sent.json()) == (200, {})
    device = PushDevice.objects.get()
    assert (device.user, device.label, device.auth) == (home.member, "Firefox, Android", phone.fields["auth"])
    assert MessageChoice.objects.get().way == "push", "whoever switches it on wants it there"
    text = client.get(page(home)).content.decode()
    assert push_devices.mark(device) in text
    assert phone.endpoint not in text
    assert "Firefox, Android" in text
    client.post(page(home), {"do": "device-test", "device": device.pk})
    assert [got["body"] for got in phone.got] == ["This device gets your messages."]
    stranger = Client()
    stranger.force_login(home.owner)
    account(PlayerFactory(club=home.club, nickname="Olga"), home.owner)
    stranger.post(page(home), {"do": "device-off", "device": device.pk})
    assert stranger.post(page(home), {"do": "device-test", "device": device.pk}).status_code == 422
    assert PushDevice.objects.count() == 1, "nobody removes the device of another person"
    assert client.post(page(home), {"do": "device-off", "device": device.pk}).status_code == 303
    assert PushDevice.objects.count() == 0
    assert "No device is switched on, so nothing is sent." in client.get(page(home)).content.decode()


@pytest.mark.parametrize("off", ["feature", "server"])
def test_where_it_is_off_no_device_is_switched_on_or_tried(
    home: House, anna: Player, service: PushService, settings: Any, off: str
) -> None:
    """A page that was open before can still remove one."""
    phone, client, head = on(service.phone(), home.member), Client(), {"Accept": "application/json"}
    client.force_login(home.member)
    if off == "feature":
        Club.objects.update(features=[])
    else:
        settings.MAIL_ON = False
    device = PushDevice.objects.get()
    refused = client.post(page(home), {"do": "device-on", **service.phone().fields}, headers=head)
    assert (refused.status_code, PushDevice.objects.count()) == (409, 1)
    assert client.post(page(home), {"do": "device-test", "device": device.pk}, headers=head).status_code == 409
    assert phone.got == []
    sent = {"old": phone.endpoint, "old_auth": phone.fields["auth"], **service.phone().fields}
    renewed = client.get("/push/renew/").status_code, client.post("/push/renew/", sent).status_code
    assert renewed == ((404, 404) if off == "server" else (200, 200)), "the device is that of all clubs of the account"
    assert client.post(page(home), {"do": "device-off", "device": device.pk}).status_code == 303
    assert PushDevice.objects.count() == 0


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example/1",
        "https://localhost/1",
        "https://10.0.0.1/1",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/1",
        "https://2130706433/1",
        "ftp://push.example/1",
        "https://push.example/" + "x" * 1000,
        "",
    ],
)
def test_no_device_leads_into_the_own_network(home: House, settings: Any, endpoint: str) -> None:
    """Also where the webhooks of owners may go there."""
    settings.PUSH_PRIVATE, settings.WEBHOOKS_PRIVATE, settings.WEBHOOKS_HTTP = False, True, True
    keys = Phone(endpoint).fields
    with pytest.raises(Refused) as refused:
        push_devices.device_on(Owner(home.member, None), Subscription(**keys), "x")
    assert (refused.value.status, PushDevice.objects.count()) == (422, 0)


def test_a_name_that_leads_into_the_own_network_gets_nothing(
    home: House, anna: Player, service: PushService, settings: Any
) -> None:
    """The address is looked at again at each message: it may have been stored while it was public."""
    phone = on(service.phone(), home.member)
    settings.PUSH_PRIVATE, settings.WEBHOOKS_PRIVATE, settings.WEBHOOKS_HTTP = False, True, True
    final(played(home))
    work()
    assert phone.got == []
    assert PlayerMessage.objects.get().error == "push scheme"


@pytest.mark.parametrize("broken", [{"p256dh": "AAAA"}, {"auth": "AAAA"}, {"p256dh": "B" + "A" * 86}, {"auth": "ä"}])
def test_keys_that_are_none_are_refused(home: House, service: PushService, broken: dict[str, str]) -> None:
    with pytest.raises(Refused) as refused:
        push_devices.device_on(Owner(home.member, None), Subscription(**service.phone().fields | broken), "x")
    assert refused.value.status == 422


def test_a_player_has_ten_devices_at_most(home: House, service: PushService) -> None:
    phones = [on(service.phone(), home.member) for _nth in range(push_devices.MOST)]
    on(phones[0], home.member)
    with pytest.raises(Refused) as refused:
        on(service.phone(), home.member)
    assert refused.value.status == 409


def test_by_the_link_a_player_switches_on_and_chooses(home: House, service: PushService) -> None:
    beni = PlayerFactory(club=home.club, nickname="Beni")
    address, client, phone = linked(beni), Client(), service.phone()
    sent = client.post(address, {"do": "device-on", **phone.fields}, headers={"Accept": "application/json"})
    assert sent.status_code == 200
    assert client.post(address, {"do": "push", "results": "on"}).status_code == 303
    choice = MessageChoice.objects.get()
    assert (choice.player, choice.way, choice.email, choice.reminders_since) == (beni, "push", "", None)
    final(played(home))
    assert work() == []
    assert len(phone.got) == 1
    client.post(address, {"do": "end"})
    final(played(home))
    work()
    assert len(phone.got) == 1
    account(beni, home.member)
    assert client.post(address, {"do": "push", "results": "on"}).status_code == 409


def test_a_browser_that_changes_its_subscription_says_so(home: House, service: PushService) -> None:
    old, new, client = on(service.phone(), home.member), service.phone(), Client(enforce_csrf_checks=True)
    token = client.get("/push/renew/").json()["token"]
    sent = {"old": old.endpoint, "old_auth": old.fields["auth"], **new.fields}
    assert client.post("/push/renew/", sent).status_code == 403
    head = {"X-CSRFToken": token}
    wrong = client.post("/push/renew/", sent | {"old_auth": new.fields["auth"]}, headers=head)
    assert wrong.status_code == 404
    assert PushDevice.objects.get().endpoint == old.endpoint
    inside = client.post("/push/renew/", sent | {"endpoint": "ftp://push.example"}, headers=head)
    assert inside.status_code == 422
    assert client.post("/push/renew/", sent, headers=head).status_code == 200
    device = PushDevice.objects.get()
    assert (device.endpoint, device.user) == (new.endpoint, home.member)


# --- Privacy ---


def test_a_browser_belongs_to_whoever_switched_it_on_last(home: House, anna: Player, service: PushService) -> None:
    phone = on(service.phone(), home.member)
    on(phone, home.owner)
    assert PushDevice.objects.get().user == home.owner
    final(played(home))
    work()
    assert phone.got == []


def signed_in(home: House, service: PushService) -> Client:
    """Switch a device on, signed in with a password."""
    home.member.set_password("eichel-neun-4711")
    home.member.save()
    client = Client()
    client.post("/login/", {"username": home.member.email, "password": "eichel-neun-4711"})
    client.post(page(home), {"do": "device-on", **service.phone().fields})
    assert PushDevice.objects.count() == 1
    return client


def test_signing_out_here_or_elsewhere_removes_the_device(home: House, anna: Player, service: PushService) -> None:
    client = signed_in(home, service)
    client.post("/logout/")
    assert PushDevice.objects.count() == 0
    client = signed_in(home, service)
    session_end(user=home.member, session=UserSession.objects.get(session_key=client.session.session_key).pk)
    assert PushDevice.objects.count() == 0
    client = signed_in(home, service)
    sessions_end_others(user=home.member, current=client.session.session_key or "")
    assert PushDevice.objects.count() == 1
    sessions_end_others(user=home.member, current="another")
    assert PushDevice.objects.count() == 0


def test_forgetting_merging_and_export(home: House, anna: Player, service: PushService) -> None:
    on(service.phone(), home.member)
    final(played(home))
    work()
    rows = {part.name: list(_rows(home.member, part)) for part in PARTS}
    assert [row["label"] for row in rows["push_devices"]] == ["Firefox, Android"]
    assert [row["kind"] for row in rows["push_deliveries"]] == ["result"]
    assert push_key.public_key() not in str(rows)
    assert service.url not in str(rows), "who has the address and the keys can send"
    beni, main = (PlayerFactory(club=home.club, nickname=name) for name in ("Ruedi", "Ruedi M."))
    on(service.phone(), player=beni)
    players_merge(club=home.club, player=beni, main=main, actor=home.owner, reason="the same")
    assert PushDevice.objects.filter(player=main).count() == 1
    player_forget(player=main, actor=home.owner)
    assert PushDevice.objects.filter(user=None).count() == 0
    Player.objects.filter(pk=anna.pk).update(user=None)
    person_forget(user=home.member, actor=home.member)
    assert PushDevice.objects.count() == 0


def test_neither_address_nor_key_is_logged(
    home: House, anna: Player, service: PushService, caplog: pytest.LogCaptureFixture
) -> None:
    phone = on(service.phone(), home.member)
    phone.status = 500
    final(played(home))
    with caplog.at_level(logging.DEBUG):
        work()
    assert phone.endpoint not in caplog.text
    assert phone.fields["auth"] not in caplog.text
    private = push_key.private_key().private_numbers().private_value
    assert str(private) not in caplog.text
