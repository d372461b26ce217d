"""The result list: ranks, the result of each round and the total; then the teams; then the notes and the seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from ..room import wording
from ..room.selectors import TeamRanked
from ..room.wording import ShownCell, ShownLine
from .page import DARK, EDGE, Pages
from .printed_tournament import Content, parts

ROW, LEAST_ROW = 6.4, 5.8
"""The height of a line; lines are a little lower where this saves a page with few of them."""
PORTRAIT_ROUNDS = 8
"""More rounds are printed across."""
RANK, NUMBER, TOTAL, TIE = 11.0, 11.0, 19.0, 32.0
PAD = 1.5
NOTE = 8.5


@dataclass(frozen=True)
class _Columns:
    """The positions of the columns: `name` and its width, the rounds with `each`, the total, the tie-break. `row`: the
    height of a line."""

    name: float
    name_width: float
    rounds: float
    each: float
    total: float
    tie: float
    row: float


def draw(content: Content) -> bytes:
    """Return the list. It is the ranking by all finished rounds, also while the last one is hidden from others."""
    pdf = Pages(content, _("Results"))
    room = content.room
    lines, heads, notes = wording.ranking_lines(room), wording.columns(room), _notes(content)
    landscape = len(heads) > PORTRAIT_ROUNDS
    wide, high = (297.0, 210.0) if landscape else (210.0, 297.0)
    step = _row_height(len(lines), high)
    first, more = int((high - 17 - 41) / step) - 1, int((high - 17 - 29) / step) - 1
    rows = [lines[:first], *parts(lines[first:], more)]
    teams = list(parts(room.teams, first // 2))
    # The notes follow the last line where there is room for them.
    height = sum(pdf.block_height(wide - 2 * EDGE, note, NOTE) + 1.2 for note in notes) + 6
    left = high - 17 - (41 if len(rows) == 1 else 29) - (len(rows[-1]) + 1) * step
    alone = bool(teams) or left < height
    pages = len(rows) + len(teams) + alone
    columns = _columns(wide - 2 * EDGE, len(heads), step, ties=any(line.tie for line in lines))
    y = 0.0
    for page, page_lines in enumerate(rows, start=1):
        y = pdf.begin(page, pages, wording.what_counts(room), landscape=landscape)
        _heads(pdf, y, columns, heads)
        for line in page_lines:
            y += step
            _line(pdf, y, columns, line)
        y += step
    for page, found_teams in enumerate(teams, start=len(rows) + 1):
        y = _teams(pdf, pdf.begin(page, pages, _("Teams"), landscape=landscape), found_teams)
    if alone:
        y = pdf.begin(pages, pages, wording.what_counts(room), landscape=landscape)
    _write(pdf, y + 5, notes)
    return bytes(pdf.output())


def _row_height(count: int, high: float) -> float:
    """Return the height of a line: lower by a little if all of them then need one page less."""
    first, more = high - 17 - 41, high - 17 - 29

    def pages(row: float) -> int:
        on_first, on_more = int(first / row) - 1, int(more / row) - 1
        return 1 + max(0, -(-(count - on_first) // on_more))

    if pages(LEAST_ROW) == pages(ROW):
        return ROW
    tenths = (tenth / 10 for tenth in range(round(ROW * 10), round(LEAST_ROW * 10), -1))
    return next((row for row in tenths if pages(row) < pages(ROW)), LEAST_ROW)


def _columns(width: float, rounds: int, row: float, *, ties: bool) -> _Columns:
    tie = TIE if ties else 0.0
    free = width - RANK - NUMBER - TOTAL - tie
    each = min((free - 46.0) / max(rounds, 1), 17.0)
    name = EDGE + RANK + NUMBER
    name_width = free - each * rounds
    total = name + name_width + each * rounds
    return _Columns(name, name_width, name + name_width, each, total, total + TOTAL, row)


def _heads(pdf: Pages, y: float, columns: _Columns, heads: Sequence[tuple[str, str]]) -> None:
    middle = y + columns.row / 2
    pdf.ink(DARK)
    pdf.put(EDGE, middle, RANK - 2 * PAD, _("Rank"), 8, align="R")
    pdf.put(EDGE + RANK, middle, NUMBER - 2 * PAD, _("No."), 8, align="R")
    pdf.put(columns.name, middle, columns.name_width - PAD, _("Name"), 8)
    for place, (short, _full) in enumerate(heads):
        x = columns.rounds + place * columns.each
        label = short if len(heads) > 6 or not short.isdecimal() else _("R%(number)s") % {"number": short}
        pdf.put(x, middle, columns.each - PAD, label, 8, align="R")
    pdf.put(columns.total, middle, TOTAL - PAD, _("Total"), 8, bold=True, align="R")
    if columns.tie < pdf.w - EDGE - 1:
        pdf.put(columns.tie + PAD, middle, TIE - PAD, _("decided by"), 8)
    pdf.ink()
    pdf.rule(EDGE, y + columns.row, pdf.w - EDGE, y + columns.row, weight=0.4, grey=0)


def _line(pdf: Pages, y: float, columns: _Columns, line: ShownLine) -> None:
    middle, ranked = y + columns.row / 2, line.ranked
    best = ranked.line.rank <= 3 and not ranked.line.withdrawn
    person = ranked.person
    pdf.put(EDGE, middle, RANK - 2 * PAD, f"{ranked.line.rank}.", 10, bold=True, align="R")
    pdf.ink(DARK)
    pdf.put(EDGE + RANK, middle, NUMBER - 2 * PAD, str(person.number), 8.5, align="R")
    pdf.ink()
    after = [_("for %(names)s") % {"names": ", ".join(person.before)}] if person.before else []
    after += [pgettext("entrant", "withdrawn")] if ranked.line.withdrawn else []
    width = columns.name_width - 2 * PAD
    more = " · ".join(after)
    # The name may take the whole width except a readable note.
    reserved = min(width * 0.45, pdf_width(pdf, more, 7.5) + 2) if more else 0.0
    taken = pdf.put(columns.name, middle, width - reserved, person.name, 10, bold=best)
    if more:
        pdf.ink(DARK)
        pdf.put(columns.name + taken + 2, middle, width - taken - 2, more, 7.5)
        pdf.ink()
    for place, cell in enumerate(line.cells):
        _cell(pdf, columns.rounds + place * columns.each, middle, columns.each - PAD, cell)
    pdf.put(columns.total, middle, TOTAL - PAD, line.total, 10, bold=True, align="R")
    if line.tie:
        pdf.ink(DARK)
        pdf.put(columns.tie + PAD, middle, TIE - PAD, line.tie, 7.5)
        pdf.ink()
    pdf.rule(EDGE, y + columns.row, pdf.w - EDGE, y + columns.row, weight=0.1, grey=185)


def _cell(pdf: Pages, x: float, middle: float, width: float, cell: ShownCell) -> None:
    italic = cell.kind == "mean"
    grey = 110 if cell.dropped or cell.kind in ("missed", "none") else 0
    pdf.ink(grey)
    taken = pdf.put(x, middle, width, cell.text, 9.5, italic=italic, align="R")
    pdf.ink()
    if cell.dropped:
        pdf.rule(x + width - taken - 0.6, middle, x + width + 0.6, middle, weight=0.3, grey=0)


def pdf_width(pdf: Pages, text: str, size: float) -> float:
    """Return the width of a text."""
    pdf.fitted(text, 1000, size)
    return float(pdf.get_string_width(text))


def _teams(pdf: Pages, y: float, teams: Sequence[TeamRanked]) -> float:
    for team in teams:
        pdf.put(EDGE, y + 5, RANK - 2 * PAD, f"{team.rank}.", 11, bold=True, align="R")
        pdf.put(EDGE + RANK + 2, y + 5, pdf.inner - RANK - TOTAL - 4, team.name, 11, bold=True)
        pdf.put(pdf.w - EDGE - TOTAL, y + 5, TOTAL, team.text, 11, bold=True, align="R")
        names = ", ".join(
            f"{person.name} ({person.number})"
            if person.number in team.counting
            else f"{person.name} – " + _("not counted")
            for person in team.members
        )
        pdf.ink(DARK)
        pdf.put(EDGE + RANK + 2, y + 9.8, pdf.inner - RANK - TOTAL - 4, names, 8.5)
        pdf.ink()
        y += 2 * ROW
        pdf.rule(EDGE, y, pdf.w - EDGE, y, weight=0.1, grey=185)
    return y


def _notes(content: Content) -> list[str]:
    """Return the notes on the list, and the seeds for checking the draws and the lots."""
    room = content.room
    cells = [cell for line in wording.ranking_lines(room) for cell in line.cells]
    signs = []
    if any(cell.kind == "mean" for cell in cells):
        signs.append(_("Slanted: sat out, the mean of the own rounds."))
    if any(cell.dropped for cell in cells):
        signs.append(_("Struck through: does not count."))
    if any(cell.kind == "missed" for cell in cells):
        signs.append(_("Grey: missed."))
    notes = [_note(_("Prizes:"), _prizes(content))] if room.prize_list else []
    notes += [_note(_("How to read it:"), " ".join(signs))] if signs else []
    notes.append(_note(_("How it counts:"), " ".join(wording.rules_in_words(room.format))))
    seeds = [
        _("%(round)s: %(seed)d, %(repeats)d repeated meetings")
        % {
            "round": wording.round_name(room, tournament_round.number),
            "seed": tournament_round.draw.seed,
            "repeats": tournament_round.draw.report.get("repeats", 0),
        }
        for tournament_round in room.rounds
    ]
    notes.append(_note(_("Seeds of the draws:"), f"{'; '.join(seeds)}."))
    notes.append(_note(_("Seed of the lots:"), f"{content.found.tournament.lot_seed}."))
    return notes


def _note(label: str, text: str) -> str:
    """Return a note with its label in bold."""
    return f"**{label}** {text}"


def _prizes(content: Content) -> str:
    """Return the prizes by place with those who get them, as one text."""
    texts = []
    for prize in content.room.prize_list:
        names = ", ".join(person.name for person in prize.people)
        what = f"{prize.prize.label} {prize.places} {prize.prize.text}".strip().replace("**", "")
        texts.append(f"{what}: {names}" if names else what)
    return "; ".join(texts) + "."


def _write(pdf: Pages, y: float, notes: Sequence[str]) -> None:
    for note in notes:
        y += pdf.block(EDGE, y, pdf.inner, note, NOTE) + 1.2
