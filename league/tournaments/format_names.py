"""The names of the values of a format, as pages and paper show them."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

MODE_NAMES = {
    "random": _("By lot"),
    "balanced": _("Balanced: as few repeats as possible"),
    "standing": _("By standing: the first ones together"),
    "slips": _("Slips drawn at check-in"),
}
ORDER_NAMES = {
    "repeats": _("Few repeats; then tables of another size, evenly shared in the end"),
    "sizes": _("Tables of another size by turns in every round; then few repeats"),
}
RESULT_NAMES = {
    "chips": _("Net chips"),
    "points": _("Points, as a season counts them"),
    "placing": _("Placing at the table, 100 to 0"),
}
POT_NAMES = {
    "divided": _("It is divided among those at the table"),
    "nobody": _("It belongs to nobody"),
}
MISSED_NAMES = {
    "nothing": _("Nothing"),
    "mean": _("The mean of the rounds played"),
}
TIE_BREAK_NAMES = {
    "best_round": _("Best round, second best and so on"),
    "rounds_won": _("Rounds won"),
    "direct": _("Direct meeting"),
    "made": _("Most goals made"),
    "missed": _("Fewest goals missed"),
    "lot": _("Lot"),
}
