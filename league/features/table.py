"""The table of features: what a club may use beside evenings, table, standings, payments, people, house rules,
corrections and paper, which every club has."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ..models import Club


@dataclass(frozen=True)
class Feature:
    """A feature with its title, one sentence and its icon, for the page on which an owner switches it.

    `key` is stored in `Club.features` while it is on. `icon` is the path of an SVG of 24 × 24, drawn with a line. One
    that `needs_mail` is off, and not in the list, on a server that sends none.
    """

    key: str
    title: Promise
    sentence: Promise
    icon: str
    needs_mail: bool = False

    @property
    def offered(self) -> bool:
        """Return True if this server has what the feature needs."""
        return settings.MAIL_ON or not self.needs_mail

    def is_on(self, club: Club) -> bool:
        """Return True if the club has switched the feature on, and the server has what it needs."""
        return self.key in club.features and self.offered


TOURNAMENTS = Feature(
    "tournaments",
    _("Tournaments"),
    _("A day with rounds and draws: entries, tables, sheets, a clock on the wall and a ranking."),
    "M8 4h8v5a4 4 0 0 1-8 0zM8 6H4.5a3.5 3.5 0 0 0 3.8 4M16 6h3.5a3.5 3.5 0 0 1-3.8 4M12 13v4M8 20h8M9.5 17h5",
)
TREASURY = Feature(
    "treasury",
    _("Kitty and bills"),
    _("The club's own money: a book with balance, bills for the players, the bank's file, the year's account."),
    "M4 8h16v11H4zM4 8l11-4 2 4M20 12h-4a2 2 0 0 0 0 4h4",
)
MEMBER_FEES = Feature(
    "member_fees",
    _("Member fees"),
    _("An amount that each member owes to the kitty every year, with who has paid. It takes the kitty."),
    "M12 3a9 9 0 1 0 9 9M12 7.5v9M9.5 10h4a1.5 1.5 0 0 1 0 3h-3a1.5 1.5 0 0 0 0 3h4M17 4l2 2 3-3",
)
STATISTICS = Feature(
    "statistics",
    _("Statistics and chances"),
    _("Who declares how often and with what luck, records and ratings, and what each player still needs."),
    "M4 20h16M7 20v-6M12 20V5M17 20v-9",
)
LUCK = Feature(
    "luck",
    _("Luck"),
    _("How much of an evening was luck: what somebody made, against what others make of such hands."),
    "M5 5h14v14H5zM9 9v.01M15 9v.01M12 12v.01M9 15v.01M15 15v.01",
)
FORMULA = Feature(
    "formula",
    _("Own formula"),
    _("The season ranks by your own rules: the best evenings, an average, points for places, bonuses."),
    "M17 5H8l5 7-5 7h9",
)
TEAMS = Feature(
    "teams",
    _("Teams"),
    _("Players of a season form teams, which have standings of their own. It takes a formula."),
    "M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM3.5 19c0-3.5 2.5-5 5.5-5s5.5 1.5 5.5 5M16 5.2a3 3 0 0 1 0 5.6"
    "M17.5 14.4c2 .7 3 2.2 3 4.6",
)
PENALTIES = Feature(
    "penalties",
    _("Penalties and bonuses"),
    _("Points given or taken by the owner, with a reason that everybody reads. It takes a formula."),
    "M8 5v6M5 8h6M13 18h6M6 19 18 5",
)
IMPORTS = Feature(
    "imports",
    _("Imports"),
    _("Evenings of former years from a spreadsheet, or hands from another program."),
    "M12 4v10M8 10.5l4 4 4-4M5 16v4h14v-4",
)
PUB_SCREEN = Feature(
    "pub_screen",
    _("Pub screen"),
    _("A page for the television in the pub: the standings and the evening under way, large and by itself."),
    "M4 5h16v11H4zM9 20h6M12 16v4",
)
FEEDS = Feature(
    "feeds",
    _("Feeds"),
    _("Evenings in everybody's calendar, results in a feed reader, the standings on your own site."),
    "M5 5a14 14 0 0 1 14 14M5 11a8 8 0 0 1 8 8M6.5 19a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z",
)
WEBHOOKS = Feature(
    "webhooks",
    _("Webhooks and API keys"),
    _("Other programs learn what happens in the club, and read and write with a key."),
    "M9 8 5 12l4 4M15 8l4 4-4 4M13 6l-2 12",
)
CARDS = Feature(
    "cards",
    _("Card by card"),
    _("A hand is recorded with each card that was played, and everybody can play it through."),
    "M5 7l8-2 4 13-8 2zM15 6h4v12",
)
DISPUTES = Feature(
    "disputes",
    _("Dispute of a hand"),
    _("A player says that a hand was recorded wrongly; those who record see it and settle it."),
    "M5 5h14v10h-7l-4 4v-4H5zM12 8v3M12 13v.01",
)
ATTENDANCE = Feature(
    "attendance",
    _("Who comes?"),
    _("Each player says whether to expect them at a planned evening, also by a personal link without an account."),
    "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4M9 15l2 2 4-4",
)
MESSAGES = Feature(
    "messages",
    _("Messages to players"),
    _("Whoever wants it gets the result of each evening and a reminder the day before a planned one, by mail or push."),
    "M4 6h16v12H4zM4 7l8 6 8-6",
    needs_mail=True,
)

CUPS = Feature(
    "cups",
    _("Cups"),
    _("Tournaments or evenings of several clubs count together: each club says which of its own. A final may follow."),
    "M6 4h5v4a2.5 2.5 0 0 1-5 0zM13 4h5v4a2.5 2.5 0 0 1-5 0zM8.5 11v3M15.5 11v3M5 14h14M8 14v6M16 14v6M5 20h14",
)

GROUPS: tuple[tuple[Promise, tuple[Feature, ...]], ...] = (
    (_("In the evening"), (ATTENDANCE, MESSAGES, CARDS, DISPUTES, TOURNAMENTS)),
    (_("Standings"), (STATISTICS, LUCK, FORMULA, TEAMS, PENALTIES)),
    (_("Money"), (TREASURY, MEMBER_FEES)),
    (_("For others"), (CUPS, PUB_SCREEN, FEEDS, IMPORTS, WEBHOOKS)),
)
"""All features, as the page shows them."""
FEATURES = tuple(feature for _title, features in GROUPS for feature in features)
BY_KEY = {feature.key: feature for feature in FEATURES}
ALL = tuple(BY_KEY)
"""The keys of all features: `Club.features` of a club that uses everything."""
