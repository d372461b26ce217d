"""Rows of the personal data export that need more than a filter: own free texts, merges, ranks of tournaments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Case, Q, QuerySet, Value, When

from ..access.persons import players_of_account
from ..models import (
    AuditEntry,
    Entrant,
    ImportedTotal,
    Invitation,
    PlayerMerge,
    ResultRow,
    SeasonAdjustment,
    Substitution,
    Tournament,
    User,
)
from ..tournaments.results import ranking_of

Row = Mapping[str, Any]


def results(user: User) -> QuerySet[ResultRow]:
    """Result rows; in a season of points only without the amounts, which nobody may see."""
    in_money = Q(season__points_only=False)
    return (
        ResultRow.objects.filter(player__in=players_of_account(user), season__in_chips=False)
        .annotate(won=Case(When(in_money, then="pot_won_minor")), changed=Case(When(in_money, then="change_minor")))
        .order_by("pk")
    )


def imported(user: User) -> QuerySet[ImportedTotal]:
    """The person's totals in imported files; in a season of points only without the amounts."""
    changed = Case(When(season__points_only=False, then="change_minor"))
    rows = ImportedTotal.objects.filter(player__in=players_of_account(user))
    return rows.annotate(changed=changed).order_by("pk")


def log(user: User) -> QuerySet[AuditEntry]:
    """Entries of the audit log by or about the person; names of API keys only in the person's own entries."""
    about = [f"user:{user.pk}", *(f"player:{pk}" for pk in players_of_account(user).values_list("pk", flat=True))]
    rows = AuditEntry.objects.filter(Q(actor=user) | Q(about__in=about))
    return rows.annotate(own_key=Case(When(actor=user, then="token"), default=Value(""))).order_by("pk")


def own_free_text(user: User, column: str = "reason") -> Case:
    """Return the free text of rows that the person wrote; an empty text for rows of other authors."""
    return Case(When(author=user, then=column), default=Value(""))


def invitations(user: User) -> QuerySet[Invitation]:
    """Invitations that the person created, and invitations that the person used."""
    came = Q(used_by=user) | Q(taken_by=user) | Q(player__in=players_of_account(user))
    rows = Invitation.objects.filter(Q(author=user) | came)
    own = When(author=user, then=Value("made"))
    rows = rows.annotate(own_note=own_free_text(user, "note"), whose=Case(own, default=Value("got")))
    return rows.order_by("created_at")


def merges(user: User) -> QuerySet[PlayerMerge]:
    """Merges that the person decided, and merges of the person's own players."""
    own = players_of_account(user)
    rows = PlayerMerge.objects.filter(Q(author=user) | Q(player__in=own) | Q(main__in=own))
    return rows.annotate(own_reason=own_free_text(user)).order_by("created_at")


def substitutions(user: User) -> QuerySet[Substitution]:
    """Substitutions that the person entered, and those of the person's own players."""
    own = players_of_account(user)
    return Substitution.objects.filter(Q(author=user) | Q(left__in=own) | Q(came__in=own)).order_by("pk")


def adjustments(user: User) -> QuerySet[SeasonAdjustment]:
    """Penalties and bonuses of the person's own players, and those that the person gave or undid."""
    rows = SeasonAdjustment.objects.filter(Q(author=user) | Q(undone_by=user) | Q(player__in=players_of_account(user)))
    return rows.annotate(own_reason=own_free_text(user)).order_by("pk")


def ranks(user: User) -> QuerySet[Entrant]:
    """Entries in tournaments that are finished: before that, the last round may be hidden."""
    over = (Tournament.State.FINISHED, Tournament.State.ARCHIVED)
    rows = Entrant.objects.filter(player__in=players_of_account(user), tournament__state__in=over)
    return rows.select_related("tournament__club", "tournament__season").order_by("pk")


def rank(entrant: Entrant) -> Row | None:
    """The rank of an entrant with the value of each round; None for one who is not in the ranking."""
    line = next((entry for entry in ranking_of(entrant.tournament).lines if entry.number == entrant.number), None)
    if line is None:
        return None
    return {
        "club": entrant.tournament.club.slug,
        "tournament": entrant.tournament.slug,
        "number": entrant.number,
        "rank": line.rank,
        "total": line.total,
        "rounds": [cell.value for cell in line.cells],
    }
