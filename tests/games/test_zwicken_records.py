"""The records of Zwicken on the server: stored hands in words, corrections, the finder, files, cards, receipts."""

from __future__ import annotations

import json
import random
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import engine_bridge
from games.cards import steps
from games.closing.receipts import token_for
from games.closing.services import evening_close
from games.evening.exports import hand_rows
from games.hands import selectors
from games.hands.clause_sentences import summary
from games.hands.coin_lines import coin_lines
from games.hands.tally import tally_of
from games.integrity.verify import differences
from games.models import Correction, Revision, Table
from league.access import club_for
from league.models import ResultRow, Transfer
from tests.cast import House
from tests.clients import reader
from tests.factories import FORCED, MIT, create_table, enter, void
from tests.page_forms import form_with

from .test_corrections_views import fields, seats, text_of, through, url

pytestmark = pytest.mark.django_db

ALONE: dict[str, Any] = {"cuts": ["x"], "players": [2]}
NOBODY: dict[str, Any] = {"cuts": ["B", "x"], "players": []}


@pytest.fixture
def table(home: House) -> Table:
    """Anna, Beni, Carlo, Doris; Doris has the pack. A forced hand, one of Beni and Doris, one of Carlo alone."""
    table = create_table(club=home.club, season=home.season, author=home.recorder, seats=4, game="zwicken")
    for record in (FORCED, MIT, ALONE):
        enter(table, record, author=home.recorder)
    return Table.objects.select_related("evening__club").get(pk=table.pk)


def hands(table: Table) -> list[selectors.HandView]:
    """The hands of the table in order."""
    return selectors.hands_of([table])[table.pk][::-1]


# --- Stored hands --------------------------------------------------------------------------------------------


def test_stored_hands_are_settled_by_the_rulebook(table: Table) -> None:
    forced, free, alone = hands(table)
    assert (forced.deltas, forced.pot_after) == ((20, 10, -30, -60), 60)
    # Doris passes the pack to Anna, whom the ace makes Beni: two stakes of 30, the pot of 60 before.
    assert (free.pot, free.deltas, free.pot_after) == (120, (-30, 90, 0, -150), 150)
    assert (alone.outcome, alone.deltas[2], alone.pot_after) == ("walkover", 150, 0)
    assert list(differences()) == []


def test_each_kind_of_payment_is_one_of_the_ledger(table: Table) -> None:
    kinds = set(Transfer.objects.values_list("kind", flat=True))
    assert kinds == {"ante", "cut", "payout", "penalty", "seven"}


def test_everybody_who_plays_joins_and_nobody_declares(table: Table) -> None:
    rows = ResultRow.objects.all()
    assert set(rows.values_list("role", flat=True)) == {"joiner", "out"}
    assert list(rows.filter(muss=True).values_list("made", flat=True)).count(False) == 2
    assert rows.filter(walkover=True).get().made is None


SENTENCES = [
    "Forced hand; failed: Carlo, Doris",
    "Beni, Doris mit; failed: Doris; Belli lost: Doris",
    "Carlo alone says mit",
    "all weg",
]


def test_a_hand_in_one_sentence_and_as_a_line(table: Table) -> None:
    enter(table, FORCED)
    enter(table, NOBODY)
    shown = hands(table)
    said = [summary(hand.game, dict(hand.result), dict(enumerate(hand.names))) for hand in (*shown[:3], shown[4])]
    assert said == SENTENCES
    forced, free, alone, _forced, nobody = coin_lines(shown)
    assert (forced.declares, forced.joiners) == ("Forced hand", [("Carlo", True), ("Doris", True)])
    assert (free.joins, free.joiners, free.remark) == (
        "mit",
        [("Beni", False), ("Doris", True)],
        "Belli lost: Doris",
    )
    assert (alone.joiners, alone.declarer) == ([("Carlo", False)], "")
    # The dealer after the jump takes the pot.
    assert [name for name, amount in nobody.coins if amount > 0] == [shown[4].names[dealer_of(shown[4])]]


def dealer_of(hand: selectors.HandView) -> int:
    """The dealer after the cuts of a hand."""
    return engine_bridge.after_cuts(hand.start, hand.record["cuts"])[0]


def test_the_evening_shows_the_hands(table: Table) -> None:
    enter(table, FORCED)
    enter(table, NOBODY)
    page = text_of(reader().get(reverse("evening", kwargs={"club": "roessli", "evening": table.evening_id})))
    for part in ("mit, Belli lost", "mit, nobody else", "Belli lost"):
        assert part in page


def test_the_last_hand_is_voided(table: Table) -> None:
    void(table)
    assert [hand.voided for hand in hands(table)] == [False, False, True]
    assert Table.objects.get().pot_minor == 150
    assert list(differences()) == []


# --- Files -----------------------------------------------------------------------------------------------------


def test_the_file_of_hands_has_its_facts_in_the_columns_of_all_games(table: Table, home: House) -> None:
    rows = list(hand_rows(club_for(home.owner, home.club.slug), table.evening))
    assert [row["muss"] for row in rows] == [True] * 4 + [False] * 8
    assert [row["role"] for row in rows[4:8]] == ["out", "joiner", "out", "joiner"]
    assert [row["game_type"] for row in rows[4:8]] == [None, None, None, "seven_lost"]
    assert {row["cuts"] for row in rows} == {"x", "A x"}
    assert "siebenermuss" not in rows[0]


def test_lines_of_a_sheet_are_stored_as_typed(home: House, recorder: Client) -> None:
    table = create_table(club=home.club, season=home.season, seats=4, game="zwicken")
    where = reverse("hand-type", kwargs={"club": "roessli", "table": table.pk})
    page = recorder.get(where)
    assert "Forced hand, Doris has the pack" in text_of(page)
    lines = "1:2 2 =0.60\n<A b:3 d/b =1.50\nc\n1.2 2"
    assert recorder.post(where, fields(page) | {"lines": lines}).status_code == 303
    stored = recorder.get(where).context["hands"]
    assert [hand["line"] for hand in stored] == ["a:2 b:1", "c", "<A b:3 d/b:0", "a:2 b:1"]
    assert list(differences()) == []


# --- Corrections -------------------------------------------------------------------------------------------------


def test_the_form_of_a_correction_has_the_stored_hand(table: Table, recorder: Client) -> None:
    page = recorder.get(url(table, "hand-edit", 2))
    assert [row.entry.role for row in page.context["rows"]] == ["out", "joiner", "out", "joiner"]
    assert [row.entry.tricks for row in page.context["rows"]] == [None, 3, None, 0]
    assert (page.context["cutting"].shown, page.context["cutting"].seven_lost) == ("A", 3)


def test_a_hand_is_corrected(table: Table, recorder: Client) -> None:
    data = {"role-1": "joiner", "role-2": "joiner", "tricks-1": "3", "tricks-2": "0", "cuts": ""}
    assert through(recorder, url(table, "hand-edit", 2), data).status_code == 303
    assert Correction.objects.get().kind == "changed"
    changed = hands(table)[1]
    assert (changed.joiners, changed.tricks, changed.record["cuts"]) == ((1, 2), (0, 3, 0, 0), ["x"])
    assert list(differences()) == []


def test_the_later_hands_keep_their_dealers(table: Table, recorder: Client) -> None:
    dealers = [hand.player_ids[hand.record["dealer"]] for hand in hands(table)]
    data = {"role-1": "joiner", "role-3": "joiner", "tricks-1": "3", "cuts": "7A"}
    assert through(recorder, url(table, "hand-edit", 2), data).status_code == 303
    assert [hand.player_ids[hand.record["dealer"]] for hand in hands(table)] == dealers
    assert list(differences()) == []


def test_a_forgotten_hand_is_added_and_a_hand_removed(table: Table, recorder: Client) -> None:
    data = {"role-0": "joiner", "role-3": "joiner", "tricks-0": "0", "tricks-3": "3"}
    assert through(recorder, url(table, "hand-insert", 2), data).status_code == 303
    assert [len(hand.joiners) for hand in hands(table)] == [4, 2, 2, 1]
    out = url(table, "hand-out", 2)
    assert recorder.post(out, fields(recorder.get(out)) | {"step": "save"}).status_code == 303
    assert [len(hand.joiners) for hand in hands(table) if not hand.voided] == [4, 2, 1]
    assert list(differences()) == []


def test_a_change_that_makes_a_later_hand_forced_is_refused(table: Table, recorder: Client) -> None:
    """With a trick for both of them hand 2 leaves nothing, so all would have to play hand 3."""
    data = {"role-1": "joiner", "role-3": "joiner", "tricks-1": "2", "tricks-3": "1"}
    refused = recorder.post(url(table, "hand-edit", 2), data | {"step": "preview"})
    assert refused.status_code == 409
    assert "Hand 3 would no longer be possible: In a forced hand everybody plays" in text_of(refused)


# --- The difference finder -----------------------------------------------------------------------------------------


def test_the_finder_finds_the_wrong_trick(home: House, recorder: Client) -> None:
    table = create_table(club=home.club, season=home.season, seats=4, game="zwicken")
    enter(table, FORCED)
    # In fact Carlo had Beni's trick: the same pot, 40 less for Beni.
    where = reverse("table-difference", kwargs={"club": "roessli", "table": table.pk})
    answer = recorder.get(where, {"player": seats(table)[1], "gain": "-0.30"})
    guesses = answer.context["guesses"]
    assert guesses, text_of(answer)
    assert "A trick of Beni's was" in guesses[0].sentence
    shown = recorder.get(guesses[0].url)
    assert recorder.post(guesses[0].url.split("?")[0], fields(shown) | {"step": "save"}).status_code == 303
    assert hands(table)[0].deltas[1] == -30
    assert list(differences()) == []


# --- Card by card ---------------------------------------------------------------------------------------------------


def sample(start: engine_bridge.Start, seed: int) -> dict[str, Any]:
    tempers = [engine_bridge.Temper(0.5, 0.6)] * start.seats
    where = {"seats": start.seats, "dealer": start.dealer, "pot_before": start.pot_before}
    return engine_bridge.play_hand(random.Random(seed), game="zwicken", rules=start.rules, players=tempers, **where)


def test_hands_card_by_card_are_pasted_and_played_through(home: House, recorder: Client) -> None:
    table = create_table(club=home.club, season=home.season, seats=4, game="zwicken")
    where = reverse("table", kwargs={"club": "roessli", "table": table.pk})
    content = ""
    for number in range(1, 7):
        start = selectors.chain_of(selectors.table_of(club=home.club, table_id=table.pk) or table)[0].start
        record = sample(start, number)
        sent = {name: record[name] for name in steps.CARD_FIELDS if name in record}
        pasted = recorder.post(f"{where}paste/", {"text": json.dumps(sent)})
        assert "The hand is complete" in text_of(pasted)
        enter(table, sent)
        content += reader().get(f"{where}h/{number}/through/?step=999").content.decode()
        content += reader().get(f"{where}h/{number}/through/?step=1").content.decode()
    for part in ("The cut shows", "says mit.", "says weg.", "takes the trick.", "Forced hand"):
        assert part in content
    stored = [tally_of(hand) for hand in hands(table)]
    assert ["players" in tally for tally in stored] == [not hand.muss for hand in hands(table)]
    assert list(differences()) == []


def test_a_hand_is_entered_by_its_steps(home: House, recorder: Client) -> None:
    """Each answer of the engine's own hand, one after the other."""
    table = create_table(club=home.club, season=home.season, seats=3, game="zwicken")
    where = reverse("hand-cards", kwargs={"club": "roessli", "table": table.pk})
    page = recorder.get(where)
    kinds = []
    while (question := page.context["question"]) is not None and len(kinds) < 40:
        kinds.append(question.kind)
        known = [choice.value for row in page.context["choices"] for choice in row if not choice.why]
        # A seven at each cut would move the deal for ever.
        wanted = min(question.counts) if question.counts else question.wanted
        answer = ["9s"] if question.kind == "cut" else known[:wanted]
        page = recorder.post(where, fields_of(page) | {"do": "add", "answer": answer})
    assert kinds[:5] == ["cut", "deal", "deal", "deal", "turn"]
    assert kinds.count("card") > 3
    saved = recorder.post(where, fields_of(page) | {"do": "save"})
    assert saved.status_code == 303, text_of(page)
    assert "deal" in Revision.objects.get().record
    assert list(differences()) == []


def fields_of(page: Any) -> dict[str, Any]:
    return {name: page.context[name] for name in ("key", "number", "players", "record")}


# --- The end of the evening, and the API ---------------------------------------------------------------------------


def test_the_receipt_names_what_everybody_did(table: Table, home: House) -> None:
    enter(table, FORCED)
    closing = evening_close(
        evening=table.evening, author=home.recorder, key=uuid.uuid4(), pot="share", present=seats(table)
    )
    doris = seats(table)[3]
    page = reader().get(reverse("receipt", kwargs={"token": token_for(closing.receipt.pk, doris)}))
    text = text_of(page)
    assert "Forced hand" in text
    assert "mit ✕" in text
    assert "Muss" not in text


def test_a_link_of_the_pot_splitter_holds_the_evening() -> None:
    client = reader()
    names = [("p", name) for name in ("Anna", "Beni", "Carlo")]
    query = "&".join(f"{name}={value}" for name, value in [*names, ("game", "zwicken"), ("z_stake", "0.60")])
    page = client.get(f"/calculator/?{query}")
    assert page.context["view"]["muss"] is True
    entered = client.get(f"/calculator/?{query}&tricks-0=2&tricks-1=1&do=enter")
    assert entered["Location"].endswith("&h=c-t021120"), entered["Location"]
    after = client.get(entered["Location"])
    assert after.context["after"].result["pot_after"] == 60
    free = client.get(entered["Location"] + "&cuts=A&role-0=joiner&do=enter")
    assert free["Location"].endswith("&h=cA-p0")
    nobody = client.get(entered["Location"] + "&passed=1&do=enter")
    assert nobody["Location"].endswith("&h=c-p")
    assert "Three to six play Zwicken" in text_of(client.get("/calculator/?p=A&p=B&game=zwicken"))
    wrong = client.get(f"/calculator/?{query.replace('0.60', '0.20')}")
    assert "multiple of three" in text_of(wrong)


def test_the_setup_shows_the_rules_of_every_game() -> None:
    page = reader().get("/calculator/")
    form = form_with(page, "z_bete")
    assert form.control("z_stake") is not None
    assert "For Chratze, Kratzen and Zwicken: who takes" in text_of(page)
