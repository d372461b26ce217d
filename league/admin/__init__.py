"""The Django admin, for the person who runs the server. Users and clubs can be changed; all other rows are read-only.

Only services store recorded and counted data.
"""

from . import counts, cups, money, people, programs, seasons, tournaments
from .base import ReadOnlyAdmin, ReadOnlyInline

__all__ = ["ReadOnlyAdmin", "ReadOnlyInline", "counts", "cups", "money", "people", "programs", "seasons", "tournaments"]
