"""The cache of pages deletes its own keys alone: the same Redis has limits, the queue, and keys of other programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis
from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache
from django.urls import reverse

from league.config import cache as cache_module
from league.config import celery
from league.counters import count
from league.privacy import forgetting
from tests import redis_faults, servers
from tests.cast import house
from tests.clients import visitor
from tests.factories import PlayerFactory

pytestmark = pytest.mark.django_db

# Each of its special characters has a meaning in a pattern of Redis.
PREFIX = "club[1]*?\\:"
ALIKE = "club1xx:pages:1:kept"
"""A key of another program that the prefix, read as a pattern, would match."""


@pytest.fixture
def store(settings: Any) -> Iterator[redis.Redis]:
    """A Redis with both caches, in which a limit is counted, a message waits, and another program has a key."""
    with servers.redis() as server, redis_faults.cache_at(server.url, settings):
        setup = settings.CACHES["default"]
        settings.CACHES = {
            name: {**setup, "BACKEND": f"league.config.cache.{redis_cache}", "KEY_PREFIX": PREFIX + name}
            for name, redis_cache in (("default", "ForgivingRedisCache"), ("pages", "ForgivingPageCache"))
        }
        count(["tries"], 60)
        with celery.app.connection_for_write(server.url) as broker:
            celery.app.send_task("league.standings.tasks.season_count", args=(1,), connection=broker)
        with redis.Redis.from_url(server.url, decode_responses=True) as client:
            client.set(ALIKE, 1)
            yield client


def keys(store: redis.Redis) -> tuple[set[str], set[str]]:
    """Return the keys of kept pages, and all others."""
    all_keys = set(store.scan_iter())
    kept = {key for key in all_keys if key.startswith(f"{PREFIX}pages:")}
    return kept, all_keys - kept


@pytest.fixture
def forget(store: redis.Redis, django_capture_on_commit_callbacks: Callable[..., Any]) -> Callable[[], None]:
    """Forget a person of a club while many pages are kept."""

    def forget_one() -> None:
        home = house("roessli")
        visitor().get(reverse("season-standings", kwargs={"club": home.club.slug, "season": home.season.slug}))
        assert keys(store)[0]
        for number in range(2 * cache_module.KEYS_AT_ONCE):
            caches["pages"].set(f"page-{number}", b"x")
        with django_capture_on_commit_callbacks(execute=True):
            forgetting.player_forget(player=PlayerFactory(club=home.club), actor=home.owner)

    return forget_one


def test_with_a_forgotten_person_the_kept_pages_are_deleted_and_nothing_else(
    store: redis.Redis, forget: Callable[[], None]
) -> None:
    _, others = keys(store)
    assert len(others) >= 3
    forget()
    assert keys(store) == (set(), others)
    assert count(["tries"], 60) == [2]


def test_with_the_clear_of_django_nothing_is_left(
    store: redis.Redis, forget: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_module.ForgivingRedisCache, "clear", RedisCache.clear)
    forget()
    assert keys(store) == (set(), set())


def test_without_the_escape_a_key_of_another_program_is_deleted(
    store: redis.Redis, forget: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_module, "escaped", lambda text: text)
    forget()
    assert ALIKE not in keys(store)[1]
