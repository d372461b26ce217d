"""All that is kept of a person, to take along: one zip with a JSON file and a CSV file for each kind of thing.

Read row by row and sent while it is read, however long somebody has played. Keys and passwords are not in it: only
their SHA is kept, which is of no use to anybody. Amounts are whole Rappen, times are ISO 8601.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.db.models import Case, Q, QuerySet, Value, When
from django.utils import timezone

from .. import audit
from ..audit import What
from ..exports import cell
from ..models import (
    ApiToken,
    AuditEntry,
    Closing,
    Evening,
    FormerName,
    HouseRules,
    Invitation,
    Membership,
    Payment,
    PlayerMerge,
    Posting,
    ReceiptName,
    ResultRow,
    Transfer,
    User,
    Webhook,
)
from ..roster.person import players_alone_of

CHUNK = 2000

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Part:
    """A kind of thing that is kept: its file's name, its columns with the path of each, and whose rows they are."""

    name: str
    columns: Mapping[str, str]
    rows: Callable[[User], QuerySet[Any]]


def _results(user: User) -> QuerySet[ResultRow]:
    """Each hand's result; in a season of points alone without its amounts, which nobody sees."""
    in_money = Q(season__points_only=False)
    return (
        ResultRow.objects.filter(player__in=players_alone_of(user))
        .annotate(won=Case(When(in_money, then="pot_won_minor")), changed=Case(When(in_money, then="change_minor")))
        .order_by("pk")
    )


def _log(user: User) -> QuerySet[AuditEntry]:
    """What the person did, and what was done about them; of keys the person's own by name."""
    about = [f"user:{user.pk}", *(f"player:{pk}" for pk in players_alone_of(user).values_list("pk", flat=True))]
    rows = AuditEntry.objects.filter(Q(actor=user) | Q(about__in=about))
    return rows.annotate(own_key=Case(When(actor=user, then="token"), default=Value(""))).order_by("pk")


def own_words(user: User, column: str = "reason") -> Case:
    """The text where the person wrote it; of what somebody else wrote there is none."""
    return Case(When(author=user, then=column), default=Value(""))


def _invitations(user: User) -> QuerySet[Invitation]:
    """Those that the person made, and those by which the person came."""
    came = Q(used_by=user) | Q(taken_by=user) | Q(player__in=players_alone_of(user))
    rows = Invitation.objects.filter(Q(author=user) | came)
    own = When(author=user, then=Value("made"))
    return rows.annotate(words=own_words(user, "note"), whose=Case(own, default=Value("got"))).order_by("created_at")


def _merges(user: User) -> QuerySet[PlayerMerge]:
    """Those that the person decided, and those of the person's own players."""
    own = players_alone_of(user)
    rows = PlayerMerge.objects.filter(Q(author=user) | Q(player__in=own) | Q(main__in=own))
    return rows.annotate(words=own_words(user)).order_by("created_at")


def part(name: str, rows: Callable[[User], QuerySet[Any]], /, **columns: str) -> Part:
    """A kind of thing; each column is named with the path from which it is read."""
    return Part(name, columns, rows)


PARTS: list[Part] = [
    part(
        "account",
        lambda user: User.objects.filter(pk=user.pk),
        **{name: name for name in ("id", "email", "first_name", "last_name", "date_joined", "last_login", "is_active")},
    ),
    part(
        "mail_addresses",
        lambda user: EmailAddress.objects.filter(user=user).order_by("pk"),
        **{name: name for name in ("email", "verified", "primary")},
    ),
    part(
        "factors",
        lambda user: Authenticator.objects.filter(user=user).order_by("pk"),
        **{name: name for name in ("type", "created_at", "last_used_at")},
    ),
    part(
        "sessions",
        lambda user: UserSession.objects.filter(user=user).order_by("pk"),
        **{name: name for name in ("created_at", "last_seen_at", "ip", "user_agent")},
    ),
    part(
        "keys",
        lambda user: ApiToken.objects.filter(user=user).order_by("created"),
        club="club__slug",
        **{name: name for name in ("name", "scopes", "created", "expiry", "used_at")},
    ),
    part(
        "memberships",
        lambda user: Membership.objects.filter(user=user).order_by("pk"),
        club="club__slug",
        club_name="club__name",
        role="role",
    ),
    part(
        "players",
        lambda user: players_alone_of(user).order_by("pk"),
        club="club__slug",
        **{
            name: name
            for name in ("id", "nickname", "guest", "active", "publicity", "pseudonym", "main_id", "created_at")
        },
    ),
    part(
        "former_names",
        lambda user: FormerName.objects.filter(player__in=players_alone_of(user)).order_by("pk"),
        club="player__club__slug",
        player_id="player_id",
        name="name",
    ),
    part(
        "results",
        _results,
        club="season__club__slug",
        season="season__slug",
        evening="evening__number",
        held_on="evening__held_on",
        hand_id="source",
        written_at="posting__created_at",
        **{
            name: name
            for name in (
                "player_id",
                "seat",
                "role",
                "made",
                "tricks",
                "walkover",
                "passed_out",
                "muss",
                "blind",
                "susi",
            )
        },
        pot_won_minor="won",
        change_minor="changed",
    ),
    part(
        "transfers",
        lambda user: Transfer.objects.filter(
            Q(from_account__player__in=players_alone_of(user)) | Q(to_account__player__in=players_alone_of(user)),
            season__points_only=False,
        ).order_by("pk"),
        id="pk",
        club="season__club__slug",
        season="season__slug",
        posted_at="posting__created_at",
        kind="kind",
        from_player_id="from_account__player_id",
        from_kind="from_account__kind",
        to_player_id="to_account__player_id",
        to_kind="to_account__kind",
        amount_minor="amount_minor",
    ),
    part(
        "payments",
        lambda user: Payment.objects.filter(
            Q(payer__player__in=players_alone_of(user)) | Q(payee__player__in=players_alone_of(user))
        ).order_by("closing__created_at", "number"),
        id="pk",
        club="closing__evening__club__slug",
        evening_id="closing__evening_id",
        closing="closing__number",
        payer_id="payer__player_id",
        payee_id="payee__player_id",
        amount_minor="amount_minor",
    ),
    part(
        "receipts",
        lambda user: ReceiptName.objects.filter(player__in=players_alone_of(user)).order_by("pk"),
        club="receipt__club__slug",
        receipt="receipt__number",
        player_id="player_id",
        name="name",
        digest="receipt__digest",
    ),
    part(
        "invitations",
        _invitations,
        id="pk",
        club="club__slug",
        whose="whose",
        note="words",
        **{name: name for name in ("role", "created_at", "expires_at", "used_at", "revoked_at")},
    ),
    part(
        "merges",
        _merges,
        id="pk",
        club="club__slug",
        at="created_at",
        reason="words",
        **{name: name for name in ("player_id", "main_id", "joined")},
    ),
    part(
        "evenings_opened",
        lambda user: Evening.objects.filter(opened_by=user).order_by("pk"),
        id="pk",
        club="club__slug",
        season="season__slug",
        at="created_at",
        **{name: name for name in ("number", "held_on", "game")},
    ),
    part(
        "closings",
        lambda user: Closing.objects.filter(author=user).order_by("created_at"),
        id="pk",
        club="evening__club__slug",
        at="created_at",
        **{name: name for name in ("evening_id", "number", "kind", "pot", "reason")},
    ),
    part(
        "postings",
        lambda user: Posting.objects.filter(author=user).order_by("created_at"),
        id="pk",
        club="club__slug",
        at="created_at",
        **{name: name for name in ("evening_id", "source", "revision", "reason")},
    ),
    part(
        "house_rules",
        lambda user: HouseRules.objects.filter(author=user).order_by("pk"),
        id="pk",
        club="club__slug",
        at="created_at",
        **{name: name for name in ("game", "version")},
    ),
    part(
        "webhooks",
        lambda user: Webhook.objects.filter(author=user).order_by("created_at"),
        id="pk",
        club="club__slug",
        at="created_at",
        **{name: name for name in ("url", "events", "active", "removed_at")},
    ),
    part(
        "admin",
        lambda user: LogEntry.objects.filter(user=user).order_by("pk"),
        at="action_time",
        kind="content_type__model",
        thing="object_id",
        did="action_flag",
    ),
    part(
        "log",
        _log,
        club="club__slug",
        token="own_key",  # noqa: S106 - a column
        **{name: name for name in ("at", "actor_id", "what", "about", "data")},
    ),
]
"""What is kept of a person. What plays adds its own (`games.apps`)."""


def archive(user: User, parts: Iterable[Part] | None = None) -> Iterator[bytes]:
    """The zip file, piece by piece: `data.json` with everything, and `<kind>.csv` for each kind of thing."""
    chosen = list(PARTS if parts is None else parts)
    pipe = _Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as packed:
        with packed.open("data.json", "w") as file:
            for text in _as_json(user, chosen):
                file.write(text.encode())
                yield from pipe.taken()
        for part in chosen:
            with packed.open(f"{part.name}.csv", "w") as file:
                for text in _as_csv(user, part):
                    file.write(text.encode())
                    yield from pipe.taken()
    yield from pipe.taken()


def take(user: User) -> Iterator[bytes]:
    """`archive` for the person it is about; the logs of their clubs say that it was taken along."""
    audit.write_for_person(What.EXPORTED, person=user, actor=user, data={"file": "person"})
    return archive(user)


class _Pipe(io.RawIOBase):
    """A file that cannot be gone back in: what is written waits until it is taken."""

    def __init__(self) -> None:
        self._waiting: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._waiting.append(bytes(data))
        return len(data)

    def taken(self) -> Iterator[bytes]:
        if self._waiting:
            yield b"".join(self._waiting)
            self._waiting.clear()


def _rows(user: User, part: Part) -> Iterator[dict[str, Any]]:
    for row in part.rows(user).values_list(*part.columns.values()).iterator(chunk_size=CHUNK):
        yield dict(zip(part.columns, row, strict=True))


def _as_json(user: User, parts: Iterable[Part]) -> Iterator[str]:
    yield f'{{"of": {user.pk}, "at": {json.dumps(timezone.now().astimezone(UTC).isoformat())}'
    for part in parts:
        yield f",\n{json.dumps(part.name)}: ["
        for number, row in enumerate(_rows(user, part)):
            yield (",\n " if number else "\n ") + json.dumps(row, default=_plain, ensure_ascii=False)
        yield "]"
    yield "}\n"


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, date | datetime) else str(value)


def _as_csv(user: User, part: Part) -> Iterator[str]:
    line = io.StringIO()
    writer = csv.writer(line)
    writer.writerow(part.columns)
    for row in _rows(user, part):
        writer.writerow([cell(_text(row[column])) for column in part.columns])
        if line.tell() > 8192:
            yield line.getvalue()
            line.seek(0)
            line.truncate()
    yield line.getvalue()


def _text(value: object) -> object:
    return json.dumps(value) if isinstance(value, dict | list) else value
