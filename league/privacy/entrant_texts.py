"""Free text of entrants: labels and teams can name a person. Forgetting empties them and keeps the groups."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

from django.db.models import Q

from ..models import Club, Entrant, OwnEntry, Player, Tournament
from .free_text import mentions


def lock_tournaments(clubs: Iterable[Club]) -> None:
    """Lock the tournaments of these clubs until the transaction ends. A writer locks a tournament before the club."""
    rows = Tournament.objects.filter(club__in=list(clubs)).order_by("pk")
    list(rows.select_for_update(no_key=True, of=("self",)).values_list("pk"))


def empty(*, players: Collection[Player], names: Collection[str], clubs: Iterable[Club]) -> None:
    """Remove labels that contain one of the names, and every label and the fixed table of these players' own entries; a
    team whose name contains one of the names gets a number. Own entries with one of the names, or one of them as the
    mail address, are deleted. The caller holds the locks of `lock_tournaments`."""
    clubs = list(clubs)
    entries = OwnEntry.objects.filter(tournament__club__in=clubs).values_list("pk", "name", "label", "mail")
    pks = [pk for pk, *texts in entries if any(mentions(text, names) for text in texts)]
    OwnEntry.objects.filter(pk__in=pks).delete()
    Entrant.objects.filter(player__in=players).exclude(labels=[], fixed_table=None).update(labels=[], fixed_table=None)
    written = Entrant.objects.filter(tournament__club__in=list(clubs)).filter(~Q(labels=[]) | ~Q(team=""))
    teams: dict[int, dict[str, list[Entrant]]] = defaultdict(lambda: defaultdict(list))
    for entrant in written.order_by("tournament_id", "number"):
        kept = [label for label in entrant.labels if not mentions(label, names)]
        if kept != entrant.labels:
            Entrant.objects.filter(pk=entrant.pk).update(labels=kept)
        if entrant.team:
            teams[entrant.tournament_id][entrant.team].append(entrant)
    for of_tournament in teams.values():
        for team, members in of_tournament.items():
            if mentions(team, names):
                name = _number(members[0].number, of_tournament)
                Entrant.objects.filter(pk__in=[member.pk for member in members]).update(team=name)


def _number(number: int, known: Collection[str]) -> str:
    """Return a number that no other team of the tournament has as its name."""
    name, more = f"№ {number}", 0
    while name in known:
        more += 1
        name = f"№ {number}.{more}"
    return name
