"""The writes of a phone, read from untrusted data into frozen values. docs/night.md describes the format."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, NoReturn

from django.utils.translation import gettext as _

from league.models import Club
from league.roster.services import MAX_NICKNAME

from ..engine_bridge import GAMES, MAX_SEATS
from ..errors import Refused
from ..models import MAX_NUMBER

FORMATS = (1,)
"""The formats that are accepted. Each is accepted for at least a year after a newer one has appeared."""
MAX_ID = 2**53
COMMON = frozenset({"format", "key", "kind", "club", "table", "at"})

Ref = int | str
"""A player or a table: the server's id, or a text with the key of the write that makes it."""
Fields = Mapping[str, Any]


@dataclass(frozen=True)
class Expected:
    """The amounts of a hand as the phone counted them: the change of each seat and the pot after it, in Rappen."""

    deltas: tuple[int, ...]
    pot_after: int


@dataclass(frozen=True)
class HandWrite:
    """A hand: its number, the players by seat, and the tally without the fields of the chain."""

    number: int
    players: tuple[Ref, ...]
    record: Fields
    expected: Expected | None


@dataclass(frozen=True)
class ComeWrite:
    """A person sits down after another player: a player of the roster, or a guest by nickname."""

    player: Ref | None
    guest: str | None
    after: Ref


@dataclass(frozen=True)
class LeaveWrite:
    """A player leaves."""

    player: Ref


@dataclass(frozen=True)
class OrderWrite:
    """The players change the order of play."""

    players: tuple[Ref, ...]


@dataclass(frozen=True)
class DealerWrite:
    """Another player deals the next hand."""

    player: Ref


@dataclass(frozen=True)
class PauseWrite:
    """A pause begins or, with `ends`, it ends."""

    ends: bool


@dataclass(frozen=True)
class BeginWrite:
    """An evening begins. `seating` are ids of players, or nicknames of guests, in the order of play; `first_dealer` is
    a place in it. `settling` is None for the way of the club, `rules_version` for its newest house rules."""

    season: int
    game: str
    rules_version: int | None
    seating: tuple[int | str, ...]
    first_dealer: int
    held_on: date
    carry: bool
    settling: str | None


@dataclass(frozen=True)
class ChoiceWrite:
    """The recorder's choice on the page of two stories, `correct` or `leave-out`. `games.night.choices` reads the
    fields; `first` is the number of its first hand, 0 without one."""

    fields: Fields
    first: int


Body = HandWrite | ComeWrite | LeaveWrite | OrderWrite | DealerWrite | PauseWrite | BeginWrite | ChoiceWrite


@dataclass(frozen=True)
class Write:
    """One write: its key, the short name of its club, its table (None for a new evening), the time when it was recorded
    (ms since 1970), and the content of its kind."""

    key: uuid.UUID
    kind: str
    club: str
    table: Ref | None
    at: int
    body: Body


def read_write(sent: Any) -> Write:
    """Return the write. Raises Refused (422): `format` for an unknown format, `write` for anything else."""
    if not isinstance(sent, Mapping):
        wrong("writes")
    check_format(sent)
    kind, club = sent.get("kind"), sent.get("club")
    if not isinstance(kind, str) or kind not in KINDS:
        wrong("kind")
    if not isinstance(club, str):
        wrong("club")
    return Write(
        key=_key(sent.get("key"), "key"),
        kind=kind,
        club=club,
        table=_table(sent, kind),
        at=_whole(sent.get("at"), "at", 0, MAX_ID),
        body=KINDS[kind]({name: value for name, value in sent.items() if name not in COMMON}),
    )


def check_format(sent: Fields) -> None:
    """Raises Refused (422 `format`) for a format that is not known."""
    if type(sent.get("format")) is not int or sent["format"] not in FORMATS:
        sentence = _("This entry is from another version of this page. Load the page again.")
        raise Refused(status=422, code="format", sentence=sentence, at="format")


def _table(sent: Fields, kind: str) -> Ref | None:
    if kind == "begin":
        if "table" in sent:
            wrong("table")
        return None
    table = _ref(sent.get("table"), "table")
    if isinstance(table, str) and ":" in table:
        wrong("table")
    return table


# --- Kinds -----------------------------------------------------------------------------------------------


def _hand(fields: Fields) -> HandWrite:
    _only(fields, "number", "players", "record", "expected")
    record = fields.get("record")
    if not isinstance(record, Mapping):
        wrong("record")
    return HandWrite(
        number=_whole(fields.get("number"), "number", 1, MAX_NUMBER),
        players=_refs(fields.get("players"), "players"),
        record=record,
        expected=_expected(fields.get("expected")),
    )


def _expected(sent: Any) -> Expected | None:
    if sent is None:
        return None
    if not isinstance(sent, Mapping) or set(sent) != {"deltas", "pot_after"}:
        wrong("expected")
    deltas = sent["deltas"]
    if not isinstance(deltas, list) or len(deltas) > MAX_SEATS:
        wrong("expected.deltas")
    return Expected(
        deltas=tuple(_whole(delta, "expected.deltas", -MAX_ID, MAX_ID) for delta in deltas),
        pot_after=_whole(sent["pot_after"], "expected.pot_after", -MAX_ID, MAX_ID),
    )


def _come(fields: Fields) -> ComeWrite:
    _only(fields, "player", "guest", "after")
    if ("player" in fields) == ("guest" in fields):
        wrong("player")
    return ComeWrite(
        player=_ref(fields["player"], "player") if "player" in fields else None,
        guest=_nickname(fields["guest"], "guest") if "guest" in fields else None,
        after=_ref(fields.get("after"), "after"),
    )


def _leave(fields: Fields) -> LeaveWrite:
    _only(fields, "player")
    return LeaveWrite(_ref(fields.get("player"), "player"))


def _order(fields: Fields) -> OrderWrite:
    _only(fields, "players")
    return OrderWrite(_refs(fields.get("players"), "players"))


def _dealer(fields: Fields) -> DealerWrite:
    _only(fields, "player")
    return DealerWrite(_ref(fields.get("player"), "player"))


def _pause(fields: Fields) -> PauseWrite:
    _only(fields)
    return PauseWrite(ends=False)


def _resume(fields: Fields) -> PauseWrite:
    _only(fields)
    return PauseWrite(ends=True)


def _begin(fields: Fields) -> BeginWrite:
    _only(fields, "season", "game", "rules_version", "seating", "first_dealer", "held_on", "carry", "settling")
    seating, version = fields.get("seating"), fields.get("rules_version")
    if not isinstance(seating, list) or not 0 < len(seating) <= MAX_SEATS:
        wrong("seating")
    if fields.get("game") not in GAMES:
        wrong("game")
    if not isinstance(fields.get("carry", False), bool):
        wrong("carry")
    if fields.get("settling") not in (None, "", *Club.Settling.values):
        wrong("settling")
    return BeginWrite(
        season=_whole(fields.get("season"), "season", 1, MAX_ID),
        game=fields["game"],
        rules_version=None if version is None else _whole(version, "rules_version", 0, MAX_NUMBER),
        seating=tuple(_sitting(person, f"seating[{place}]") for place, person in enumerate(seating)),
        first_dealer=_whole(fields.get("first_dealer"), "first_dealer", 0, len(seating) - 1),
        held_on=_day(fields.get("held_on"), "held_on"),
        carry=fields.get("carry", False),
        settling=fields.get("settling") or None,
    )


def _sitting(sent: Any, path: str) -> int | str:
    if not isinstance(sent, Mapping) or set(sent) not in ({"player"}, {"guest"}):
        wrong(path)
    if "guest" in sent:
        return _nickname(sent["guest"], f"{path}.guest")
    return _whole(sent["player"], f"{path}.player", 1, MAX_ID)


def _choice(fields: Fields) -> ChoiceWrite:
    _only(fields, "hands", "changes", "hands_seen")
    hands = fields.get("hands")
    if not isinstance(hands, list) or not all(isinstance(hand, Mapping) for hand in hands):
        wrong("hands")
    return ChoiceWrite(fields, _whole(hands[0].get("number"), "hands[0].number", 1, MAX_NUMBER) if hands else 0)


KINDS: Mapping[str, Callable[[Fields], Body]] = {
    "hand": _hand,
    "come": _come,
    "leave": _leave,
    "order": _order,
    "dealer": _dealer,
    "pause": _pause,
    "resume": _resume,
    "begin": _begin,
    "correct": _choice,
    "leave-out": _choice,
}


def is_key(value: Any) -> bool:
    """Return True if a value names a player by a key."""
    try:
        return isinstance(value, str) and _ref(value, "") == value
    except Refused:
        return False


# --- Values ----------------------------------------------------------------------------------------------


def wrong(path: str) -> NoReturn:
    """Raises Refused (422 `write`) for a part that is missing or wrong."""
    sentence = _("This entry cannot be read: “%(name)s” is missing or wrong. Load the page again.")
    raise Refused(status=422, code="write", sentence=sentence % {"name": path}, at=path)


def _only(fields: Fields, *names: str) -> None:
    """Refuse an unknown field: the server must not ignore it in silence."""
    for name in fields:
        if name not in names:
            wrong(name[:40])


def _whole(value: Any, path: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        wrong(path)
    return value


def _day(value: Any, path: str) -> date:
    try:
        day = date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        day = None
    if day is None or day.isoformat() != value:
        wrong(path)
    return day


def _key(value: Any, path: str) -> uuid.UUID:
    """A UUID in its usual form only: the same key must never be written in two ways."""
    try:
        key = uuid.UUID(value) if isinstance(value, str) else None
    except ValueError:
        key = None
    if key is None or str(key) != value:
        wrong(path)
    return key


def _ref(value: Any, path: str) -> Ref:
    if not isinstance(value, str):
        return _whole(value, path, 1, MAX_ID)
    key, colon, place = value.partition(":")
    if colon and not (len(place) == 1 and place in "0123456"):
        wrong(path)
    _key(key, path)
    return value


def _refs(value: Any, path: str) -> tuple[Ref, ...]:
    if not isinstance(value, list) or not 0 < len(value) <= MAX_SEATS:
        wrong(path)
    return tuple(_ref(ref, f"{path}[{place}]") for place, ref in enumerate(value))


def _nickname(value: Any, path: str) -> str:
    """A guest's nickname. Signs that cannot be printed are left out: it could not be typed again at the table."""
    if not isinstance(value, str):
        wrong(path)
    printable = "".join(sign if sign.isprintable() else " " for sign in value)
    nickname = " ".join(printable.split())[:MAX_NICKNAME].strip()
    if not nickname:
        wrong(path)
    return nickname
