"""The pot splitter: an evening that lives in its address. Nothing is stored: the engine counts it anew with every call.

The address holds players (`p`, in the order of play), who deals first, the pot, the house rules that differ, and every
hand played so far as a short code (`h`), so that a bookmark, a link or the way back is the evening as it stood then.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from . import messages, preview, recording, screens
from .forms import HandForm, Problem, SeatEntry
from .kratzen_form import SCHLAGEN, KratzenForm, cuts_of, dealer_shown, hand_form, shown_of
from .recording import Record, Result, Start

MOST_HANDS = 150
"""Above it the address would be longer than servers take."""
LONGEST_NAME = 40
HIGHEST_POT_MINOR = 10**9
CURRENCY = "CHF"
"""No club says another one here."""

AMOUNT = re.compile(r"(\d{1,7})(?:[.,](\d{1,2}))?")
PART = re.compile(r"x|s|d[0-6]|b[12]|c[A7Wx]{0,40}|g[sow]|j[0-6]{1,6}|m[0-6]{0,7}|t(?:[0-6][0-4]){1,7}")
BLINDS = {"1": "blind", "2": "double"}
CALLS = {"s": "schlagen", "o": "oder", "w": "weiter-oder"}
SHARED_RULES = ("coin", "pot_limit")
RULES = {
    recording.CHRATZE: ("stake", "rounding", "no_taker", "max_turns", "ante_on_redeal", "blinds", "susi"),
    recording.KRATZEN: ("unit", "remainder", "seven_muss", "split_over"),
}
"""The address's words for the house rules that bear on money: the rulebook's, but for `blind`, which is a word of the
entry."""


class Francs(forms.CharField):
    """An amount as people type it (`2`, `0.20`, `1,5`), in Rappen; None where nothing stands."""

    def __init__(self, label: Any, default: Any = "") -> None:
        super().__init__(label=label, required=False, max_length=12)
        self.widget.attrs |= {"inputmode": "decimal", "placeholder": default}

    def clean(self, value: Any) -> int | None:
        text = str(value or "").strip()
        if not text:
            return None
        found = AMOUNT.fullmatch(text)
        if found is None or not text.isascii():
            raise forms.ValidationError(_("This is no amount; write it like 2.40."))
        return 100 * int(found[1]) + int((found[2] or "0").ljust(2, "0"))


def _choice(label: Any, choices: Sequence[tuple[str, Any]]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=choices, required=False)


class SetupForm(forms.Form):
    """The evening's beginning, but for the names. What is left empty is the rulebook's default."""

    game = _choice(gettext_lazy("Game"), [(game, game.title()) for game in recording.GAMES])
    dealer = _choice(gettext_lazy("Who deals first"), [(str(n), str(n)) for n in range(1, recording.MAX_SEATS + 1)])
    pot = Francs(gettext_lazy("In the pot already"), "0.00")
    stake = Francs(gettext_lazy("Stake"), "0.20")
    coin = Francs(gettext_lazy("Smallest coin"), "0.05")
    rounding = Francs(gettext_lazy("Two thirds are rounded up to"), gettext_lazy("the stake"))
    pot_limit = Francs(gettext_lazy("Penalties lift the pot at most to"), gettext_lazy("no limit"))
    no_taker = _choice(
        gettext_lazy("Nobody declares"),
        [("turn", gettext_lazy("the next card is turned")), ("redeal", gettext_lazy("the cards are dealt again"))],
    )
    max_turns = _choice(gettext_lazy("How many times"), [(str(n), str(n)) for n in (3, 1, 2, 4, 5, 6, 7, 8)])
    ante_on_redeal = _choice(
        gettext_lazy("A new deal costs"),
        [("yes", gettext_lazy("a new ante")), ("no", gettext_lazy("nothing"))],
    )
    blinds = _choice(
        gettext_lazy("Blind"),
        [
            ("both", gettext_lazy("blind or double blind")),
            ("blind", gettext_lazy("blind only")),
            ("none", gettext_lazy("not allowed")),
        ],
    )
    susi = _choice(
        gettext_lazy("Susi"),
        [
            ("label", gettext_lazy("is called so")),
            ("forced", gettext_lazy("must join")),
            ("off", gettext_lazy("nobody is called so")),
        ],
    )

    unit = Francs(gettext_lazy("Unit"), "0.10")
    split_over = Francs(gettext_lazy("Played for by halves above"), gettext_lazy("never"))
    remainder = _choice(
        gettext_lazy("Remainder"),
        [("pot", gettext_lazy("stays in the pot")), ("declarer", gettext_lazy("goes to the declarer"))],
    )
    seven_muss = _choice(
        "Siebenermuss",
        [
            ("deal", gettext_lazy("when the turned card is a seven")),
            ("any", gettext_lazy("when the turned card or the new trump is a seven")),
            ("off", gettext_lazy("is not known")),
        ],
    )

    def chosen_game(self) -> str:
        """The game of the evening; needs no valid form."""
        sent = self.data.get("game")
        return str(sent) if sent in recording.GAMES else recording.GAME

    def rules(self) -> dict[str, Any]:
        """The house rules that were said and differ from the defaults."""
        game = self.chosen_game()
        names = (*SHARED_RULES, *RULES[game])
        said = {name: self.cleaned_data[name] for name in names if self.cleaned_data.get(name) not in (None, "")}
        if "max_turns" in said:
            said["max_turns"] = int(said["max_turns"])
        if "ante_on_redeal" in said:
            said["ante_on_redeal"] = said["ante_on_redeal"] == "yes"
        if "blinds" in said:
            said["blind"] = said.pop("blinds")
        defaults = recording.house_rules(game, {})
        # The rounding follows the stake unless it is said.
        return {name: value for name, value in said.items() if name == "rounding" or value != defaults[name]}


@dataclass(frozen=True)
class Played:
    """A hand of the evening: what it started with, and what the engine says of it."""

    code: str
    start: Start
    result: Result


@dataclass(frozen=True)
class Evening:
    """The evening as its address has it. `left_out` is the number of the first hand that the rules do not allow."""

    names: list[str]
    said: list[tuple[str, str]]
    start: Start
    hands: list[Played] = field(default_factory=list)
    left_out: int | None = None

    def balances(self) -> list[int]:
        """What each seat has won or lost so far, in Rappen."""
        return [sum(hand.result["deltas"][seat] for hand in self.hands) for seat in range(len(self.names))]

    def fields(self, codes: Sequence[str] | None = None) -> list[tuple[str, str]]:
        """The address's fields; `codes` in place of the hands that were played."""
        hands = [hand.code for hand in self.hands] if codes is None else codes
        return [*(("p", name) for name in self.names), *self.said, *(("h", code) for code in hands)]

    def address(self, codes: Sequence[str] | None = None) -> str:
        """The address of the evening."""
        return f"{reverse('calculator')}?{urlencode(self.fields(codes))}"


def evening_of(query: QueryDict) -> Evening | Problem | None:
    """The evening of an address, why it is none, or None where nobody was named yet."""
    names = [" ".join(name.split())[:LONGEST_NAME] for name in query.getlist("p")]
    names = [name for name in names if name and name.isprintable()]
    if not names:
        return None
    form = SetupForm(query)
    if not form.is_valid():
        name, errors = next(iter(form.errors.items()))
        return Problem(f"{form.fields[name].label}: {errors[0]}", at=name)
    game, dealer = form.chosen_game(), int(form.cleaned_data["dealer"] or 1) - 1
    least, most = recording.SEATS[game]
    if not least <= len(names) <= most:
        told = _("Two to seven play Chratze, three to six Kratzen; name them in the order of play.")
        return Problem(told, at="p")
    if len({name.casefold() for name in names}) < len(names):
        return Problem(_("Two players have the same name."), at="p")
    if dealer >= len(names):
        return Problem(_("Nobody sits at the place that deals first."), at="dealer")
    rules, pot = form.rules(), min(form.cleaned_data["pot"] or 0, HIGHEST_POT_MINOR)
    try:
        coin = recording.house_rules(game, rules)["coin"]
    except recording.Fault as fault:
        return Problem(_rule_refused(fault.at), code=fault.clause, at=fault.at)
    if game == recording.KRATZEN and pot % coin:
        return Problem(_("The pot is in whole coins."), at="pot")
    in_rules = {name for names_of in RULES.values() for name in names_of} | set(SHARED_RULES)
    said = [(name, str(form.data.get(name, "")).strip()) for name in form.fields]
    said = [(name, text) for name, text in said if text and (name not in in_rules or _rule(name) in rules)]
    start = Start(1, game, rules, len(names), dealer, 1, pot)
    return _with_hands(Evening(names, said, start), query.getlist("h")[:MOST_HANDS])


def _rule(name: str) -> str:
    return "blind" if name == "blinds" else name


def _rule_refused(at: str) -> str:
    return {
        "rules.rounding": _("Two thirds are rounded up to a multiple of the smallest coin."),
        "rules.pot_limit": _("The limit of the pot is not below the stake, in Kratzen not below eight coins."),
        "rules.split_over": _("A pot is halved from eight coins on."),
        "rules.unit": _("The unit is a multiple of the smallest coin, two at least."),
    }.get(at, messages.sentence("R4"))


def _with_hands(evening: Evening, codes: Sequence[str]) -> Evening:
    """The evening with its hands replayed one after the other, as far as the rules allow them."""
    start = evening.start
    hands: list[Played] = []
    for code in codes:
        record = decode(code)
        result = None if record is None else recording.replay({**start.fields(), **record})
        if result is None or not result["ok"]:
            return replace(evening, start=start, hands=hands, left_out=start.number)
        hands.append(Played(code, start, result))
        start = start.after(result)
    return replace(evening, start=start, hands=hands)


def encode(record: Mapping[str, Any]) -> str:
    """A tally's own fields as a short code: `d0-j12-m01` (declarer, joiners, who made it), `d4-b1-j2-t4123` (blind;
    tricks by seat), `x` (passed out); in Kratzen also the cuts, a Siebenermuss and the call: `cA7-s-d1-go`."""
    parts = []
    if "cuts" in record:
        parts.append("c" + shown_of(record["cuts"]))
    if record.get("seven"):
        parts.append("s")
    if record["declarer"] is None:
        return "-".join([*parts, "x"])
    parts.append(f"d{record['declarer']}")
    for letter, name, words in (("b", "blind", BLINDS), ("g", "game_type", CALLS)):
        parts += [letter + code for code, word in words.items() if record.get(name) == word]
    if record.get("joiners"):
        parts.append("j" + "".join(map(str, record["joiners"])))
    if "made" in record:
        parts.append("m" + "".join(map(str, record["made"])))
    if "tricks" in record:
        parts.append("t" + "".join(f"{seat}{count}" for seat, count in record["tricks"].items()))
    return "-".join(parts)


def decode(code: str) -> Record | None:
    """The other way round; None for what is no code. Whether such a hand can be is for the engine to say."""
    parts = code.split("-")
    said = {part[0]: part[1:] for part in parts if PART.fullmatch(part)}
    if len(said) < len(parts) or ("x" in said) is ("d" in said):
        return None
    record: Record = {"declarer": int(said["d"]) if "d" in said else None}
    if "c" in said:
        record["cuts"] = cuts_of(said["c"])
    if "s" in said:
        record["seven"] = True
    for letter, name, words in (("b", "blind", BLINDS), ("g", "game_type", CALLS)):
        if letter in said:
            record[name] = words[said[letter]]
    for letter, name in (("j", "joiners"), ("m", "made")):
        if letter in said:
            record[name] = [int(seat) for seat in said[letter]]
    if "t" in said:
        record["tricks"] = {said["t"][n]: int(said["t"][n + 1]) for n in range(0, len(said["t"]), 2)}
    return record


@require_safe
def calculator(request: HttpRequest) -> HttpResponse:
    """Begin an evening, enter its next hand, see who takes and who pays; a hand that is paid leads to a new address."""
    evening = evening_of(request.GET)
    if not isinstance(evening, Evening) or "setup" in request.GET:
        return _setup_page(request, evening if isinstance(evening, Problem) else None)
    deed = request.GET.get("do", "")
    if deed not in ("show", "enter"):
        return _table_page(request, evening)
    form, problem, told = _asked(request.GET, evening)
    if deed == "enter" and told is not None:
        codes = [*(hand.code for hand in evening.hands), encode(form.record())]
        return HttpResponseRedirect(evening.address(codes))
    if request.htmx:  # type: ignore[attr-defined]
        marked = screens.concerned(problem.at, form) if problem else []
        context = {
            "preview": told,
            "problem": problem,
            "rows_marked": ",".join(map(str, marked)),
            "currency": CURRENCY,
        }
        return render(request, "games/_told.html", context)
    return _table_page(request, evening, form, problem=problem, told=told)


def _asked(query: QueryDict, evening: Evening) -> tuple[HandForm, Problem | None, preview.Preview | None]:
    """The entry that an address asks about: why it cannot be, or what it comes to."""
    # The three fields by which the table screen knows its hand have no meaning here.
    data = query.dict() | {"key": str(uuid.UUID(int=0)), "number": "1", "players": "0"}
    form = hand_form(data, evening.start)
    problem = form.problem()
    if problem is None and len(evening.hands) >= MOST_HANDS:
        problem = Problem(_("An address holds no more hands. Begin a new evening with this pot."))
    if problem is not None:
        return form, problem, None
    record = form.record()
    result = recording.replay({**evening.start.fields(), **record})
    if result["ok"]:
        return form, None, preview.told(evening.start, result, evening.names)
    refused = messages.refusal(result["error"])
    said = preview.Preview(ok=False, sentence=refused.sentence, clause=refused.code, at=refused.at)
    return form, screens.why_not(said, record), None


def _setup_page(request: HttpRequest, problem: Problem | None) -> HttpResponse:
    typed = [name[:LONGEST_NAME] for name in request.GET.getlist("p")][: recording.MAX_SEATS]
    form = SetupForm(request.GET, label_suffix="")
    context = {
        "problem": problem,
        "names": typed + [""] * (recording.MAX_SEATS - len(typed)),
        "first": [form[name] for name in ("game", "dealer", "pot")],
        "shared": [form[name] for name in SHARED_RULES],
        "chratze": [form[name] for name in RULES[recording.CHRATZE]],
        "kratzen": [form[name] for name in RULES[recording.KRATZEN]],
        "rules_open": any(request.GET.get(name) for name in form.fields if name not in ("game", "dealer", "pot")),
        "blank": not request.GET,
    }
    return render(request, "games/calculator_setup.html", context)


def _table_page(
    request: HttpRequest,
    evening: Evening,
    form: HandForm | None = None,
    *,
    problem: Problem | None = None,
    told: preview.Preview | None = None,
) -> HttpResponse:
    start, names = evening.start, evening.names
    rules = recording.house_rules(start.game, start.rules)
    kratzen = _kratzen_of(start, rules, form)
    muss = recording.due(start).muss
    deals = kratzen.dealer if kratzen else start.dealer
    entries = [
        SeatEntry("declarer" if seat == deals else "joiner") if muss else SeatEntry() for seat in range(len(names))
    ]
    entries = form.entries() if form else entries
    clean: Mapping[str, Any] = getattr(form, "cleaned_data", {})
    marked = screens.concerned(problem.at, form) if problem and form else []
    last = evening.hands[-1] if evening.hands else None
    codes = [hand.code for hand in evening.hands]
    context = {
        "here": evening.address(),
        "fields": evening.fields(),
        "start": start,
        "rows": [
            screens.Row(seat, names[seat], balance, seat == deals, entries[seat], seat in marked)
            for seat, balance in enumerate(evening.balances())
        ],
        "pot_minor": recording.pot_in_play(start),
        "currency": CURRENCY,
        "blinds": rules.get("blind", "none"),
        "kratzen": kratzen,
        "view": {"muss": muss},
        "mode": "tricks" if form and form.counting else "made",
        "passed": bool(clean.get("passed")),
        "blind": clean.get("blind") or "",
        "filled": form is not None,
        "problem": problem,
        "preview": told,
        "rows_marked": ",".join(map(str, marked)),
        "dealer": {"nickname": names[start.dealer]},
        "forehand": {"nickname": names[(start.dealer + 1) % len(names)]},
        "trick_counts": range(5),
        "left_out": evening.left_out,
        "after": preview.told(last.start, last.result, names) if last else None,
        "lines": [_line(hand, names) for hand in reversed(evening.hands)],
        "undo": evening.address(codes[:-1]) if codes else "",
        "anew": f"{reverse('calculator')}?{urlencode([*evening.fields([]), ('setup', '1')])}",
    }
    return render(request, "games/calculator.html", context)


def _kratzen_of(start: Start, rules: Mapping[str, Any], form: HandForm | None) -> screens.Kratzen | None:
    """What the entry of a hand of Kratzen has beside the seats; None for another game."""
    if start.game != recording.KRATZEN:
        return None
    sent = form if isinstance(form, KratzenForm) else None
    shown = sent.shown() if sent else ""
    return screens.Kratzen(
        shown=shown,
        said=messages.cuts_in_words(shown),
        dealer=dealer_shown(start, shown),
        call=sent.call() if sent else SCHLAGEN,
        seven=sent.seven_said if sent else False,
        sevens=str(rules["seven_muss"]),
    )


def _line(hand: Played, names: Sequence[str]) -> dict[str, Any]:
    """A hand in the list of the evening."""
    return {
        "number": hand.start.number,
        "said": messages.summary(hand.result, dict(enumerate(names))),
        "coins": [(names[seat], amount) for seat, amount in recording.coins_of(hand.result).items()],
        "pot": hand.result["pot"],
    }
