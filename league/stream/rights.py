"""The rights of a stream: those of the part of a page whose news it tells.

At its beginning the view of that part is asked, with the cookies of the phone. After that each change of rights ends
the streams that it may concern (`receivers`): the phones open them again, and the view is asked again.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from allauth.account.adapter import get_adapter
from django.contrib.sessions.models import Session
from django.core import signals
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.db.models import Model
from django.db.models.signals import post_delete, post_save

from .. import news
from ..models import Club, Evening, Membership, Player, Round, Season, TableCard, Tournament, User
from ..web.client_networks import counted_address
from ..web.streamed import mark_as_check, topics_of

PASSED_ON = frozenset(
    {"accept-language", "cookie", "host", "user-agent", "x-forwarded-for", "x-forwarded-proto", "x-request-id"}
)
"""The headers of a stream's request with which the view of the part is asked."""
SHOWN = (200, 204)
LONGEST_PATH = 500
UNCHANGED_RIGHTS = frozenset({"last_login", "first_name", "last_name"})
"""The columns of a user whose change ends no stream."""


@dataclass(frozen=True)
class Reader:
    """Who may open a stream: its topics, and the person and address for which it is counted."""

    topics: frozenset[str]
    owners: tuple[str, ...]


def check(handler: WSGIHandler, scope: Mapping[str, Any], part: str) -> Reader | None:
    """Return the reader of a part of a page; None if this phone may not see it. Runs in a thread."""
    if len(part) > LONGEST_PATH or not part.startswith("/"):
        return None
    path, _mark, query = part.partition("?")
    signals.request_started.send(sender=type(handler), environ={})
    try:
        topics = topics_of(path)
        if not topics:
            return None
        request = WSGIRequest(_environ(scope, path, query))
        mark_as_check(request)
        response = handler.get_response(request)
        response.close()
        return _reader(request, topics) if response.status_code in SHOWN else None
    finally:
        signals.request_finished.send(sender=type(handler))


def _environ(scope: Mapping[str, Any], path: str, query: str) -> dict[str, Any]:
    client = scope.get("client") or ("", 0)
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    passed = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items() if name in PASSED_ON}
    return {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": client[0],
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(),
        **passed,
    }


def _reader(request: WSGIRequest, topics: tuple[str, ...]) -> Reader:
    address = counted_address(get_adapter().get_client_ip(request) or "")
    owners, rights = [f"address:{address}"], list(topics)
    user, card = getattr(request, "user", None), getattr(request, "table_card", None)
    if user is not None and user.is_authenticated:
        owners.append(f"user:{user.pk}")
        rights.append(f"user:{user.pk}")
    if card is not None:
        # One account for all who hold the card of a table: they are counted by their address.
        owners, rights = owners[:1], [*rights, f"cards:{card.tournament_id}"]
    key = request.session.session_key
    return Reader(frozenset([*rights, session_topic(key)] if key else rights), tuple(owners))


def session_topic(key: str) -> str:
    """Return the topic of a session, from which nobody can tell its key."""
    return f"session:{hashlib.sha256(key.encode()).hexdigest()[:32]}"


# --- Changes of rights, and of what pages of a club show ----------------------------------------------------


def _club(instance: Club, **_signal: Any) -> None:
    # Whoever may read the club, its features, its suspension: its row has all of it, and changes rarely.
    news.end_streams(f"club:{instance.pk}")


def _of_club(instance: Season | Evening | Player | Tournament, **_signal: Any) -> None:
    news.tell(f"club:{instance.club_id}")


def _membership(instance: Membership, **_signal: Any) -> None:
    news.end_streams(f"user:{instance.user_id}")


def _user(instance: User, update_fields: frozenset[str] | None = None, **_signal: Any) -> None:
    if update_fields is None or not UNCHANGED_RIGHTS.issuperset(update_fields):
        news.end_streams(f"user:{instance.pk}")


def _session(instance: Session, **_signal: Any) -> None:
    news.end_streams(session_topic(instance.session_key))


def _cards(instance: Round | TableCard, **_signal: Any) -> None:
    news.end_streams(f"cards:{instance.tournament_id}")


def _tournament(instance: Tournament, **_signal: Any) -> None:
    news.end_streams(f"cards:{instance.pk}")


Receivers = tuple[tuple[type[Model], Callable[..., None]], ...]

SAVED: Receivers = (
    (Season, _of_club),
    (Evening, _of_club),
    (Player, _of_club),
    (Tournament, _of_club),
    (Club, _club),
    (Membership, _membership),
    (User, _user),
    (TableCard, _cards),
    (Round, _cards),
    (Tournament, _tournament),
)
DELETED: Receivers = (*SAVED, (Session, _session))


def receivers(*, on: bool = True) -> None:
    """Publish each change of rights that is stored through a model. A deleted session is a sign-out."""
    for signal, known in ((post_save, SAVED), (post_delete, DELETED)):
        for model, receiver in known:
            uid = f"stream-{receiver.__name__}"
            if on:
                signal.connect(receiver, sender=model, dispatch_uid=uid, weak=False)
            else:
                signal.disconnect(sender=model, dispatch_uid=uid)
