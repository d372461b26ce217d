"""Features: their table, their pages while they are off, the page of switches, and what existing clubs have."""

from __future__ import annotations

import html
import uuid
from datetime import date
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import connection
from django.template import Context, Template, TemplateSyntaxError
from django.test import Client
from django.urls import path, reverse
from django.utils.translation import override

from games.disputes.services import dispute_raise
from games.models import Hand, Table
from league.access import Right
from league.api_keys.services import key_create
from league.club_admin.services import club_create, feature_switch
from league.errors import Refused
from league.features import feature_patterns, uses
from league.features.routes import feature_of
from league.features.table import ALL, BY_KEY
from league.models import AuditEntry, Club, PubScreenLink, User
from league.pub_screen.link import link_renew, token_of
from league.reports.feeds.link import tail
from league.standings.formula.services import adjustment_add
from league.treasury.services import NewEntry, kitty_book
from tests.cast import Cast, House, cast
from tests.clients import forget_pages
from tests.factories import MADE, ClubFactory, SeasonFactory, UserFactory, create_table, enter
from tests.league.test_access_permissions import address, everybody, signed_in, things
from tests.permissions import ROUTES
from tests.permissions import Club as ClubRoute

everybody = everybody

BASE = {
    # Evenings, table, house rules, corrections, paper.
    *("evening", "evening-new", "evening-live", "evening-record", "evening-report", "evening-picture", "evening-sheet"),
    *("evening-close", "evening-reopen", "evening-last", "evening-cash-out", "evening-corrections", "hands-csv"),
    "club-handouts",
    *("night", "night-read", "night-table", "table-night", "table-stories", "sheet-code"),
    *("table", "table-preview", "table-live", "table-pencil", "table-seating", "table-seats", "table-difference"),
    *("hand-void", "hand-paid", "hand-type", "hand-type-preview", "rules", "rules-change", "rules-replay"),
    *("hand-edit", "hand-insert", "hand-out", "hand-move", "hand-history"),
    # Standings, champions, plan.
    *("club", "club-pages", "club-standings", "club-picture", "club-champions", "season", "season-standings"),
    *("season-sum", "season-picture"),
    *("season-champions", "champions-picture", "season-report", "standings-csv", "results-csv", "ledger-csv"),
    *("season-new", "season-edit", "season-close", "season-plan", "planned-evening"),
    # Payments.
    *("debts", "debts-paid", "debts-csv", "payments-mark", "receipts", "player-statement"),
    # People, the club itself.
    *("player", "player-edit", "player-merge", "player-forget", "player-picture", "evenings-csv"),
    *("club-people", "club-roster", "club-seasons", "club-settings", "club-at-table", "club-visibility"),
    *("club-features", "club-window", "club-log"),
    # A club that wants no cups can be invited to one, and leaves one.
    *("cup-invitation", "cup-leave"),
    *("log-csv", "club-logo", "club-privacy", "club-leave", "club-files"),
}
"""The pages that every club has."""
OF_CLUBS = {name: route for name, route in ROUTES.items() if isinstance(route, ClubRoute)}
ENGLISH = {"accept-language": "en"}
READABLE = [name for name, route in OF_CLUBS.items() if feature_of(name) and "GET" in route.rights]


def feature_key(name: str) -> str:
    feature = feature_of(name)
    return feature.key if feature else ""


def test_each_page_of_a_club_belongs_to_a_feature_or_to_every_club() -> None:
    features = {name for name in OF_CLUBS if feature_of(name)}
    assert features.isdisjoint(BASE)
    assert set(OF_CLUBS) - features == BASE
    assert {feature_key(name) for name in features} == set(ALL)
    assert not [name for name in ROUTES if name.startswith("api-") and feature_of(name)]


def test_a_route_belongs_to_one_feature() -> None:
    page = path("c/<slug:club>/webhooks/", lambda request: None, name="webhooks")  # type: ignore[arg-type, return-value]
    assert feature_patterns("webhooks", page) == [page]
    with pytest.raises(ImproperlyConfigured, match="webhooks belongs to two features"):
        feature_patterns("feeds", page)


def rendered(text: str, **values: Any) -> str:
    return Template("{% load features %}" + text).render(Context(values))


def test_the_tag_takes_the_feature_from_the_route() -> None:
    off, on = Club(features=[]), Club(features=["feeds"])
    text = "{% uses 'club-feeds' %}link{% else %}none{% enduses %}"
    assert [rendered(text, club=club) for club in (off, on)] == ["none", "link"]
    assert rendered("{% uses 'club-feeds' other %}link{% enduses %}", other=off) == ""
    assert rendered("{% uses 'season' %}link{% enduses %}", club=off) == "link"
    assert rendered("{% if club|uses:'club-feeds' %}link{% endif %}", club=on) == "link"
    with pytest.raises(TemplateSyntaxError):
        rendered("{% uses %}link{% enduses %}")


def off(club: Club, *keys: str) -> None:
    club.features = [key for key in ALL if key not in (keys or ALL)]
    club.save(update_fields=["features"])


@pytest.mark.django_db
def test_a_switched_off_page_says_what_it_is_and_who_may_switch_it_on(everybody: Cast) -> None:
    home = everybody.home
    known = things(home)
    off(home.club)
    wrong = []
    for name in READABLE:
        route = OF_CLUBS[name]
        url = address(name, home, known[route.names])
        for who in ("owner", "member", None):
            answer = signed_in(everybody, f"home.{who}" if who else None).get(url, headers=ENGLISH)
            feature, text = BY_KEY[feature_key(name)], html.unescape(answer.content.decode())
            with override("en"):
                says = answer.status_code == 404 and str(feature.sentence) in text
            switch = f"/features/#{feature.key}" in text
            right = route.rights["GET"]
            may = who == "owner" or right == Right.READ or (who == "member" and right == Right.SEE_RULES)
            # Who may not read the page is refused before, or reads the same.
            if (not says and (may or answer.status_code not in (302, 403))) or switch != (who == "owner"):
                wrong.append((name, who, answer.status_code))
    assert wrong == []


@pytest.mark.django_db
def test_data_is_the_same_after_off_and_on(everybody: Cast) -> None:
    home = everybody.home
    known = things(home)
    before = rows()
    off(home.club)
    owner = signed_in(everybody, "home.owner")
    for name in READABLE:
        owner.get(address(name, home, known[OF_CLUBS[name].names]))
    assert rows() == before
    off(home.club, "none")
    for name in ("tournament", "season-formula", "season-team", "webhook", "import", "hand-through"):
        assert owner.get(address(name, home, known[OF_CLUBS[name].names])).status_code == 200, name


def rows() -> dict[str, int]:
    """The number of rows of each table that is not about sessions, looks or versions."""
    apart = ("Session", "Version", "Look")
    models = [model for label in ("league", "games") for model in apps.get_app_config(label).get_models()]
    return {model.__name__: model._base_manager.count() for model in models if not model.__name__.endswith(apart)}


@pytest.mark.django_db
def test_a_private_club_stays_hidden_also_where_a_feature_is_off(everybody: Cast) -> None:
    club = everybody.home.club
    off(club)
    club.visibility = Club.Visibility.PRIVATE
    club.save()
    for who in (None, "stranger", "away.owner"):
        client = signed_in(everybody, who)
        hidden, absent = (client.get(f"/c/{slug}/feeds/") for slug in (club.slug, "nowhere"))
        assert hidden.status_code == absent.status_code == 404
        assert hidden.content == absent.content.replace(b"nowhere", club.slug.encode())


@pytest.mark.django_db
def test_a_person_without_the_right_is_refused_as_before(everybody: Cast) -> None:
    off(everybody.home.club)
    url = reverse("webhooks", kwargs={"club": everybody.home.club.slug})
    assert signed_in(everybody, "home.member").get(url).status_code == 403
    assert signed_in(everybody, "away.owner").get(url).status_code == 403
    assert signed_in(everybody, None).get(url).status_code == 302


@pytest.mark.django_db
def test_a_kept_page_of_visitors_is_not_shown_any_more(everybody: Cast) -> None:
    club = everybody.home.club
    forget_pages()
    url = reverse("club-records", kwargs={"club": club.slug})
    assert [Client().get(url).status_code for _again in range(2)] == [200, 200]
    off(club, "statistics")
    assert Client().get(url).status_code == 404


@pytest.mark.django_db
def test_links_that_need_no_account_are_off_too(everybody: Cast) -> None:
    home = everybody.home
    link = link_renew(club=home.club, actor=None)
    screen = reverse("screen-link", kwargs={"token": token_of(link)})
    home.club.visibility = Club.Visibility.PRIVATE
    home.club.save()
    feed = reverse("club-calendar", kwargs={"club": home.club.slug}) + tail(home.club)
    assert [Client().get(url).status_code for url in (screen, feed)] == [200, 200]
    off(home.club, "pub_screen", "feeds")
    assert [Client().get(url).status_code for url in (screen, feed)] == [404, 404]
    assert PubScreenLink.objects.filter(club=home.club).exists()


@pytest.mark.django_db
def test_a_hand_that_was_entered_card_by_card_is_stored_while_the_feature_is_off(everybody: Cast) -> None:
    home = everybody.home
    table = Table.objects.get(evening__club=home.club, evening__season__in_chips=False)
    off(home.club)
    players = ",".join(str(pk) for pk in table.places.order_by("seat").values_list("player_id", flat=True))
    sent = {"key": str(uuid.uuid4()), "number": table.hands + 1, "players": players, "do": "save"}
    text = '{"declarer": 0, "joiners": [1], "made": [0, 1]}'
    url = reverse("hand-paste", kwargs={"club": home.club.slug, "table": table.pk})
    recorder = signed_in(everybody, "home.recorder")
    hands = Hand.objects.count()
    assert recorder.post(url, sent | {"text": text}).status_code == 303
    assert Hand.objects.count() == hands + 1
    assert recorder.get(url).status_code == 404


# --- the page of switches ---


@pytest.mark.django_db
def test_an_owner_switches_and_the_log_says_so() -> None:
    people = cast()
    club = people.home.club
    off(club)
    url, owner = reverse("club-features", kwargs={"club": club.slug}), signed_in(people, "home.owner")
    page = owner.get(url).content.decode()
    assert page.count('role="switch"') == page.count('aria-checked="false"') == len(ALL)
    for to, features in (("on", ["feeds"]), ("on", ["feeds"]), ("off", [])):
        answer = owner.post(url, {"feature": "feeds", "to": to})
        assert (answer.status_code, answer["Location"]) == (303, f"{url}#feeds")
        club.refresh_from_db()
        assert club.features == features
    log = [entry.data for entry in AuditEntry.objects.filter(club=club, what="club_changed").order_by("pk")]
    assert log == [{"did": "feature_on", "feature": "feeds"}, {"did": "feature_off", "feature": "feeds"}]
    sentences = owner.get(reverse("club-log", kwargs={"club": club.slug}), headers=ENGLISH).content.decode()
    assert "Owner switched on the feature “Feeds”." in sentences
    assert "Owner switched off the feature “Feeds”." in sentences


@pytest.mark.django_db
@pytest.mark.parametrize("sent", [{}, {"feature": "evenings", "to": "on"}, {"feature": "feeds", "to": "2"}])
def test_a_switch_that_there_is_not_changes_nothing(sent: dict[str, str]) -> None:
    people = cast()
    answer = signed_in(people, "home.owner").post(f"/c/{people.home.club.slug}/features/", sent)
    assert answer.status_code == 422
    with pytest.raises(Refused):
        feature_switch(club=people.home.club, actor=None, key="evenings", on=True)
    assert set(Club.objects.get(pk=people.home.club.pk).features) == set(ALL)


@pytest.mark.django_db
def test_a_new_club_has_none() -> None:
    assert club_create(name="Linde", owner=UserFactory(), actor=None).features == []


@pytest.mark.django_db
def test_keys_are_created_where_one_of_the_clubs_uses_them() -> None:
    people = cast()
    club, owner = people.home.club, people.home.owner
    kept = key_create(user=owner, name="before", club=club)
    off(club, "webhooks")
    for wanted in (club, None):
        with pytest.raises(Refused) as refused:
            key_create(user=owner, name="after", club=wanted)
        assert (refused.value.status, refused.value.code) == (409, "switched_off")
    headers = {"authorization": f"Bearer {kept.text}"}
    assert Client().get(f"/api/v1/clubs/{club.slug}/webhooks", headers=headers).status_code in (200, 403)
    key_create(user=people.stranger, name="of nobody")
    assert "account/keys" in signed_in(people, "home.owner").get("/account/").content.decode()
    assert "account/keys" not in signed_in(people, "home.member").get("/account/").content.decode()


# --- clubs that exist ---


@pytest.mark.rest
@pytest.mark.django_db(transaction=True)
@pytest.mark.both_databases
def test_clubs_that_exist_keep_what_they_have_used(everybody: Cast) -> None:
    home: House = everybody.home
    table = Table.objects.get(evening__club=home.club, evening__season__in_chips=False)
    dealer = table.dealer
    adjustment_add(season=home.season, player=dealer, points=-1, reason="late", actor=None)
    dispute_raise(table=table, number=1, player_id=dealer.pk, author=None, key=uuid.uuid4(), text="no")
    dues = NewEntry("brought", 500, "dues", date(2026, 11, 20))
    kitty_book(club=home.club, author=None, key=uuid.uuid4(), entry=dues)
    plain = ClubFactory()
    enter(create_table(season=SeasonFactory(club=plain)), MADE)
    program = ClubFactory()
    program.memberships.create(user=User.objects.get(pk=key_create(user=UserFactory(), name="program").key.user_id))
    before = versions()
    try:
        call_command("migrate", "league", "0002_triggers_of_tables", verbosity=0)
        call_command("migrate", verbosity=0)
    finally:
        call_command("migrate", verbosity=0)
    always = {"statistics", "pub_screen", "feeds"}
    came_later = {"attendance", "cups", "luck", "member_fees", "messages"}
    assert set(Club.objects.get(pk=home.club.pk).features) == set(ALL) - came_later
    assert set(Club.objects.get(pk=plain.pk).features) == always
    assert set(Club.objects.get(pk=program.pk).features) == always | {"webhooks"}
    assert uses(Club.objects.get(pk=plain.pk), "club-feeds")
    off(plain)
    assert versions()[plain.pk] != before[plain.pk]


def versions() -> dict[int, int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT club_id, number FROM league_clubversion")
        return dict(cursor.fetchall())
