"""Somebody who was forgotten is forgotten again after an older backup is restored: by a list outside the database."""

from __future__ import annotations

import contextlib
import io
import shutil
import sqlite3
import tarfile
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from league.models import Membership, Player, Role, User
from league.privacy import forgetting, forgotten_list
from league.privacy.tasks import tidy
from tests.cast import House, house
from tests.factories import PlayerFactory
from tests.promises.canary import MARK, Canary, create_canary, places_with


@pytest.fixture
def listed(tmp_path: Path, settings: Any) -> Path:
    settings.FORGOTTEN_FILE = tmp_path / "data" / "forgotten"
    return tmp_path / "data" / "forgotten"


@pytest.fixture
def home(transactional_db: None) -> House:
    return house("roessli")


def ran(name: str, *args: str) -> str:
    out = io.StringIO()
    call_command(name, *args, stdout=out, stderr=out)
    return out.getvalue()


def verified() -> str:
    """What `verify` prints."""
    out = io.StringIO()
    with contextlib.suppress(SystemExit):
        call_command("verify", stdout=out, stderr=out)
    return out.getvalue()


@pytest.mark.needs_sqlite
def test_an_older_backup_is_restored_and_nothing_of_the_person_is_left(home, listed, tmp_path) -> None:
    canary: Canary = create_canary(home)
    guest = PlayerFactory(club=home.club, nickname=f"{MARK} guest", guest=True)
    ran("backup", str(tmp_path / "older"))
    forgetting.person_forget(user=canary.user, actor=None)
    forgetting.player_forget(player=guest, actor=None)
    assert MARK not in listed.read_text().casefold()
    assert oct(listed.stat().st_mode & 0o777) == "0o600"
    shutil.copy(listed, tmp_path / "list of that machine")
    connection.ensure_connection()
    with tarfile.open(tmp_path / "older.tar") as archive:
        copied = archive.extractfile("league.sqlite3")
        assert copied
        (tmp_path / "league.sqlite3").write_bytes(copied.read())
    with closing(sqlite3.connect(tmp_path / "league.sqlite3")) as older:
        older.backup(connection.connection)
    assert places_with()
    assert "run `manage.py forget_again`" in verified()

    # On a new machine: its own list is empty.
    listed.unlink()
    assert "Forgotten again: 1 accounts" in ran("forget_again", str(tmp_path / "list of that machine"))
    assert places_with() == []
    assert "forget_again" not in verified()
    assert set(forgotten_list.read(listed)) >= set(forgotten_list.read(tmp_path / "list of that machine"))
    assert "Forgotten again: 0 accounts with their players, and 0 other" in ran("forget_again")


def restored(player: Player, **values: Any) -> None:
    """Set the row as it was before, as an older backup does."""
    names = ("nickname", "user", "active", "anonymised_at", "publicity", "created_at")
    old = {name: getattr(player, name) for name in names} | values
    Player.objects.filter(pk=player.pk).update(**old)


@pytest.mark.both_databases
def test_a_player_who_is_back_is_forgotten_again_and_another_with_this_id_is_not(home, listed) -> None:
    old = PlayerFactory(club=home.club, nickname="Xaver")
    forgetting.player_forget(player=Player.objects.get(pk=old.pk), actor=None)
    # After a restore the id was given to somebody else.
    restored(old, created_at=old.created_at + timedelta(microseconds=1))
    assert "0 other players" in ran("forget_again")
    assert Player.objects.get(pk=old.pk).nickname == "Xaver"
    restored(old)
    with pytest.raises(SystemExit, match="1"):
        ran("verify")
    assert f"player {old.pk} was forgotten" in verified()
    assert "1 other players" in ran("forget_again")
    assert Player.objects.get(pk=old.pk).nickname == f"№ {old.pk}"


@pytest.mark.both_databases
def test_the_last_owner_of_the_backup_is_forgotten_too_and_the_club_is_named(home, listed) -> None:
    other = User.objects.create_user("other@example.org")
    Membership.objects.create(club=home.club, user=other, role=Role.OWNER)
    email, owner = home.owner.email, home.owner
    forgetting.person_forget(user=owner, actor=None)
    User.objects.filter(pk=owner.pk).update(email=email, is_active=True)
    Membership.objects.filter(club=home.club, role=Role.OWNER).update(user=owner)
    assert f"The club {home.club.slug} has no owner now" in ran("forget_again")
    assert User.objects.get(pk=owner.pk).forgotten


def test_what_is_rolled_back_is_not_in_the_list_and_what_was_not_written_is_added(home, listed, monkeypatch) -> None:
    player = PlayerFactory(club=home.club)
    with transaction.atomic():
        forgetting.player_forget(player=player, actor=None)
        transaction.set_rollback(True)
    assert forgotten_list.read(listed) == []
    with monkeypatch.context() as patch:
        # The disk is full, or the process ends after the commit: the person is forgotten, and the page says so.
        patch.setattr(forgotten_list.os, "write", lambda *_more: (_ for _ in ()).throw(OSError("full")))
        forgetting.player_forget(player=Player.objects.get(pk=player.pk), actor=None)
    assert forgotten_list.read(listed) == []
    tidy()
    tidy()
    assert forgotten_list.read(listed) == [forgotten_list.line_of(player)]


def test_the_own_list_is_complete_after_the_list_of_another_machine(home, listed, tmp_path) -> None:
    """This machine gets the backup and the list of another one; some are forgotten in the backup already."""
    before, since = PlayerFactory(club=home.club, nickname="Xaver"), PlayerFactory(club=home.club, nickname="Yannick")
    for player in (before, since):
        forgetting.player_forget(player=Player.objects.get(pk=player.pk), actor=None)
    other = tmp_path / "of-another-machine"
    listed.rename(other)
    restored(since)
    assert "1 other players" in ran("forget_again", str(other))
    assert sorted(forgotten_list.read(listed), key=str) == sorted(forgotten_list.read(other), key=str)


def test_only_its_owner_may_read_the_list_also_where_others_could(listed) -> None:
    listed.parent.mkdir()
    listed.touch()
    listed.chmod(0o644)
    forgotten_list._append([forgotten_list.ForgottenRow("player", 8, "0" * 16)])
    assert oct(listed.stat().st_mode & 0o777) == "0o600"


def test_a_line_that_was_cut_off_spoils_no_other(listed) -> None:
    listed.parent.mkdir()
    listed.write_text("player 7 0123")
    forgotten_list._append([forgotten_list.ForgottenRow("player", 8, "0" * 16)])
    assert [line.id for line in forgotten_list.read(listed)] == [8]


@pytest.mark.django_db
def test_a_list_that_is_not_there_is_named(listed) -> None:
    with pytest.raises(CommandError, match="There is no file"):
        ran("forget_again", str(listed))
    assert "Forgotten again: 0" in ran("forget_again")
