"""Logs: one JSON object a line, with no personal data, no money and no secret in it."""

import re
from collections.abc import MutableMapping
from typing import Any

import structlog

PEOPLE = {"name", "nickname", "username", "email", "player", "ip"}
MONEY = {"amount", "amount_minor", "balance", "balance_minor", "pot_minor"}
SECRETS = {"password", "token", "secret", "authorization", "cookie", "sessionid", "csrftoken", "code"}
PRIVATE_KEYS = frozenset(PEOPLE | MONEY | SECRETS)
WITHHELD = "[withheld]"
IN_TEXTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+"), WITHHELD),
    # Links that are keys: receipts, invitations, sign-in by mail, a new password.
    (re.compile(r"(/(?:r|receipts|join|login/link|password)/)[^/\s\"'?]+"), rf"\1{WITHHELD}"),
    (re.compile(r"chzs?_[\w-]+|(?<=Bearer )[\w.~+/-]+"), WITHHELD),
    # What a database says of a row that it refuses: `Key (club_id, lower(nickname))=(1, anna) already exists`.
    (re.compile(r"(Key \([^=]*\)=|Failing row contains )\(.*\)"), rf"\1{WITHHELD}"),
    (re.compile(r"(?:CHF|EUR)\s?[+−-]?[\d’']+\.\d\d|[+−-]?[\d’']+\.\d\d\s?(?:Fr\.|CHF|EUR|€)"), WITHHELD),
)
"""What gives a person, an amount or a secret away inside a text, and what stands there instead."""


def withhold(logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Keys that would name a person, an amount or a secret are dropped, and so are these inside texts (addresses of
    pages and tracebacks among them), whoever logs them."""
    for key, value in event.items():
        event[key] = WITHHELD if key in PRIVATE_KEYS else _without(value)
    return event


def _without(value: Any) -> Any:
    if isinstance(value, str):
        for pattern, instead in IN_TEXTS:
            value = pattern.sub(instead, value)
    elif isinstance(value, dict):
        return {key: WITHHELD if key in PRIVATE_KEYS else _without(one) for key, one in value.items()}
    elif isinstance(value, list | tuple):
        return [_without(one) for one in value]
    elif isinstance(value, BaseException):
        return _without(str(value))
    return value


SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
    withhold,
]


def configure(log_format: str, level: str) -> dict[str, Any]:
    """Set structlog up and return the LOGGING that sends everything, Django's and Celery's too, to stderr."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.stdlib.PositionalArgumentsFormatter(),
            *SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    renderer: Any = structlog.processors.JSONRenderer()
    if log_format == "console":
        renderer = structlog.dev.ConsoleRenderer(colors=False)
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": SHARED,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        # Django's own handlers would mail and print the same record again.
        "loggers": {
            "django": {"handlers": [], "level": level, "propagate": True},
            # At DEBUG it would write down every statement with its values.
            "django.db.backends": {"handlers": [], "level": "INFO", "propagate": True},
        },
    }
