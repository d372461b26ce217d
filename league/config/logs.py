"""Logs: one JSON object a line, with no personal data and no money in it."""

from collections.abc import MutableMapping
from typing import Any

import structlog

PEOPLE = {"name", "nickname", "username", "email", "player", "ip"}
MONEY = {"amount", "amount_minor", "balance", "balance_minor", "pot_minor"}
PRIVATE_KEYS = frozenset(PEOPLE | MONEY)


def withhold(logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Keys that would name a person or an amount are dropped, whoever logs them."""
    for key in PRIVATE_KEYS & event.keys():
        event[key] = "[withheld]"
    return event


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
        "loggers": {"django": {"handlers": [], "level": level, "propagate": True}},
    }
