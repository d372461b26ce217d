"""Why a figure of a draw is not lower: a bound that holds for every draw, or a search that found nothing better."""

from __future__ import annotations

from django.utils.translation import gettext as _

import draw


def repeats_reason(report: draw.Report) -> str:
    """Return why there are not fewer repeats; '' if there are none."""
    if not report.repeats:
        return ""
    values = {"bound": report.bound}
    sentences = {
        "": _("arithmetic allows none below %(bound)d"),
        "people": _("none below %(bound)d: in all rounds together more meet than there are pairs"),
        "tables": _("none below %(bound)d: a table has more seats than there are tables to come from"),
        "turns": _("none below %(bound)d while tables of another size go by turns in every round"),
    }
    return _joined(sentences[report.bound_by] % values, report, report.repeats > report.bound)


def most_reason(report: draw.Report) -> str:
    """Return why no smaller number of meetings is the greatest; '' if nobody meets twice."""
    if report.most <= 1 or not report.most_bound:
        return ""
    bound = _("arithmetic allows none below %(bound)d") % {"bound": report.most_bound}
    return _joined(bound, report, report.most > report.most_bound)


def odd_reason(report: draw.Report) -> str:
    """Return why there are not fewer tables of another size."""
    if not report.most_bound or report.odd_tables > report.odd_bound:
        return _("in all rounds so far")
    return _("in all rounds so far; the number of people allows no fewer")


def uneven_reason(report: draw.Report) -> str:
    """Return why tables of another size are not shared more evenly."""
    first = _("few repeats come first") if report.order == "repeats" else _("by turns in every round")
    return _joined(first, report, report.order == "repeats")


def _joined(bound: str, report: draw.Report, above: bool) -> str:
    if not above or not report.most_bound:
        return bound
    if not report.searched:
        return _("%(bound)s; this draw looks for no better one") % {"bound": bound}
    seconds = f"{report.searched / 1000:g}"
    return _("%(bound)s; a search of %(seconds)s s found nothing better") % {"bound": bound, "seconds": seconds}
