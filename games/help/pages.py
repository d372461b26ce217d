"""The help pages in the order of a season, and the page of each screen."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class HelpPage:
    """One help page: its template is `games/help/SLUG.html`, its picture `static/help/SLUG.webp`.

    `routes` are the names of the screens whose "?" leads to this page.
    """

    slug: str
    title: Promise
    summary: Promise
    routes: tuple[str, ...]

    def get_absolute_url(self) -> str:
        return reverse("help-page", kwargs={"page": self.slug})


PAGES = (
    HelpPage(
        "first-evening",
        _("My first evening"),
        _("From the club to the first hand."),
        (
            *(
                "home",
                "club",
                "club-open",
                "club-pages",
                "club-asked",
                "club-practice",
                "club-requests",
                "operator",
                "operator-club",
                "club-settings",
                "club-at-table",
                "club-features",
                "club-roster",
                "club-people",
                "club-faces",
                "club-logo",
                "club-log",
            ),
            *("club-screen-link", "club-feeds", "club-files", "player-edit", "player-merge", "evening-new"),
            *("rules", "rules-change", "rules-replay", "season-plan", "planned-evening", "webhook", "webhooks"),
            *("planned-coming", "player-coming", "club-reserves"),
            *("imports", "import-columns", "import-names", "import-preview", "import"),
        ),
    ),
    HelpPage(
        "at-the-table",
        _("At the table"),
        _("Enter a hand, and what the pot does."),
        (
            *("table", "hand-paid", "table-seating", "hand-cards", "hand-paste", "hand-through", "hand-type"),
            *("club-handouts", "help-handout"),
            *("calculator", "hand-worth"),
        ),
    ),
    HelpPage(
        "evening-over",
        _("The evening is over"),
        _("Pot, payments and receipts."),
        ("evening-close", "evening-cash-out", "evening", "evening-record", "evening-report", "receipts", "club-window"),
    ),
    HelpPage(
        "mistakes",
        _("A mistake happened"),
        _("Undo, correct, find a difference."),
        (
            *("hand-edit", "hand-insert", "hand-out", "hand-move", "hand-history", "table-seats", "table-difference"),
            *("evening-corrections", "hand-dispute", "club-disputes"),
        ),
    ),
    HelpPage(
        "without-network",
        _("A cellar without a network"),
        _("What the phone does alone."),
        ("night-table", "night-read", "table-stories"),
    ),
    HelpPage(
        "standings",
        _("The standings explained"),
        _("Points, amounts and equal ranks."),
        (
            *("season", "season-sum", "season-team", "season-records", "season-chances", "season-statistics"),
            "season-luck",
            *("season-report", "season-formula", "season-formula-versions", "season-adjustments", "season-teams"),
            *("player", "club-records", "player-year", "club-year"),
        ),
    ),
    HelpPage(
        "payments",
        _("Payments and kitty"),
        _("Who owes what, and what lies in the kitty."),
        (
            *("debts", "treasury", "treasury-balances", "treasury-bank", "treasury-billing", "treasury-ledger"),
            *("treasury-report", "treasury-statements", "treasury-year", "treasurer-list", "bills-send", "bill-mine"),
            *("player-statement", "member-fees", "member-fee-new", "member-fee"),
        ),
    ),
    HelpPage(
        "tournament-day",
        _("A day of a tournament"),
        _("From the list of people to the prizes."),
        (
            *("tournaments", "tournament", "tournament-new", "tournament-setup", "tournament-desk", "tournament-draw"),
            *("tournament-entrants", "tournament-entrant", "tournament-sheet", "tournament-papers"),
            *("tournament-import", "tournament-seat", "tournament-own-entry", "table-card"),
            *("cups", "cup", "cup-new", "cup-join", "cup-ours", "cup-run", "cup-rules", "cup-invitation", "cup-leave"),
        ),
    ),
    HelpPage(
        "season-end",
        _("The end of the season"),
        _("Close it, honour the champion, begin the next one."),
        ("season-close", "season-champions", "club-champions", "club-seasons", "season-edit", "season-new"),
    ),
    HelpPage(
        "who-sees-what",
        _("Who sees what"),
        _("Names, amounts and roles."),
        (
            *("account", "account-cups", "account-data", "account-forget", "account-keys"),
            *("account_email", "account_change_password"),
            *("account_set_password", "account_reauthenticate", "usersessions_list", "club-leave", "player-forget"),
            *("mfa_index", "mfa_reauthenticate", "mfa_activate_totp", "mfa_deactivate_totp", "mfa_view_recovery_codes"),
            *("mfa_generate_recovery_codes", "mfa_list_webauthn", "mfa_add_webauthn", "mfa_edit_webauthn"),
            *("mfa_remove_webauthn", "mfa_reauthenticate_webauthn", "privacy", "club-privacy", "club-visibility"),
        ),
    ),
    HelpPage(
        "players",
        _("For players: I only have a link"),
        _("Read your receipt, join the club."),
        (
            *("receipt", "coming-link", "own-messages", "coming-messages", "messages-confirm", "messages-off"),
            *("join", "login", "login-link", "logout", "account_request_login_code"),
            *("account_confirm_login_code", "account_signup", "account_email_verification_sent", "account_inactive"),
            *("account_reset_password", "account_reset_password_done", "account_reset_password_from_key"),
            *("account_reset_password_from_key_done", "mfa_authenticate"),
        ),
    ),
)
BY_SLUG = {page.slug: page for page in PAGES}
OF_ROUTE = {route: page for page in PAGES for route in page.routes}
"""The help page of each screen, by the name of its route."""
