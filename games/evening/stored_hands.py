"""The number of hands of an evening, from its tables: each hand and each correction stores it with its table."""

from __future__ import annotations

from typing import Any

from django.db.models import OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce

from ..models import Table


def stored_hands() -> Any:
    """For a query of evenings: the number of hands at all tables. O(tables), independent of the number of hands."""
    tables = Table.objects.filter(evening=OuterRef("pk")).order_by().values("evening")
    return Coalesce(Subquery(tables.annotate(stored=Sum("hands")).values("stored")), 0)
