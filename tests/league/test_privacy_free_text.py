"""Free text: every text column is declared as free text or excused with a reason, and visitors read no free text."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

import pytest
from django.apps import apps
from django.db import models
from django.test import Client
from django.urls import reverse

from games.corrections.edits import TakeOut
from games.corrections.services import correct
from games.models import Table
from league.access.names import Names
from league.models import AuditEntry, Club
from league.privacy import free_text
from tests.cast import house
from tests.factories import FAILED, MADE, create_table, enter

REASON = "It was Wendelin"
CODE = "a code that the program writes"
IDS = "ids, codes and numbers that the program writes"
RANDOM = "random, or a digest"
PUBLIC_NAME = "names a club, a season or a tournament, which its owners can change"
OWN_NAME = "the name of a person; forgetting empties or replaces it (league/privacy/forgetting.py)"
LABEL = "forgetting removes it or replaces it by a number (league/privacy/entrant_texts.py)"
DELETED = "deleted together with the person's account or player"

EXCUSED = {
    "league.User.password": RANDOM,
    "league.User.first_name": OWN_NAME,
    "league.User.last_name": OWN_NAME,
    "league.User.email": OWN_NAME,
    "league.Club.slug": PUBLIC_NAME,
    "league.Club.name": PUBLIC_NAME,
    "league.Club.place": PUBLIC_NAME,
    "league.Club.currency": CODE,
    **{f"league.ClubRequest.{name}": DELETED for name in ("name", "names", "reason")},
    **dict.fromkeys((f"league.ClubRequest.{name}" for name in ("game", "currency", "language")), CODE),
    "league.Club.features": CODE,
    "league.Player.nickname": OWN_NAME,
    "league.Player.pseudonym": OWN_NAME,
    "league.FormerName.name": DELETED,
    "league.Invitation.digest": RANDOM,
    "league.ApiToken.digest": RANDOM,
    "league.ApiToken.token_key": RANDOM,
    "league.ApiToken.name": DELETED,
    "league.ApiToken.scopes": CODE,
    "league.AuditEntry.what": CODE,
    "league.AuditEntry.about": IDS,
    "league.AuditEntry.data": IDS,
    "league.BankEntry.key": RANDOM,
    "league.KeptAnswer.digest": RANDOM,
    "league.KeptAnswer.fingerprint": RANDOM,
    "league.HouseRules.game": CODE,
    "league.HouseRules.values": IDS,
    "league.SeasonFormula.values": IDS,
    "league.SeasonChances.inputs": RANDOM,
    "league.SeasonChances.values": IDS,
    "league.Upload.game": CODE,
    "league.Upload.rows": DELETED,
    "league.Upload.sheet": DELETED,
    "league.Upload.sheets": DELETED,
    "league.Upload.columns": CODE,
    "league.Upload.names": DELETED,
    "league.ImportColumns.heading": RANDOM,
    "league.ImportColumns.sheet": RANDOM,
    "league.ImportColumns.columns": CODE,
    "league.Standing.unranked": CODE,
    "league.Season.final_guests": IDS,
    "league.Season.own_settings": IDS,
    "league.SeasonFacts.method": CODE,
    "league.EveningFacts.decisions": IDS,
    "league.LuckOfEvening.outcomes": CODE,
    "league.LuckOfPlayer.calls": CODE,
    "league.LuckOfAllClubs.outcomes": CODE,
    "league.PlayerLook.looks": IDS,
    "league.MessageChoice.email": DELETED,
    "league.MessageChoice.language": CODE,
    "league.PlayerMessage.error": CODE,
    **dict.fromkeys((f"league.PushDevice.{name}" for name in ("endpoint", "p256dh", "auth", "label")), DELETED),
    "league.PushKey.sealed": RANDOM,
    "league.Season.slug": PUBLIC_NAME,
    "league.Season.name": PUBLIC_NAME,
    "league.Evening.game": CODE,
    "league.ResultRow.blind": CODE,
    "league.Submission.body_hash": RANDOM,
    "league.Receipt.content": IDS,
    "league.Receipt.digest": RANDOM,
    "league.ReceiptName.name": DELETED,
    "league.ReceiptName.salt": RANDOM,
    "league.Heartbeat.name": CODE,
    "league.CountFailure.error": CODE,
    "league.Club.suspended_because": "the operator's own sentence, which ends with the suspension",
    "league.Tournament.slug": PUBLIC_NAME,
    "league.Tournament.name": PUBLIC_NAME,
    "league.Tournament.game": CODE,
    "league.Tournament.format": IDS,
    "league.Tournament.fee": PUBLIC_NAME,
    "league.Tournament.closed_tables": IDS,
    "league.Tournament.award_points": IDS,
    **dict.fromkeys((f"league.OwnEntry.{name}" for name in ("name", "label", "mail")), DELETED),
    "league.OwnEntry.language": CODE,
    "league.OwnEntry.code": RANDOM,
    "league.Tournament.own_entry_labels": PUBLIC_NAME,
    "league.Cup.slug": PUBLIC_NAME,
    "league.Cup.name": PUBLIC_NAME,
    "league.Cup.place_points": IDS,
    "league.CupInvitation.short_name": PUBLIC_NAME,
    "league.CupInvitation.code_digest": RANDOM,
    "league.Entrant.labels": LABEL,
    "league.Entrant.team": LABEL,
    "league.Entrant.slip": IDS,
    "league.Draw.mode": CODE,
    "league.Draw.plan": IDS,
    "league.Draw.report": IDS,
    "league.Draw.changes": IDS,
    "league.Draw.left_out": IDS,
    **{
        f"league.BillingDetails.{name}": "printed on the club's bills; its treasurer changes it"
        for name in ("name", "street", "house_number", "postcode", "town", "country", "iban")
    },
    "league.Round.boot": IDS,
    "league.Sheet.chips": IDS,
    "league.TableCard.code": RANDOM,
    **dict.fromkeys((f"league.LargeFile.{name}" for name in ("kind", "form", "language", "fault")), CODE),
    "league.LargeFile.options": IDS,
    "league.Webhook.url": "the address of a program",
    "league.Webhook.events": CODE,
    "league.Webhook.secret": RANDOM,
    "league.Webhook.old_secret": RANDOM,
    "league.Delivery.subject": IDS,
    "league.Delivery.body": IDS,
    "league.Delivery.error": CODE,
    "games.Correction.before": IDS,
    "games.Correction.after": IDS,
    "games.Correction.details": IDS,
    "games.Happening.data": IDS,
    "games.Pencil.device": RANDOM,
    "games.Pencil.asked_device": RANDOM,
    "games.Revision.record": "a hand record: ids, cards and numbers that the engine accepted",
    "games.Revision.result": IDS,
    "games.Verified.subject": IDS,
    "games.Verified.state": RANDOM,
}
"""Text columns without choices that hold no free text, each with the reason."""


def text_columns(model_classes: Iterable[type[models.Model]]) -> set[str]:
    """The columns of these models that can hold any text."""
    return {
        f"{model._meta.label}.{field.name}"
        for model in model_classes
        for field in model._meta.fields
        if isinstance(field, models.CharField | models.TextField | models.JSONField) and not field.choices
    }


def our_models() -> list[type[models.Model]]:
    return [model for model in apps.get_models() if model._meta.app_label in ("league", "games")]


def declared() -> set[str]:
    return {f"{column.model._meta.label}.{column.field}" for column in free_text.COLUMNS}


def unknown(columns: set[str]) -> set[str]:
    """The columns that are neither declared as free text nor excused."""
    return columns - declared() - EXCUSED.keys()


def test_every_text_column_is_declared_as_free_text_or_excused():
    assert unknown(text_columns(our_models())) == set()


def test_no_column_is_both_and_each_exists():
    assert declared() & EXCUSED.keys() == set()
    assert (declared() | EXCUSED.keys()) - text_columns(our_models()) == set()


@pytest.mark.parametrize("column", ["league.Posting.reason", "games.Dispute.text", "league.Invitation.note"])
def test_a_column_that_is_not_declared_is_found(monkeypatch: pytest.MonkeyPatch, column: str):
    rest = [declared for declared in free_text.COLUMNS if f"{declared.model._meta.label}.{declared.field}" != column]
    monkeypatch.setattr(free_text, "COLUMNS", rest)
    assert unknown(text_columns(our_models())) == {column}


def test_the_paths_to_club_and_author_lead_there():
    for column in free_text.COLUMNS:
        rows = column.model._default_manager.values(column.field, column.club, column.author)
        assert str(rows.query), column
    assert any(column.model is AuditEntry and column.own for column in free_text.COLUMNS)


def test_visitors_read_no_free_text_and_people_of_the_club_read_all():
    club = Club(pk=1, name="Rössli")
    assert Names(club, member=True).free_text("It was Anna") == "It was Anna"
    assert Names(club, member=False).free_text("It was Anna") == ""


ADDRESSES = (
    "hand-history",
    "evening-corrections",
    "api-hand",
    "api-hands",
    "api-hand-history",
    "api-evening-corrections",
)
"""The pages and API operations for visitors that show a reason to people of the club."""


def reasons_read_by_a_visitor(table: Table) -> set[str]:
    """Visit all addresses, and return those whose answer contains the reason."""
    names = set()
    for name in ADDRESSES:
        kind = {"evening": table.evening_id} if "evening" in name else {"table": table.pk}
        number = {"number": 2} if name in ("hand-history", "api-hand", "api-hand-history") else {}
        answer = Client().get(reverse(name, kwargs={"club": table.evening.club.slug, **kind, **number}))
        assert answer.status_code == 200, name
        if REASON in answer.content.decode():
            names.add(name)
    return names


@pytest.mark.django_db
def test_without_the_one_function_visitors_read_free_text_everywhere(monkeypatch: pytest.MonkeyPatch):
    home = house("roessli")
    table = create_table(club=home.club, season=home.season, author=home.recorder)
    for record in (MADE, FAILED):
        enter(table, record, author=home.recorder)
    correct(table=table, edit=TakeOut(number=1), author=home.recorder, key=uuid.uuid4(), reason=REASON)
    assert reasons_read_by_a_visitor(table) == set()
    monkeypatch.setattr(Names, "free_text", lambda self, text: text)
    assert reasons_read_by_a_visitor(table) == set(ADDRESSES)
