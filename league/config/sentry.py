"""Errors for a server of Sentry, if `SENTRY_DSN` names one: without names, amounts and secrets.

What is sent is the place of an error with the code around it, its class, the route and the id of the request. The text
of an exception, local variables, headers, bodies and query strings may have names, and are left out.
"""

from __future__ import annotations

from typing import Any

from ..request_ids import current
from .logs import withhold

OF_THE_REQUEST = ("method", "url")
"""What is left of a request. The address has no query string, and secrets in it are withheld."""


def begin(dsn: str, release: str) -> None:
    """Send errors from now on. The library is imported here: most services do not use it."""
    import sentry_sdk
    from sentry_sdk.integrations.celery import CeleryIntegration
    from sentry_sdk.integrations.django import DjangoIntegration

    sentry_sdk.init(
        dsn=dsn,
        release=release,
        # Those that it would find by itself it imports, too.
        auto_enabling_integrations=False,
        integrations=[DjangoIntegration(), CeleryIntegration()],
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        # Breadcrumbs are earlier lines of the log, and statements with their values.
        max_breadcrumbs=0,
        before_send=stripped,  # type: ignore[arg-type]
    )


def stripped(event: dict[str, Any], hint: dict[str, Any]) -> dict[str, Any]:
    """Return what may be sent of an event."""
    request = event.get("request", {})
    event["request"] = {name: request[name] for name in OF_THE_REQUEST if name in request}
    for name in ("user", "breadcrumbs", "extra", "contexts", "modules"):
        event.pop(name, None)
    for error in event.get("exception", {}).get("values", ()):
        error["value"] = ""
        for frame in (error.get("stacktrace") or {}).get("frames", ()):
            frame.pop("vars", None)
    if "logentry" in event:
        # The message without its values, which may be names.
        event["logentry"] = {"message": event["logentry"].get("message", "")}
    event["tags"] = {"request_id": current(), **event.get("tags", {})}
    # With its @ the release looks like a mail address.
    kept: dict[str, Any] = {name: event[name] for name in ("release", "sdk") if name in event}
    return {**withhold(None, "error", event), **kept}
