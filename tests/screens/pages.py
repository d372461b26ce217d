"""Every screen of the product: its address, its reader, and the actions before the picture.

The pictures (`scripts/screenshots.py`) and the tests of widths, targets and accessibility go through the same list. No
screen stores anything, so that their order does not matter. A new page belongs here; a test finds one that is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from playwright.sync_api import Page

from tests.engine.hands import FULL, Record
from tests.engine.kratzen_hands import FULL as KRATZEN
from tests.screens.accounts import code_sent, half_signed_in, signing_up, unconfirmed
from tests.screens.attendance import ATTENDANCE
from tests.screens.cups import CUPS
from tests.screens.handing_over import HANDING_OVER
from tests.screens.help import HELP
from tests.screens.imports import IMPORTS
from tests.screens.messages import MESSAGES
from tests.screens.night_seats import NIGHT_SEATS
from tests.screens.one_time_pages import ONE_TIME_PAGES
from tests.screens.opening import OPENING
from tests.screens.outbox import OUTBOX
from tests.screens.points_club import DISPUTED, POINTS, ROSTER
from tests.screens.pub_screen import PUB_SCREEN
from tests.screens.public_tools import CALCULATOR, HAND_WORTH
from tests.screens.screen import Screen
from tests.screens.stories import STORIES
from tests.screens.table_cards import TABLE_CARDS
from tests.screens.taps import (
    all_failed,
    answered_with,
    corrected,
    counted,
    course_listed,
    cut_shown,
    declared_blind,
    divided,
    entered,
    entered_so_far,
    first_line_opened,
    formula_previewed,
    four_cards,
    handed_on,
    joined_alone,
    line_typed,
    menu_opened,
    moved_down,
    muss_entered,
    muss_half,
    oder_entered,
    opened,
    opened_again,
    operation_unfolded,
    others_sat,
    passed,
    pasted,
    planned,
    player_refused,
    players_chosen,
    pot_shared,
    qr_shown,
    replayed,
    rules_compared,
    rules_refused,
    sent_empty,
    series_shown,
    settling_unfolded,
    seven_entered,
    seven_turned,
    signed_in_wrongly,
    steps_listed,
    taken_over_without_a_network,
    undecided,
    undo_asked,
    unfolded,
    weiter_oder,
    without_its_token,
    words_opened,
)
from tests.screens.tournament_desk import TOURNAMENT_DESK
from tests.screens.tournament_files import TOURNAMENT_FILES
from tests.screens.tournament_room import TOURNAMENT_ROOM
from tests.screens.treasury import TREASURY
from tests.screens.year_review import YEAR_REVIEW

# --- The list ----------------------------------------------------------------------------------------------

TABLE, PAID = "/c/{club}/t/{{{table}_table}}/", "/c/{club}/t/{{{table}_table}}/h/{hand}/"


def _table(name: str, club: str, table: str, act: Callable[[Page], None] | None = None, whole: bool = False) -> Screen:
    return Screen(name, "table", TABLE.format(club=club, table=table), act=act, whole=whole)


def _paid(
    name: str, club: str, table: str, hand: str, act: Callable[[Page], None] | None = None, whole: bool = False
) -> Screen:
    return Screen(name, "hand-paid", PAID.format(club=club, table=table, hand=hand), act=act, whole=whole)


def _type(name: str, table: str, line: str = "") -> Screen:
    address = f"/c/krone/t/{{{table}_table}}/type/"
    return Screen(name, "hand-type", address, act=line_typed(line) if line else None)


def _seating(
    name: str, table: str, query: str, act: Callable[[Page], None] | None = None, club: str = "krone"
) -> Screen:
    return Screen(name, "table-seating", f"/c/{club}/t/{{{table}}}/seating/" + (f"?{query}" if query else ""), act=act)


def _correction(name: str, route: str, tail: str, act: Callable[[Page], None] | None = None) -> Screen:
    return Screen(name, route, "/c/krone/t/{five_table}/" + tail, act=act)


def _cards(name: str, table: str, full: Record, *fields: str, tricks: int = 0) -> Screen:
    act = entered_so_far(full, *fields, tricks=tricks) if fields else None
    return Screen(name, "hand-cards", f"/c/krone/t/{{{table}_table}}/cards/", act=act)


FRONT = (
    Screen("home-visitor", "home", "/", "visitor"),
    Screen("home", "home", "/"),
    *OPENING,
    Screen("sign-in", "login", "/login/", "visitor"),
    Screen("sign-in-refused", "login", "/login/?next=/c/roessli/", "visitor", signed_in_wrongly),
    Screen("sign-in-empty", "login", "/login/", "visitor", sent_empty),
    Screen("not-found", "", "/nothing-here/", "visitor", status=404),
    Screen("forbidden", "rules-change", "/c/roessli/rules/change/", "member", status=403),
    Screen("form-expired", "login", "/login/", "visitor", without_its_token),
    Screen("bad-request", "", "/login/", "visitor", answered_with(HTTPStatus.BAD_REQUEST)),
    Screen("too-large", "", "/login/", "visitor", answered_with(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)),
    Screen("too-many", "", "/login/", "visitor", answered_with(HTTPStatus.TOO_MANY_REQUESTS)),
    Screen("unavailable", "", "/login/", "visitor", answered_with(HTTPStatus.SERVICE_UNAVAILABLE)),
    Screen("server-error", "", "/login/", "visitor", answered_with(HTTPStatus.INTERNAL_SERVER_ERROR)),
    Screen("club-private-visitor", "", "/c/linde/", "visitor", status=404),
    Screen("club-private-stranger", "", "/c/linde/", "member", status=404),
)

KEPT, NEW = "keeper_session", "fresh_session"
ACCOUNTS = (
    Screen("sign-in-link", "login-link", "/login/link/{sign_in_link}/", "visitor"),
    Screen("sign-in-link-over", "login-link", "/login/link/never/", "visitor", status=410),
    Screen("sign-in-by-mail", "account_request_login_code", "/login/code/", "visitor"),
    Screen("sign-in-code", "account_confirm_login_code", "/login/code/", "visitor", code_sent),
    Screen("sign-in-factor", "mfa_authenticate", "/login/", "visitor", half_signed_in),
    Screen("sign-out", "logout", "/logout/"),
    Screen("sign-up-closed", "account_signup", "/signup/", "visitor"),
    Screen("sign-up-refused", "account_signup", "/join/{invitation}/", "visitor", signing_up),
    Screen("sign-up-mail", "account_email_verification_sent", "/login/", "visitor", unconfirmed),
    Screen("password-forgotten", "account_reset_password", "/password/", "visitor"),
    Screen("password-sent", "account_reset_password_done", "/password/sent/", "visitor"),
    Screen("password-new", "account_reset_password_from_key", "/password/{reset}/", "visitor"),
    Screen("password-new-expired", "account_reset_password_from_key", "/password/1-never/", "visitor"),
    Screen("password-done", "account_reset_password_from_key_done", "/password/done/", "visitor"),
    Screen("account-off", "account_inactive", "/account/inactive/", "visitor"),
    Screen("join", "join", "/join/{invitation}/", "visitor"),
    Screen("join-signed-in", "join", "/join/{invitation}/", "member"),
    Screen("join-over", "join", "/join/{invitation_over}/", "visitor", status=410),
    Screen("account", "account", "/account/"),
    Screen("account-with-factors", "account", "/account/", "visitor", session=KEPT),
    Screen("account-leave", "club-leave", "/c/roessli/leave/", "member"),
    Screen("account-leave-last", "club-leave", "/c/linde/leave/"),
    Screen("account-mail", "account_email", "/account/mail/", "visitor", session=KEPT),
    Screen("account-password", "account_change_password", "/account/password/"),
    Screen("account-password-first", "account_set_password", "/account/password/first/", "visitor", session=NEW),
    Screen("account-again", "account_reauthenticate", "/account/again/"),
    Screen("account-sessions", "usersessions_list", "/account/sessions/", "visitor", session=KEPT),
    Screen("factors-none", "mfa_index", "/account/factors/"),
    Screen("factors", "mfa_index", "/account/factors/", "visitor", session=KEPT),
    Screen("factor-again", "mfa_reauthenticate", "/account/factors/again/", "visitor", session=KEPT),
    Screen("factor-app", "mfa_activate_totp", "/account/factors/app/", "visitor", session=NEW),
    Screen("factor-app-off", "mfa_deactivate_totp", "/account/factors/app/off/", "visitor", session=KEPT),
    Screen("factor-codes", "mfa_view_recovery_codes", "/account/factors/codes/", "visitor", session=KEPT),
    Screen("factor-codes-new", "mfa_generate_recovery_codes", "/account/factors/codes/new/", "visitor", session=KEPT),
    Screen("passkeys-none", "mfa_list_webauthn", "/account/passkeys/"),
    Screen("passkeys", "mfa_list_webauthn", "/account/passkeys/", "visitor", session=KEPT),
    Screen("passkey-add", "mfa_add_webauthn", "/account/passkeys/add/", "visitor", session=NEW),
    Screen("passkey-again", "mfa_reauthenticate_webauthn", "/account/passkeys/again/", "visitor", session=KEPT),
    Screen("passkey-name", "mfa_edit_webauthn", "/account/passkeys/{passkey}/name/", "visitor", session=KEPT),
    Screen("passkey-remove", "mfa_remove_webauthn", "/account/passkeys/{passkey}/remove/", "visitor", session=KEPT),
)

READING = (
    Screen("club-visitor", "club", "/c/roessli/", "visitor"),
    Screen("club", "club", "/c/roessli/"),
    Screen("club-balance", "club", "/c/sternen/"),
    Screen("club-kratzen", "club", "/c/adler/"),
    Screen("club-long", "club", "/c/krone/"),
    Screen("club-no-evening", "club", "/c/linde/"),
    Screen("club-no-season", "club", "/c/ochsen/"),
    Screen("club-member", "club", "/c/roessli/", "member"),
    Screen("club-menu", "club", "/c/roessli/", act=menu_opened, whole=False),
    Screen("club-pages", "club-pages", "/c/roessli/club/"),
    Screen("club-pages-visitor", "club-pages", "/c/roessli/club/", "visitor"),
    Screen("season-visitor", "season", "/c/roessli/s/{roessli_season}/", "visitor"),
    Screen("season", "season", "/c/roessli/s/{roessli_season}/"),
    Screen("season-as-table", "season", "/c/roessli/s/{roessli_season}/", act=course_listed),
    Screen("season-part", "season", "/c/roessli/s/{roessli_season}/?since=2020-01-01&table=1&sort=-hands", "visitor"),
    Screen("season-balance", "season", "/c/sternen/s/{sternen_season}/"),
    Screen("season-kratzen", "season", "/c/adler/s/{adler_season}/"),
    Screen("season-both", "season", "/c/krone/s/2026/"),
    Screen("season-sum", "season-sum", "/c/roessli/s/{roessli_season}/sum/{roessli_player}/", "visitor"),
    Screen(
        "season-sum-part",
        "season-sum",
        "/c/roessli/s/{roessli_season}/sum/{roessli_player}/?since=2020-01-01&table=1",
        "visitor",
    ),
    Screen("season-no-evening", "season", "/c/linde/s/2026/"),
    Screen("records-visitor", "season-records", "/c/roessli/s/{roessli_season}/records/", "visitor"),
    Screen("records-none", "season-records", "/c/linde/s/2026/records/"),
    Screen("records-all", "club-records", "/c/krone/records/"),
    Screen("chances-visitor", "season-chances", "/c/roessli/s/{roessli_season}/chances/", "visitor"),
    Screen("chances-own", "season-chances", "/c/roessli/s/{roessli_season}/chances/", "member"),
    Screen("chances-amounts", "season-chances", "/c/sternen/s/{sternen_season}/chances/?player={sternen_player}"),
    Screen("chances-few", "season-chances", "/c/linde/s/2026/chances/"),
    Screen("chances-closed", "season-chances", "/c/roessli/s/{closed_season}/chances/", "visitor"),
    Screen("champions-visitor", "season-champions", "/c/roessli/s/{closed_season}/champions/", "visitor"),
    Screen("champions-running", "season-champions", "/c/sternen/s/{sternen_season}/champions/"),
    Screen("champions-all", "club-champions", "/c/roessli/champions/", "visitor"),
    Screen("champions-none", "club-champions", "/c/krone/champions/"),
    Screen("luck-visitor", "season-luck", "/c/roessli/s/{roessli_season}/luck/", "visitor"),
    Screen("luck-own", "season-luck", "/c/roessli/s/{roessli_season}/luck/", "member"),
    Screen("luck-all", "season-luck", "/c/sternen/s/{sternen_season}/luck/?player={sternen_player}"),
    Screen("luck-kratzen", "season-luck", "/c/adler/s/{adler_season}/luck/"),
    Screen("luck-none", "season-luck", "/c/linde/s/2026/luck/"),
    Screen("statistics-visitor", "season-statistics", "/c/roessli/s/{roessli_season}/statistics/", "visitor"),
    Screen("statistics-player", "season-statistics", "/c/krone/s/2026/statistics/?player={long_player}"),
    Screen("player-visitor", "player", "/c/roessli/p/{roessli_player}/", "visitor"),
    Screen("player", "player", "/c/roessli/p/{roessli_player}/"),
    Screen("player-kratzen", "player", "/c/adler/p/{adler_player}/"),
    Screen("player-both", "player", "/c/krone/p/{both_player}/"),
    Screen("player-long", "player", "/c/krone/p/{long_player}/"),
    Screen("evening-visitor", "evening", "/c/roessli/e/{roessli_evening}/", "visitor"),
    Screen("evening", "evening", "/c/roessli/e/{roessli_evening}/"),
    Screen("evening-closed", "evening", "/c/roessli/e/{closed_evening}/", "member"),
    Screen("evening-kratzen", "evening", "/c/adler/e/{adler_evening}/"),
    Screen("evening-long", "evening", "/c/krone/e/{long_evening}/"),
    Screen("evening-no-hand", "evening", "/c/krone/e/{muss_evening}/"),
    Screen("season-report", "season-report", "/c/sternen/s/{sternen_season}/report/"),
    Screen("statement", "player-statement", "/c/krone/p/{long_player}/statement/"),
    Screen("evening-report-visitor", "evening-report", "/c/roessli/e/{roessli_evening}/report/", "visitor"),
    Screen("treasurer-list", "treasurer-list", "/c/krone/treasurer/"),
    Screen("feeds-private", "club-feeds", "/c/linde/feeds/"),
    Screen("embed", "standings-embed", "/c/roessli/s/{roessli_season}/embed/", "visitor"),
)

RECORDING = (
    Screen("evening-new", "evening-new", "/c/roessli/e/new/"),
    Screen("evening-new-chosen", "evening-new", "/c/roessli/e/new/", act=players_chosen),
    Screen("evening-new-kratzen", "evening-new", "/c/adler/e/new/", act=players_chosen),
    Screen("evening-new-long", "evening-new", "/c/krone/e/new/"),
    Screen("evening-new-no-season", "evening-new", "/c/ochsen/e/new/"),
    _table("table-first", "krone", "five"),
    _table("table-whole", "krone", "five", whole=True),
    _table("table-entered", "krone", "five", entered),
    _table("table-undecided", "krone", "five", undecided),
    _table("table-tricks", "krone", "five", counted),
    _table("table-refused", "krone", "five", all_failed),
    _table("table-blind", "krone", "five", declared_blind),
    _table("table-passed", "krone", "five", passed),
    _table("table-alone", "krone", "five", joined_alone),
    _table("table-menu", "krone", "five", opened("more")),
    _table("table-words", "krone", "five", words_opened),
    _table("table-undo", "krone", "five", undo_asked),
    _table("table-seven", "krone", "many", seven_entered),
    _table("table-long", "krone", "long", entered),
    _table("table-closed", "roessli", "closed", whole=True),
    _table("table-looking-on", "krone", "watched"),
    _table("table-taking-over", "krone", "watched", opened("take-over")),
    _table("table-taking-over-offline", "krone", "watched", taken_over_without_a_network),
    _type("type-another-writes", "watched"),
    _cards("cards-another-writes", "watched", FULL),
    Screen("paste-another-writes", "hand-paste", "/c/krone/t/{watched_table}/paste/"),
    _seating("seating-another-writes", "watched_table", ""),
    _seating("seating-taking-over", "watched_table", "", opened("take-over")),
    _table("table-pencil-on", "krone", "five", handed_on),
    _paid("paid", "krone", "five", "5"),
    _paid("paid-passed", "krone", "five", "2"),
    _paid("paid-undo", "krone", "five", "5", undo_asked),
    _paid("paid-long", "krone", "long", "4"),
    _paid("paid-undone", "krone", "long", "5"),
    _paid("paid-closed", "roessli", "closed", "1"),
    _paid("paid-joined", "krone", "joined", "1"),
    _table("kratzen-muss", "krone", "muss"),
    _table("kratzen-muss-half", "krone", "muss", muss_half),
    _table("kratzen-muss-entered", "krone", "muss", muss_entered),
    _table("kratzen-free", "krone", "free"),
    _table("kratzen-oder", "krone", "free", oder_entered),
    _table("kratzen-weiter-oder", "krone", "free", weiter_oder),
    _table("kratzen-passed", "krone", "free", passed),
    _table("kratzen-seven", "krone", "four", seven_turned),
    _table("kratzen-cuts", "krone", "free", cut_shown),
    _table("kratzen-whole", "krone", "four", whole=True),
    _paid("kratzen-paid", "krone", "four", "2"),
    _paid("kratzen-paid-muss", "krone", "free", "1"),
    _type("type", "five"),
    _type("type-line", "five", "2 1 4-"),
    _type("type-several", "five", "2 1 4-\n0\n6. 3 1\n1 2-"),
    _type("type-refused", "five", "2 1 4- =1.20"),
    _type("type-many", "many", "1 2 3- 4- 5- 6- 7-"),
    _type("type-long", "long", "1 2 3"),
    _type("type-kratzen", "free", "<Ax 2/o:3 4"),
    _type("type-muss", "muss", "1:1 2:1 5"),
    Screen("type-closed", "hand-type", "/c/roessli/t/{closed_table}/type/"),
    _type("type-joined", "joined"),
    Screen("paste-closed", "hand-paste", "/c/roessli/t/{closed_table}/paste/"),
)

SEATING = (
    _seating("seating", "seating_table", ""),
    _seating("seating-divide", "many_table", "", divided),
    _seating("seating-long", "long_table", ""),
    _seating("seating-kratzen", "four_table", ""),
    _seating("seating-comes", "seating_table", "do=come&player={seating_gian}"),
    _seating("seating-comes-new", "long_table", "do=come&name=Maximilian-Alexander"),
    _seating("seating-leaves", "seating_table", "do=leave&player={seating_carlo}"),
    _seating("seating-dealer", "seating_table", "do=dealer&player={seating_anna}"),
    _seating("seating-order", "seating_table", "", moved_down),
    _seating("seating-resumes", "seating_table", "do=resume"),
    _seating(
        "seating-splits", "many_table", "do=split&goes={seating_anna}&goes={seating_emil}&goes={seating_gian}&pot=heads"
    ),
    _seating("seating-joins", "seating_other", "do=merge&into={seating_table}"),
    _seating("seating-refused", "three_table", "do=split&goes={seating_anna}"),
    _seating("seating-joined", "joined_table", ""),
    _seating("seating-closed", "closed_table", "", club="roessli"),
    Screen("seating-tables", "evening-record", "/c/krone/e/{seating_evening}/record/"),
    Screen("evening-timeline", "evening", "/c/krone/e/{seating_evening}/"),
    _table("table-several", "krone", "seating", whole=True),
    _table("table-joined", "krone", "joined"),
)

CORRECTIONS = (
    _correction("correct-hand", "hand-edit", "h/5/edit/", corrected),
    _correction("correct-forgotten", "hand-insert", "h/3/insert/"),
    _correction("correct-others", "hand-edit", "h/5/edit/", others_sat),
    _correction("correct-plan", "hand-edit", "h/5/edit/", planned),
    _correction("correct-out", "hand-out", "h/2/out/"),
    _correction("correct-move", "hand-move", "h/4/move/?to=2"),
    _correction("correct-seats", "table-seats", "seats/?from=2"),
    _correction("correct-history", "hand-history", "h/1/history/"),
    _correction("correct-difference", "table-difference", "difference/"),
    _correction("correct-found", "table-difference", "difference/?pot=1.00"),
    Screen("correct-long", "hand-out", "/c/krone/t/{long_table}/h/1/out/"),
    Screen("correct-muss", "hand-edit", "/c/krone/t/{four_table}/h/1/edit/"),
    Screen("correct-impossible", "hand-out", "/c/krone/t/{four_table}/h/1/out/"),
    Screen("corrections-none", "evening-corrections", "/c/krone/e/{five_evening}/corrections/"),
)

CLOSINGS = (
    Screen("close", "evening-close", "/c/krone/e/{reopened_evening}/close/"),
    Screen("close-share", "evening-close", "/c/krone/e/{reopened_evening}/close/", act=pot_shared),
    Screen("close-cashed", "evening-close", "/c/krone/e/{early_evening}/close/", act=settling_unfolded),
    Screen("cash-out", "evening-cash-out", "/c/krone/e/{early_evening}/cash-out/{gone_early}/"),
    Screen("cash-out-paid", "evening-cash-out", "/c/krone/e/{early_evening}/cash-out/{paid_early}/"),
    Screen("cash-out-closed", "evening-cash-out", "/c/krone/e/{corrected_evening}/cash-out/{paid_early}/"),
    Screen("seating-gone", "table-seating", "/c/krone/t/{early_table}/seating/"),
    Screen("close-no-hand", "evening-close", "/c/krone/e/{muss_evening}/close/"),
    Screen("settled", "evening-close", "/c/roessli/e/{unpaid_evening}/close/"),
    Screen("settled-shared", "evening-close", "/c/sternen/e/{sternen_evening}/close/"),
    Screen("settled-corrected", "evening-close", "/c/krone/e/{corrected_evening}/close/"),
    Screen("settled-coins", "evening-close", "/c/krone/e/{coins_evening}/close/"),
    Screen("settled-paid", "evening-close", "/c/roessli/e/{closed_evening}/close/", act=opened_again),
    Screen("settled-past-season", "evening-close", "/c/roessli/e/{past_evening}/close/"),
    Screen("receipts", "receipts", "/c/krone/e/{corrected_evening}/receipts/", act=qr_shown),
    Screen("receipts-none", "receipts", "/c/krone/e/{five_evening}/receipts/"),
    Screen("receipt", "receipt", "/r/{receipt}/", "visitor"),
    Screen("receipt-changed", "receipt", "/r/{receipt_changed}/", "visitor"),
    Screen("receipt-corrected", "receipt", "/r/{receipt_corrected}/", "visitor"),
    Screen("receipt-tables", "receipt", "/r/{receipt_tables}/", "visitor"),
    Screen("receipt-opened", "receipt", "/r/{receipt_reopened}/", "visitor"),
    Screen("debts", "debts", "/c/krone/debts/"),
    Screen("debts-member", "debts", "/c/roessli/debts/", "member"),
    Screen("debts-none", "debts", "/c/linde/debts/"),
    Screen("window", "club-window", "/c/krone/window/"),
    Screen("evening-provisional", "evening", "/c/krone/e/{corrected_evening}/"),
)

CARDS = (
    Screen("cards-deal", "hand-cards", "/c/roessli/t/{roessli_table}/cards/", act=four_cards),
    _cards("cards-calls", "three", FULL, "deal"),
    _cards("cards-exchange", "three", FULL, "deal", "calls"),
    _cards("cards-play", "three", FULL, "deal", "calls", "exchanges", tricks=1),
    _cards("cards-half-entered", "three", FULL, "deal", "calls", "exchanges", tricks=4),
    _cards("cards-kratzen-cut", "free", KRATZEN),
    _cards("cards-kratzen-deal", "free_three", KRATZEN, "cuts"),
    _cards("cards-kratzen-calls", "free_three", KRATZEN, "cuts", "deal"),
    _cards("cards-kratzen-answers", "free_three", KRATZEN, "cuts", "deal", "calls"),
    _cards("cards-kratzen-exchange", "free_three", KRATZEN, "cuts", "deal", "calls", "answers"),
    _cards("cards-kratzen-play", "free_three", KRATZEN, "cuts", "deal", "calls", "answers", "exchanges", tricks=1),
    _cards(
        "cards-kratzen-half-entered", "free_three", KRATZEN, "cuts", "deal", "calls", "answers", "exchanges", tricks=4
    ),
    Screen("cards-closed", "hand-cards", "/c/roessli/t/{closed_table}/cards/"),
    Screen("paste-kratzen", "hand-paste", "/c/krone/t/{free_three_table}/paste/"),
    Screen("paste", "hand-paste", "/c/roessli/t/{roessli_table}/paste/"),
    Screen("paste-refused", "hand-paste", "/c/roessli/t/{roessli_table}/paste/", act=pasted),
    Screen("through-begin", "hand-through", "/c/roessli/t/{roessli_table}/h/1/through/?step=0"),
    Screen("through", "hand-through", "/c/roessli/t/{roessli_table}/h/{roessli_last}/through/?step=12"),
    Screen("through-end", "hand-through", "/c/sternen/t/{sternen_table}/h/1/through/?step=99", act=steps_listed),
    Screen("through-kratzen", "hand-through", "/c/adler/t/{adler_table}/h/1/through/?step=9"),
    Screen("through-kratzen-end", "hand-through", "/c/adler/t/{adler_table}/h/{adler_last}/through/?step=99"),
    Screen("faces", "club-faces", "/c/sternen/faces/"),
)

RULES = (
    Screen("rules", "rules", "/c/roessli/rules/"),
    Screen("rules-member", "rules", "/c/roessli/rules/", "member"),
    Screen("rules-kratzen", "rules", "/c/adler/rules/"),
    Screen("rules-older", "rules", "/c/krone/rules/?game=chratze&version=1"),
    Screen("rules-never-set", "rules", "/c/linde/rules/?game=kratzen"),
    Screen("rules-change", "rules-change", "/c/roessli/rules/change/"),
    Screen("rules-change-kratzen", "rules-change", "/c/adler/rules/change/"),
    Screen("rules-change-refused", "rules-change", "/c/roessli/rules/change/", act=rules_refused),
    Screen("rules-compare", "rules-change", "/c/roessli/rules/change/", act=rules_compared),
    Screen("rules-compare-kratzen", "rules-change", "/c/adler/rules/change/", act=rules_compared),
    Screen("rules-replay", "rules-replay", "/c/roessli/rules/replay/"),
    Screen("rules-replayed", "rules-replay", "/c/roessli/rules/replay/", act=replayed),
    Screen("rules-replayed-kratzen", "rules-replay", "/c/adler/rules/replay/", act=replayed),
    Screen("rules-replay-no-season", "rules-replay", "/c/ochsen/rules/replay/"),
)

WEBHOOKS = (
    Screen("webhooks", "webhooks", "/c/krone/webhooks/"),
    Screen("webhooks-none", "webhooks", "/c/linde/webhooks/"),
    Screen("webhook", "webhook", "/c/krone/webhooks/{webhook_works}/", act=first_line_opened),
    Screen("webhook-failing", "webhook", "/c/krone/webhooks/{webhook_fails}/"),
    Screen("webhook-off", "webhook", "/c/krone/webhooks/{webhook_off}/"),
)

API_KEYS = (
    Screen("keys", "account-keys", "/account/keys/"),
    Screen("keys-none", "account-keys", "/account/keys/", "member"),
    Screen("api-docs", "api-docs", "/api/docs/", "visitor", whole=False),
    Screen("api-docs-operation", "api-docs", "/api/docs/", "visitor", act=operation_unfolded, whole=False),
)

CLUB_ADMIN = (
    Screen("people", "club-people", "/c/krone/people/"),
    Screen("people-unfolded", "club-people", "/c/krone/people/", act=unfolded),
    Screen("roster", "club-roster", "/c/krone/roster/"),
    Screen("roster-refused", "club-roster", "/c/krone/roster/", act=player_refused),
    Screen("player-edit", "player-edit", "/c/krone/p/{long_player}/edit/"),
    Screen("player-merge", "player-merge", "/c/krone/p/{long_player}/same/"),
    Screen("player-merged", "player-merge", "/c/krone/p/{long_player}/same/?main={both_player}", act=None),
    Screen("seasons", "club-seasons", "/c/krone/seasons/"),
    Screen("seasons-none", "club-seasons", "/c/ochsen/seasons/"),
    Screen("season-new", "season-new", "/c/ochsen/seasons/new/"),
    Screen("season-edit", "season-edit", "/c/krone/s/2026/edit/"),
    Screen("season-formula", "season-formula", "/c/krone/s/2026/formula/?preset=places"),
    Screen("season-formula-preview", "season-formula", "/c/krone/s/2026/formula/?preset=best", act=formula_previewed),
    Screen("season-formula-versions-none", "season-formula-versions", "/c/krone/s/2026/formula/versions/"),
    Screen("season-close", "season-close", "/c/krone/s/2026/close/"),
    Screen("season-closed", "season-close", "/c/roessli/s/{closed_season}/close/"),
    Screen("season-adjustments", "season-adjustments", "/c/krone/s/2026/adjustments/"),
    Screen("season-plan-none", "season-plan", "/c/krone/s/2026/plan/"),
    Screen("season-plan-series", "season-plan", "/c/krone/s/2026/plan/", act=series_shown),
    Screen("season-teams-none", "season-teams", "/c/krone/s/2026/teams/"),
    Screen("settings", "club-settings", "/c/krone/settings/"),
    Screen("settings-table", "club-at-table", "/c/krone/settings/table/"),
    Screen("settings-readers", "club-visibility", "/c/ochsen/settings/readers/"),
    Screen("features", "club-features", "/c/krone/features/"),
    Screen("feature-off", "club-feeds", "/c/ochsen/feeds/", status=404),
    Screen("feature-off-visitor", "club-feeds", "/c/ochsen/feeds/", "visitor", status=404),
    Screen("log", "club-log", "/c/krone/log/"),
    Screen("dispute", "hand-dispute", "/c/krone/t/{long_table}/h/3/dispute/"),
    Screen("disputes", "club-disputes", "/c/krone/disputes/"),
)

PRIVACY = (
    Screen("offline", "offline", "/offline/", "visitor"),
    Screen("privacy", "privacy", "/privacy/", "visitor"),
    Screen("privacy-club", "club-privacy", "/c/krone/privacy/", "visitor"),
    Screen("my-data", "account-data", "/account/data/", "member"),
    Screen("account-forget", "account-forget", "/account/forget/", "visitor", act=sent_empty, session=KEPT),
    Screen("player-forget", "player-forget", "/c/krone/p/{long_player}/forget/"),
    Screen("player-public", "player", "/c/krone/p/{long_player}/", "visitor"),
)

SCREENS: tuple[Screen, ...] = (
    *(*FRONT, *ACCOUNTS, *READING, *RECORDING, *SEATING, *CORRECTIONS, *CLOSINGS, *CARDS, *RULES),
    *(*CALCULATOR, *HAND_WORTH, *WEBHOOKS, *API_KEYS, *HELP, *CLUB_ADMIN, *TREASURY, *IMPORTS, *PRIVACY),
    *(*ONE_TIME_PAGES, *POINTS, *DISPUTED, *ROSTER, *OUTBOX, *STORIES, *NIGHT_SEATS, *HANDING_OVER),
    *(*TOURNAMENT_FILES, *TABLE_CARDS, *TOURNAMENT_ROOM, *TOURNAMENT_DESK, *PUB_SCREEN, *ATTENDANCE, *MESSAGES),
    *(*YEAR_REVIEW, *CUPS),
)
