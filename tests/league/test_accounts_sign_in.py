"""Signing in by mail, signing up, changing the password and the mail address."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import allauth
import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from django.utils import translation

from league.accounts import mails
from league.models import AuditEntry, User
from tests.cast import House, house
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db

GOOD = "fahrrad lampe regen"
BY_CODE = "/login/code/"


@pytest.fixture
def home() -> House:
    return house("roessli")


@pytest.fixture
def client() -> Client:
    return Client(headers={"accept-language": "en"})


def text(answer: Any) -> str:
    return str(answer.content.decode())


def code_in(mail: EmailMessage) -> str:
    match = re.search(r": ([A-Z0-9]{4}-?[A-Z0-9]{4}|\S{6,9})\s", str(mail.body))
    assert match, mail.body
    return match[1]


def link_in(mail: EmailMessage) -> str:
    match = re.search(r"https?://testserver(/\S+)", str(mail.body))
    assert match, mail.body
    return match[1]


def who(client: Client) -> str:
    """Return the user of the client's session, as the server sees it."""
    answer = client.get("/outbox/")
    return str(answer.json()["user"]) if answer.status_code == 200 else "None"


def verified(user: User) -> User:
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user


# --- By mail -----------------------------------------------------------------------------------------------


def test_the_code_of_the_mail_signs_in_and_leads_on(home: House, client: Client, mailoutbox: list[Any]) -> None:
    answer = client.post(f"{BY_CODE}?next=/c/roessli/", {"email": home.member.email})
    assert answer.url.startswith("/login/code/confirm/")
    assert who(client) == "None"
    answer = client.post(answer.url, {"code": code_in(mailoutbox[0])})
    assert answer.url == "/c/roessli/"
    assert who(client) == str(home.member.pk)


def test_a_wrong_code_signs_nobody_in(home: House, client: Client, mailoutbox: list[Any]) -> None:
    client.post(BY_CODE, {"email": home.member.email})
    answer = client.post("/login/code/confirm/", {"code": "WRONG-ONE"})
    assert "This code is wrong" in text(answer)
    for _ in range(2):
        client.post("/login/code/confirm/", {"code": "WRONG-ONE"})
    # After three wrong codes the right one is refused, too.
    client.post("/login/code/confirm/", {"code": code_in(mailoutbox[0])})
    assert who(client) == "None"


def test_the_link_of_the_mail_signs_in_elsewhere_after_a_button(
    home: House, client: Client, mailoutbox: list[Any]
) -> None:
    client.post(f"{BY_CODE}?next=/c/roessli/", {"email": home.member.email})
    link = link_in(mailoutbox[0])
    phone = Client(headers={"accept-language": "en"})
    for _ in range(3):
        # A mail scanner follows links and presses no buttons.
        assert home.member.email in text(phone.get(link))
        assert who(phone) == "None"
    assert phone.post(link).url == "/c/roessli/"
    assert who(phone) == str(home.member.pk)


def test_the_link_works_for_one_sign_in(home: House, client: Client, mailoutbox: list[Any]) -> None:
    client.post(BY_CODE, {"email": home.member.email})
    link = link_in(mailoutbox[0])
    assert Client().post(link).status_code == 302
    for method in ("get", "post"):
        late = Client()
        assert getattr(late, method)(link).status_code == 410
        assert who(late) == "None"


@pytest.mark.parametrize("change", ["password", "email", "is_active"])
def test_the_link_ends_when_the_account_changes(
    home: House, client: Client, mailoutbox: list[Any], change: str
) -> None:
    client.post(BY_CODE, {"email": home.member.email})
    link = link_in(mailoutbox[0])
    setattr(home.member, change, {"password": "another", "email": "new@example.org", "is_active": False}[change])
    home.member.save()
    assert client.post(link).status_code == 410


def test_the_link_ends_after_a_quarter_of_an_hour(
    home: House, client: Client, mailoutbox: list[Any], time_machine: Any
) -> None:
    time_machine.move_to("2026-11-21T20:00:00Z", tick=False)
    client.post(BY_CODE, {"email": home.member.email})
    link = link_in(mailoutbox[0])
    time_machine.move_to("2026-11-21T20:14:59Z", tick=False)
    assert client.get(link).status_code == 200
    time_machine.move_to("2026-11-21T20:15:02Z", tick=False)
    assert client.post(link).status_code == 410


def test_a_changed_link_signs_nobody_in(home: House, client: Client, mailoutbox: list[Any]) -> None:
    client.post(BY_CODE, {"email": home.member.email})
    link = link_in(mailoutbox[0])
    assert client.post(link[:-3] + "xx/").status_code == 410
    assert client.post("/login/link/never/").status_code == 410


def test_the_mail_has_the_language_of_the_request(home: House, mailoutbox: list[Any]) -> None:
    Client(headers={"accept-language": "en"}).post(BY_CODE, {"email": home.member.email})
    assert "is your code to sign in" in mailoutbox[0].subject
    assert mailoutbox[0].to == [home.member.email]
    assert "None" not in mailoutbox[0].body


def test_an_unreachable_mail_server_gives_a_notice(home: House, client: Client, monkeypatch: Any) -> None:
    def away(*args: Any, **kwargs: Any) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr(EmailMessage, "send", away)
    answer = client.post(BY_CODE, {"email": home.member.email}, follow=True)
    assert answer.status_code == 200
    assert "could not be sent" in text(answer)


def test_without_a_mail_server_the_pages_say_so(home: House, client: Client, settings: Any) -> None:
    settings.MAIL_ON = False
    for page in (BY_CODE, "/password/"):
        assert "sends no emails" in text(client.get(page))
    assert BY_CODE not in text(client.get("/login/"))


# --- Signing up --------------------------------------------------------------------------------------------


def sign_up(client: Client, email: str, **more: str) -> Any:
    return client.post("/signup/", {"first_name": "Anna", "email": email, "password1": GOOD, **more})


def test_without_an_invitation_nobody_creates_an_account(client: Client) -> None:
    assert "By invitation" in text(client.get("/signup/"))
    sign_up(client, "new@example.org")
    assert not User.objects.filter(email="new@example.org").exists()


def test_the_server_can_be_open_to_anybody(client: Client, settings: Any, mailoutbox: list[Any]) -> None:
    settings.SIGNUP_OPEN = True
    answer = sign_up(client, "New@Example.org", next="/calculator/")
    assert who(client) == "None"
    assert "confirms your email address" in mailoutbox[0].subject
    answer = client.post(answer.url, {"code": code_in(mailoutbox[0])})
    assert answer.url == "/calculator/"
    user = User.objects.get(email="new@example.org")
    assert who(client) == str(user.pk)
    assert user.first_name == "Anna"
    assert EmailAddress.objects.get(user=user).verified


def test_an_address_that_was_never_confirmed_does_not_sign_in(
    client: Client, settings: Any, mailoutbox: list[Any]
) -> None:
    settings.SIGNUP_OPEN = True
    sign_up(client, "new@example.org")
    again = Client()
    answer = again.post("/login/", {"username": "new@example.org", "password": GOOD})
    assert who(again) == "None"
    assert answer.status_code in (302, 429)


@pytest.mark.parametrize("bad", ["kurz", "Passwort2026!", "1234567890", "anna@new.example"])
def test_a_bad_password_is_refused_and_nothing_else_is_lost(client: Client, settings: Any, bad: str) -> None:
    settings.SIGNUP_OPEN = True
    answer = sign_up(client, "anna@new.example", password1=bad, last_name="von Arx")
    assert answer.status_code == 200
    assert 'class="errorlist"' in text(answer)
    assert 'value="von Arx"' in text(answer)
    assert not User.objects.filter(email="anna@new.example").exists()


# --- Changing the password ---------------------------------------------------------------------------------


def test_a_forgotten_password_is_replaced_by_a_link_that_works_once(
    home: House, client: Client, mailoutbox: list[Any]
) -> None:
    verified(home.member)
    elsewhere = Client()
    elsewhere.force_login(home.member)
    client.post("/password/", {"email": home.member.email})
    link = link_in(mailoutbox[0])
    page = client.get(link).url
    assert client.post(page, {"password1": GOOD}).status_code == 302
    home.member.refresh_from_db()
    assert home.member.check_password(GOOD)
    # Sessions that were signed in with the old password have ended.
    assert who(elsewhere) == "None"
    assert "too old or was already used" in text(Client(headers={"accept-language": "en"}).get(link))
    assert AuditEntry.objects.filter(what="password_changed", club=home.club).exists()


def test_changing_the_password_asks_for_the_current_one(home: House, client: Client) -> None:
    client.force_login(home.member)
    elsewhere = Client()
    elsewhere.force_login(home.member)
    page = "/account/password/"
    assert "not your current password" in text(client.post(page, {"oldpassword": "wrong", "password1": GOOD}))
    answer = client.post(page, {"oldpassword": "kreuz-sieben", "password1": GOOD})
    assert answer.status_code == 302
    assert who(client) == str(home.member.pk)
    assert who(elsewhere) == "None"


@pytest.mark.django_db(transaction=True)
def test_a_new_password_is_reported_by_mail_and_logged(home: House, client: Client, mailoutbox: list[Any]) -> None:
    verified(home.member)
    client.post("/login/", {"username": home.member.email, "password": "kreuz-sieben"})
    client.post("/account/password/", {"oldpassword": "kreuz-sieben", "password1": GOOD})
    (mail,) = mailoutbox
    assert mail.to == [home.member.email]
    assert "Your password was changed." in mail.body
    assert AuditEntry.objects.filter(club=home.club, what="password_changed").exists()


def test_sign_ins_are_logged_without_the_input(home: House, client: Client) -> None:
    verified(home.member)
    client.post("/login/", {"username": home.member.email, "password": "a-typed-word"})
    client.post("/login/", {"username": home.member.email, "password": "kreuz-sieben"})
    client.post("/logout/")
    entries = AuditEntry.objects.filter(club=home.club).order_by("pk")
    assert [entry.what for entry in entries] == ["sign_in_failed", "signed_in", "signed_out"]
    assert "a-typed-word" not in str([(entry.data, entry.about) for entry in entries])


# --- Changing the mail address -----------------------------------------------------------------------------


def test_a_new_mail_address_counts_once_it_is_confirmed(home: House, client: Client, mailoutbox: list[Any]) -> None:
    old = home.member.email
    client.post("/login/", {"username": old, "password": "kreuz-sieben"})
    answer = client.post("/account/mail/", {"email": "new@example.org", "action_add": "1"})
    assert User.objects.get(pk=home.member.pk).email == old
    assert mailoutbox[-1].to == ["new@example.org"]
    client.post(answer.url, {"code": code_in(mailoutbox[-1])})
    assert User.objects.get(pk=home.member.pk).email == "new@example.org"
    assert [each.email for each in EmailAddress.objects.filter(user=home.member)] == ["new@example.org"]
    # The old address gets a mail.
    assert mailoutbox[-1].to == [old]


def test_the_address_of_another_user_cannot_be_taken_and_is_not_revealed(
    home: House, client: Client, mailoutbox: list[Any]
) -> None:
    client.post("/login/", {"username": home.member.email, "password": "kreuz-sieben"})
    free = client.post("/account/mail/", {"email": "free@example.org", "action_add": "1"})
    taken = client.post("/account/mail/", {"email": home.owner.email, "action_add": "1"})
    assert (free.status_code, free.headers["Location"]) == (taken.status_code, taken.headers["Location"])
    client.post(taken.url, {"code": "ABCD-EFGH"})
    assert User.objects.get(pk=home.owner.pk).email == home.owner.email


# --- The account page --------------------------------------------------------------------------------------


def test_the_account_page_shows_the_users_clubs_and_players(
    home: House, client: Client, django_assert_num_queries: Any
) -> None:
    client.force_login(home.owner)
    page = text(client.get("/account/"))
    assert home.owner.email in page
    assert "/c/roessli/" in page
    with django_assert_num_queries(7):
        client.get("/account/")
    answer = client.post("/account/", {"first_name": "Doris", "last_name": "Meier"})
    assert answer.status_code == 302
    assert User.objects.get(pk=home.owner.pk).get_full_name() == "Doris Meier"


def test_an_account_created_on_the_server_signs_in_without_confirmation(home: House, client: Client) -> None:
    answer = client.post("/login/", {"username": home.member.email, "password": "kreuz-sieben"})
    assert answer.url == "/"
    assert EmailAddress.objects.get(user=home.member).verified


def test_leaving_a_club_ends_every_right_and_the_last_owner_cannot_leave(home: House, client: Client) -> None:
    page = reverse("club-leave", kwargs={"club": "roessli"})
    client.force_login(home.owner)
    assert client.post(page).status_code == 422
    assert home.owner.memberships.exists()
    client.force_login(home.member)
    assert client.get(page).status_code == 200
    assert client.post(page).url == "/account/"
    assert not home.member.memberships.exists()
    assert client.get("/c/roessli/rules/").status_code == 403
    client.force_login(UserFactory())
    assert client.post(page).status_code == 403


def test_every_mail_of_allauth_has_a_text() -> None:
    """Every mail template of allauth, without those that are never used: links to confirm, codes to reset."""
    unused = {"account/email/email_confirm", "account/email/password_reset_code"}
    templates = Path(allauth.__file__).parent / "templates"
    names = {
        str(each.relative_to(templates)).removesuffix("_subject.txt")
        for folder in ("account", "mfa")
        for each in (templates / folder / "email").glob("*_subject.txt")
    }
    assert names - unused == {*mails.MAILS, *mails.CHANGES} - {mails.KEY_CREATED}
    placeholders = "code link product_name account_url device to_email deleted_email password_reset_url key"
    context = dict.fromkeys(placeholders.split(), "x")
    for language in ("de", "en"):
        with translation.override(language):
            for name in (names - unused) | {mails.KEY_CREATED}:
                assert all(mails.mail(name, context))
