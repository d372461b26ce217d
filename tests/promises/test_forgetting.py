"""P13: the personal data export is complete; forgetting leaves no personal value and changes no balance."""

from __future__ import annotations

import io
import json
import logging
import zipfile
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone, translation

from games.closing.receipt_views import receipt_view_of
from games.closing.receipts import is_sealed, readable
from games.integrity import closings
from games.integrity.verify import differences
from games.models import Seat
from league import ledger
from league.accounts.invitations import invitation_create
from league.audit import sentences
from league.errors import Refused
from league.models import (
    Account,
    AuditEntry,
    EveningScore,
    FormerName,
    ImportColumns,
    Invitation,
    LargeFile,
    Player,
    Receipt,
    Role,
    Standing,
    Transfer,
    Upload,
    User,
    Webhook,
)
from league.privacy import forgetting, free_text, personal_data_export
from league.roster.merging import players_merge
from league.roster.services import player_change
from league.standings import counting
from league.triggers import FREE_TEXT, LEAGUE_APPEND_ONLY, drop
from tests.cast import House, house
from tests.factories import PlayerFactory
from tests.promises.canary import MARK, Canary, create_canary, places_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def home() -> House:
    return house("roessli")


@pytest.fixture
def canary(home: House) -> Canary:
    return create_canary(home)


def money(canary: Canary) -> dict[str, Any]:
    """Return all computed amounts: balances, evening scores, standings, and every transfer."""
    count = {"id", "season", "player"}
    return {
        "balances": {account.pk: ledger.balance(account.pk) for account in Account.objects.all()},
        "transfers": list(Transfer.objects.order_by("pk").values_list()),
        **{
            model.__name__: sorted(
                (row["player_id"], *sorted((k, str(v)) for k, v in row.items() if k not in count))
                for row in model.objects.values()
            )
            for model in (Standing, EveningScore)
        },
    }


@pytest.mark.both_databases
def test_every_private_field_holds_a_canary(canary):
    tables = {place.partition(".")[0] for place in places_with()}
    assert tables >= {
        *(
            "league_user",
            "league_player",
            "league_formername",
            "league_receiptname",
            "league_apitoken",
            "league_invitation",
        ),
        *("league_closing", "league_auditentry", "games_correction", "games_dispute", "account_emailaddress"),
        *("django_admin_log", "league_tournament", "league_sheet"),
    }
    assert "games_revision" in tables or "league_posting" in tables
    assert {"league_entrant.labels", "league_entrant.team"} <= set(places_with())
    assert not any(place.startswith("league_receipt.") for place in places_with()), "a seal holds no name"


@pytest.mark.both_databases
def test_nothing_is_left_of_a_person_and_no_balance_changes(canary, caplog):
    before, rows = money(canary), Transfer.objects.count()
    with caplog.at_level(logging.DEBUG):
        forgetting.person_forget(user=canary.user, actor=canary.user)
    assert places_with() == []
    assert not [record for record in caplog.records if MARK in repr(vars(record)).casefold()]
    assert money(canary) == before
    assert Transfer.objects.count() == rows
    while counting.count_season(canary.season.pk):
        pass
    assert list(differences([canary.season])) == []
    assert list(closings.differences(canary.season)) == []
    assert list(closings.chain_differences(canary.club)) == []


@pytest.mark.both_databases
def test_a_player_without_an_account_is_forgotten(canary, home):
    Player.objects.filter(pk=canary.player.pk).update(user=None)
    before = money(canary)
    forgetting.player_forget(player=Player.objects.get(pk=canary.player.pk), actor=home.owner)
    left = {place for place in places_with() if not place.startswith(("league_user", "account_", "league_apitoken"))}
    # Data of the account alone stays: its API keys, its mail address, its devices, its free text.
    about_the_account = {"league_auditentry.token", "league_closing.reason", "league_invitation.note"}
    about_the_account |= {"league_pushdevice.endpoint", "league_pushdevice.auth"}
    assert left <= about_the_account | {"games_dispute.text", "django_admin_log.object_repr", "league_posting.reason"}
    assert money(canary) == before
    forgotten = Player.objects.get(pk=canary.player.pk)
    assert forgotten.nickname == f"№ {forgotten.pk}"
    assert not forgotten.active
    assert AuditEntry.objects.filter(what="player_forgotten", about=f"player:{forgotten.pk}").count() == 1


@pytest.mark.both_databases
@pytest.mark.parametrize("left_out", ["receipts", "former names", "words", "entrants", "admin", "what is its own"])
def test_each_step_is_needed(canary, monkeypatch, left_out):
    """Without one of the steps, the search finds a canary."""
    step = {
        "receipts": (forgetting.ReceiptName.objects, "filter", lambda **_: forgetting.ReceiptName.objects.none()),
        "former names": (forgetting.FormerName.objects, "filter", lambda **_: forgetting.FormerName.objects.none()),
        "entrants": (forgetting.entrant_texts, "empty", lambda **_: None),
        "words": (free_text, "empty_texts", lambda **_: 0),
        "admin": (forgetting, "_empty_admin_log", lambda *_: None),
        "what is its own": (forgetting, "_delete_owned_rows", lambda *_: None),
    }[left_out]
    monkeypatch.setattr(*step)
    forgetting.person_forget(user=canary.user, actor=None)
    monkeypatch.undo()
    assert places_with() != []


@pytest.mark.both_databases
def test_receipts_stay_valid_and_readable(canary):
    receipts = list(Receipt.objects.order_by("number"))
    digests = [receipt.digest for receipt in receipts]
    forgetting.person_forget(user=canary.user, actor=None)
    for receipt, digest in zip(receipts, digests, strict=True):
        receipt.refresh_from_db()
        assert receipt.digest == digest
        assert is_sealed(receipt)
        content = readable(receipt)
        assert content["players"][str(canary.player.pk)] == f"№ {canary.player.pk}"
        shown = receipt_view_of(content, canary.player.pk, all_money=False, currency="CHF")
        assert shown.sum_minor == receipt.content["sums"].get(f"p{canary.player.pk}", 0)


@pytest.mark.both_databases
def test_a_name_added_to_a_receipt_breaks_its_seal(canary):
    receipt = Receipt.objects.order_by("-number")[0]
    receipt.names.update(name="Somebody else")
    assert not is_sealed(receipt)


@pytest.mark.both_databases
def test_free_text_about_other_people_stays(canary):
    with connection.cursor() as cursor:
        drop(connection, ("league_closing",))
        cursor.execute("UPDATE league_closing SET reason = 'Vogelzqxjvken are birds' WHERE reason <> ''")
    forgetting.person_forget(user=canary.user, actor=None)
    assert places_with() == ["league_closing.reason"]


@pytest.mark.both_databases
@pytest.mark.parametrize("former", ["nickname", "pseudonym"])
def test_free_text_with_a_former_name_is_emptied(home, former):
    player = PlayerFactory(club=home.club, nickname="Quendolin", pseudonym="Herz Neun", publicity="pseudonym")
    text = "Herz neun hatte verwechselt" if former == "pseudonym" else "Quendolin hatte verwechselt"
    invitation_create(club=home.club, author=home.owner, note=text)
    player_change(player=player, actor=None, changes={"nickname": "Dolin", "pseudonym": "Dame"})
    kept = invitation_create(club=home.club, author=home.owner, note="Quendel").invitation
    forgetting.player_forget(player=player, actor=None)
    assert list(Invitation.objects.exclude(note="")) == [kept]
    assert not FormerName.objects.exists()


@pytest.mark.both_databases
def test_each_former_name_is_stored_once(home):
    player = PlayerFactory(club=home.club, nickname="Anna")
    player.active = False
    player.save()
    assert not FormerName.objects.exists()
    for name in ("Aenni", "Anna", "Änni"):
        player_change(player=player, actor=None, changes={"nickname": name})
    assert sorted(player.former_names.values_list("name", flat=True)) == ["Aenni", "Anna"]


@pytest.mark.parametrize(
    ("text", "mentioned"),
    [
        *(
            (text, True)
            for text in ("Wendelins Karte", "WENDELIN’S Karte", "wendelin's", "Wendelines", "Wendelin' Karte")
        ),
        *((text, False) for text in ("Wendelinski", "Schwendelin", "Wendelinsee", "Wendel")),
    ],
)
def test_a_name_is_found_in_its_genitive(text, mentioned):
    assert free_text.mentions(text, {"Wendelin"}) is mentioned


def test_the_last_owner_cannot_be_forgotten(home):
    with pytest.raises(Refused) as refused:
        forgetting.person_forget(user=home.owner, actor=home.owner)
    assert refused.value.status == 409
    assert User.objects.get(pk=home.owner.pk).email == home.owner.email
    home.treasurer.memberships.update(role=Role.OWNER)
    gone = forgetting.person_forget(user=home.owner, actor=home.owner)
    assert gone.forgotten
    assert home.owner.email not in str(gone)


def test_a_forgotten_user_is_signed_out_and_cannot_sign_in(canary):
    client = Client()
    client.force_login(canary.user)
    assert client.get("/account/").status_code == 200
    forgetting.person_forget(user=canary.user, actor=None)
    assert client.get("/account/").status_code == 302
    assert not User.objects.get(pk=canary.user.pk).has_usable_password()


def test_every_free_text_column_is_declared():
    known = {(column.model._meta.db_table, column.field) for column in free_text.COLUMNS}
    assert {(table, word) for table, fields in FREE_TEXT.items() for word in fields} <= known
    assert set(FREE_TEXT) >= {column.model._meta.db_table for column in free_text.COLUMNS} & set(LEAGUE_APPEND_ONLY)


# --- The personal data export -------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_the_export_has_all_stored_data_of_the_person(canary):
    packed = zipfile.ZipFile(io.BytesIO(b"".join(personal_data_export.archive(canary.user))))
    assert packed.testzip() is None
    text = packed.read("data.json").decode()
    data = json.loads(text)
    for word in ("mail@example.org", "Kana", "Rien", "Huhn", "Vogel", "Spatz", "key", "text"):
        assert word in text, word
    assert f"Firefox {MARK}agent" in text or data["sessions"] == []
    seats = Seat.objects.filter(player=canary.player).count()
    assert len(data["hands"]) == seats > 0
    assert sum(row["change_minor"] for row in data["results"]) == ledger.balance(canary.player.account.pk)
    assert all(data[kind] for kind in ("payments", "receipts", "log", "disputes", "keys", "memberships"))
    assert set(packed.namelist()) == {"data.json", *(f"{part.name}.csv" for part in personal_data_export.PARTS)}
    for part in personal_data_export.PARTS:
        lines = packed.read(f"{part.name}.csv").decode().splitlines()
        assert lines[0] == ",".join(part.columns)


ELSEWHERE = {
    "league.User_groups.user": "what the admin allows is nobody's data; no right in a club comes from it",
    "league.User_user_permissions.user": "as the groups",
    "league.Submission.author": "a request's number; what it stored is in the other parts",
    "league.Account.player": "a number for transfers, which are in it",
    "league.TableCard.user": "an account of a table, with which nobody signs in",
    "league.Standing.player": "counted from results, which are in it",
    "league.EveningScore.player": "counted from results, which are in it",
    "league.TeamShare.player": "counted from results and teams, which are in it",
    "league.DecisionCount.player": "counted from results, which are in it",
    "league.Feat.player": "counted from results, which are in it",
    "league.Rating.player": "counted from results, which are in it",
    "games.Table.first_dealer": "whose deal it was, by the hands, which are in it",
    "games.Table.dealer": "whose deal it is, by the hands, which are in it",
}


def relations() -> set[str]:
    """Return every column that refers to an account or a player."""
    fields = [field for model in (User, Player) for field in model._meta.get_fields(include_hidden=True)]
    related = (field for field in fields if field.auto_created and field.is_relation and not field.concrete)
    return {f"{field.related_model._meta.label}.{field.field.name}" for field in related}


def looked_for(user: User) -> set[str]:
    """Return the columns by which the parts of the export select their rows."""
    columns = set()
    for part in personal_data_export.PARTS:
        rows = part.rows(user)
        where = str(rows.query).partition(" WHERE ")[2]
        for field in rows.model._meta.fields:
            if f'"{rows.model._meta.db_table}"."{field.column}"' in where:
                columns.add(f"{rows.model._meta.label}.{field.name}")
    return columns


def test_every_reference_to_a_person_is_exported_or_excused(home):
    assert relations() - looked_for(home.member) == set(ELSEWHERE)


@pytest.mark.both_databases
def test_the_export_has_ones_own_entries_without_free_text_of_others(canary, home):
    player, other = PlayerFactory(club=home.club), PlayerFactory(club=home.club, user=home.member)
    players_merge(club=home.club, player=player, main=other, reason="Said by the owner", actor=home.owner)
    invitation_create(club=home.club, author=home.owner, note="For the recorder")
    Invitation.objects.update(used_by=home.member)
    Webhook.objects.create(club=home.club, url="https://example.org/webhook", secret="s3cr3t" * 6, author=home.owner)
    people = (home.owner, home.member, home.recorder)
    files = [
        zipfile.ZipFile(io.BytesIO(b"".join(personal_data_export.archive(each)))).read("data.json").decode()
        for each in people
    ]
    owner, member, recorder = (json.loads(text) for text in files)
    assert [row["reason"] for row in owner["merges"]] == ["Said by the owner"]
    assert "For the recorder" in [row["note"] for row in owner["invitations"]]
    assert [row["url"] for row in owner["webhooks"]] == ["https://example.org/webhook"]
    assert [row["kind"] for row in owner["closings"]] == ["reopened"]
    assert {row["note"] for row in member["invitations"]} == {row["reason"] for row in member["merges"]} == {""}
    assert "Said by the owner" not in files[1]
    assert "s3cr3t" not in files[0]
    assert all(recorder[kind] for kind in ("closings", "postings", "corrections", "evenings_opened"))
    assert any(row["reason"] for row in recorder["postings"])


def test_the_export_has_no_data_of_others(canary, home):
    text = (
        zipfile.ZipFile(io.BytesIO(b"".join(personal_data_export.archive(home.treasurer)))).read("data.json").decode()
    )
    assert MARK not in text
    assert "Anna" not in text


def test_a_download_of_the_export_is_logged(canary):
    client = Client()
    client.force_login(canary.user)
    answer = client.get("/account/data/file/")
    assert answer["Content-Type"] == "application/zip"
    assert zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))).namelist()
    entry = AuditEntry.objects.get(what="exported", actor=canary.user, about=f"user:{canary.user.pk}")
    with translation.override("en"):
        assert sentences.lines_of([entry])[0].sentence.endswith(" downloaded their own data.")


def three_merged_players(home: House) -> tuple[Player, list[Player]]:
    """Merge a member's player and another one into a third."""
    main = PlayerFactory(club=home.club)
    own, other = PlayerFactory(club=home.club, user=home.member), PlayerFactory(club=home.club)
    for player in (own, other):
        players_merge(club=home.club, player=player, main=main, reason="the same", actor=None)
    return own, [main, own, other]


@pytest.mark.both_databases
def test_files_that_may_name_an_account_without_a_player_are_removed(home):
    """A treasurer who never plays is named in files all the same."""
    other = house("sternen")
    for each in (home, other):
        made = {"club": each.club, "season": each.season, "kind": "sheet", "rows": []}
        Upload.objects.create(author=each.owner, **made)
        ImportColumns.objects.create(club=each.club, kind="sheet", heading="", columns={})
        ImportColumns.objects.create(club=each.club, kind="totals", heading="0" * 64, columns={})
        about = {"kind": "ledger", "subject": each.club.pk, "form": "csv", "rows": 1, "expires_at": timezone.now()}
        LargeFile.objects.create(club=each.club, asker=each.owner, **about)
    assert not Player.objects.filter(user=home.treasurer).exists()
    forgetting.person_forget(user=home.treasurer, actor=home.treasurer)
    for model in (Upload, LargeFile):
        assert [row.club for row in model.objects.all()] == [other.club]
    columns = ImportColumns.objects.order_by("pk").values_list("club", "kind")
    assert list(columns) == [(home.club.pk, "totals"), (other.club.pk, "sheet"), (other.club.pk, "totals")]


def test_merged_players_are_exported_and_forgotten_together(home):
    _own, all_three = three_merged_players(home)
    text = zipfile.ZipFile(io.BytesIO(b"".join(personal_data_export.archive(home.member)))).read("data.json").decode()
    assert {player["id"] for player in json.loads(text)["players"]} == {player.pk for player in all_three}
    forgetting.person_forget(user=home.member, actor=home.member)
    assert Player.objects.filter(pk__in=[player.pk for player in all_three], anonymised_at=None).count() == 0
    assert AuditEntry.objects.filter(what="player_forgotten").count() == 3


def test_two_accounts_of_one_person_are_forgotten_once(home):
    _own, [_main, _first, other] = three_merged_players(home)
    Player.objects.filter(pk=other.pk).update(user=home.member)
    forgetting.person_forget(user=home.member, actor=home.member)
    assert AuditEntry.objects.filter(what="player_forgotten").count() == 3


@pytest.mark.both_databases
def test_data_of_another_account_is_neither_shown_nor_exported_nor_forgotten(home):
    own, [main, _own, other] = three_merged_players(home)
    Player.objects.filter(pk=main.pk).update(user=home.recorder)
    client = Client()
    client.force_login(home.member)
    page = client.get("/account/forget/").content.decode()
    assert own.nickname in page
    assert other.nickname in page
    assert main.nickname not in page
    text = zipfile.ZipFile(io.BytesIO(b"".join(personal_data_export.archive(home.member)))).read("data.json").decode()
    assert {player["id"] for player in json.loads(text)["players"]} == {own.pk, other.pk}
    forgetting.person_forget(user=home.member, actor=home.member)
    assert list(Player.objects.filter(anonymised_at=None, club=home.club)) == [main]


def test_the_page_before_it_has_as_many_queries_for_one_player_as_for_many(home, django_assert_max_num_queries):
    client, counts = Client(), []
    client.force_login(home.member)
    for _ in range(2):
        three_merged_players(home)
        client.get("/account/data/")
        with django_assert_max_num_queries(20) as queries:
            client.get("/account/forget/")
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_the_number_of_queries_does_not_grow(canary, django_assert_max_num_queries):
    with django_assert_max_num_queries(len(personal_data_export.PARTS) * 3):
        b"".join(personal_data_export.archive(canary.user))
