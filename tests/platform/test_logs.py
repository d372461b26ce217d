"""Logs contain no names and no amounts."""

import json
import logging
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from django.core import mail
from django.utils import timezone

from league.config.error_mail import ErrorMail
from league.config.logs import PRIVATE_KEYS, withhold
from tests.processes import PROJECT

LOG = "import django; django.setup(); import structlog; structlog.get_logger('x').warning('stored', **{fields!r})"
LOG_OTHERS = "import django; django.setup(); import logging; logging.getLogger('other').warning('as %s', 'ever')"


def logged(code: str, data: Path) -> dict[str, object]:
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "league.config.settings", "DATA_DIR": str(data)}
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=env, capture_output=True, text=True)
    entry: dict[str, object] = json.loads(done.stderr)
    return entry


def test_private_fields_are_withheld_in_logs_of_every_library(tmp_path: Path) -> None:
    fields = dict.fromkeys(PRIVATE_KEYS, "canary") | {"season": 3}
    entry = logged(LOG.format(fields=fields), tmp_path)
    assert "canary" not in json.dumps(entry)
    assert entry["season"] == 3
    assert entry["event"] == "stored"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Not Found: /r/0123abc.sig-natu_re/", "Not Found: /r/[withheld]/"),
        ("Gone: /join/abcDEF123/", "Gone: /join/[withheld]/"),
        ("/login/link/abc:def/ was used", "/login/link/[withheld]/ was used"),
        ("/password/4-c0ffee/", "/password/[withheld]/"),
        ("mail to anna.muster+x@example.org failed", "mail to [withheld] failed"),
        ("key chz_abcdef0123 is over", "key [withheld] is over"),
        (
            "DETAIL: Key (club_id, lower(nickname))=(1, anna) already exists.",
            "DETAIL: Key (club_id, lower(nickname))=[withheld] already exists.",
        ),
        ("DETAIL:  Failing row contains (1, Anna, 5).", "DETAIL:  Failing row contains [withheld]."),
        ("paid CHF 12.40 of 1’234.50 Fr.", "paid [withheld] of [withheld]"),
        ("paid Fr. 12.40 of Fr.\xa01’234.50", "paid [withheld] of [withheld]"),
        ("season 3 counted in 12.40 ms", "season 3 counted in 12.40 ms"),
        ("Not Found: /c/roessli/p/12/", "Not Found: /c/roessli/p/12/"),
    ],
)
def test_names_amounts_and_secrets_are_removed_from_log_texts(text: str, left: str) -> None:
    assert withhold(None, "info", {"event": text, "more": {"deep": [text]}}) == {
        "event": left,
        "more": {"deep": [left]},
    }


def test_names_and_amounts_are_removed_from_tracebacks(tmp_path: Path) -> None:
    code = (
        "import django; django.setup(); import logging\n"
        "try: raise ValueError('anna@example.org wants CHF 5.20')\n"
        "except ValueError: logging.getLogger('django.request').exception('Internal Server Error: /r/secret/')\n"
    )
    text = json.dumps(logged(code, tmp_path))
    assert "ValueError" in text
    assert not [word for word in ("anna@", "5.20", "secret/") if word in text.replace("/r/secret/')", "")]


def test_a_log_line_of_a_library_is_one_json_object(tmp_path: Path) -> None:
    entry = logged(LOG_OTHERS, tmp_path)
    assert (entry["event"], entry["level"], entry["logger"]) == ("as ever", "warning", "other")


def fail(name: str) -> None:
    try:
        raise ValueError(f"{name}@example.org paid CHF 12.40")
    except ValueError:
        logging.getLogger("league.trial").exception("Internal Server Error: /r/%s/", name)


def test_admins_get_a_mail_about_each_error_once_an_hour_without_private_texts(settings, monkeypatch) -> None:
    line = dict(settings.LOGGING["formatters"]["line"])
    handler = ErrorMail()
    handler.setFormatter(line.pop("()")(**line))
    monkeypatch.setattr(logging.getLogger("league.trial"), "handlers", [handler])
    fail("nobody")
    assert mail.outbox == []
    settings.ADMINS = [("", "operator@example.org")]
    fail("anna")
    fail("beni")
    [sent] = mail.outbox
    assert (sent.to, sent.subject) == (["operator@example.org"], "Chratzete: error in league.trial")
    assert "test_logs.py" in sent.body
    for private in ("anna", "12.40"):
        assert private not in sent.body
    with time_machine.travel(timezone.now() + timedelta(hours=2)):
        fail("beni")
        logging.getLogger("league.trial").error("another fault")
    assert len(mail.outbox) == 3
