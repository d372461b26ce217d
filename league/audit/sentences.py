"""The sentences of the audit log, one for each entry, in the reader's language.

The names in a sentence are read when it is made, so that the name of a forgotten person is not in it any more.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import Any

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from ..features import FEATURES
from ..models import ApiToken, AuditEntry, Club, Evening, Player, Role, Season, SeasonReopening, Tournament, User
from ..money import format_count
from . import What, left_out

SENTENCES: dict[What, Promise] = {
    What.SIGNED_IN: gettext_lazy("%(who)s signed in."),
    What.SIGN_IN_FAILED: gettext_lazy("Somebody failed to sign in as %(about)s."),
    What.SIGNED_OUT: gettext_lazy("%(who)s signed out."),
    What.PASSWORD_CHANGED: gettext_lazy("%(who)s set another password."),
    What.FACTOR_ADDED: gettext_lazy("%(who)s added a way to sign in (%(type)s)."),
    What.FACTOR_REMOVED: gettext_lazy("%(who)s removed a way to sign in (%(type)s)."),
    What.SESSIONS_ENDED: gettext_lazy("%(who)s signed out on other devices."),
    What.INVITED: gettext_lazy("%(who)s invited somebody as %(role)s%(as_player)s."),
    What.INVITATION_USED: gettext_lazy("%(who)s accepted an invitation."),
    What.INVITATION_REVOKED: gettext_lazy("%(who)s withdrew an invitation."),
    What.ROLE_GIVEN: gettext_lazy("%(who)s gave %(about)s the role %(role)s."),
    What.ROLE_TAKEN: gettext_lazy("%(who)s removed %(about)s from the club."),
    What.PLAYER_ADDED: gettext_lazy("%(who)s added %(about)s to the roster."),
    What.PLAYER_CHANGED: gettext_lazy("%(who)s changed the player %(about)s: %(fields)s."),
    What.PLAYER_CLAIMED: gettext_lazy("%(who)s linked the player %(about)s to %(user)s."),
    What.PLAYERS_MERGED: gettext_lazy("%(who)s said that %(about)s and %(main)s are one person."),
    What.PLAYERS_PARTED: gettext_lazy("%(who)s said that %(about)s and %(main)s are two people."),
    What.PLAYER_FORGOTTEN: gettext_lazy("The player %(about)s was forgotten (%(who)s)."),
    What.PERSON_FORGOTTEN: gettext_lazy("A person's account was deleted (%(who)s)."),
    What.CLUB_CHANGED: gettext_lazy("%(who)s changed the club: %(fields)s."),
    What.SEASON_CHANGED: gettext_lazy("%(who)s changed the season %(about)s: %(fields)s."),
    What.RULES_CHANGED: gettext_lazy("%(who)s created version %(version)s of the house rules of %(game)s."),
    What.HAND_CORRECTED: gettext_lazy("%(who)s corrected hand %(number)s of %(evening)s."),
    What.HAND_LEFT_OUT: gettext_lazy("%(who)s left out hand %(number)s of a phone, %(evening)s: %(hand)s."),
    What.HAND_VOIDED: gettext_lazy("%(who)s undid hand %(number)s of %(evening)s."),
    What.HAND_DISPUTED: gettext_lazy("%(who)s disputed hand %(number)s of %(evening)s."),
    What.EVENING_BEGUN: gettext_lazy("%(who)s began %(about)s."),
    What.EVENING_CLOSED: gettext_lazy("%(who)s closed %(about)s."),
    What.EVENING_REOPENED: gettext_lazy("%(who)s reopened %(about)s."),
    What.PAYMENTS_MARKED: gettext_lazy("%(who)s marked payments of %(about)s as paid (%(count)s)."),
    What.KITTY_BOOKED: gettext_lazy("%(who)s booked money that the kitty spent."),
    What.BANK_BOOKED: gettext_lazy("%(who)s booked payments of a bank statement (%(count)s)."),
    What.BILLS_SENT: gettext_lazy("%(who)s sent bills by mail (%(count)s; not sent: %(failed)s)."),
    What.EVENINGS_IMPORTED: gettext_lazy(
        "%(who)s imported evenings into the season %(about)s (%(evenings)s evenings, %(rows)s rows)."
    ),
    What.EXPORTED: gettext_lazy("%(who)s downloaded the file %(file)s of %(about)s."),
    What.TOKEN_MADE: gettext_lazy("%(who)s created a key for a program (%(scopes)s)."),
    What.TOKEN_REVOKED: gettext_lazy("%(who)s revoked a program's key."),
    What.WEBHOOK_CHANGED: gettext_lazy("%(who)s: webhook %(did)s."),
    What.TOURNAMENT_CHANGED: gettext_lazy("%(who)s: tournament %(about)s %(tournament_did)s."),
    What.ENTRANT_CHANGED: gettext_lazy("%(who)s: start number %(number)s of %(about)s %(entrant_did)s."),
    What.ROUND_CHANGED: gettext_lazy("%(who)s: round %(round)s of %(about)s %(round_did)s."),
}
VARIANTS: dict[tuple[What, str, Any], Promise] = {
    # The sentence for entries whose data have this value in this field.
    (What.PLAYER_CLAIMED, "user", None): gettext_lazy("%(who)s unlinked the player %(about)s."),
    (What.CLUB_CHANGED, "did", "feature_on"): gettext_lazy("%(who)s switched on the feature “%(feature)s”."),
    (What.CLUB_CHANGED, "did", "feature_off"): gettext_lazy("%(who)s switched off the feature “%(feature)s”."),
    (What.CLUB_CHANGED, "did", "suspended"): gettext_lazy("%(who)s suspended the club: it is read, not changed."),
    (What.CLUB_CHANGED, "did", "resumed"): gettext_lazy("%(who)s ended the suspension of the club."),
    (What.CLUB_CHANGED, "did", "reserves"): gettext_lazy("%(who)s changed the list of reserves."),
    (What.CLUB_CHANGED, "did", "quotas"): gettext_lazy("%(who)s set the limits of the club on this server."),
    (What.SEASON_CHANGED, "new", True): gettext_lazy("%(who)s added the season %(about)s."),
    (What.SEASON_CHANGED, "did", "formula"): gettext_lazy(
        "%(who)s created version %(version)s of the formula of the season %(about)s%(changes)s."
    ),
    (What.SEASON_CHANGED, "did", "formula_removed"): gettext_lazy(
        "%(who)s removed the formula of the season %(about)s%(changes)s."
    ),
    (What.SEASON_CHANGED, "did", "adjusted"): gettext_lazy(
        "%(who)s gave %(player)s a penalty or bonus in the season %(about)s%(on_day)s: %(points)s points."
    ),
    (What.SEASON_CHANGED, "did", "adjustment_undone"): gettext_lazy(
        "%(who)s undid a penalty or bonus of %(player)s in the season %(about)s%(on_day)s: %(points)s points."
    ),
    (What.SEASON_CHANGED, "did", "team_added"): gettext_lazy("%(who)s added team %(team)s to the season %(about)s."),
    (What.SEASON_CHANGED, "did", "team_renamed"): gettext_lazy(
        "%(who)s renamed team %(team)s of the season %(about)s."
    ),
    (What.SEASON_CHANGED, "did", "team_removed"): gettext_lazy(
        "%(who)s removed team %(team)s from the season %(about)s."
    ),
    (What.SEASON_CHANGED, "did", "team_joined"): gettext_lazy(
        "%(who)s put %(player)s into team %(team)s of the season %(about)s, from %(since)s on."
    ),
    (What.SEASON_CHANGED, "did", "team_left"): gettext_lazy(
        "%(who)s took %(player)s out of the teams of the season %(about)s, from %(since)s on."
    ),
    (What.SEASON_CHANGED, "did", "team_stay_removed"): gettext_lazy(
        "%(who)s took back which team %(player)s was in, in the season %(about)s."
    ),
    (What.SEASON_CHANGED, "did", "planned"): gettext_lazy(
        "%(who)s planned evenings of the season %(about)s (%(evenings)s), the first one on %(day)s."
    ),
    (What.SEASON_CHANGED, "did", "plan_changed"): gettext_lazy(
        "%(who)s changed the planned evening of %(day)s (season %(about)s)."
    ),
    (What.SEASON_CHANGED, "did", "plan_cancelled"): gettext_lazy(
        "%(who)s cancelled the planned evening of %(day)s (season %(about)s)."
    ),
    (What.SEASON_CHANGED, "did", "plan_restored"): gettext_lazy(
        "%(who)s took back that the planned evening of %(day)s was cancelled (season %(about)s)."
    ),
    (What.SEASON_CHANGED, "did", "plan_removed"): gettext_lazy(
        "%(who)s removed the planned evening of %(day)s (season %(about)s)."
    ),
    (What.SEASON_CHANGED, "did", "answered"): gettext_lazy(
        "%(who)s entered whether %(player)s comes on %(day)s (season %(about)s)."
    ),
    (What.PLAYER_CHANGED, "did", "link_made"): gettext_lazy("%(who)s made a link for %(about)s: “Who comes?”."),
    (What.PLAYER_CHANGED, "did", "link_ended"): gettext_lazy("%(who)s ended the link of %(about)s: “Who comes?”."),
    (What.SEASON_CHANGED, "did", "season_closed"): gettext_lazy("%(who)s closed the season %(about)s."),
    (What.SEASON_CHANGED, "did", "season_opened"): gettext_lazy("%(who)s opened the season %(about)s again%(why)s."),
    (What.EVENINGS_IMPORTED, "did", "undone"): gettext_lazy(
        "%(who)s undid an import into the season %(about)s (%(evenings)s evenings, %(rows)s rows)."
    ),
    (What.PLAYER_ADDED, "guest", True): gettext_lazy("%(who)s added the guest %(about)s to the roster."),
    (What.PAYMENTS_MARKED, "paid", False): gettext_lazy(
        "%(who)s marked payments of %(about)s as not paid (%(count)s)."
    ),
    (What.KITTY_BOOKED, "did", "brought"): gettext_lazy("%(who)s booked money that the kitty got."),
    (What.KITTY_BOOKED, "did", "undone"): gettext_lazy("%(who)s undid an entry of the kitty."),
    (What.EXPORTED, "file", "tournament"): gettext_lazy("%(who)s downloaded the file of the tournament %(about)s."),
    (What.EXPORTED, "file", "person"): gettext_lazy("%(who)s downloaded their own data."),
    (What.HAND_DISPUTED, "kind", "withdrawn"): gettext_lazy(
        "%(who)s no longer disputes hand %(number)s of %(evening)s."
    ),
    (What.HAND_DISPUTED, "kind", "settled"): gettext_lazy(
        "%(who)s settled the dispute of hand %(number)s of %(evening)s."
    ),
    (What.HAND_LEFT_OUT, "seats", True): gettext_lazy(
        "%(who)s left out a seating change of a phone, %(evening)s: %(change)s."
    ),
    (What.HAND_CORRECTED, "kind", "several"): gettext_lazy("%(who)s corrected hands %(numbers)s of %(evening)s."),
    (What.HAND_CORRECTED, "kind", "voided"): gettext_lazy("%(who)s removed hand %(number)s of %(evening)s."),
    (What.HAND_CORRECTED, "kind", "inserted"): gettext_lazy(
        "%(who)s added a forgotten hand %(number)s of %(evening)s."
    ),
    (What.HAND_CORRECTED, "kind", "moved"): gettext_lazy("%(who)s moved hand %(number)s of %(evening)s."),
    (What.HAND_CORRECTED, "kind", "seats"): gettext_lazy(
        "%(who)s corrected who sat there from hand %(number)s of %(evening)s on."
    ),
}
KINDS: dict[str, tuple[Promise, tuple[What, ...]]] = {
    "accounts": (
        gettext_lazy("Signing in"),
        (
            *(What.SIGNED_IN, What.SIGN_IN_FAILED, What.SIGNED_OUT, What.PASSWORD_CHANGED),
            *(What.FACTOR_ADDED, What.FACTOR_REMOVED, What.SESSIONS_ENDED),
        ),
    ),
    "people": (
        gettext_lazy("People"),
        (
            *(What.INVITED, What.INVITATION_USED, What.INVITATION_REVOKED, What.ROLE_GIVEN, What.ROLE_TAKEN),
            *(What.PLAYER_CLAIMED, What.PERSON_FORGOTTEN),
        ),
    ),
    "players": (
        gettext_lazy("Players"),
        (
            *(What.PLAYER_ADDED, What.PLAYER_CHANGED, What.PLAYERS_MERGED, What.PLAYERS_PARTED),
            What.PLAYER_FORGOTTEN,
        ),
    ),
    "hands": (
        gettext_lazy("Hands and evenings"),
        (
            *(What.HAND_CORRECTED, What.HAND_LEFT_OUT, What.HAND_VOIDED, What.HAND_DISPUTED),
            *(What.EVENING_BEGUN, What.EVENING_CLOSED, What.EVENING_REOPENED, What.PAYMENTS_MARKED),
        ),
    ),
    "tournaments": (
        gettext_lazy("Tournaments"),
        (What.TOURNAMENT_CHANGED, What.ENTRANT_CHANGED, What.ROUND_CHANGED),
    ),
    "club": (gettext_lazy("Club, seasons, rules"), (What.CLUB_CHANGED, What.SEASON_CHANGED, What.RULES_CHANGED)),
    "kitty": (gettext_lazy("Kitty"), (What.KITTY_BOOKED, What.BILLS_SENT, What.BANK_BOOKED)),
    "imports": (gettext_lazy("Import"), (What.EVENINGS_IMPORTED,)),
    "files": (gettext_lazy("Files"), (What.EXPORTED,)),
    "programs": (gettext_lazy("Programs"), (What.TOKEN_MADE, What.TOKEN_REVOKED, What.WEBHOOK_CHANGED)),
}
FIELDS: dict[str, Promise] = {
    "nickname": gettext_lazy("nickname"),
    "guest": gettext_lazy("guest"),
    "active": gettext_lazy("in the roster"),
    "publicity": gettext_lazy("shown in public as"),
    "pseudonym": gettext_lazy("other name"),
    "name": gettext_lazy("name"),
    "place": gettext_lazy("where it plays"),
    "visibility": gettext_lazy("who may see it"),
    "publishes_money": gettext_lazy("publishes amounts"),
    "faces": gettext_lazy("cards"),
    "counts_tricks": gettext_lazy("counts tricks"),
    "settling": gettext_lazy("settles up"),
    "publishes_rules": gettext_lazy("publishes the house rules"),
    "logo": gettext_lazy("logo"),
    "feeds_mark": gettext_lazy("secret links of the feeds"),
    "correction_hours": gettext_lazy("hours for corrections"),
    "pub_screen_link": gettext_lazy("link for the television"),
    "forget_after_months": gettext_lazy("months until players are forgotten"),
    "billing": gettext_lazy("account for bills"),
    "starts_on": gettext_lazy("from"),
    "ends_on": gettext_lazy("to"),
    "planned_evenings": gettext_lazy("planned evenings"),
    "ranking": gettext_lazy("ranking"),
    "games": gettext_lazy("games that count"),
    "best_evenings": gettext_lazy("best evenings that count"),
    "points_only": gettext_lazy("points only"),
    "points_declared": gettext_lazy("points: declared and made"),
    "points_joined": gettext_lazy("points: joined and made"),
    "points_walkover": gettext_lazy("points: walkover"),
    "points_declared_failed": gettext_lazy("points: declared and failed"),
    "points_joined_failed": gettext_lazy("points: joined and failed"),
}
VALUES: dict[str, Mapping[str, Promise]] = {
    "feature": {feature.key: feature.title for feature in FEATURES},
    "type": {
        "totp": pgettext_lazy("factor", "app with codes"),
        "webauthn": pgettext_lazy("factor", "passkey"),
        "recovery_codes": pgettext_lazy("factor", "recovery codes"),
    },
    "file": {
        "standings": gettext_lazy("standings"),
        "results": gettext_lazy("results"),
        "evenings": gettext_lazy("evenings of a player"),
        "ledger": gettext_lazy("ledger"),
        "hands": gettext_lazy("hands"),
        "debts": gettext_lazy("outstanding payments"),
        "statements": gettext_lazy("statements of the kitty"),
        "log": gettext_lazy("log"),
        "report": gettext_lazy("report"),
    },
    "did": {
        "added": pgettext_lazy("webhook", "added"),
        "changed": pgettext_lazy("webhook", "changed"),
        "removed": pgettext_lazy("webhook", "removed"),
        "rolled": pgettext_lazy("webhook", "given another secret"),
        "switched_off": pgettext_lazy("webhook", "switched off, as nothing arrives"),
    },
    "tournament_did": {
        "made": pgettext_lazy("tournament", "created"),
        "changed": pgettext_lazy("tournament", "changed"),
        "format": pgettext_lazy("tournament", "given another format"),
        "award": pgettext_lazy("tournament", "given points for a season"),
        "opened": pgettext_lazy("tournament", "opened for entries"),
        "withdrawn": pgettext_lazy("tournament", "taken back into preparation"),
        "finished": pgettext_lazy("tournament", "finished"),
        "reopened": pgettext_lazy("tournament", "opened again"),
        "archived": pgettext_lazy("tournament", "archived"),
        "unarchived": pgettext_lazy("tournament", "taken out of the archive"),
        "named": pgettext_lazy("tournament", "given another person at the desk"),
        "unnamed": pgettext_lazy("tournament", "given one person less at the desk"),
        "imported": pgettext_lazy("tournament", "imported from a file"),
        "names_shown": pgettext_lazy("tournament", "set to show names in the hall"),
        "own_entries_on": pgettext_lazy("tournament", "opened so that people enter themselves"),
        "own_entries_off": pgettext_lazy("tournament", "closed so that nobody enters alone"),
        "own_entry_refused": pgettext_lazy("tournament", "left by the desk without one who wanted to enter"),
        "names_hidden": pgettext_lazy("tournament", "set to show no names in the hall"),
    },
    "entrant_did": {
        "entered": pgettext_lazy("entrant", "entered"),
        "paid": pgettext_lazy("entrant", "ticked as paid"),
        "unpaid": pgettext_lazy("entrant", "ticked as not paid"),
        "described": pgettext_lazy("entrant", "changed"),
        "withdrawn": pgettext_lazy("entrant", "withdrawn"),
        "back": pgettext_lazy("entrant", "back again"),
        "substituted": pgettext_lazy("entrant", "taken over by a substitute"),
        "taken_out": pgettext_lazy("entrant", "taken out"),
        "name_hidden": pgettext_lazy("entrant", "noted as not shown by name in the hall"),
        "name_shown": pgettext_lazy("entrant", "noted as shown by name in the hall"),
    },
    "round_did": {
        "published": pgettext_lazy("round", "drawn and published"),
        "taken_back": pgettext_lazy("round", "taken back"),
        "started": pgettext_lazy("round", "begun"),
        "unstarted": pgettext_lazy("round", "not begun after all"),
        "paused": pgettext_lazy("round", "paused"),
        "resumed": pgettext_lazy("round", "on again"),
        "minutes": pgettext_lazy("round", "given another length"),
        "finished": pgettext_lazy("round", "finished"),
        "reopened": pgettext_lazy("round", "opened again"),
        "decided": pgettext_lazy("round", "settled at a table by the desk"),
    },
}
# All three stand in the field `did` of an entry.
_DID = ("tournament_did", "entrant_did", "round_did")


@dataclass(frozen=True)
class ChangeWords:
    """The words for the codes of changes, and the players in them."""

    text: Callable[[Iterable[str], Callable[[Any], str]], Sequence[str]]
    players: Callable[[Iterable[str]], Iterable[int]]


_WORDS: dict[str, ChangeWords] = {}
"""The words for `changes` of entries, by what was done: of rooms above the log, which register them."""


def register_words(did: str, words: ChangeWords) -> None:
    """Register the words for the changes of an action."""
    _WORDS[did] = words


@dataclass(frozen=True)
class Line:
    """An entry with its sentence. `actor` is the name of the user who acted, empty for an action without sign-in."""

    pk: int
    at: datetime
    actor_id: int | None
    actor: str
    what: str
    about: str
    sentence: str


class ObjectNames:
    """The names of all objects that some entries are about, read with one query for each kind of object."""

    def __init__(self, entries: Sequence[AuditEntry]) -> None:
        wanted: dict[str, set[int]] = defaultdict(set)
        for entry in entries:
            kind, _colon, key = entry.about.partition(":")
            self._want(wanted, kind, key)
            for name, of in (("player", "player"), ("main", "player"), ("user", "user"), ("evening", "evening")):
                self._want(wanted, of, entry.data.get(name))
            self._want(wanted, "reopening", entry.data.get("reopening"))
            words = _WORDS.get(str(entry.data.get("did")))
            for named in words.players(_strings(entry.data.get("changes", ()))) if words else ():
                self._want(wanted, "player", named)
            for one in left_out.players_in(entry.data) if entry.what == What.HAND_LEFT_OUT else ():
                self._want(wanted, "player", one)
        self.names: dict[tuple[str, int], str] = {}
        for player in Player.objects.filter(pk__in=wanted["player"]) if wanted["player"] else ():
            self.names["player", player.pk] = player.nickname
        for user in User.objects.filter(pk__in=wanted["user"]) if wanted["user"] else ():
            self.names["user", user.pk] = str(user)
        for season in Season.objects.filter(pk__in=wanted["season"]) if wanted["season"] else ():
            self.names["season", season.pk] = season.name
        for club in Club.objects.filter(pk__in=wanted["club"]) if wanted["club"] else ():
            self.names["club", club.pk] = club.name
        again = SeasonReopening.objects.filter(pk__in=wanted["reopening"]).exclude(reason="")
        for reopening in again if wanted["reopening"] else ():
            self.names["reopening", reopening.pk] = reopening.reason
        for tournament in Tournament.objects.filter(pk__in=wanted["tournament"]) if wanted["tournament"] else ():
            self.names["tournament", tournament.pk] = tournament.name
        evenings = Evening.objects.filter(pk__in=wanted["evening"]).select_related("season")
        for evening in evenings if wanted["evening"] else ():
            name = (
                _("round %(number)d (%(season)s)") if evening.season.in_chips else _("evening %(number)d (%(season)s)")
            )
            values = {"number": evening.number, "season": evening.season.name}
            self.names["evening", evening.pk] = name % values

    @staticmethod
    def _want(wanted: dict[str, set[int]], kind: str, key: Any) -> None:
        if isinstance(key, int) or (isinstance(key, str) and key.isdecimal() and len(key) < 19):
            wanted[kind].add(int(key))

    def name(self, kind: str, key: Any) -> str:
        """Return the name of an object; `?` if it no longer exists."""
        try:
            return self.names[kind, int(key)]
        except (KeyError, TypeError, ValueError):
            return "?"


def lines_of(entries: Sequence[AuditEntry]) -> list[Line]:
    """Return the entries with their sentences. One query for each kind of object; `entries` select their actors."""
    names = ObjectNames(entries)
    return [_line(entry, names) for entry in entries]


def _line(entry: AuditEntry, names: ObjectNames) -> Line:
    actor = str(entry.actor) if entry.actor else ""
    subject = actor or _("Somebody")
    if entry.token:
        subject = _("%(who)s (key “%(key)s”)") % {"who": subject, "key": entry.token}
    sentence = _template(entry) % _Values(_values(entry, names) | {"who": subject})
    return Line(entry.pk, entry.at, entry.actor_id, actor, entry.what, entry.about, sentence)


class _Values(dict[str, str]):
    """Return a question mark for a missing field, so that an entry of an older version can be shown."""

    def __missing__(self, key: str) -> str:
        return "?"


def _template(entry: AuditEntry) -> str:
    try:
        what = What(entry.what)
    except ValueError:
        return _("%(who)s: an entry of another version of this program.")
    for (of, field, value), sentence in VARIANTS.items():
        if of is what and field in entry.data and entry.data[field] == value:
            return str(sentence)
    return str(SENTENCES[what])


def _values(entry: AuditEntry, names: ObjectNames) -> dict[str, str]:
    data: Mapping[str, Any] = entry.data
    kind, _colon, key = entry.about.partition(":")
    found = {"about": names.name(kind, key)}
    for name, of in (("player", "player"), ("main", "player"), ("user", "user"), ("evening", "evening")):
        if name in data:
            found[name] = names.name(of, data[name])
    as_player = _(" (the player %(name)s)") % {"name": found["player"]} if data.get("player") else ""
    found["as_player"] = as_player
    if data.get("role") in Role.values:
        found["role"] = str(Role(data["role"]).label)
    why = names.names.get(("reopening", int(data["reopening"]))) if "reopening" in data else ""
    # A reason is emptied when a person in it is forgotten.
    found["why"] = _(": “%(reason)s”") % {"reason": why} if why else ""
    found["fields"] = ", ".join(_fields(data)) or "–"
    words = _WORDS.get(str(data.get("did")))
    changes = words.text(_strings(data.get("changes", ())), partial(names.name, "player")) if words else []
    found["changes"] = ": " + "; ".join(changes) if changes else ""
    found["on_day"] = _(", %(day)s") % {"day": _day(data["day"])} if "day" in data else ""
    if entry.what == What.HAND_LEFT_OUT:
        found |= _left_out(data, names)
    for name in ("number", "numbers", "version", "count", "round", "table", "points", "team"):
        if name in data:
            found[name] = _number(data[name])
    for name in ("since", "day"):
        if name in data:
            found[name] = _day(data[name])
    found["game"] = str(data.get("game", "?")).capitalize()
    scopes = dict(ApiToken.Scope.choices)
    found["scopes"] = ", ".join(str(scopes.get(scope, scope)) for scope in _strings(data.get("scopes", ())))
    for name, labels in VALUES.items():
        value = str(data.get("did" if name in _DID else name, "?"))
        found[name] = str(labels.get(value, value))
    return found


def _day(value: Any) -> str:
    return date_format(date.fromisoformat(str(value)), "SHORT_DATE_FORMAT")


def _number(value: Any) -> str:
    """Return a value as text; a number below 0 with the sign that pages write."""
    text = str(value)
    return format_count(int(text)) if re.fullmatch(r"-\d+", text) else text


def _fields(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the fields that changed, with their values where the entry has them (`field before after`)."""
    values = {field: more for field, *more in (code.split(" ") for code in _strings(data.get("values", ())))}
    for field in _strings(data.get("fields", ())):
        label = str(FIELDS.get(field, field))
        if field in values:
            before, after = map(_number, values[field])
            yield _("%(field)s (%(after)s instead of %(before)s)") % {"field": label, "before": before, "after": after}
        else:
            yield label


def _left_out(data: Mapping[str, Any], names: ObjectNames) -> dict[str, str]:
    def name(player: Any) -> str:
        return names.name("player", player) if str(player) != "0" else _("somebody")

    text = left_out.change_text if data.get("seats") else left_out.hand_text
    return {"change" if data.get("seats") else "hand": text(data, name)}


def _strings(values: Any) -> Iterable[str]:
    return (str(value) for value in values) if isinstance(values, list | tuple) else (str(values),)
