"""P7: a worker that is killed anywhere in any kind of job loses nothing, and the next one does the work.

`WORKER_KILLS` changes how often a worker is killed.
"""

from __future__ import annotations

import math
import os
import random
import re
import signal
import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from games.closing.services import evening_close
from games.integrity import verify
from league.accounts.invitations import invitation_create
from league.chances import services as chances
from league.config.celery import app
from league.large_files.services import LEASE, file_ask
from league.luck import tasks as luck
from league.models import (
    Club,
    Delivery,
    Evening,
    EveningFacts,
    EveningToTell,
    Heartbeat,
    Invitation,
    KeptAnswer,
    LargeFile,
    LuckOfEvening,
    LuckToCount,
    MessageChoice,
    Player,
    PlayerMessage,
    Role,
    Season,
    SeasonChances,
    SeasonCount,
    Webhook,
)
from league.player_messages import push_devices
from league.player_messages.choices import choice_set
from league.player_messages.push_devices import Owner, Subscription
from league.standings.counting import count_season
from tests.cast import House, cast
from tests.factories import FAILED, MADE, ClubFactory, PlayerFactory, create_table, enter
from tests.league import webhook_receiver as receivers
from tests.league.push_service import PushService, push_service
from tests.sizes import sized

from .dying_worker import wait_for, workers_in

pytestmark = [pytest.mark.rest, pytest.mark.needs_redis, pytest.mark.django_db(transaction=True)]

KILLS = int(os.environ.get("WORKER_KILLS", sized("24", "36")))
MOST_STATEMENTS = 100
MESSAGE_STATEMENTS = 60
PUSH_STATEMENTS = 80
"""A job has 2 to 94."""
SOON = 60.0
"""A generous limit: other tests may use both cores."""
OLD = timedelta(days=400)
OF_A_SEASON = ("league.standings.tasks.season_count", chances.TASK)


@dataclass(frozen=True)
class Job:
    """A kind of job: its task, the table before whose first write the worker is killed, what makes it due, and whether
    it is done."""

    task: str
    table: str
    prepare: Callable[[House], Any]
    done: Callable[[House], bool]


def later_hand(home: House) -> None:
    enter(create_table(season=home.season, club=home.club, held_on=timezone.localdate()), MADE)


def is_counted(home: House) -> bool:
    mark = Season.objects.get(pk=home.season.pk).ledger_mark
    return SeasonCount.objects.filter(season=home.season, counted_mark=mark).exists()


def facts_are_counted(home: House) -> bool:
    evenings = home.season.evenings.count()
    return is_counted(home) and EveningFacts.objects.filter(season=home.season).count() == evenings


def counted_five(home: House) -> None:
    for back in (35, 28, 21, 14, 7):
        table = create_table(season=home.season, club=home.club, held_on=timezone.localdate() - timedelta(days=back))
        for record in (MADE, MADE, FAILED):
            enter(table, record)
    Season.objects.filter(pk=home.season.pk).update(planned_evenings=7)
    count_season(home.season.pk)


def file_of_hands(home: House) -> None:
    later_hand(home)
    about: dict[str, Any] = {"kind": "results", "subject": home.season.pk, "form": "xlsx", "options": {}}
    file_ask(club=home.club, asker=home.owner, language="en", **about)


def message(home: House) -> None:
    receivers.webhook_at(home, home.club.place, ["hand.stored"])
    later_hand(home)


def result_of_an_evening(home: House) -> None:
    """Two players want the result of an evening that is final."""
    table = create_table(season=home.season, club=home.club, held_on=timezone.localdate())
    enter(table, MADE)
    evening_close(evening=table.evening, author=None, key=uuid.uuid4())
    Evening.objects.update(final_at=timezone.now())
    count_season(home.season.pk)
    seated = Player.objects.filter(club=home.club, nickname__in=("Anna", "Beni"))
    for player, user in zip(seated, (home.member, home.recorder), strict=True):
        Player.objects.filter(pk=player.pk).update(user=user)
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        choice_set(player=player, user=user, results=True, reminders=False)
    MessageChoice.objects.update(results_since=timezone.now() - OLD)


def final_evening(home: House) -> None:
    """An evening is final, and its luck is not counted."""
    table = create_table(season=home.season, club=home.club, held_on=timezone.localdate())
    for record in (MADE, FAILED, MADE):
        enter(table, record)
    evening_close(evening=table.evening, author=None, key=uuid.uuid4())
    Evening.objects.update(final_at=timezone.now())
    count_season(home.season.pk)


def luck_is_counted(home: House) -> bool:
    return LuckOfEvening.objects.filter(club=home.club).exists() and not LuckToCount.objects.exists()


def results_were_sent(home: House) -> bool:
    return PlayerMessage.objects.filter(state="sent").count() == 2


def old_answers(home: House) -> None:
    KeptAnswer.objects.create(digest="0" * 64, fingerprint="0" * 64)
    KeptAnswer.objects.update(created_at=timezone.now() - OLD)


def old_invitation(home: House) -> None:
    invitation_create(club=home.club, author=home.owner, role=Role.MEMBER)
    Invitation.objects.update(expires_at=timezone.now() - OLD)


def old_messages(home: House) -> None:
    message(home)
    Delivery.objects.update(created_at=timezone.now() - OLD, next_at=None)


def old_files(home: House) -> None:
    file_of_hands(home)
    LargeFile.objects.update(expires_at=timezone.now() - OLD)


def old_people(home: House) -> None:
    type(home.club).objects.filter(pk=home.club.pk).update(forget_after_months=1)
    for player in PlayerFactory.create_batch(2, club=home.club, active=False):
        Player.objects.filter(pk=player.pk).update(created_at=timezone.now() - OLD)


def old_practice_club(home: House) -> None:
    ClubFactory(visibility="private", practice_until=timezone.localdate())


def none_left_to_practise(home: House) -> bool:
    return not Club.objects.filter(practice_until__isnull=False).exists()


def has_chances(home: House) -> bool:
    return SeasonChances.objects.filter(season=home.season).exists()


def file_is_ready(home: House) -> bool:
    return LargeFile.objects.filter(state="ready").exists()


def message_arrived(home: House) -> bool:
    return not Delivery.objects.filter(delivered_at=None).exists()


def none_left(model: Any) -> Callable[[House], bool]:
    return lambda home: not model.objects.exists()


def people_are_forgotten(home: House) -> bool:
    return not Player.objects.filter(club=home.club, active=False, anonymised_at=None).exists()


JOBS = {
    "a count of a season": Job("league.standings.tasks.season_count", "league_standing", later_hand, is_counted),
    "the facts of its hands": Job(
        "league.standings.tasks.season_count", "league_eveningfacts", later_hand, facts_are_counted
    ),
    "the sweep": Job("league.jobs.tasks.sweep", "league_seasoncount", later_hand, is_counted),
    "chances": Job(chances.TASK, "league_seasonchances", counted_five, has_chances),
    "luck": Job(luck.TASK, "league_luckofevening", final_evening, luck_is_counted),
    "a large file": Job("league.large_files.tasks.make", "league_largefilepart", file_of_hands, file_is_ready),
    "a message": Job("league.webhooks.tasks.send", "league_delivery", message, message_arrived),
    "messages to players": Job(
        "league.player_messages.tasks.send", "league_playermessage", result_of_an_evening, results_were_sent
    ),
    "old answers": Job("league.api.tasks.tidy", "league_keptanswer", old_answers, none_left(KeptAnswer)),
    "old messages": Job("league.webhooks.tasks.tidy", "league_delivery", old_messages, none_left(Delivery)),
    "old files": Job("league.large_files.tasks.tidy", "league_largefile", old_files, none_left(LargeFile)),
    "people to forget": Job("league.privacy.tasks.tidy", "league_player", old_people, people_are_forgotten),
    "practice clubs": Job("league.club_admin.tasks.tidy", "league_club", old_practice_club, none_left_to_practise),
    "old invitations": Job("league.privacy.tasks.tidy", "league_invitation", old_invitation, none_left(Invitation)),
}


def leases_are_over() -> None:
    past = timezone.now() - LEASE
    LargeFile.objects.filter(state="making").update(lease_until=past)
    Heartbeat.objects.filter(busy_until__isnull=False).update(busy_until=past)
    Webhook.objects.filter(busy_until__isnull=False).update(busy_until=past)
    Webhook.objects.update(retry_at=None)
    Delivery.objects.filter(next_at__isnull=False).update(next_at=past)
    EveningToTell.objects.update(busy_until=None)
    PlayerMessage.objects.filter(next_at__isnull=False).update(next_at=past)


def test_every_task_of_the_product_is_killed_here() -> None:
    app.loader.import_default_modules()
    product = {name for name in app.tasks if name.startswith(("league.", "games."))}
    assert product == {job.task for job in JOBS.values()}


def check_killed(name: str, before: str | int, folder: Path, settings: Any, *, unchanged: bool = False) -> None:
    """Kill a worker in the job before a write to a table, or before a statement; the next worker does the work once.
    `unchanged`: it was killed before anything was done."""
    settings.WEBHOOKS_PRIVATE = settings.WEBHOOKS_HTTP = True
    job, home = JOBS[name], cast().home
    with receivers.receiver() as there, workers_in(folder) as worker:
        home.club.place = there.url
        job.prepare(home)
        # What the preparation woke would do the work before the job that is killed.
        app.control.purge()
        assert not job.done(home)
        args = [home.season.pk] if job.task in OF_A_SEASON else []
        dying = worker(dies=(job.task, before))
        app.send_task(job.task, args=args)
        wait_for(lambda: not dying.is_alive(), SOON, "the worker dies", folder)
        assert dying.exitcode == -signal.SIGKILL
        assert not (unchanged and job.done(home)), "the worker was killed too late"
        leases_are_over()
        worker()
        app.send_task(job.task, args=args)
        wait_for(lambda: job.done(home), SOON, f"the next worker does {name}", folder)
        assert len({got.delivery for got in there.got}) <= 1
    assert list(verify.differences()) == []


@pytest.mark.parametrize("name", JOBS)
def test_a_worker_killed_in_the_middle_leaves_the_work_to_the_next(
    name: str, transactional_db: None, tmp_path: Path, settings: Any
) -> None:
    check_killed(name, JOBS[name].table, tmp_path, settings, unchanged=True)


@pytest.mark.parametrize("nth", range(1, math.ceil(KILLS / len(JOBS))))
@pytest.mark.parametrize("name", JOBS)
def test_a_worker_killed_before_any_statement_leaves_the_work_to_the_next(
    name: str, nth: int, transactional_db: None, tmp_path: Path, settings: Any
) -> None:
    """Before the first ones more often, for jobs with few; after the last one if the job has fewer."""
    statement = int(MOST_STATEMENTS ** random.Random(f"{name} {nth}").random())
    check_killed(name, statement, tmp_path, settings)


class AtOnce(threading.Thread):
    """A thread that runs at its start: the task ends after it, so that all its statements are counted."""

    def start(self) -> None:
        self.run()


@pytest.mark.parametrize("statement", range(16, MESSAGE_STATEMENTS, 6))
def test_a_worker_killed_anywhere_sends_each_player_the_message(
    statement: int, transactional_db: None, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None is lost. Only the mail that the mail server had taken, and whose row was not marked yet, may come again,
    with the same Message-ID."""
    monkeypatch.setattr("league.player_messages.tasks.threading", SimpleNamespace(Thread=AtOnce))
    letters = tmp_path / "letters"
    settings.EMAIL_BACKEND, settings.EMAIL_FILE_PATH = "django.core.mail.backends.filebased.EmailBackend", letters
    check_killed("messages to players", statement, tmp_path, settings)
    text = "".join(path.read_text() for path in letters.iterdir())
    ids = re.findall(r"(?m)^Message-ID: (.+)$", text)
    assert len(set(ids)) == 2
    assert len(ids) <= 3


def results_by_push(home: House, service: PushService) -> None:
    """Two players want the result of an evening by push, each on a device."""
    result_of_an_evening(home)
    MessageChoice.objects.update(way=MessageChoice.Way.PUSH)
    for choice in MessageChoice.objects.select_related("user"):
        push_devices.device_on(Owner(choice.user, None), Subscription(**service.phone().fields), "Firefox")


@pytest.mark.parametrize("statement", range(16, PUSH_STATEMENTS, 8))
def test_a_worker_killed_anywhere_sends_each_device_the_push(
    statement: int, transactional_db: None, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None is lost. Only the push that its push service had taken, and whose row was not stored yet, may come again,
    with the same tag."""
    monkeypatch.setattr("league.player_messages.tasks.threading", SimpleNamespace(Thread=AtOnce))
    settings.PUSH_PRIVATE, job = True, JOBS["messages to players"]
    with push_service() as service:
        prepare = partial(results_by_push, service=service)
        monkeypatch.setitem(JOBS, "messages by push", replace(job, prepare=prepare))
        check_killed("messages by push", statement, tmp_path, settings)
        tags = [[got["tag"] for got in phone.got] for phone in service.phones.values()]
    assert [len(set(each)) for each in tags] == [1, 1]
    assert sum(map(len, tags)) <= 3
