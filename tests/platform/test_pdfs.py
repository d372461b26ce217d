"""The list of PDFs of which pictures are taken has all of them."""

from __future__ import annotations

from django.urls import get_resolver

from league.tournaments.paper.kinds import KINDS
from tests.reports.test_reports import NAMES
from tests.screens.pdfs import PDFS


def test_every_pdf_is_in_the_list_of_pictures() -> None:
    patterns = get_resolver().reverse_dict
    named = {str(name) for name in patterns if isinstance(name, str)}
    ending = {name for name in named if any(form[0].endswith(".pdf") for form in patterns.getlist(name)[0][0])}
    asked = {name for name in ending if not name.startswith("api-")} | {*NAMES, "treasury-report"}
    assert asked >= {"evening-sheet", "statements-pdf", "tournament-paper"}
    assert asked == {pdf.route for pdf in PDFS}


def test_every_paper_of_a_tournament_and_every_name_is_there_once() -> None:
    assert len({pdf.name for pdf in PDFS}) == len(PDFS)
    assert {pdf.name for pdf in PDFS if pdf.route == "tournament-paper"} == {f"paper-{kind}" for kind in KINDS}
