"""The next step of a tournament: the action of the desk's large button, and the step after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ...models import Round
from ..outlook import outlook
from .selectors import Desk


@dataclass(frozen=True)
class Step:
    """The next step. A link if `fields` is None, else a form with these fields; without `url` there is no step.

    `note`: the step after it, `warning`: a reason against it.
    """

    label: str
    url: str = ""
    fields: Mapping[str, str | int] | None = None
    note: str = ""
    warning: str = ""
    more: tuple[Step, ...] = field(default=())


def next_step(desk: Desk) -> Step:
    """Return the next step of the desk."""
    if desk.shown is not None and desk.shown is not desk.current and desk.shown.state != Round.State.FINISHED:
        return _left_open(desk, desk.shown.number)
    steps = {"draft": _open, "between": _between, "drawn": _drawn, "playing": _playing, "over": _over}
    return steps[desk.phase](desk)


def tables_sentence(desk: Desk, count: int) -> str:
    """Return the numbers and sizes of tables for so many people, or the reason why there are none."""
    seen = outlook(desk.format, count)
    if seen.refused:
        return seen.refused
    parts = [
        ngettext("%(n)d table of %(size)d", "%(n)d tables of %(size)d", n) % {"n": n, "size": size}
        for size, n in seen.tables.items()
    ]
    if seen.sit_outs:
        parts.append(ngettext("%(n)d sits out", "%(n)d sit out", seen.sit_outs) % {"n": seen.sit_outs})
    return ", ".join(parts)


def _url(desk: Desk, name: str, **more: object) -> str:
    return reverse(name, kwargs={"club": desk.found.club.slug, "tournament": desk.tournament.slug, **more})


def _open(desk: Desk) -> Step:
    note = _("Then people can be entered, and the club sees the tournament.")
    return Step(_("Open for entries"), _url(desk, "tournament-setup"), {"do": "open"}, note)


def _between(desk: Desk) -> Step:
    number = desk.next_number
    if number > desk.format.all_rounds:
        setup = _url(desk, "tournament-setup")
        finish = Step(_("Finish the tournament"), setup, {"do": "finish"}, _("Then the ranking is final."))
        return _with_podium(desk, finish)
    draw = _url(desk, "tournament-draw")
    if desk.proposed is not None:
        warning = _came_or_left(desk, desk.proposed_changed)
        note = _("Drawn and not published: only the desk sees it.")
        return Step(_("Look at the draw of round %(n)d") % {"n": number}, draw, None, note, warning)
    final = number > desk.format.rounds
    label = _("Draw the final") if final else _("Draw round %(n)d") % {"n": number}
    count = len(desk.here)
    if not final and not desk.format.takes(count):
        return Step(label, note=tables_sentence(desk, count), more=_early_end(desk))
    note = "" if final else _("%(count)d here: %(tables)s.") % {"count": count, "tables": tables_sentence(desk, count)}
    return Step(label, draw, {"do": "draw"}, note, more=_early_end(desk))


def _early_end(desk: Desk) -> tuple[Step, ...]:
    if desk.current is None:
        return ()
    return (Step(_("Finish the tournament now"), _url(desk, "tournament-setup"), {"do": "finish"}),)


def _drawn(desk: Desk) -> Step:
    assert desk.current is not None
    number, draw = desk.current.number, _url(desk, "tournament-draw")
    if desk.proposed is not None:
        note = _("Drawn again and not published: people still see the draw before.")
        warning = _came_or_left(desk, desk.proposed_changed)
        return Step(_("Look at the new draw"), draw, None, note, warning)
    back = Step(_("Take the draw back"), draw, {"do": "back"})
    look = Step(_("The draw of round %(n)d") % {"n": number}, draw)
    if desk.changed:
        again = _("Draw again for those who came or left")
        start = Step(_("Start as it is"), _url(desk, "tournament-round"), {"do": "start", "round": number})
        warning = _came_or_left(desk, desk.changed)
        return Step(again, draw, {"do": "again"}, warning=warning, more=(start, look, back))
    label = _("Start round %(n)d") % {"n": number}
    note = _("Published: everybody sees where they sit.")
    return Step(label, _url(desk, "tournament-round"), {"do": "start", "round": number}, note, more=(look, back))


def _came_or_left(desk: Desk, numbers: object) -> str:
    names = [f"{number} {desk.names.get(number, '')}".strip() for number in numbers]  # type: ignore[attr-defined]
    return _("Came or left since the draw: %(names)s.") % {"names": ", ".join(names)} if names else ""


def _playing(desk: Desk) -> Step:
    assert desk.current is not None
    number = desk.current.number
    here = desk.shown is not None and desk.shown.pk == desk.current.pk
    if not here:
        address = _url(desk, "tournament-desk")
        return Step(_("Back to round %(n)d") % {"n": number}, address)
    finish = Step(
        _("Finish round %(n)d") % {"n": number},
        _url(desk, "tournament-round"),
        {"do": "finish", "round": number},
        _after(desk),
    )
    opened = desk.open_tables
    # Points come from the hands alone.
    to_enter = [] if desk.format.result == "points" else opened
    others = tuple(step for step in (finish, _ahead(desk), _unstart(desk)) if step is not None)
    for progress, label in (
        ("disagree", _("Settle table %(table)d")),
        ("one_sheet", _("Second sheet of table %(table)d")),
        ("waiting", _("Sheet of table %(table)d")),
    ):
        first = next((table for table in to_enter if table.progress == progress), None)
        if first is not None:
            address = _url(desk, "tournament-sheet", number=number, table=first.number)
            return Step(label % {"table": first.number}, address, None, _waiting(desk, len(opened)), more=others)
    if opened:
        return Step(_("Waiting for the tables"), note=_waiting(desk, len(opened)), more=others)
    return finish


def _unstart(desk: Desk) -> Step | None:
    """Take the start back while no hand or sheet is stored."""
    assert desk.current is not None
    if any(table.progress != "waiting" for table in desk.tables):
        return None
    fields: dict[str, str | int] = {"do": "unstart", "round": desk.current.number}
    return Step(_("Take the start back"), _url(desk, "tournament-round"), fields)


def _left_open(desk: Desk, number: int) -> Step:
    """A round that was still played when the next one was drawn."""
    fields: dict[str, str | int] = {"do": "finish", "round": number}
    return Step(_("Finish round %(n)d") % {"n": number}, _url(desk, "tournament-round"), fields)


def _ahead(desk: Desk) -> Step | None:
    """Draw the next round although this one is played: the desk has to confirm."""
    assert desk.current is not None
    number = desk.current.number + 1
    if number > desk.format.rounds:
        return None
    draw = _url(desk, "tournament-draw")
    if desk.proposed is not None:
        return Step(_("Look at the draw of round %(n)d") % {"n": number}, draw)
    return Step(_("Draw round %(n)d already") % {"n": number}, draw, {"do": "draw"})


def _waiting(desk: Desk, count: int) -> str:
    waits = ngettext("%(n)d table is open", "%(n)d tables are open", count) % {"n": count}
    return f"{waits}. {_after(desk)}".strip()


def _after(desk: Desk) -> str:
    assert desk.current is not None
    following = desk.current.number + 1
    if following > desk.format.all_rounds:
        return _("Then: finish the tournament.")
    if following > desk.format.rounds:
        return _("Then: draw the final.")
    return _("Then: draw round %(n)d.") % {"n": following}


def _over(desk: Desk) -> Step:
    archived = desk.tournament.state == desk.tournament.State.ARCHIVED
    label = _("Archived") if archived else _("Finished")
    return _with_podium(desk, Step(label, note=_("Opening it again, and the archive: in the set-up.")))


def _with_podium(desk: Desk, step: Step) -> Step:
    """Add the reveal of the podium; while it runs, its next place is the next step."""
    if not desk.podium:
        return step
    shown = desk.tournament.reveal_step
    if shown is None:
        return replace(step, more=(*step.more, _reveal(desk, _("Reveal the podium on the big screen"), 0)))
    off = _reveal(desk, _("Podium off the screen"), "")
    if shown >= len(desk.podium):
        return replace(step, more=(*step.more, off))
    rank = desk.podium[shown]
    first = _reveal(desk, _("Show rank %(rank)d") % {"rank": rank}, shown + 1)
    back = (_reveal(desk, _("One place back"), shown - 1),) if shown else ()
    rest = (step,) if step.url else ()
    note = _("The big screen shows the podium, from the last place to the first.")
    return replace(first, note=note, more=(*back, off, *rest))


def _reveal(desk: Desk, label: str, step: int | str) -> Step:
    return Step(label, _url(desk, "tournament-setup"), {"do": "reveal", "step": step})


def may_take_back(desk: Desk) -> bool:
    """Return True if a finished last round could be opened again: no round was drawn after it."""
    running = desk.phase == "between" and desk.current is not None
    return running and desk.current is not None and desk.current.state == Round.State.FINISHED
