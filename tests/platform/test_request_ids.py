"""Each request has an id: in its answer, its lines of the log, its error page, and the tasks that follow from it."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from structlog.contextvars import bind_contextvars, clear_contextvars

from league import request_ids
from league.config import embedded
from league.config.celery import wake
from league.request_ids import RequestIdMiddleware, current, with_ids
from league.web import error_pages
from tests import logging_task
from tests.factories import UserFactory
from tests.processes import PROJECT, Process, wait_until

FROM_THE_PROXY = "0123456789abcdef0123456789abcdef"


@pytest.fixture(autouse=True)
def no_id() -> None:
    clear_contextvars()


def answer_of(**headers: str) -> tuple[HttpResponse, str]:
    """The answer to a request, and the id that its view saw."""
    seen = []

    def view(request: HttpRequest) -> HttpResponse:
        seen.append(current())
        return HttpResponse()

    answer = RequestIdMiddleware(view)(RequestFactory().get("/", headers=headers))  # type: ignore[arg-type]
    return answer, seen[0]  # type: ignore[return-value]


def test_each_request_has_an_id_of_its_own(client: Client) -> None:
    first, second = (client.get("/healthz")["X-Request-ID"] for _one in range(2))
    assert len(first) == len(second) == 32
    assert first != second
    assert current() == "", "the id ends with the request"


def test_the_id_of_the_proxy_is_taken_over(settings: Any) -> None:
    settings.PROXIES = 1
    answer, seen = answer_of(**{"X-Request-ID": FROM_THE_PROXY})
    assert answer["X-Request-ID"] == seen == FROM_THE_PROXY


@pytest.mark.parametrize("sent", ["short", "x" * 65, "with a space in the middle", "<b>0123456789abcdef</b>", ""])
def test_another_text_is_not(settings: Any, sent: str) -> None:
    settings.PROXIES = 1
    answer, seen = answer_of(**{"X-Request-ID": sent})
    assert answer["X-Request-ID"] == seen != sent


def test_without_a_proxy_a_client_chooses_no_id(settings: Any) -> None:
    settings.PROXIES = 0
    answer, _seen = answer_of(**{"X-Request-ID": FROM_THE_PROXY})
    assert answer["X-Request-ID"] != FROM_THE_PROXY


@pytest.mark.parametrize("page", [error_pages.server_error, error_pages.unavailable])
def test_the_page_of_a_fault_shows_the_id(page: Callable[[HttpRequest], HttpResponse]) -> None:
    bind_contextvars(request_id=FROM_THE_PROXY)
    assert FROM_THE_PROXY in page(RequestFactory().get("/")).content.decode()
    assert FROM_THE_PROXY not in error_pages.not_found(RequestFactory().get("/")).content.decode()


def test_another_thread_gets_the_ids_of_this_one() -> None:
    seen: list[str] = []
    bind_contextvars(request_id=FROM_THE_PROXY)
    for run in (with_ids(lambda: seen.append(current())), lambda: seen.append(current())):
        thread = Thread(target=run)
        thread.start()
        thread.join()
    assert seen == [FROM_THE_PROXY, ""]


def test_a_message_has_the_id_and_its_task_binds_it() -> None:
    headers: dict[str, Any] = {}
    request_ids.add_to_message(headers=headers)
    assert headers == {}
    bind_contextvars(request_id=FROM_THE_PROXY)
    request_ids.add_to_message(headers=headers)
    clear_contextvars()
    task = logging_task.say
    task.push_request(**headers)
    try:
        request_ids.begin_task(task=task, task_id="7")
        assert current() == FROM_THE_PROXY
        request_ids.end_task(task=task)
        assert current() == ""
    finally:
        task.pop_request()


def test_a_task_that_its_caller_runs_keeps_the_id_of_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    bind_contextvars(request_id=FROM_THE_PROXY)
    seen: list[str] = []

    monkeypatch.setattr(logging_task, "seen", seen.append)
    logging_task.say.apply()
    assert (seen, current()) == ([FROM_THE_PROXY], FROM_THE_PROXY)


@pytest.mark.rest
@pytest.mark.django_db(transaction=True)
def test_the_line_of_the_access_log_has_the_id(web_server: Callable[..., Process]) -> None:
    UserFactory()
    server = web_server(ACCESS_LOG="1", LOG_LEVEL="WARNING")
    with urllib.request.urlopen(f"{server.url}/calculator/") as answer:
        sent = answer.headers["X-Request-ID"]
    server.stop()
    lines = [json.loads(line) for line in server.output().splitlines() if line.startswith("{")]
    assert [line["request_id"] for line in lines if line["logger"] == "access"] == [sent]


@pytest.mark.rest
@pytest.mark.needs_redis
@pytest.mark.django_db(transaction=True)
def test_a_task_of_a_worker_logs_the_id_of_its_request(celery_worker: Callable[..., Process]) -> None:
    worker = celery_worker(include="tests.logging_task")
    bind_contextvars(request_id=FROM_THE_PROXY)
    assert wake("tests.logging_task.say")
    wait_until(lambda: '"said"' in worker.output(), 20, "the task logged")
    [line] = [json.loads(line) for line in worker.output().splitlines() if '"said"' in line]
    assert line["request_id"] == FROM_THE_PROXY


@pytest.mark.rest
@pytest.mark.needs_sqlite
@pytest.mark.django_db(transaction=True)
def test_a_task_of_the_embedded_worker_logs_the_id_of_its_request(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr(logging_task, "seen", seen.append)
    embedded.start()
    try:
        bind_contextvars(request_id=FROM_THE_PROXY)
        assert wake("tests.logging_task.say")
        wait_until(lambda: bool(seen), 20, "the task ran")
    finally:
        embedded.stop()
    assert seen == [FROM_THE_PROXY]


def test_the_proxy_sends_an_id_of_its_own() -> None:
    """A client must not choose the id that the log has."""
    site = (PROJECT / "deploy" / "nginx" / "chratzete.conf").read_text()
    assert site.count("proxy_set_header X-Request-ID $request_id;") == site.count("proxy_pass ") > 0
