"""Parameters of queries that several views have, as JSON schemas."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

EXCEL_QUERY: dict[str, Any] = {
    "for": {
        "type": "string",
        "enum": ["excel"],
        "description": _("For Excel: amounts in francs, headings in your language, semicolons."),
    }
}
"""The query of CSV files."""
SUMS_QUERY: dict[str, Any] = {
    "sums": {
        "type": "string",
        "enum": ["true"],
        "description": _("Adds `sums`: of all items that the filters find, not of one page."),
    }
}
"""The query of lists with sums."""
