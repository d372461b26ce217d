"""The alert rules and the Grafana board: each metric they name is exported, and each alert is fired by its fault alone.

The faults are made on the real service, and the real page is read; `tests/promql.py` evaluates the rules.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
import yaml
from celery import states
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.utils import timezone

from league.config.celery import app, wake
from league.config.health import HealthMiddleware
from league.jobs import tasks as jobs
from league.models import Balance, Delivery, Webhook
from league.monitoring import marks, task_counts
from league.standings import counting, seasons_to_count
from league.webhooks import queue as webhook_queue
from league.webhooks.sending import Sent
from tests import logging_task
from tests.factories import MADE, ClubFactory, create_table, enter
from tests.monitored import page
from tests.processes import PROJECT
from tests.promql import Evaluator, metrics_in

pytestmark = [pytest.mark.django_db, pytest.mark.needs_sqlite, pytest.mark.rest]

RULES = [
    rule
    for group in yaml.safe_load((PROJECT / "deploy/prometheus/alerts.yml").read_text())["groups"]
    for rule in group["rules"]
]
BOARD = json.loads((PROJECT / "deploy/grafana/chratzete.json").read_text())
QUERIES = [target["expr"] for panel in BOARD["panels"] for target in panel.get("targets", ())]


class Service:
    """The service, and the faults that can be made."""

    def __init__(self, client: Client, settings: Any, patch: pytest.MonkeyPatch, clock: time_machine.Traveller) -> None:
        self.client, self.settings, self.patch, self.clock = client, settings, patch, clock
        self.up = True
        self.scrape = lambda: page(client)
        for alive in (self.clock_sends, self.worker_sweeps, self.verifies, self.backs_up):
            alive()

    def clock_sends(self) -> None:
        marks.done(marks.CLOCK)

    def worker_sweeps(self) -> None:
        jobs.sweep()

    def verifies(self) -> None:
        marks.done(marks.VERIFY, 0)

    def backs_up(self) -> None:
        marks.done(marks.BACKUP, 1000)

    def later(self, seconds: float, *working: Callable[[], None]) -> None:
        """Let this time go by, in which only these parts work."""
        self.clock.shift(timedelta(seconds=seconds))
        for part in working:
            part()

    def answer(self, times: int, view: Callable[[HttpRequest], HttpResponse]) -> None:
        """Answer so many requests with this view."""
        self.patch.setitem(HealthMiddleware.checks, "/healthz", view)
        for _one in range(times):
            self.client.get("/healthz")


def nothing(service: Service) -> None:
    service.later(30, service.clock_sends, service.worker_sweeps)
    service.answer(100, lambda request: HttpResponse())


def web_is_dead(service: Service) -> None:
    service.up = False


def database_is_away(service: Service) -> None:
    def refuse(*args: Any) -> None:
        raise OperationalError("away")

    def scrape() -> Any:
        with connection.execute_wrapper(refuse):
            return page(service.client)

    service.later(1000)
    service.scrape = scrape


def redis_is_away(service: Service) -> None:
    service.settings.REDIS_URL = "redis://127.0.0.1:9/0"
    service.later(1000)


def requests_fail(service: Service) -> None:
    def fail(request: HttpRequest) -> HttpResponse:
        raise ZeroDivisionError

    service.client.raise_request_exception = False
    service.answer(3, fail)


def clock_is_dead(service: Service) -> None:
    service.later(100)


def worker_is_dead(service: Service) -> None:
    service.later(100, service.clock_sends)


def season_waits(service: Service) -> None:
    enter(create_table(), MADE)
    service.patch.setattr(seasons_to_count, "waiting_seasons", lambda: seasons_to_count.Season.every.none())
    service.later(400, service.clock_sends, service.worker_sweeps)


def count_fails(service: Service) -> None:
    def fail(season_id: int) -> bool:
        raise ZeroDivisionError

    enter(create_table(), MADE)
    service.patch.setattr(counting, "count_season", fail)
    for _one in range(2):
        service.later(400, service.clock_sends, service.worker_sweeps)


def special_worker_is_dead(service: Service) -> None:
    assert wake("league.api.tasks.tidy")
    service.later(700, service.clock_sends, service.worker_sweeps)


def task_fails(service: Service) -> None:
    # As a worker does, which would close the connection of this test.
    task_counts.count_task(task=logging_task.fail, state=states.FAILURE)


def values_differ(service: Service) -> None:
    enter(create_table(), MADE)
    service.worker_sweeps()
    Balance.objects.filter(balance_minor__gt=0).update(balance_minor=1)
    with pytest.raises(SystemExit):
        call_command("verify")


def verify_is_not_run(service: Service) -> None:
    service.later(37 * 3600, service.clock_sends, service.worker_sweeps, service.backs_up)


def backup_is_not_made(service: Service) -> None:
    service.later(37 * 3600, service.clock_sends, service.worker_sweeps, service.verifies)


def webhook_message() -> Delivery:
    webhook = Webhook.objects.create(club=ClubFactory(), url="https://receiver.example/", secret="s")
    message = webhook_queue.message(webhook.pk, Webhook.Event.PING, "club", "ping", {})
    message.save()
    return message


def senders_are_stuck(service: Service) -> None:
    webhook_message()
    service.patch.setattr(webhook_queue, "due_webhooks", list)
    service.later(1000, service.clock_sends, service.worker_sweeps)


def receiver_fails(service: Service) -> None:
    message = webhook_message()
    Delivery.objects.update(tries=1)
    message.tries = 1
    webhook_queue.mark(message, Sent(status=500, error="status", took_ms=3))


def mails_fail(service: Service) -> None:
    service.settings.EMAIL_BACKEND = "league.monitoring.counted_mail.CountedMail"
    service.settings.MAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    service.settings.EMAIL_HOST, service.settings.EMAIL_PORT = "127.0.0.1", 9
    with pytest.raises(ConnectionRefusedError):
        EmailMessage("to", "text", to=["a@example.org"]).send()


def somebody_hammers(service: Service) -> None:
    service.answer(301, lambda request: HttpResponse(status=429))


FAULTS: dict[Callable[[Service], None], set[str]] = {
    nothing: set(),
    web_is_dead: {"ChratzeteDown"},
    database_is_away: {"ChratzeteDatabaseAway"},
    redis_is_away: {"ChratzeteRedisAway"},
    requests_fail: {"ChratzeteErrors"},
    clock_is_dead: {"ChratzeteClockSilent"},
    worker_is_dead: {"ChratzeteWorkerSilent"},
    season_waits: {"ChratzeteSeasonWaits"},
    count_fails: {"ChratzeteCountFails"},
    special_worker_is_dead: {"ChratzeteQueueWaits"},
    task_fails: {"ChratzeteTasksFail"},
    values_differ: {"ChratzeteVerifyDiffers"},
    verify_is_not_run: {"ChratzeteVerifyOld"},
    backup_is_not_made: {"ChratzeteBackupOld"},
    senders_are_stuck: {"ChratzeteWebhooksLate"},
    receiver_fails: {"ChratzeteWebhooksFail"},
    mails_fail: {"ChratzeteMailsFail"},
    somebody_hammers: {"ChratzeteLimits"},
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_each_fault_fires_its_alert_and_no_other(
    fault: Callable[[Service], None], monitored: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.control.purge()
    with time_machine.travel(timezone.now()) as clock:
        service = Service(monitored, settings, monkeypatch, clock)
        before = page(monitored)
        fault(service)
        seen = Evaluator(before, service.scrape(), up=service.up)
        fired = {rule["alert"] for rule in RULES if seen.fires(rule["expr"])}
    assert fired == FAULTS[fault]


def test_each_alert_has_its_fault() -> None:
    assert {rule["alert"] for rule in RULES} == set.union(*FAULTS.values())


def test_rules_and_board_name_only_metrics_that_are_exported(monitored: Client) -> None:
    exported = page(monitored).names() | {"up"}
    named = {query: metrics_in(query) - exported for query in (*QUERIES, *(rule["expr"] for rule in RULES))}
    assert {query: unknown for query, unknown in named.items() if unknown} == {}
    assert len(QUERIES) > 20


def test_the_board_shows_every_metric(monitored: Client) -> None:
    shown = set().union(*(metrics_in(query) for query in QUERIES))
    assert page(monitored).names() - shown == set()


def test_each_alert_says_what_it_is() -> None:
    for rule in RULES:
        assert rule["labels"]["severity"] in ("page", "ticket", "info")
        assert rule["annotations"]["summary"].endswith((".", "?"))
