"""`/metrics`: off without a token, closed to others, and right about requests, hands and refusals."""

from __future__ import annotations

import os
import signal
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from queue import Queue
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.test import Client
from kombu.transport.memory import Channel
from prometheus_client.parser import text_string_to_metric_families

from games.models import Hand
from league.config import embedded
from league.config.celery import app, wake
from league.errors import Refused
from league.monitoring import marks
from tests import logging_task  # noqa: F401 - its tasks are sent
from tests.factories import WITH_CARDS, create_table, enter
from tests.monitored import TOKEN, Page, page
from tests.processes import Process, wait_until

pytestmark = pytest.mark.django_db


def test_without_a_token_there_is_no_such_page(client: Client) -> None:
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


@pytest.mark.parametrize("sent", [{}, {"Authorization": "Bearer other"}, {"Authorization": TOKEN}])
def test_it_is_closed_without_the_right_token(monitored: Client, sent: dict[str, str]) -> None:
    answer = monitored.get("/metrics", headers=sent)
    assert (answer.status_code, answer.content, answer["WWW-Authenticate"]) == (401, b"", "Bearer")


def test_it_answers_under_every_host_name_without_a_redirect(monitored: Client, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    answer = monitored.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}", "Host": "10.0.0.7:8000"})
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain")


def test_requests_are_counted_by_route_and_status(monitored: Client) -> None:
    before = page(monitored)
    for path in ("/calculator/", "/calculator/", "/c/no-such-club/", "/no/such/path", "/healthz"):
        monitored.get(path)
    after = page(monitored)

    def counted(route: str, status: int) -> float:
        where = {"route": route, "status": str(status)}
        return after.value("chratzete_request_seconds_count", **where) - before.value(
            "chratzete_request_seconds_count", **where
        )

    assert counted("calculator", 200) == 2
    assert counted("club", 404) == 1
    assert counted("unknown", 404) == 1
    assert counted("healthz", 200) == 1
    assert "no-such" not in after.text


@pytest.mark.django_db(transaction=True)
def test_hands_are_counted_when_they_are_committed(monitored: Client) -> None:
    before = page(monitored).value("chratzete_hands_total")
    table = create_table()
    enter(table, WITH_CARDS)
    with pytest.raises(Refused):
        enter(table, {**WITH_CARDS, "tricks": "no"})
    assert Hand.objects.count() == 1
    assert page(monitored).value("chratzete_hands_total") == before + 1


def test_refusals_are_counted_by_code(monitored: Client) -> None:
    before = page(monitored).value("chratzete_refusals_total", code="number")
    Refused(status=409, code="number", sentence="")
    assert page(monitored).value("chratzete_refusals_total", code="number") == before + 1


def test_mails_are_counted_by_outcome(monitored: Client, settings: Any) -> None:
    settings.EMAIL_BACKEND = "league.monitoring.counted_mail.CountedMail"
    settings.MAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    EmailMessage("to", "text", to=["a@example.org"]).send()
    assert len(mail.outbox) == 1
    settings.MAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    with pytest.raises(ConnectionRefusedError):
        EmailMessage("to", "text", to=["a@example.org"]).send()
    metrics = page(monitored)
    assert metrics.value("chratzete_mails_total", outcome="sent") == 1
    assert metrics.value("chratzete_mails_total", outcome="failed") == 1


def test_regular_work_leaves_its_time_and_its_number(monitored: Client) -> None:
    never = page(monitored)
    assert never.value("chratzete_backup_timestamp_seconds") == 0
    marks.done(marks.BACKUP, 5_000_000_000)
    marks.done(marks.VERIFY, 3)
    marks.done(marks.VERIFY, 2)
    metrics = page(monitored)
    assert metrics.value("chratzete_backup_bytes") == 5_000_000_000
    assert metrics.value("chratzete_verify_differences") == 2
    assert metrics.now - 60 < metrics.value("chratzete_verify_timestamp_seconds") <= metrics.now


def test_verify_leaves_them_itself(monitored: Client) -> None:
    call_command("verify", verbosity=0)
    metrics = page(monitored)
    assert metrics.value("chratzete_verify_differences") == 0
    assert metrics.value("chratzete_verify_timestamp_seconds") > metrics.now - 60


def test_counters_that_are_in_redis_are_left_out_while_it_is_away(monitored: Client, settings: Any) -> None:
    """Counters that begin again at 0 and come back would look like as many new failures."""
    assert "chratzete_tasks_total{" in page(monitored).text
    settings.REDIS_URL = "redis://127.0.0.1:9/0"
    metrics = page(monitored)
    assert metrics.value("chratzete_redis_up") == 0
    assert not [
        sample for sample in metrics.samples() if sample.name in ("chratzete_tasks_total", "chratzete_mails_total")
    ]


@pytest.mark.parametrize("headers", [{}, {"sent_at": "yesterday"}, {"sent_at": [1]}])
def test_a_message_of_another_program_has_no_age(monitored: Client, headers: dict[str, Any]) -> None:
    queue = app.conf.task_default_queue
    # Messages of earlier tests have an age.
    app.control.purge()
    Channel.queues.setdefault(queue, Queue()).put({"headers": headers})
    try:
        assert page(monitored).value("chratzete_queue_oldest_age_seconds", queue=queue) == 0
    finally:
        app.control.purge()


def test_a_scrape_costs_the_same_with_many_seasons(monitored: Client, django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(12):
        page(monitored)


@pytest.mark.rest
@pytest.mark.needs_sqlite
@pytest.mark.django_db(transaction=True)
def test_tasks_are_counted_by_queue_and_outcome(monitored: Client) -> None:
    def counted() -> list[float]:
        metrics, queue = page(monitored), app.conf.task_default_queue
        return [
            metrics.value("chratzete_tasks_total", queue=queue, outcome=outcome) for outcome in ("success", "failure")
        ]

    app.control.purge()
    assert wake("tests.logging_task.say")
    assert wake("tests.logging_task.fail")
    assert page(monitored).value("chratzete_queue_messages", queue=app.conf.task_default_queue) == 2
    embedded.start()
    try:
        wait_until(lambda: counted() == [1, 1], 20, "both ran and were counted")
    finally:
        embedded.stop()
    assert page(monitored).value("chratzete_queue_messages", queue=app.conf.task_default_queue) == 0


@pytest.mark.rest
@pytest.mark.needs_redis
@pytest.mark.django_db(transaction=True)
def test_tasks_of_another_process_are_counted(monitored: Client, celery_worker: Callable[..., Process]) -> None:
    queue = app.conf.task_default_queue
    assert wake("tests.logging_task.fail")
    metrics = page(monitored)
    assert metrics.value("chratzete_queue_messages", queue=queue) == 1
    assert 0 < metrics.value("chratzete_queue_oldest_age_seconds", queue=queue) < 60
    celery_worker(include="tests.logging_task", METRICS_TOKEN=TOKEN, beat=True)

    def counted() -> bool:
        return page(monitored).value("chratzete_tasks_total", queue=queue, outcome="failure") == 1

    wait_until(counted, 20, "the task ran and was counted")
    began = time.time() - 60
    for name in ("clock", "worker"):
        wait_until(
            lambda name=name: page(monitored).value(f"chratzete_{name}_seen_timestamp_seconds") > began,  # type: ignore[misc]
            40,
            f"the {name} shows that it is alive",
        )


@pytest.mark.rest
@pytest.mark.needs_redis
@pytest.mark.django_db(transaction=True)
def test_each_of_several_processes_shows_the_sums_of_all(web_server: Callable[..., Process], tmp_path: Path) -> None:
    server = web_server(METRICS_TOKEN=TOKEN, WEB_PROCESSES="3", WEB_THREADS="1", TMPDIR=str(tmp_path))
    for _one in range(30):
        urllib.request.urlopen(f"{server.url}/calculator/").read()
    request = urllib.request.Request(f"{server.url}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})

    def counted() -> float:
        with urllib.request.urlopen(request) as answer:
            metrics = Page(answer.read().decode())
        return metrics.value("chratzete_request_seconds_count", route="calculator", status="200")

    assert {counted() for _one in range(6)} == {30}
    main = server.process.pid
    children = Path(f"/proc/{main}/task/{main}/children")
    first = int(children.read_text().split()[0])
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: str(first) not in children.read_text().split(), 20, "the process ended")
    assert counted() == 30, "what an ended process counted stays"
    assert [folder.name.startswith("chratzete-metrics-") for folder in tmp_path.glob("chratzete-*")] == [True]
    server.stop()
    assert list(tmp_path.glob("chratzete-*")) == []


def test_the_text_is_in_the_format(monitored: Client) -> None:
    families = list(text_string_to_metric_families(page(monitored).text))
    assert all(family.documentation and family.name.startswith("chratzete_") for family in families)
