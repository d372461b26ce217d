"""The rows of the page 'Club': each page of the club that this reader may open, with its present value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, npgettext

from ..access import ClubAccess, Right
from ..cups.selectors import cups_of, invitations_to
from ..features import uses
from ..features.table import FEATURES
from ..ledger.club_accounts import held
from ..models import Club, HouseRules, Import, Membership, Player, Role, Season, Tournament, Webhook
from ..money import format_price
from ..payments.services import outstanding_payments
from ..player_messages.choices import messages_value
from ..standings.recorded_hands import recorded
from ..treasury.balances import holdings
from ..treasury.books import KITTY

VISIBLE = {
    Club.Visibility.LISTED: gettext_lazy("everybody"),
    Club.Visibility.UNLISTED: gettext_lazy("whoever has the link"),
    Club.Visibility.PRIVATE: gettext_lazy("only you"),
}
"""Who reads a club, in two words."""
WRITERS = (Role.OWNER, Role.TREASURER, Role.RECORDER)


@dataclass(frozen=True)
class Row:
    """A row of the page: a link with its title, and its present value beside it."""

    route: str
    title: str | Promise
    href: str
    value: str = ""


@dataclass(frozen=True)
class Group:
    """Rows with their heading; the first group has none."""

    title: str | Promise
    rows: list[Row]


def groups(access: ClubAccess, seasons: list[Season], season: Season | None) -> list[Group]:
    """Return the rows by group. Twelve queries at most."""
    parts: tuple[tuple[str | Promise, Iterator[Row | None]], ...] = (
        ("", _first(access, season)),
        (gettext_lazy("To read"), _to_read(access, seasons, season)),
        (gettext_lazy("Set-up"), _set_up(access)),
    )
    all_groups = [Group(title, [line for line in rows if line is not None]) for title, rows in parts]
    return [group for group in all_groups if group.rows]


def row(
    access: ClubAccess, route: str, title: str | Promise, value: Any = "", right: Right = Right.READ, **more: str
) -> Row | None:
    """Return a row if the reader has the right and the club uses its feature. A callable `value` is read only then."""
    if not access.may(right) or not uses(access.club, route):
        return None
    href = reverse(route, kwargs={"club": access.club.slug, **more})
    return Row(route, title, href, str(value() if callable(value) else value))


def _first(access: ClubAccess, season: Season | None) -> Iterator[Row | None]:
    club = access.club
    # The only place where a club that wants no cups hears of one.
    for cup in invitations_to(club) if access.may(Right.MANAGE) else ():
        title = _("Invitation: %(cup)s") % {"cup": cup.name}
        yield row(access, "cup-invitation", title, cup.owner.name, Right.MANAGE, cup=cup.slug)
    yield row(access, "club-roster", _("Roster"), lambda: _players(club), Right.ROSTER)
    yield row(access, "club-people", _("People"), lambda: _writers(club), Right.PEOPLE)
    if access.sees_rules():
        yield row(access, "rules", _("House rules"), lambda: _stake(access))
    if season is not None:
        ranking = season.get_ranking_display()
        yield row(access, "season-edit", _("Ranking rules"), ranking, Right.MANAGE, season=season.slug)
    yield row(access, "club-seasons", _("Seasons"), season.name if season else _("no season yet"), Right.MANAGE)
    if access.player_ids:
        yield row(access, "own-messages", _("Messages"), lambda: messages_value(access), Right.SEE_RULES)
    yield row(access, "club-privacy", _("Who sees what"), VISIBLE[Club.Visibility(club.visibility)])


def _to_read(access: ClubAccess, seasons: list[Season], season: Season | None) -> Iterator[Row | None]:
    yield row(access, "tournaments", _("Tournaments"), lambda: _tournaments(access))
    yield row(access, "cups", _("Cups"), lambda: _cups(access))
    if season is not None:
        yield row(access, "season-statistics", _("Statistics"), season.name, season=season.slug)
        yield row(access, "season-luck", _("Luck"), season.name, season=season.slug)
    yield row(access, "club-records", _("Records"))
    closed = [club_season.name for club_season in seasons if club_season.closed_at is not None]
    if closed:
        yield row(access, "club-champions", _("Champions"), closed[0])
    yield row(access, "treasury", _("Kitty"), lambda: _kitty(access), Right.SEE_LEDGER)
    if not uses(access.club, "treasury"):
        # With the kitty they are one of its pages.
        yield row(access, "member-fees", _("Member fees"), "", Right.SEE_LEDGER)
    yield row(access, "club-screen", _("Screen for the pub"))
    yield row(access, "club-feeds", _("Calendar and feeds"))
    yield row(access, "club-handouts", _("Cards for the table"), _("to print"), Right.RECORD)


def _set_up(access: ClubAccess) -> Iterator[Row | None]:
    club = access.club
    hours = club.correction_hours
    offered = [feature for feature in FEATURES if feature.offered]
    features = f"{sum(feature.is_on(club) for feature in offered)}/{len(offered)}"
    yield row(access, "club-features", _("Features"), features, Right.MANAGE)
    yield row(access, "club-settings", _("Name and place"), club.name, Right.MANAGE)
    yield row(access, "club-at-table", _("At your tables"), _settling(club), Right.MANAGE)
    yield row(
        access, "club-visibility", _("Who may read the club"), VISIBLE[Club.Visibility(club.visibility)], Right.MANAGE
    )
    yield row(
        access,
        "club-window",
        _("Correction period"),
        ngettext("%(n)s hour", "%(n)s hours", hours) % {"n": hours},
        Right.MANAGE,
    )
    yield row(access, "club-logo", _("Logo"), _("the club's own") if club.logo_mark else _("none yet"), Right.MANAGE)
    yield row(access, "club-faces", _("The club's cards"), club.get_faces_display(), Right.MANAGE)
    yield row(access, "imports", _("Import"), lambda: _imports(club), Right.MANAGE)
    yield row(access, "webhooks", _("Webhooks"), lambda: _webhooks(club), Right.MANAGE)
    yield row(access, "club-log", _("Log"), "", Right.SEE_LOG)


def _settling(club: Club) -> str:
    settling = str(club.get_settling_display())
    return settling + ", " + _("with tricks") if club.counts_tricks else settling


def _players(club: Club) -> str:
    """Say how many people are in the roster. One query."""
    active = Player.objects.filter(club=club, active=True, main__isnull=True, anonymised_at__isnull=True)
    counts = active.aggregate(all=Count("pk"), guests=Count("pk", filter=Q(guest=True, user__isnull=True)))
    guests, play = counts["guests"], counts["all"] - counts["guests"]
    text = npgettext("roster", "%(n)s plays", "%(n)s play", play) % {"n": play}
    return text + ", " + ngettext("%(n)s guest", "%(n)s guests", guests) % {"n": guests} if guests else text


def _writers(club: Club) -> str:
    """Say how many people have an account, and how many of them write hands down. One query."""
    counts = Membership.objects.filter(club=club).aggregate(
        all=Count("pk"), writers=Count("pk", filter=Q(role__in=WRITERS))
    )
    everybody = ngettext("%(n)s account", "%(n)s accounts", counts["all"]) % {"n": counts["all"]}
    # Translators: how many people write hands down.
    return everybody + ", " + ngettext("%(n)s writes", "%(n)s write", counts["writers"]) % {"n": counts["writers"]}


def _stake(access: ClubAccess) -> str:
    """Name the ante of the newest house rules, to readers who may see amounts in them. One query."""
    if not (access.may(Right.SEE_RULES) or access.sees_money()):
        return ""
    newest = HouseRules.objects.filter(club=access.club).order_by("-pk").first()
    if newest is None:
        return ""
    return _("Ante %(amount)s") % {"amount": format_price(recorded().ante_minor(newest), access.club.currency)}


def _tournaments(access: ClubAccess) -> str:
    """Name the running tournament, or say how many there are. One query."""
    tournaments = Tournament.objects.filter(club=access.club).exclude(state=Tournament.State.DRAFT)
    shown = list(tournaments.order_by("-starts_on", "-pk").values_list("state", "name"))
    running = next((name for state, name in shown if state == Tournament.State.RUNNING), None)
    return running or (str(len(shown)) if shown else _("none yet"))


def _cups(access: ClubAccess) -> str:
    """Name the newest cup that the reader may see. One query."""
    cups = cups_of(access)
    return cups[0].name if cups else _("none yet")


def _kitty(access: ClubAccess) -> str:
    """Name the coins in the kitty. Two queries."""
    there = holdings(held(access.club.pk, KITTY), KITTY, list(outstanding_payments(access.club))).there_minor
    return format_price(there, access.club.currency)


def _imports(club: Club) -> str:
    count = Import.objects.filter(club=club, undone_at=None).count()
    return str(count) if count else _("none yet")


def _webhooks(club: Club) -> str:
    count = Webhook.objects.filter(club=club).count()
    return str(count) if count else _("none yet")
