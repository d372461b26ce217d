"""The table of all routes: which methods each has, and which right each method needs.

The permission tests send every method of every route as each person of the cast, and fail for a route that is missing
here. docs/permissions.md explains the rights.
"""

from __future__ import annotations

from dataclasses import dataclass

from league.access import Right
from league.api.base import Audience


@dataclass(frozen=True)
class Anyone:
    """A page for everybody. `methods`: the methods it answers; `names`: the kind of object in its address."""

    methods: tuple[str, ...] = ("GET",)
    names: str = ""


@dataclass(frozen=True)
class Club:
    """A page of a club: the right that each method needs, and the kind of object in its address."""

    rights: dict[str, Right]
    names: str = ""


@dataclass(frozen=True)
class Api:
    """An API operation without a club: who may use each method."""

    who: dict[str, Audience]


@dataclass(frozen=True)
class ApiClub:
    """An API operation of a club: the right that each method needs, and the kind of object in its address."""

    rights: dict[str, Right]
    names: str = ""


@dataclass(frozen=True)
class Own:
    """A page of the user's own account: a visitor is asked to sign in, nobody opens the page of another user."""

    methods: tuple[str, ...] = ("GET",)
    names: str = ""


@dataclass(frozen=True)
class Linked:
    """A page for everybody who has its link, for a time or once; the tests of its feature try it with each person."""


Route = Anyone | Club | Api | ApiClub | Own | Linked

BOTH = ("GET", "POST")

READ = {"GET": Right.READ}
RECORD = {"GET": Right.RECORD}
POST_RECORD = {"POST": Right.RECORD}
BOTH_RECORD = {"GET": Right.RECORD, "POST": Right.RECORD}
SEE_RULES = {"GET": Right.SEE_RULES}
MANAGE = {"GET": Right.MANAGE}
BOTH_MANAGE = {"GET": Right.MANAGE, "POST": Right.MANAGE}

ROUTES: dict[str, Route] = {
    "healthz": Anyone(),
    "readyz": Anyone(),
    "language": Anyone(),
    "home": Anyone(),
    "calculator": Anyone(),
    "login": Anyone(BOTH),
    "account_login": Anyone(BOTH),
    "outbox": Anyone(),
    "worker": Anyone(),
    "manifest": Anyone(),
    "offline": Anyone(),
    "logout": Anyone(BOTH),
    "account_logout": Anyone(BOTH),
    "login-link": Linked(),
    "account_request_login_code": Anyone(BOTH),
    "account_confirm_login_code": Anyone(BOTH),
    "mfa_login_webauthn": Anyone(BOTH),
    "mfa_authenticate": Anyone(BOTH),
    "account_signup": Anyone(BOTH),
    "account_email_verification_sent": Anyone(BOTH),
    "account_reset_password": Anyone(BOTH),
    "account_reset_password_done": Anyone(),
    "account_reset_password_from_key_done": Anyone(),
    "account_reset_password_from_key": Linked(),
    "account_inactive": Anyone(),
    "join": Linked(),
    "join-opened": Linked(),
    "account": Own(BOTH),
    "account_email": Own(BOTH),
    "account_change_password": Own(BOTH),
    "account_set_password": Own(BOTH),
    "account_reauthenticate": Own(BOTH),
    "usersessions_list": Own(BOTH),
    "mfa_index": Own(),
    "mfa_reauthenticate": Own(BOTH),
    "mfa_activate_totp": Own(BOTH),
    "mfa_deactivate_totp": Own(BOTH),
    "mfa_view_recovery_codes": Own(),
    "mfa_generate_recovery_codes": Own(BOTH),
    "mfa_download_recovery_codes": Own(),
    "mfa_list_webauthn": Own(),
    "mfa_add_webauthn": Own(BOTH),
    "mfa_reauthenticate_webauthn": Own(BOTH),
    "mfa_remove_webauthn": Own(BOTH, "passkey"),
    "mfa_edit_webauthn": Own(BOTH, "passkey"),
    "privacy": Anyone(),
    "club-privacy": Club(READ),
    "player-forget": Club({"GET": Right.PEOPLE, "POST": Right.PEOPLE}, "player"),
    "account-data": Own(),
    "account-data-file": Own(),
    "account-forget": Own(BOTH),
    "account-keys": Own(BOTH),
    "account-key-revoke": Own(("POST",)),
    "club-leave": Club({"GET": Right.SEE_RULES, "POST": Right.SEE_RULES}),
    "receipt": Anyone(names="receipt"),
    "club": Club(READ),
    "player": Club(READ, "player"),
    "season": Club(READ, "season"),
    "season-standings": Club(READ, "season"),
    "season-sum": Club(READ, "player-season"),
    "season-records": Club(READ, "season"),
    "season-chances": Club(READ, "season"),
    "season-chances-live": Club(READ, "season"),
    "season-champions": Club(READ, "season"),
    "club-champions": Club(READ),
    "season-statistics": Club(READ, "season"),
    "club-records": Club(READ),
    "standings-csv": Club(READ, "season"),
    "results-csv": Club(READ, "season"),
    "treasury": Club({"GET": Right.SEE_LEDGER, "POST": Right.KEEP_KITTY}),
    "treasury-undo": Club({"POST": Right.KEEP_KITTY}),
    "treasury-statements": Club({"GET": Right.SEE_LEDGER}),
    "treasury-billing": Club({"GET": Right.KEEP_KITTY, "POST": Right.KEEP_KITTY}),
    "statements-pdf": Club({"GET": Right.SEE_LEDGER}),
    "treasury-balances": Club({"GET": Right.SEE_LEDGER}),
    "ledger-csv": Club({"GET": Right.SEE_LEDGER}, "season"),
    "season-report": Club(READ, "season"),
    "player-statement": Club(READ, "player"),
    "treasurer-list": Club({"GET": Right.SEE_LEDGER}),
    "evening-report": Club(READ, "evening"),
    "standings-embed": Club(READ, "season"),
    "standings-json": Club(READ, "season"),
    "club-calendar": Club(READ),
    "club-results-atom": Club(READ),
    "club-files": Club({"GET": Right.SEE_RULES, "POST": Right.SEE_RULES}),
    "club-file": Linked(),
    "club-logo": Club(BOTH_MANAGE),
    # 404 without a logo: tried with each person by the tests of the logo.
    "club-logo-picture": Linked(),
    "club-feeds": Club(READ),
    "club-feeds-renew": Club({"POST": Right.MANAGE}),
    "tournament": Club(READ, "tournament"),
    "tournament-seat": Club(READ, "tournament"),
    "tournament-screen": Club(READ, "tournament"),
    "tournament-clock": Club(READ, "tournament"),
    "club-screen": Club(READ),
    "club-screen-link": Club(BOTH_MANAGE),
    "screen-link": Linked(),
    "site-picture": Anyone(),
    "club-picture": Club(READ),
    "season-picture": Club(READ, "season"),
    "champions-picture": Club(READ, "season"),
    "evening-picture": Club(READ, "evening"),
    "hand-picture": Club(READ, "table"),
    "club-people": Club({"GET": Right.PEOPLE, "POST": Right.PEOPLE}),
    "club-roster": Club({"GET": Right.ROSTER, "POST": Right.ROSTER}),
    "player-edit": Club({"GET": Right.ROSTER, "POST": Right.ROSTER}, "player"),
    "player-merge": Club({"GET": Right.PEOPLE, "POST": Right.PEOPLE}, "player"),
    "club-seasons": Club(MANAGE),
    "season-new": Club(BOTH_MANAGE),
    "season-edit": Club(BOTH_MANAGE, "season"),
    "season-formula": Club(BOTH_MANAGE, "season"),
    "season-adjustments": Club(BOTH_MANAGE, "season"),
    "season-close": Club(BOTH_MANAGE, "season"),
    "club-settings": Club(BOTH_MANAGE),
    "club-log": Club({"GET": Right.SEE_LOG}),
    "log-csv": Club({"GET": Right.SEE_LOG}),
    "evening": Club(READ, "evening"),
    "evening-live": Club(READ, "evening"),
    "evening-record": Club(RECORD, "evening"),
    "hands-csv": Club(READ, "evening"),
    "evening-close": Club(BOTH_RECORD, "evening"),
    "evening-reopen": Club(POST_RECORD, "evening"),
    "evening-last": Club(POST_RECORD, "evening"),
    "evening-cash-out": Club(BOTH_RECORD, "evening-player"),
    "payments-mark": Club(POST_RECORD, "evening"),
    "receipts": Club(RECORD, "evening"),
    "debts": Club(SEE_RULES),
    "debts-paid": Club(POST_RECORD),
    "debts-csv": Club(SEE_RULES),
    "club-window": Club(BOTH_MANAGE),
    "evening-new": Club(BOTH_RECORD),
    "night-table": Club(RECORD),
    "rules": Club(SEE_RULES),
    "rules-change": Club(BOTH_MANAGE),
    "rules-replay": Club(MANAGE),
    "table": Club(BOTH_RECORD, "table"),
    "table-preview": Club(POST_RECORD, "table"),
    "table-live": Club(RECORD, "table"),
    "table-pencil": Club(POST_RECORD, "table"),
    "table-seating": Club(BOTH_RECORD, "table"),
    "night": Club(POST_RECORD),
    "table-night": Club(BOTH_RECORD, "table"),
    "night-read": Club(RECORD),
    "table-stories": Club(RECORD, "table"),
    "hand-void": Club(POST_RECORD, "table"),
    "hand-paid": Club(RECORD, "table"),
    "hand-cards": Club(BOTH_RECORD, "table"),
    "hand-paste": Club(BOTH_RECORD, "table"),
    "hand-through": Club(READ, "table"),
    "hand-dispute": Club(BOTH_RECORD, "table"),
    "club-disputes": Club(RECORD),
    "hand-edit": Club(BOTH_RECORD, "table"),
    "hand-insert": Club(BOTH_RECORD, "table"),
    "hand-out": Club(BOTH_RECORD, "table"),
    "hand-move": Club(BOTH_RECORD, "table"),
    "hand-history": Club(READ, "table"),
    "table-seats": Club(BOTH_RECORD, "table"),
    "table-difference": Club(RECORD, "table"),
    "evening-corrections": Club(READ, "evening"),
    "hand-type": Club(BOTH_RECORD, "table"),
    "hand-type-preview": Club(POST_RECORD, "table"),
    "evening-sheet": Club(RECORD, "evening"),
    "sheet-code": Club(RECORD, "code"),
    "club-faces": Club(BOTH_MANAGE),
    "table-card": Linked(),
    "tournament-import": Club(BOTH_MANAGE),
    # For the desk: an owner, or a recorder who is named for it.
    "tournament-file": Club(RECORD, "tournament"),
    "tournaments": Club(READ),
    "tournament-new": Club(BOTH_MANAGE),
    "tournament-desk": Club(RECORD, "tournament"),
    "tournament-desk-live": Club(RECORD, "tournament"),
    "tournament-setup": Club(BOTH_RECORD, "tournament"),
    "tournament-entrants": Club(BOTH_RECORD, "tournament"),
    "tournament-check-in": Club(POST_RECORD, "tournament"),
    "tournament-entrant": Club(BOTH_RECORD, "entrant"),
    "tournament-draw": Club(BOTH_RECORD, "tournament"),
    "tournament-round": Club(POST_RECORD, "tournament"),
    "tournament-sheet": Club(BOTH_RECORD, "round-table"),
    "tournament-papers": Club(RECORD, "tournament"),
    "tournament-paper": Club(RECORD, "paper"),
    "webhooks": Club(BOTH_MANAGE),
    "webhook": Club(BOTH_MANAGE, "webhook"),
    "webhook-replay": Club({"POST": Right.MANAGE}, "delivery"),
    "api-docs": Anyone(),
    "api-openapi": Anyone(),
    "api-me": Api({"GET": Audience.PERSON}),
    "api-clubs": Api({"GET": Audience.ANYONE, "POST": Audience.SERVER}),
    "api-my-data": Api({"GET": Audience.PERSON}),
    "api-keys": Api({"GET": Audience.PERSON, "POST": Audience.PERSON}),
    "api-key": Api({"DELETE": Audience.PERSON}),
    "api-my-club": Api({"DELETE": Audience.PERSON}),
    "api-club": ApiClub({"GET": Right.READ, "PATCH": Right.MANAGE}),
    "api-players": ApiClub({"GET": Right.READ, "POST": Right.ROSTER}),
    "api-player": ApiClub({"GET": Right.READ, "PATCH": Right.ROSTER}, "player"),
    "api-player-merges": ApiClub({"GET": Right.PEOPLE, "POST": Right.PEOPLE}, "player"),
    "api-player-forget": ApiClub({"POST": Right.PEOPLE}, "player"),
    "api-merge-preview": ApiClub({"GET": Right.PEOPLE}, "player"),
    "api-player-unmerge": ApiClub({"POST": Right.PEOPLE}, "player"),
    "api-player-person": ApiClub({"GET": Right.PEOPLE, "PUT": Right.PEOPLE}, "player"),
    "api-player-season": ApiClub(READ, "player-season"),
    "api-seasons": ApiClub({"GET": Right.READ, "POST": Right.MANAGE}),
    "api-season": ApiClub({"GET": Right.READ, "PATCH": Right.MANAGE}, "season"),
    "api-season-formula": ApiClub({"GET": Right.READ, "PUT": Right.MANAGE, "DELETE": Right.MANAGE}, "season"),
    "api-season-count": ApiClub(READ, "season"),
    "api-standings": ApiClub(READ, "season"),
    "api-standings-csv": ApiClub(READ, "season"),
    "api-results-csv": ApiClub(READ, "season"),
    "api-ledger-csv": ApiClub({"GET": Right.SEE_LEDGER}, "season"),
    "api-tournaments": ApiClub({"GET": Right.READ, "POST": Right.MANAGE}),
    "api-tournament-presets": ApiClub(READ),
    "api-tournament": ApiClub({"GET": Right.READ, "PATCH": Right.RECORD}, "tournament"),
    "api-tournament-format": ApiClub({"GET": Right.READ, "PATCH": Right.RECORD}, "tournament"),
    "api-tournament-outlook": ApiClub(READ, "tournament"),
    "api-tournament-state": ApiClub(POST_RECORD, "tournament"),
    "api-tournament-desk": ApiClub(RECORD, "tournament"),
    "api-tournament-desk-member": ApiClub(dict.fromkeys(["PUT", "DELETE"], Right.MANAGE), "desk-member"),
    "api-tournament-award": ApiClub({"PUT": Right.RECORD}, "tournament"),
    "api-tournament-ranking": ApiClub(READ, "tournament"),
    "api-entrants": ApiClub({"GET": Right.READ, "POST": Right.RECORD}, "tournament"),
    "api-entrant": ApiClub({"GET": Right.READ, "PATCH": Right.RECORD, "DELETE": Right.RECORD}, "entrant"),
    "api-entrant-check-in": ApiClub(POST_RECORD, "entrant"),
    "api-entrant-paid": ApiClub(POST_RECORD, "entrant"),
    "api-entrant-withdraw": ApiClub(POST_RECORD, "entrant"),
    "api-entrant-come-back": ApiClub(POST_RECORD, "entrant"),
    "api-entrant-substitute": ApiClub(POST_RECORD, "entrant"),
    "api-draws": ApiClub({"GET": Right.READ, "POST": Right.RECORD}, "tournament"),
    "api-draw-again": ApiClub(POST_RECORD, "tournament"),
    "api-draw-take-back": ApiClub(POST_RECORD, "tournament"),
    "api-draw": ApiClub(READ, "draw"),
    "api-draw-swap": ApiClub(POST_RECORD, "draw"),
    "api-draw-publish": ApiClub(POST_RECORD, "draw"),
    "api-rounds": ApiClub(READ, "tournament"),
    "api-round": ApiClub(READ, "round"),
    "api-round-tables": ApiClub(READ, "round"),
    "api-round-clock": ApiClub(READ, "round"),
    "api-round-start": ApiClub(POST_RECORD, "round"),
    "api-round-unstart": ApiClub(POST_RECORD, "round"),
    "api-round-pause": ApiClub(POST_RECORD, "round"),
    "api-round-resume": ApiClub(POST_RECORD, "round"),
    "api-round-minutes": ApiClub(POST_RECORD, "round"),
    "api-round-finish": ApiClub(POST_RECORD, "round"),
    "api-round-reopen": ApiClub(POST_RECORD, "round"),
    "api-round-sheets": ApiClub({"GET": Right.READ, "POST": Right.RECORD}, "round"),
    "api-balances": ApiClub(SEE_RULES),
    "api-ledger": ApiClub({"GET": Right.SEE_LEDGER}),
    "api-open-balances": ApiClub({"GET": Right.SEE_LEDGER}),
    "api-kitty": ApiClub({"GET": Right.SEE_LEDGER}),
    "api-kitty-entries": ApiClub({"GET": Right.SEE_LEDGER, "POST": Right.KEEP_KITTY}),
    "api-kitty-undo": ApiClub({"POST": Right.KEEP_KITTY}, "kitty-entry"),
    "api-people": ApiClub({"GET": Right.PEOPLE}),
    "api-person": ApiClub(dict.fromkeys(["GET", "PATCH", "DELETE"], Right.PEOPLE), "person"),
    "api-invitations": ApiClub({"GET": Right.PEOPLE, "POST": Right.PEOPLE}),
    "api-invitation": ApiClub({"DELETE": Right.PEOPLE}, "invitation"),
    "api-log": ApiClub({"GET": Right.SEE_LOG}),
    "api-webhooks": ApiClub(BOTH_MANAGE),
    "api-webhook": ApiClub(dict.fromkeys(["GET", "PATCH", "DELETE"], Right.MANAGE), "webhook"),
    "api-webhook-secret": ApiClub({"POST": Right.MANAGE}, "webhook"),
    "api-deliveries": ApiClub(BOTH_MANAGE, "webhook"),
    "api-delivery-replay": ApiClub({"POST": Right.MANAGE}, "delivery"),
    "api-hand-record-check": Api({"POST": Audience.ANYONE}),
    "api-receipt": Api({"GET": Audience.ANYONE}),
    "api-evenings": ApiClub({"GET": Right.READ, "POST": Right.RECORD}),
    "api-evening": ApiClub(READ, "evening"),
    "api-hands-csv": ApiClub(READ, "evening"),
    "api-evening-sheet": ApiClub(RECORD, "evening"),
    "api-evening-corrections": ApiClub(READ, "evening"),
    "api-evening-last": ApiClub(POST_RECORD, "evening"),
    "api-evening-close": ApiClub(POST_RECORD, "evening"),
    "api-evening-reopen": ApiClub(POST_RECORD, "evening"),
    "api-cash-outs": ApiClub(BOTH_RECORD, "evening"),
    "api-settlement": ApiClub(RECORD, "evening"),
    "api-payments": ApiClub(POST_RECORD, "evening"),
    "api-receipts": ApiClub(RECORD, "evening"),
    "api-debts": ApiClub({"GET": Right.SEE_RULES, "POST": Right.RECORD}),
    "api-debts-csv": ApiClub(SEE_RULES),
    "api-rules": ApiClub({"GET": Right.SEE_RULES, "POST": Right.MANAGE}),
    "api-rules-preview": ApiClub({"POST": Right.MANAGE}),
    "api-season-replay": ApiClub({"POST": Right.MANAGE}, "season"),
    "api-table": ApiClub(READ, "table"),
    "api-seating-changes": ApiClub({"GET": Right.READ, "POST": Right.RECORD}, "table"),
    "api-seating-change-preview": ApiClub(POST_RECORD, "table"),
    "api-difference-finder": ApiClub(RECORD, "table"),
    "api-corrections": ApiClub(POST_RECORD, "table"),
    "api-correction-preview": ApiClub(POST_RECORD, "table"),
    "api-hands": ApiClub({"GET": Right.READ, "POST": Right.RECORD}, "table"),
    "api-hand-preview": ApiClub(POST_RECORD, "table"),
    "api-hand": ApiClub(READ, "hand"),
    "api-hand-cash": ApiClub(RECORD, "hand"),
    "api-hand-void": ApiClub(POST_RECORD, "hand"),
    "api-hand-history": ApiClub(READ, "hand"),
    "api-hand-steps": ApiClub(READ, "hand"),
    "api-disputes": ApiClub({"GET": Right.SEE_RULES, "POST": Right.SEE_RULES}, "hand"),
    "api-dispute-withdraw": ApiClub({"POST": Right.SEE_RULES}, "hand"),
    "api-dispute-settle": ApiClub(POST_RECORD, "hand"),
    "api-club-disputes": ApiClub(RECORD),
    "api-close-preview": ApiClub(POST_RECORD, "evening"),
    "api-sheet-code": ApiClub(RECORD, "code"),
    "api-typed-lines": ApiClub(POST_RECORD, "table"),
    "api-typed-lines-preview": ApiClub(POST_RECORD, "table"),
    "api-pencil": ApiClub(BOTH_RECORD, "table"),
}
