"""The codes of CSV columns in the reader's language, for files that people open: Excel and XLSX."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

from ..models import Account, Evening, ResultRow, Season, Transfer

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Labels = Mapping[str, "str | _StrPromise"]

ACCOUNTS: Labels = {kind.value: kind.label for kind in Account.Kind}
CODES: Mapping[str, Labels] = {
    "kind": {kind.value: kind.label for kind in Transfer.Kind},
    "from_kind": ACCOUNTS,
    "to_kind": ACCOUNTS,
    "payer_kind": ACCOUNTS,
    "payee_kind": ACCOUNTS,
    "role": {role.value: role.label for role in ResultRow.Role},
    "stage": {stage.value: stage.label for stage in Evening.Stage},
    "state": {"entered": _("entered"), "voided": _("voided")},
    "outcome": {
        "played": _p("outcome", "played"),
        "walkover": _("walkover"),
        "passed_out": _("passed out"),
    },
    "blind": {"blind": _p("outcome", "blind"), "double": _p("outcome", "double blind")},
    "game": {game.value: game.label for game in Season.Games if game.value},
}
"""Code to text, by the name of the column. Other columns have no codes."""


def texts_of(columns: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return the texts of the codes in the language of now, by column; only of columns with codes."""
    return {column: {code: str(text) for code, text in CODES[column].items()} for column in columns if column in CODES}
