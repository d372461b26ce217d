"""Logs: one JSON object per line, without personal data, amounts and secrets."""

import re
from collections.abc import MutableMapping
from typing import Any

import structlog

PEOPLE = {"name", "nickname", "username", "email", "player", "ip"}
MONEY = {"amount", "amount_minor", "balance", "balance_minor", "pot_minor"}
SECRETS = {
    *("password", "token", "secret", "authorization", "cookie", "sessionid", "csrftoken", "code"),
    # Of a browser with messages by push, and of this server.
    *("endpoint", "auth", "p256dh", "sealed"),
}
PRIVATE_KEYS = frozenset(PEOPLE | MONEY | SECRETS)
WITHHELD = "[withheld]"
PRIVATE_TEXTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+"), WITHHELD),
    # Links with a token: receipts, invitations, sign-in by mail, a new password, the pub screen, who comes, messages
    # by mail.
    (
        re.compile(r"(/(?:r|receipts|join|login/link|password|screen|coming|messages/(?:off|confirm))/)[^/\s\"'?]+"),
        rf"\1{WITHHELD}",
    ),
    # Table cards; the address of a table has its number.
    (re.compile(r"(/t/)(?!\d+(?![\w-]))[^/\s\"'?]+"), rf"\1{WITHHELD}"),
    (re.compile(r"chzs?_[\w-]+|(?<=Bearer )[\w.~+/-]+|(?<=vapid t=)[\w.-]+"), WITHHELD),
    # A database's message about a refused row: `Key (club_id, lower(nickname))=(1, anna) already exists`.
    (re.compile(r"(Key \([^=]*\)=|Failing row contains )\(.*\)"), rf"\1{WITHHELD}"),
    (re.compile(r"(?:CHF|EUR|Fr\.)\s?[+−-]?[\d’']+\.\d\d|[+−-]?[\d’']+\.\d\d\s?(?:Fr\.|CHF|EUR|€)"), WITHHELD),
)
"""Patterns of persons, amounts and secrets inside a text, with their replacements."""


def withhold(logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Replace the values of private keys, and private parts of all texts, including addresses and tracebacks."""
    for key, value in event.items():
        event[key] = WITHHELD if key in PRIVATE_KEYS else _without(value)
    return event


def _without(value: Any) -> Any:
    if isinstance(value, str):
        for pattern, replacement in PRIVATE_TEXTS:
            value = pattern.sub(replacement, value)
    elif isinstance(value, dict):
        return {key: WITHHELD if key in PRIVATE_KEYS else _without(item) for key, item in value.items()}
    elif isinstance(value, list | tuple):
        return [_without(item) for item in value]
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
    """Configure structlog, and return the LOGGING setting that sends all logs to stderr, Django's and Celery's too."""
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
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": "line"},
            "mail": {"class": "league.config.error_mail.ErrorMail", "formatter": "line", "level": "ERROR"},
        },
        "root": {"handlers": ["stderr", "mail"], "level": level},
        # Django's own handlers would mail and print the record a second time.
        "loggers": {
            "django": {"handlers": [], "level": level, "propagate": True},
            # At DEBUG it would log every SQL statement with its values.
            "django.db.backends": {"handlers": [], "level": "INFO", "propagate": True},
            # At INFO it lists the glyphs of each font of each PDF.
            "fontTools": {"handlers": [], "level": "WARNING", "propagate": True},
        },
    }
