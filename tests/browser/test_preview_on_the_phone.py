"""The preview by the rules on the phone, compared with the HTML that the server gives for the same entry."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override
from playwright.sync_api import Page

from engine import sample
from games import engine_bridge
from games.engine_bridge import Start
from games.hands import clause_sentences
from games.hands.preview import Preview, preview_of
from games.table import screens
from games.table.forms import hand_form
from games.table.night_texts import CLAUSES, night_texts
from league.money import show_chips, show_francs

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

ENTRIES = 320
"""Random entries for each language and each way to write amounts."""

NAMES = ("Anna", "<b>Beni</b>", "{amount}", "%(dealer)s", "Doris & Emil", "$& $1", "Zoë")
RULES_URL = "/c/roessli/rules/?game=chratze&version=3"
CURRENCIES = {"money": "CHF", "chips": "", "points": ""}

ON_THE_PHONE = """async ({ texts, chips, cases, rules }) => {
  const block = Object.assign(document.createElement("script"), { type: "application/json", id: "night-texts" });
  block.textContent = JSON.stringify(texts);
  document.body.append(block);
  document.body.classList.toggle("in-chips", chips);
  const hand = await import("/static/js/hand_state.js");
  const { tallyOf } = await import("/static/js/night/tally.js");
  const { previewOf } = await import("/static/js/night/preview.js");
  const { effectiveRules } = await import("/static/js/rules/index.js");
  const change = {
    tap: hand.tap, mark: hand.mark, step: hand.step, blind: hand.setBlind, cut: hand.cut, call: hand.setCall,
    seven: hand.toggleSeven, pass: hand.pass, lost: hand.setLost,
  };
  return cases.map(({ start, empty, taps, last }) => {
    const effective = effectiveRules(start.game, start.rules);
    const state = taps.reduce((at, [what, ...values]) => change[what](at, ...values), hand.empty(empty));
    if (hand.missing(state) !== null) return null;
    const names = start.names;
    const begun = performance.now();
    const { names: _names, ...known } = start;
    const { box, problem } = previewOf({ ...tallyOf(state), ...known, rules: effective }, { names, last, rules });
    const took = performance.now() - begun;
    return { fields: hand.fields(state), html: box.outerHTML, refused: problem !== null, took };
  });
}"""


class Canonical(HTMLParser):
    """The HTML as comparable parts: tags with sorted attributes, and texts whose spaces are collapsed."""

    BLOCKS = ("div", "p", "ul", "li")

    def __init__(self, html: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()
        self.flush(block=True)

    def flush(self, *, block: bool) -> None:
        text = re.sub(r"[ \n]+", " ", self.text)
        if block:
            text = text.rstrip(" ")
        if self.parts and self.parts[-1].lstrip("</").split(" ")[0].rstrip(">") in self.BLOCKS:
            text = text.lstrip(" ")
        if text.strip(" ") or (text and self.parts):
            self.parts.append(f"'{text}'")
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.flush(block=tag in self.BLOCKS)
        said = " ".join(f'{name}="{(value or "").strip()}"' for name, value in sorted(attrs))
        self.parts.append(f"<{tag} {said}>")

    def handle_endtag(self, tag: str) -> None:
        self.flush(block=tag in self.BLOCKS)
        self.parts.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.text += data


def random_start(rng: random.Random) -> Start:
    game = rng.choice(engine_bridge.GAMES)
    rules = dict(sample.random_rules(rng, game=game)) | (
        {"susi": "forced"} if game == "chratze" and rng.random() < 0.6 else {}
    )
    coin = int(engine_bridge.house_rules(game, rules)["coin"])
    least, most = engine_bridge.SEATS[game]
    seats = rng.randint(least, most)
    pot = rng.choice([0, 0, rng.randint(0, 400), rng.randint(0, 40_000)]) // coin * coin
    return Start(1, game, rules, seats, rng.randrange(seats), 1, pot)


SHOWN = {
    "chratze": [""],
    "kratzen": ["", "", "Ax", "7x", "Wx", "AAWx", "7A", "x"],
    "zwicken": ["", "", "A", "7", "B", "AB7"],
}
"""The cards that a cut shows, by game."""


def random_taps(rng: random.Random, start: Start, *, muss: bool) -> Iterator[list[Any]]:
    """Taps of an entry: mostly a sensible one, sometimes marks that no hand can have."""
    for card in rng.choice(SHOWN[start.game]):
        yield ["cut", card]
    if rng.random() < 0.2:
        yield ["seven"]
    if not muss and rng.random() < 0.1:
        yield ["pass"]
        return
    for seat in rng.sample(range(start.seats), rng.choice([1, rng.randint(1, start.seats)])):
        yield ["tap", seat]
    yield ["call", rng.choice(["schlagen", "oder", "weiter-oder"])]
    yield ["blind", rng.choice([None, "blind", "double"])]
    marked, made = rng.choice([0, 0.3, 1]), rng.choice([0, 0.6, 1])
    for seat in range(start.seats):
        if rng.random() < marked:
            yield ["mark", seat, rng.random() < made]
        if rng.random() < 0.4:
            yield ["step", seat, rng.choice([1, 1, -1])]
    if rng.random() < 0.3:
        yield ["lost", rng.randrange(start.seats)]


def random_case(rng: random.Random) -> tuple[Start, bool, dict[str, Any]]:
    start = random_start(rng)
    if engine_bridge.counts_deals(start.game) and rng.random() < 0.3:
        start = Start(1, start.game, start.rules, start.seats, start.dealer, 2, start.pot_before)
    muss = engine_bridge.due(start).muss is True
    rules = engine_bridge.house_rules(start.game, start.rules)
    last = rng.random() < 0.15
    empty = {
        "seats": start.seats,
        "dealer": start.dealer,
        # Now and then the page allows more than the rules do.
        "blinds": rng.choice([rules.get("blind", "none"), "both"]),
        "counting": rng.random() < 0.5,
        "game": start.game,
        "muss": muss,
        # Only one game has each of these; the others ignore them.
        "sevens": rng.choice([rules.get("seven_muss", "off"), "any"]),
        "moves": rules.get("cut_moves"),
        "jumps": rules.get("seven"),
        "pays": rules.get("seven") and rules.get("seven_lost") == "stake",
    }
    known = start.fields() | {"names": list(NAMES[: start.seats])}
    case = {"start": known, "empty": empty, "taps": list(random_taps(rng, start, muss=muss)), "last": last}
    return start, last, case


def form_data(fields: dict[str, Any], start: Start, *, muss: bool) -> dict[str, str]:
    """The form as the page's script fills it in."""
    data = {
        "key": str(engine_bridge.new_key()),
        "number": "1",
        "players": ",".join(map(str, range(1, start.seats + 1))),
    }
    data |= {name: fields[name] for name in ("mode", "blind", "cuts", "game_type", "seven_lost") if fields.get(name)}
    data |= {name: "1" for name in ("passed", "seven") if fields.get(name)}
    for seat, entry in enumerate(fields["seats"]):
        data |= {f"{name}-{seat}": entry[name] for name in ("role", "made", "tricks")}
    return data | ({"pack": str(start.dealer)} | ({"muss": "1"} if muss else {}) if "cuts" in fields else {})


def on_the_server(start: Start, fields: dict[str, Any], *, last: bool, currency: str) -> tuple[str, str]:
    """The server's preview of the same form, and the clause that it breaks."""
    form = hand_form(form_data(fields, start, muss=engine_bridge.due(start).muss is True), start)
    assert form.problem() is None, form.problem()
    record = form.record()
    full, _differs = engine_bridge.complete(start, record)
    result = engine_bridge.replay(full)
    names = list(NAMES[: start.seats])
    context: dict[str, Any] = {"currency": currency, "rules_url": RULES_URL, "problem": None, "preview": None}
    if result["ok"]:
        context["preview"] = SimpleNamespace(**vars(preview_of(start, result, names, full)) | {"last": last})
    else:
        refused = clause_sentences.refusal(result["error"])
        answer = Preview(ok=False, sentence=refused.sentence, clause=refused.code, at=refused.at)
        context["problem"] = screens.preview_problem(answer, record)
        context["rows_marked"] = ",".join(map(str, screens.refused_seats(refused.at, form)))
    clause = context["problem"].code if context["problem"] else ""
    return render_to_string("games/table/_preview.html", context), clause


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("amounts", ["money", "chips", "points"])
def test_the_phone_shows_the_preview_of_the_server(page: Page, live_server: Any, language: str, amounts: str) -> None:
    rng = random.Random(f"{language} {amounts}")
    cases = [random_case(rng) for _ in range(ENTRIES)]
    currency = CURRENCIES[amounts]
    page.goto("/login/")
    with override(language):
        sent = {
            "texts": night_texts(currency),
            "chips": amounts == "chips",
            "cases": [case for _start, _last, case in cases],
            "rules": RULES_URL,
        }
        shown = page.evaluate(ON_THE_PHONE, sent)
        show_chips() if amounts == "chips" else show_francs()
        try:
            differs, clauses, compared = [], set(), 0
            for (start, last, case), phone in zip(cases, shown, strict=True):
                if phone is None:
                    continue
                compared += 1
                server, clause = on_the_server(start, phone["fields"], last=last, currency=currency)
                clauses.add(clause)
                if Canonical(server).parts != Canonical(phone["html"]).parts:
                    differs.append((case, server, phone["html"]))
        finally:
            show_francs()
    assert not differs, f"{len(differs)} of {compared}: {differs[0]}"
    assert compared > ENTRIES / 3
    assert len(clauses) > 2, "no entry was refused"
    assert clauses - {""} <= set(CLAUSES)
    # Many times faster than the 50 ms between a tap and its preview.
    assert sorted(preview["took"] for preview in shown if preview)[compared // 2] < 5
