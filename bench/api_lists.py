"""The addresses of every list of the API: unfiltered, with each filter, and from its middle on."""

import base64
import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

from django.db.models import Model, QuerySet
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from bench.copied_hands import CLUB, SEASONS
from games.models import Revision, Table
from league.api_keys.services import SCOPES, key_create
from league.models import AuditEntry, Evening, Player, Transfer, User

OWNER = "doris@roessli.example"
PREFIX = "api-"


def api_key() -> str:
    """Create an API key of the owner; return its text."""
    return key_create(user=User.objects.get(email=OWNER), name="bench", scopes=SCOPES).text


def addresses() -> dict[str, str]:
    """Return the addresses by a name of the list, its filter and its page. Raises RuntimeError for an unknown list."""
    found = {}
    for name in _paged():
        if name in WITHOUT_ROWS:
            continue
        if name not in LISTS:
            raise RuntimeError(f"add the list {name} to bench/api_lists.py")
        arguments, order, filters = LISTS[name]()
        path = reverse(name, kwargs=arguments)
        for one in [{}, *filters]:
            label = f"{path.removeprefix('/api/v1')}{'?' if one else ''}{urlencode(one)}"
            found[label] = f"{path}?{urlencode(one)}"
            if order is not None:
                found[f"{label} (middle)"] = f"{path}?{urlencode(one | {'after': _after(order)})}"
    return found


def _paged(patterns: list[Any] | None = None) -> Iterator[str]:
    """Yield the names of the routes that answer with pages."""
    for one in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(one, URLResolver):
            yield from _paged(one.url_patterns)
        elif isinstance(one, URLPattern) and (one.name or "").startswith(PREFIX):
            ops = getattr(getattr(one.callback, "cls", None), "ops", {})
            if "GET" in ops and ops["GET"].paged:
                yield str(one.name)


def _after(position: list[Any]) -> str:
    """Return the `after` of a page, as the page before would name it."""
    texts = [value.isoformat() if hasattr(value, "isoformat") else str(value) for value in position]
    return base64.urlsafe_b64encode(json.dumps(texts).encode()).decode()


def _middle(rows: QuerySet[Model], *order: str) -> list[Any] | None:
    """Return the position of the row in the middle."""
    rows = rows.order_by(*order)
    found = rows[rows.count() // 2 : rows.count() // 2 + 1].values_list(*(name.lstrip("-") for name in order)).first()
    return list(found) if found else None


def _ledger_middle() -> list[Any]:
    """The same for the ledger, whose rows are too many to be counted here."""
    first, last = (Transfer.objects.order_by(order).values_list("pk", flat=True)[0] for order in ("pk", "-pk"))
    return [Transfer.objects.filter(pk__gt=(first + last) // 2).order_by("pk").values_list("pk", flat=True)[0]]


Found = tuple[dict[str, Any], list[Any] | None, list[dict[str, Any]]]
"""The names in the address of a list, the position in its middle (None if it has one page), and its filters."""


def _of_club(*filters: dict[str, Any]) -> Found:
    return {"club": CLUB}, None, list(filters)


def _players() -> Found:
    rows = Player.objects.filter(club__slug=CLUB)
    return {"club": CLUB}, _middle(rows, "pk"), [{"active": "true"}, {"active": "false"}, {"guest": "true"}]


def _ledger() -> Found:
    player, _evening, _table = _played()
    filters: list[dict[str, Any]] = [{"season": slug} for slug in SEASONS]
    filters += [{"evening": _evening.pk}, {"player": player}, {"player": 10**9}]
    filters += [{"kind": kind} for kind in Transfer.Kind.values]
    filters += [{"player": player, "kind": Transfer.Kind.ANTE}, {"player": player, "season": SEASONS[0]}]
    filters += [{"player": player, "kind": Transfer.Kind.PAID}, {"season": SEASONS[1], "kind": Transfer.Kind.SHARE}]
    return {"club": CLUB}, _ledger_middle(), filters


def _evenings() -> Found:
    rows = Evening.objects.filter(club__slug=CLUB)
    filters = [{"season": slug} for slug in SEASONS] + [{"game": game} for game in ("chratze", "kratzen")]
    filters += [{"state": str(state)} for state in Evening.State.values] + [{"since": "2026-01-01"}]
    return {"club": CLUB}, _middle(rows, "-held_on", "-pk"), filters


def _log() -> Found:
    actor = User.objects.get(email=OWNER).pk
    return {"club": CLUB}, _middle(AuditEntry.objects.filter(club__slug=CLUB), "-pk"), [{"actor": actor}, *ACTIONS]


ACTIONS = [{"what": "signed_in"}, {"what": "exported"}]


def _hands() -> Found:
    _player, _evening, table = _played()
    rows = Revision.objects.filter(hand__table=table, number=1)
    return {"club": CLUB, "table": table.pk}, _middle(rows, "-hand__number"), []


def _of_hand() -> Found:
    return {"club": CLUB, "table": _played()[2].pk, "number": 1}, None, []


def _played() -> tuple[int, Evening, Table]:
    """A player, an evening and a table of the copied season, the same in every copy of the demo."""
    evening = Evening.objects.filter(club__slug=CLUB, season__slug=SEASONS[0]).latest("held_on")
    table = evening.tables.earliest("number")
    return int(table.first_dealer_id), evening, table


LISTS: dict[str, Callable[[], Found]] = {
    "api-clubs": lambda: ({}, None, [{"mine": "true"}, {"mine": "false"}, {"q": "r"}]),
    "api-keys": lambda: ({}, None, []),
    "api-players": _players,
    "api-player-merges": lambda: ({"club": CLUB, "player": _played()[0]}, None, []),
    "api-seasons": lambda: _of_club({"on": "2026-01-01"}),
    "api-ledger": _ledger,
    "api-invitations": _of_club,
    "api-log": _log,
    "api-webhooks": _of_club,
    "api-evenings": _evenings,
    "api-evening-corrections": lambda: ({"club": CLUB, "evening": _played()[1].pk}, None, []),
    "api-seating-changes": lambda: ({"club": CLUB, "table": _played()[2].pk}, None, []),
    "api-hands": _hands,
    "api-hand-history": _of_hand,
    "api-disputes": _of_hand,
    "api-club-disputes": _of_club,
}
WITHOUT_ROWS = {"api-deliveries"}
"""Lists about something that the demo league has not."""
