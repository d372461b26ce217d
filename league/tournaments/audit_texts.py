"""The texts of the audit log about tournaments."""

from __future__ import annotations

from collections.abc import Iterable, Set

from django.utils.translation import gettext_lazy, pgettext_lazy

from ..audit import What, texts
from ..models import Tournament

SENTENCES = {
    "tournaments": {
        What.TOURNAMENT_CHANGED: gettext_lazy("%(who)s: tournament %(about)s %(tournament_did)s."),
        What.ENTRANT_CHANGED: gettext_lazy("%(who)s: start number %(number)s of %(about)s %(entrant_did)s."),
        What.ROUND_CHANGED: gettext_lazy("%(who)s: round %(round)s of %(about)s %(round_did)s."),
    },
}
VARIANTS = {
    (What.EXPORTED, "file", "tournament"): gettext_lazy("%(who)s downloaded the file of the tournament %(about)s."),
}
VALUES = {
    "tournament_did": {
        "made": pgettext_lazy("tournament", "created"),
        "changed": pgettext_lazy("tournament", "changed"),
        "format": pgettext_lazy("tournament", "given another format"),
        "award": pgettext_lazy("tournament", "given points for a season"),
        "opened": pgettext_lazy("tournament", "opened for entries"),
        "withdrawn": pgettext_lazy("tournament", "taken back into preparation"),
        "finished": pgettext_lazy("tournament", "finished"),
        "reopened": pgettext_lazy("tournament", "opened again"),
        "archived": pgettext_lazy("tournament", "archived"),
        "unarchived": pgettext_lazy("tournament", "taken out of the archive"),
        "named": pgettext_lazy("tournament", "given another person at the desk"),
        "unnamed": pgettext_lazy("tournament", "given one person less at the desk"),
        "imported": pgettext_lazy("tournament", "imported from a file"),
        "names_shown": pgettext_lazy("tournament", "set to show names in the hall"),
        "own_entries_on": pgettext_lazy("tournament", "opened so that people enter themselves"),
        "own_entries_off": pgettext_lazy("tournament", "closed so that nobody enters alone"),
        "own_entry_refused": pgettext_lazy("tournament", "left by the desk without one who wanted to enter"),
        "names_hidden": pgettext_lazy("tournament", "set to show no names in the hall"),
    },
    "entrant_did": {
        "entered": pgettext_lazy("entrant", "entered"),
        "paid": pgettext_lazy("entrant", "ticked as paid"),
        "unpaid": pgettext_lazy("entrant", "ticked as not paid"),
        "described": pgettext_lazy("entrant", "changed"),
        "withdrawn": pgettext_lazy("entrant", "withdrawn"),
        "back": pgettext_lazy("entrant", "back again"),
        "substituted": pgettext_lazy("entrant", "taken over by a substitute"),
        "taken_out": pgettext_lazy("entrant", "taken out"),
        "name_hidden": pgettext_lazy("entrant", "noted as not shown by name in the hall"),
        "name_shown": pgettext_lazy("entrant", "noted as shown by name in the hall"),
    },
    "round_did": {
        "published": pgettext_lazy("round", "drawn and published"),
        "taken_back": pgettext_lazy("round", "taken back"),
        "started": pgettext_lazy("round", "begun"),
        "unstarted": pgettext_lazy("round", "not begun after all"),
        "paused": pgettext_lazy("round", "paused"),
        "resumed": pgettext_lazy("round", "on again"),
        "minutes": pgettext_lazy("round", "given another length"),
        "finished": pgettext_lazy("round", "finished"),
        "reopened": pgettext_lazy("round", "opened again"),
        "decided": pgettext_lazy("round", "settled at a table by the desk"),
    },
}


def register() -> None:
    """Register the texts."""
    texts.register(sentences=SENTENCES, variants=VARIANTS, values=VALUES, readers={"tournament": _tournaments})


def _tournaments(keys: Set[int]) -> Iterable[tuple[int, str]]:
    return Tournament.objects.filter(pk__in=keys).values_list("pk", "name")
