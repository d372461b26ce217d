"""Pages that are shown once, as the answer to a write: a new API key, a secret, an invitation; and two hands with
one number. They are requested in each language while the clubs are built; their writes are rolled back."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from django.db import transaction
from django.test import Client

from games.models import Table
from league.models import Club, User
from tests.screens.accounts import session_of
from tests.screens.screen import Screen, World

LANGUAGES = ("de", "en")


def build(club: Club, owner: User, world: World) -> dict[str, str]:
    """Return the answers to an owner, named `<answer>_<language>`, and their content security policy."""
    webhook = f"/c/{club.slug}/webhooks/{world['webhook_works']}/"
    key = {"name": "Anzeigetafel im Säli", "scopes": ["record", "money"], "club": club.slug, "days": "90"}
    asked: dict[str, tuple[str, Mapping[str, object]]] = {
        "answer_key": ("/account/keys/", key),
        "answer_secret": (f"/c/{club.slug}/webhooks/", {"url": "https://receiver.example/", "events": ["hand.stored"]}),
        "answer_new_secret": (webhook, {"do": "roll"}),
        "answer_invitation": (
            f"/c/{club.slug}/people/",
            {"invite": "1", "role": "recorder", "player": world["long_player"], "note": "für Bartholomäus"},
        ),
        "answer_taken": (f"/c/{club.slug}/t/{world['five_table']}/", _hand_again(int(world["five_table"]))),
    }
    pages = {}
    for language in LANGUAGES:
        for name, (address, sent) in asked.items():
            pages[f"{name}_{language}"], pages["answers_policy"] = _answer(owner, language, address, sent)
    return pages


def _answer(owner: User, language: str, address: str, sent: Mapping[str, object]) -> tuple[str, str]:
    with transaction.atomic():
        client = Client(SERVER_NAME="localhost")
        client.cookies["sessionid"] = session_of(owner)
        client.cookies["django_language"] = language
        answer = client.post(address, sent)
        transaction.set_rollback(True)
    if answer.status_code not in (200, 409):
        raise AssertionError(f"{address}: {answer.status_code}")
    return answer.content.decode(), answer.headers["Content-Security-Policy"]


def _hand_again(table: int) -> dict[str, object]:
    """Send another entry for a hand that the table already has."""
    current = Table.objects.get(pk=table)
    players = current.places.order_by("seat").values_list("player_id", flat=True)
    roles = {"role-0": "joiner", "role-2": "declarer", "made-0": "yes", "made-2": "no"}
    seating = ",".join(map(str, players))
    return {"key": str(uuid.UUID(int=7)), "number": str(current.hands), "players": seating, "mode": "made", **roles}


ONE_TIME_PAGES = (
    Screen("key-new", "account-keys", "/account/keys/", answer="answer_key"),
    Screen("webhook-secret", "webhooks", "/c/krone/webhooks/", answer="answer_secret"),
    Screen("webhook-secret-new", "webhook", "/c/krone/webhooks/{webhook_works}/", answer="answer_new_secret"),
    Screen("people-invited", "club-people", "/c/krone/people/", answer="answer_invitation"),
    Screen("table-taken", "table", "/c/krone/t/{five_table}/", answer="answer_taken"),
)
