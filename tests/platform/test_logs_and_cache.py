"""Logs name no one and no amount; a cache that is away is an empty one."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.cache.backends.base import BaseCache

from league.config.cache import ForgivingRedisCache
from league.config.logs import PRIVATE_KEYS
from tests.processes import PROJECT

LOG = "import django; django.setup(); import structlog; structlog.get_logger('x').warning('stored', **{fields!r})"
LOG_OTHERS = "import django; django.setup(); import logging; logging.getLogger('other').warning('as %s', 'ever')"


def logged(code: str, data: Path) -> dict[str, object]:
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "league.config.settings", "DATA_DIR": str(data)}
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=env, capture_output=True, text=True)
    found: dict[str, object] = json.loads(done.stderr)
    return found


def test_private_fields_are_withheld_whoever_logs_them(tmp_path: Path) -> None:
    fields = dict.fromkeys(PRIVATE_KEYS, "canary") | {"season": 3}
    found = logged(LOG.format(fields=fields), tmp_path)
    assert "canary" not in json.dumps(found)
    assert found["season"] == 3
    assert found["event"] == "stored"


def test_what_libraries_log_is_one_json_object_too(tmp_path: Path) -> None:
    found = logged(LOG_OTHERS, tmp_path)
    assert (found["event"], found["level"], found["logger"]) == ("as ever", "warning", "other")


@pytest.fixture
def away() -> BaseCache:
    options = {"socket_timeout": 1, "socket_connect_timeout": 1}
    # Nothing listens on port 1.
    return ForgivingRedisCache("redis://127.0.0.1:1/0", {"OPTIONS": options})


@pytest.mark.parametrize(
    ("use", "answer"),
    [
        (lambda cache: cache.get("key", "default"), "default"),
        (lambda cache: cache.set("key", "value"), None),
        (lambda cache: cache.add("key", "value"), True),
        (lambda cache: cache.delete("key"), False),
    ],
    ids=["get", "set", "add", "delete"],
)
def test_a_cache_that_is_away_answers_like_an_empty_one(
    away: BaseCache, use: Callable[[BaseCache], object], answer: object
) -> None:
    began = time.monotonic()
    assert use(away) == answer
    assert time.monotonic() - began < 3
