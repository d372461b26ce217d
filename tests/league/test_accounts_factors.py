"""Second factors: set up, required, removed, and required by the admin."""

from __future__ import annotations

import base64
import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.exceptions import ValidationError
from django.test import Client

from league.accounts.adapters import FactorAdapter
from league.models import AuditEntry, User
from tests.cast import Cast, House
from tests.second_factors import app_for, code_of, with_factor

pytestmark = pytest.mark.django_db

PASSWORD = "kreuz-sieben"


def browser() -> Client:
    return Client(headers={"accept-language": "en"})


def sign_in(client: Client, user: User, **more: str) -> Any:
    return client.post("/login/", {"username": user.email, "password": PASSWORD, **more})


def inside(client: Client) -> bool:
    return bool(client.get("/account/").status_code == 200)


# A mail after the commit needs a real commit.
@pytest.mark.django_db(transaction=True)
def test_an_app_is_set_up_with_its_first_code(home: House, mailoutbox: list[Any]) -> None:
    client = browser()
    sign_in(client, home.member)
    page = client.get("/account/factors/app/").content.decode()
    picture = re.search(r"data:image/svg\+xml;base64,([^\"]+)", page)
    # Without its namespace a browser does not show the SVG.
    assert picture
    assert b'xmlns="http://www.w3.org/2000/svg"' in base64.b64decode(picture[1])
    secret = re.search(r'class="key">([A-Z2-7]{32})<', page)
    assert secret
    assert "This code is wrong" in client.post("/account/factors/app/", {"code": "000000"}).content.decode()
    answer = client.post("/account/factors/app/", {"code": code_of(secret[1])})
    assert "something was changed" in mailoutbox[0].subject.lower()
    # The next page shows the recovery codes.
    assert answer.url == "/account/factors/codes/"
    codes = re.findall(r"<code>(\w{8})</code>", client.get(answer.url).content.decode())
    assert len(codes) == 10
    assert client.get("/account/factors/codes/file/").content.decode().split() == codes
    assert set(AuditEntry.objects.values_list("what", flat=True)) >= {"signed_in", "factor_added"}


def test_with_a_factor_the_password_alone_is_not_enough(home: House) -> None:
    secret = app_for(home.member)
    client = browser()
    assert sign_in(client, home.member, next="/c/roessli/").url == "/login/factor/"
    assert not inside(client)
    assert "This code is wrong" in client.post("/login/factor/", {"code": "000000"}).content.decode()
    assert not inside(client)
    assert client.post("/login/factor/", {"code": code_of(secret)}).url == "/c/roessli/"
    assert inside(client)
    assert AuditEntry.objects.filter(what="sign_in_failed", about=f"user:{home.member.pk}").exists()


def test_a_code_works_once(home: House) -> None:
    secret = app_for(home.member)
    code = code_of(secret)
    for right in (True, False):
        client = browser()
        sign_in(client, home.member)
        client.post("/login/factor/", {"code": code})
        assert inside(client) is right


def test_a_recovery_code_works_once(home: House) -> None:
    client = with_factor(browser(), home.member)
    client.post("/account/factors/codes/new/")
    codes = re.findall(r"<code>(\w{8})</code>", client.get("/account/factors/codes/").content.decode())
    for right in (True, False):
        lost = browser()
        sign_in(lost, home.member)
        lost.post("/login/factor/", {"code": codes[0]})
        assert inside(lost) is right


def test_tries_of_codes_are_limited(home: House) -> None:
    secret = app_for(home.member)
    client = browser()
    sign_in(client, home.member)
    for _ in range(6):
        client.post("/login/factor/", {"code": "000000"})
    client.post("/login/factor/", {"code": code_of(secret)})
    assert not inside(client)


def test_with_a_factor_the_code_of_the_mail_is_not_enough(home: House, mailoutbox: list[Any]) -> None:
    app_for(home.member)
    client = browser()
    client.post("/login/code/", {"email": home.member.email})
    link = re.search(r"http://testserver(/login/link/\S+)", mailoutbox[0].body)
    assert link
    assert browser().post(link[1]).url == "/login/factor/"


def test_turning_a_factor_off_asks_for_the_password_again(home: House) -> None:
    client = with_factor(browser(), home.member)
    session = client.session
    session["account_authentication_methods"][0]["at"] -= 3600
    session.save()
    answer = client.post("/account/factors/app/off/")
    assert "/again/" in answer.url
    assert Authenticator.objects.filter(user=home.member, type="totp").exists()
    client.post(answer.url, {"password": PASSWORD})
    client.post("/account/factors/app/off/")
    assert not Authenticator.objects.filter(user=home.member).exists()
    assert AuditEntry.objects.filter(what="factor_removed").exists()


def test_secrets_of_factors_are_stored_encrypted(home: House, settings: Any) -> None:
    secret = app_for(home.member)
    kept = str(Authenticator.objects.get(user=home.member).data)
    assert secret not in kept
    assert FactorAdapter().decrypt(FactorAdapter().encrypt(secret)) == secret
    old = FactorAdapter().encrypt(secret)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another"
    assert FactorAdapter().decrypt(old) == secret
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(ValidationError):
        FactorAdapter().decrypt(old)


def test_a_factor_under_a_lost_key_is_refused_in_words(home: House, settings: Any) -> None:
    secret, client = app_for(home.member), browser()
    settings.SECRET_KEY = "another-key-of-fifty-characters-and-more-0123456789"
    sign_in(client, home.member)
    answer = client.post("/login/factor/", {"code": code_of(secret)})
    assert "Ask its operators to remove it" in answer.content.decode()
    assert not inside(client)
    Authenticator.objects.filter(user=home.member).delete()
    client = browser()
    sign_in(client, home.member)
    assert inside(client)


# --- The admin ---------------------------------------------------------------------------------------------


def test_the_admin_sends_a_visitor_to_the_sign_in_page(people: Cast) -> None:
    answer = browser().get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0] == "/login/?next=/admin/"


def test_the_password_alone_opens_no_admin(people: Cast) -> None:
    client = browser()
    sign_in(client, people.server_admin)
    for page in ("/admin/", "/admin/league/user/"):
        answer = client.get(page, follow=True)
        assert answer.redirect_chain[-1][0] == "/account/factors/"
        assert "needs a second factor" in answer.content.decode()


def test_the_admin_asks_for_the_factor_if_the_session_used_none(people: Cast) -> None:
    secret = app_for(people.server_admin)
    client = browser()
    # A session that is older than the factor.
    client.force_login(people.server_admin)
    answer = client.get("/admin/league/user/", follow=True)
    assert answer.redirect_chain[-1][0].startswith("/account/factors/again/?next=")
    answer = client.post(answer.redirect_chain[-1][0], {"code": code_of(secret)})
    assert answer.url == "/admin/league/user/"
    assert client.get(answer.url).status_code == 200


def test_password_and_factor_open_the_admin(people: Cast) -> None:
    secret = app_for(people.server_admin)
    client = browser()
    sign_in(client, people.server_admin, next="/admin/")
    assert client.post("/login/factor/", {"code": code_of(secret)}).url == "/admin/"
    assert client.get("/admin/").status_code == 200


def test_removing_the_factor_closes_the_admin_at_once(people: Cast) -> None:
    client = with_factor(browser(), people.server_admin)
    assert client.get("/admin/").status_code == 200
    Authenticator.objects.all().delete()
    assert client.get("/admin/").status_code == 302


def test_without_the_check_the_password_opens_the_admin(people: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.accounts.admin_second_factor.second_factor_used", lambda request: True)
    client = browser()
    sign_in(client, people.server_admin)
    assert client.get("/admin/").status_code == 200


def test_a_role_in_a_club_opens_no_admin_even_with_a_factor(home: House) -> None:
    answer = with_factor(browser(), home.owner).get("/admin/", follow=True)
    assert answer.status_code == 403


def test_an_address_set_in_the_admin_replaces_the_old_one(people: Cast, mailoutbox: list[Any]) -> None:
    member = people.home.member
    before = member.email
    sign_in(browser(), member)
    page = f"/admin/league/user/{member.pk}/change/"
    sent = {"email": "New@example.org", "is_active": "on", "date_joined_0": "2026-11-21", "date_joined_1": "10:00:00"}
    assert with_factor(browser(), people.server_admin).post(page, sent).status_code == 302
    member.refresh_from_db()
    assert member.email == "new@example.org"
    browser().post("/login/code/", {"email": before})
    assert "code" not in mailoutbox[-1].subject
    assert inside_after(browser(), member)


def inside_after(client: Client, user: User) -> bool:
    sign_in(client, user)
    return inside(client)
