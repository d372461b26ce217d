"""Practice clubs: which one a person has, and deleting them with every row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import structlog
from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connection, transaction
from django.db.models import ForeignKey, Model
from django.utils import timezone

from ..locks import lock_club
from ..models import Club, Role, TableCard, User

log = structlog.get_logger(__name__)


def practice_club_of(user: User) -> Club | None:
    """Return the practice club that the person owns. One query."""
    own = Club.objects.filter(practice_until__isnull=False, memberships__user=user, memberships__role=Role.OWNER)
    return own.order_by("pk").first()


def remove_expired() -> int:
    """Delete the practice clubs whose day has come; return their number. Safe to run twice. A club that cannot be
    deleted is logged, and is tried again by the next task."""
    removed = 0
    for club in list(Club.objects.filter(practice_until__lte=timezone.localdate()).order_by("pk")):
        try:
            remove_practice_club(club)
            removed += 1
        except Exception:
            log.exception("practice_club_not_removed", club=club.pk)
    return removed


@transaction.atomic
def remove_practice_club(club: Club) -> None:
    """Delete a practice club with every row of it, files and users of table cards included. A club that is gone already
    is no error.

    Raises:
        ValueError: it is no practice club. The database refuses its rows as well (`league.triggers`).
    """
    if club.practice_until is None:
        raise ValueError("only a practice club can be deleted")
    try:
        lock_club(club.pk)
    except Club.DoesNotExist:
        return
    _write_versions()
    cards = list(TableCard.objects.filter(tournament__club=club).values_list("user", flat=True))
    made_by_triggers = []
    for model, path in _models_of_clubs():
        rows = model._base_manager.order_by().filter(**{path: club.pk})
        if getattr(model, "made_by_triggers", False):
            made_by_triggers.append((model, list(rows.values_list("pk", flat=True))))
        rows._raw_delete(DEFAULT_DB_ALIAS)
    Club.objects.filter(pk=club.pk)._raw_delete(DEFAULT_DB_ALIAS)
    User.objects.filter(pk__in=cards).delete()
    _write_versions()
    for model, keys in made_by_triggers:
        model._base_manager.filter(pk__in=keys)._raw_delete(DEFAULT_DB_ALIAS)


def _write_versions() -> None:
    """Run the triggers that write versions at the end of a transaction."""
    if connection.vendor == "postgresql":
        connection.check_constraints()


def _models_of_clubs() -> Iterator[tuple[type[Model], str]]:
    """Yield each model whose rows belong to a club, with the lookup that leads there: the referring ones first, because
    the triggers look up a deleted row's club."""
    paths = club_paths()
    left = set(paths)
    while left:
        referred = {parent for model in left for _field, parent in _references(model) if parent is not model}
        free = sorted(left - referred, key=lambda model: model._meta.label)
        for model in free:
            yield model, paths[model]
        left -= set(free)


def club_paths() -> dict[type[Model], str]:
    """Return the shortest lookup from each model to its club, by columns that may be empty only where no other lead."""
    paths: dict[type[Model], str] = {Club: ""}
    for empty_too in (False, True):
        while more := dict(_next_paths(paths, empty_too=empty_too)):
            paths |= more
    del paths[Club]
    return paths


def _next_paths(paths: dict[type[Model], str], *, empty_too: bool) -> Iterator[tuple[type[Model], str]]:
    """Yield the models that refer to one with a path, each with its own path."""
    for model in apps.get_models(include_auto_created=True):
        for field, parent in _references(model):
            if model not in paths and parent in paths and (empty_too or not field.null):
                yield model, f"{field.name}__{paths[parent]}".removesuffix("__")
                break


def _references(model: type[Model]) -> Iterator[tuple[ForeignKey[Any, Any], type[Model]]]:
    for field in model._meta.local_fields:
        if isinstance(field, ForeignKey):
            yield field, field.remote_field.model
