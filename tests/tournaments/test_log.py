"""The audit log of tournaments: every step that a service writes has its words, in a sentence without gaps."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import translation

from league.audit import What, sentences, texts
from league.models import AuditEntry, Round, Tournament, User
from league.tournaments import draw_services, entries, rounds, services, sheets
from league.tournaments.entries import Newcomer
from league.tournaments.formats import Format
from league.tournaments.services import Basics
from tests.cast import House, house
from tests.tournaments.rounds import DAY

FOLDER = Path("league/tournaments")
GROUPS = {
    "tournament_did": ("services.py", "file/importing.py", "own_entries.py"),
    "entrant_did": ("entries.py",),
    "round_did": ("draw_services.py", "rounds.py", "sheets.py"),
}
PLACES = {"_log": 2, "_store_change": 2, "_change": 3, "_move": 3}
"""The functions that write an entry, and the place of the step among their arguments."""


def constants(node: ast.AST) -> Iterator[str]:
    """Yield the steps that an argument can be; of `f"minutes {n}"` the word before the space."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value.partition(" ")[0]
    elif isinstance(node, ast.IfExp):
        yield from constants(node.body)
        yield from constants(node.orelse)
    elif isinstance(node, ast.JoinedStr):
        yield from constants(node.values[0])


def written(*files: str) -> set[str]:
    """Return the steps that these modules write into the log."""
    steps: set[str] = set()
    for file in files:
        for node in ast.walk(ast.parse((FOLDER / file).read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in PLACES:
                steps |= {constant for each in node.args[PLACES[node.func.id] :][:1] for constant in constants(each)}
            elif isinstance(node, ast.Dict):
                pairs = zip(node.keys, node.values, strict=True)
                steps |= {
                    constant
                    for key, value in pairs
                    if isinstance(key, ast.Constant) and key.value == "did"
                    for constant in constants(value)
                }
    return steps


@pytest.mark.parametrize("group", GROUPS)
def test_every_step_that_is_written_has_its_words(group: str):
    assert written(*GROUPS[group]) == set(texts.VALUES[group])


def test_all_modules_that_write_are_looked_at():
    writers = {str(file.relative_to(FOLDER)) for file in FOLDER.rglob("*.py") if "audit.write(" in file.read_text()}
    assert writers == {file for files in GROUPS.values() for file in files}


@pytest.mark.django_db
def test_the_sentences_of_a_tournament_have_no_gap():
    home = house("roessli")
    desk = home.owner
    tournament = lived(home, desk)
    what = (What.TOURNAMENT_CHANGED, What.ENTRANT_CHANGED, What.ROUND_CHANGED)
    entries_written = list(AuditEntry.objects.filter(what__in=what).select_related("actor").order_by("pk"))
    assert {entry.about for entry in entries_written} == {f"tournament:{tournament.pk}"}
    with translation.override("en"):
        lines = [line.sentence for line in sentences.lines_of(entries_written)]
    assert not [line for line in lines if "?" in line or "%" in line]
    assert lines[0] == "Owner: tournament Klausturnier created."
    assert "Owner: start number 7 of Klausturnier taken over by a substitute." in lines
    assert "Owner: round 1 of Klausturnier given another length." in lines
    assert lines[-1] == "Owner: tournament Klausturnier archived."


def lived(home: House, desk: User) -> Tournament:
    """Take a tournament through its life; returns it."""
    made = services.tournament_create(
        club=home.club, author=desk, basics=Basics("Klausturnier", DAY, "chratze"), format=Format(rounds=1, wished=3)
    )
    services.desk_member_set(tournament=made, author=desk, user=home.recorder, member=True)
    services.entries_open(tournament=made, author=desk)
    people = [Newcomer(nickname=f"Guest {number}", here=number < 7) for number in range(1, 8)]
    entries.enter(tournament=made, author=desk, people=people)
    entries.mark_paid(tournament=made, author=desk, number=1)
    entries.describe(tournament=made, author=desk, number=1, team="Bären")
    entries.substitute(tournament=made, author=desk, number=7, newcomer=Newcomer(nickname="Zora"))
    drawn = draw_services.draw_propose(tournament=made, author=desk, seed=1)
    draw_services.draw_publish(tournament=made, author=desk, proposed=drawn)
    rounds.round_start(tournament=made, author=desk, number=1)
    rounds.minutes_add(tournament=made, author=desk, number=1, minutes=5)
    seats = Round.objects.get().draw.plan["tables"][0]["seats"]
    chips = dict.fromkeys(seats, 0)
    sheets.hand_in(tournament=made, author=desk, number=1, table=1, chips=chips, pot=0, decides=True)
    rounds.round_finish(tournament=made, author=desk, number=1, despite_open=True)
    services.tournament_finish(tournament=made, author=desk)
    services.tournament_archive(tournament=made, author=desk)
    return made
