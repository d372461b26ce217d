"""The addresses of every list of the API: unfiltered, with each filter, and from its middle on; and of the summaries of
a season or a club, in each part and order."""

import base64
import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import QuerySet
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from bench.copied_hands import CLUB, SEASONS
from games.models import Revision, Table
from league.api.seasons import ORDERS
from league.api_keys.services import SCOPES, key_create
from league.models import AuditEntry, Evening, Player, Standing, Tournament, Transfer, User
from league.treasury.books import BOOKS

OWNER = "doris@roessli.example"
PREFIX = "api-"
FIRST, LIMIT = 25, 12
"""The items of the first page, and of one in the middle: the smallest evenings' lists of the demo have as many."""


def api_key() -> str:
    """Create an API key of the owner; return its text."""
    return key_create(user=User.objects.get(email=OWNER), name="bench", scopes=SCOPES).text


def addresses() -> dict[str, str]:
    """Return the addresses by a name of the list, its filter and its page. Raises RuntimeError for an unknown list."""
    urls = {}
    for name in paged():
        if name in WITHOUT_ROWS:
            continue
        if name not in LISTS:
            raise RuntimeError(f"add the list {name} to bench/api_lists.py")
        arguments, asked = LISTS[name]()
        path = reverse(name, kwargs=arguments)
        for sent, middle in asked:
            label = f"{path.removeprefix('/api/v1/clubs/')}{'?' if sent else ''}{urlencode(sent)}"
            urls[label] = f"{path}?{urlencode(sent | {'limit': FIRST})}"
            if middle:
                urls[f"{label} (middle)"] = f"{path}?{urlencode(sent | {'after': _after(middle), 'limit': LIMIT})}"
    return urls


def summaries() -> dict[str, str]:
    """Return the addresses of summaries, by their ends: standings with each filter and
    order, teams, statistics, records, champions, all seasons."""
    _dealer, evening, table = _played()
    leader = Standing.objects.filter(season__club__slug=CLUB, season__slug=SEASONS[0]).earliest("rank").player_id
    club: dict[str, Any] = {"club": CLUB}
    season = club | {"season": SEASONS[0]}
    parts: list[dict[str, Any]] = [
        *({"on": evening.held_on}, {"since": evening.held_on}, {"game": evening.game}, {"table": table.number}),
        {"since": evening.held_on - timedelta(365), "on": evening.held_on, "game": evening.game},
    ]
    asked: list[tuple[str, dict[str, Any], dict[str, Any]]] = []
    asked += [("api-standings", season, sent) for sent in ({}, {"top": 10}, *parts)]
    asked += [("api-standings", season, {"sort": order}) for order in ORDERS]
    asked += [("api-teams", season, sent) for sent in ({}, *parts)]
    asked += [("api-season-statistics", season, sent) for sent in ({}, {"player": leader})]
    asked += [(name, season, {}) for name in ("api-season-records", "api-season-champions")]
    asked += [(name, club, {}) for name in ("api-club-records", "api-club-champions", "api-all-time")]
    urls = {}
    for name, arguments, sent in asked:
        path = reverse(name, kwargs=arguments)
        query = f"?{urlencode(sent)}" if sent else ""
        urls[path.removeprefix("/api/v1/clubs/") + query] = path + query
    return urls


def session_cookie() -> str:
    """Sign the owner in; return the cookie of the session as a browser sends it."""
    client = Client()
    client.force_login(User.objects.get(email=OWNER))
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


def treasurer_pages() -> dict[str, str]:
    """Return the addresses of the main pages of the treasurer by name; the account is of the copied season."""
    names = ("treasury-ledger", "treasury-balances", "treasury-statements", "treasury-year", "treasurer-list")
    urls = {name: reverse(name, kwargs={"club": CLUB}) for name in names}
    for book in BOOKS:
        urls[f"book of {book}"] = f"{reverse('treasury', kwargs={'club': CLUB})}?{urlencode({'book': book})}"
    days = Evening.nights.filter(season__club__slug=CLUB, season__slug=SEASONS[0]).order_by("held_on")
    ends = list(days.values_list("held_on", flat=True))
    urls["treasury-year of all seasons"] = f"{urls['treasury-year']}?{urlencode({'from': ends[0], 'to': ends[-1]})}"
    return urls


def reports() -> dict[str, str]:
    """Return the addresses of the season report as page and as CSV."""
    page = reverse("season-report", kwargs={"club": CLUB, "season": SEASONS[1]})
    return {"season report": page, "season report as CSV": f"{page}?for=csv&table=evenings"}


def paged(patterns: list[Any] | None = None) -> Iterator[str]:
    """Yield the names of the routes whose GET answers with pages."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(pattern, URLResolver):
            yield from paged(pattern.url_patterns)
        elif isinstance(pattern, URLPattern) and (pattern.name or "").startswith(PREFIX):
            view, actions = getattr(pattern.callback, "cls", None), getattr(pattern.callback, "actions", None) or {}
            if getattr(view, "pagination_class", None) is not None and actions.get("get") == "list":
                yield str(pattern.name)


def _after(position: list[Any]) -> str:
    """Return the `after` of a page, as the page before would name it."""
    texts = [value.isoformat() if hasattr(value, "isoformat") else str(value) for value in position]
    return base64.urlsafe_b64encode(json.dumps(texts).encode()).decode()


def _middle(rows: QuerySet[Any], *order: str) -> list[Any] | None:
    """Return the position of the row in the middle."""
    rows = rows.order_by(*order)
    middle = rows[rows.count() // 2 : rows.count() // 2 + 1].values_list(*(name.lstrip("-") for name in order)).first()
    return list(middle) if middle else None


Position = list[Any] | None
Found = tuple[dict[str, Any], list[tuple[dict[str, Any], Position]]]
"""The names in the address of a list; and its filters, each with the position in the middle of what it finds (None if
that is a page or less in the demo)."""


def _short(names: dict[str, Any], *filters: dict[str, Any]) -> Found:
    return names, [({}, None), *((sent, None) for sent in filters)]


def _of_club(*filters: dict[str, Any]) -> Found:
    return _short({"club": CLUB}, *filters)


def _players() -> Found:
    middle = _middle(Player.objects.filter(club__slug=CLUB), "pk")
    return {"club": CLUB}, [({}, middle), *((sent, None) for sent in FLAGS)]


FLAGS = [{"active": "true"}, {"active": "false"}, {"guest": "true"}]


def _ledger() -> Found:
    player, evening, _table = _played()
    rows = Transfer.objects.filter(season__club__slug=CLUB)
    mine = rows.filter(from_account__player=player)
    old, new = ({"season": slug} for slug in SEASONS)
    first, last = (rows.filter(season__slug=slug) for slug in SEASONS)
    parts = [({}, rows), (old, first), (new, last), ({"evening": evening.pk}, rows.filter(posting__evening=evening))]
    parts += [({"kind": kind}, rows.filter(kind=kind)) for kind in Transfer.Kind.values]
    parts += [({"player": player}, mine), ({"player": player} | old, mine.filter(season__slug=SEASONS[0]))]
    for kind in (Transfer.Kind.ANTE, Transfer.Kind.PAID):
        parts.append(({"player": player, "kind": kind}, mine.filter(kind=kind)))
    rare = Transfer.Kind.SHARE
    parts += [({"player": 10**9}, rows.none()), (new | {"kind": rare}, last.filter(kind=rare))]
    return {"club": CLUB}, [(sent, _middle(queryset, "pk")) for sent, queryset in parts]


def _evenings() -> Found:
    rows = Evening.nights.filter(club__slug=CLUB)
    parts: list[tuple[dict[str, Any], QuerySet[Evening]]] = [({}, rows)]
    parts += [({"season": slug}, rows.filter(season__slug=slug)) for slug in SEASONS]
    parts += [({"game": game}, rows.filter(game=game)) for game in ("chratze", "kratzen")]
    parts += [({"state": state}, rows.filter(state=state)) for state in Evening.State.values]
    parts += [({"since": "2026-01-01"}, rows.filter(held_on__gte="2026-01-01"))]
    return {"club": CLUB}, [(sent, _middle(queryset, "-held_on", "-pk")) for sent, queryset in parts]


def _log() -> Found:
    actor = User.objects.get(email=OWNER).pk
    middle = _middle(AuditEntry.objects.filter(club__slug=CLUB), "-pk")
    return {"club": CLUB}, [({}, middle), ({"actor": actor}, None), *((sent, None) for sent in ACTIONS)]


ACTIONS = [{"what": "signed_in"}, {"what": "exported"}]


def _hands() -> Found:
    _player, _evening, table = _played()
    rows = Revision.objects.filter(hand__table=table, number=1)
    return {"club": CLUB, "table": table.pk}, [({}, _middle(rows, "-hand__number"))]


def _of_hand() -> Found:
    return _short({"club": CLUB, "table": _played()[2].pk, "number": 1})


def _of_tournament(**names: int) -> Found:
    running = Tournament.objects.get(club__slug=CLUB, state=Tournament.State.RUNNING)
    return _short({"club": CLUB, "tournament": running.slug, **names})


def _played() -> tuple[int, Evening, Table]:
    """A player, an evening and a table of the copied season, the same in every copy of the demo."""
    evening = Evening.objects.filter(club__slug=CLUB, season__slug=SEASONS[0]).latest("held_on")
    table = evening.tables.earliest("number")
    return int(table.first_dealer_id), evening, table


LISTS: dict[str, Callable[[], Found]] = {
    "api-clubs": lambda: _short({}, {"mine": "true"}, {"mine": "false"}, {"q": "r"}),
    "api-keys": lambda: _short({}),
    "api-players": _players,
    "api-player-merges": lambda: _short({"club": CLUB, "player": _played()[0]}),
    "api-seasons": lambda: _of_club({"on": "2026-01-01"}),
    "api-season-formula-versions": lambda: _short({"club": CLUB, "season": SEASONS[0]}),
    "api-adjustments": lambda: _short({"club": CLUB, "season": SEASONS[0]}, {"player": _played()[0]}),
    "api-team-stays": lambda: _short({"club": CLUB, "season": SEASONS[0]}, {"player": _played()[0]}),
    "api-ledger": _ledger,
    "api-plan": lambda: _short({"club": CLUB, "season": SEASONS[1]}),
    "api-kitty-entries": lambda: _of_club({"since": "2026-01-01"}),
    "api-member-fees": _of_club,
    "api-invitations": _of_club,
    "api-log": _log,
    "api-webhooks": _of_club,
    "api-evenings": _evenings,
    "api-evening-corrections": lambda: _short({"club": CLUB, "evening": _played()[1].pk}),
    "api-seating-changes": lambda: _short({"club": CLUB, "table": _played()[2].pk}),
    "api-hands": _hands,
    "api-hand-history": _of_hand,
    "api-disputes": _of_hand,
    "api-club-disputes": _of_club,
    "api-tournaments": lambda: _of_club(*({"state": state} for state in Tournament.State.values)),
    "api-entrants": _of_tournament,
    "api-draws": _of_tournament,
    "api-rounds": _of_tournament,
    "api-round-sheets": lambda: _of_tournament(number=1),
}
WITHOUT_ROWS = {"api-deliveries", "api-imports"}
"""Lists about something that the demo league has not."""
