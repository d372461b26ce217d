"""The form of a hand in the middle of a night: one that is there, or one that was forgotten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from league.posted import actor_of

from .. import messages, recording, screens
from .. import selectors as tables
from ..errors import Refused
from ..forms import HandForm, Problem
from ..kratzen_form import KratzenForm, hand_form
from ..preview import Preview, told
from ..selectors import HandView, TableView
from . import forms, reading
from .desk import Desk, Matter, blocking, joins, mend
from .edits import Change, Edit, PutIn
from .program import Entry


class HandPage:
    """The form of a hand in the middle of a night: one that is there (`old`), or one that was forgotten."""

    def __init__(self, at: Desk, number: int, old: Entry | None) -> None:
        self.at, self.number, self.old = at, number, old
        self.keep = forms.keeps(at.data, at.table.evening.game)
        self.matter = Matter(
            title=_("Correct hand %(number)d") % {"number": number}
            if old
            else _("A forgotten hand %(number)d") % {"number": number},
            save=_("Correct hand %(number)d") % {"number": number}
            if old
            else _("Put in hand %(number)d") % {"number": number},
            done=_("Hand %(number)d is corrected.") % {"number": number}
            if old
            else _("Hand %(number)d is put in.") % {"number": number},
            then=at.url("hand-history", number),
            back=at.url("hand-edit" if old else "hand-insert", number),
            number=number,
        )

    def answer(self) -> HttpResponse:
        """The form, what saving would do, or the way on after it."""
        if self.at.step == "seats":
            players, rows = forms.seated(self.at.data)
            wrong = self._seats_problem(players)
            if wrong:
                return self._form(self._players(), dict(self.at.data), wrong)
            return self._form(players, forms.moved_rows(self.at.data, rows))
        players = forms.players_of(self.at.data) or self._players()
        problem = self._seats_problem(players)
        if problem or not self.at.step:
            fields = dict(self.at.data) if self.at.step or "mode" in self.at.data else self._fields()
            return self._form(self._players() if problem else players, fields, problem)
        try:
            view = self._view(players)
        except Refused as refused:
            return self._form(self._players(), self._fields(), _problem(refused))
        form = hand_form(self._bound(self.at.data, players), view.start)
        problem = form.problem()
        if self.at.step == "look":
            return self._look(view, form, problem)
        if problem or self.at.step == "back":
            return self._form(players, dict(self.at.data), problem)

        def refused_page(refused: Refused) -> HttpResponse:
            return self._form(players, dict(self.at.data), _why_not(refused, form), refused)

        return mend(self.at, self.matter, lambda keep: self._edit(players, form, keep), self.keep, refused_page)

    def _players(self) -> tuple[int, ...]:
        if self.old:
            return self.old.players
        entries, place = self.at.entries, self.number - 1
        return entries[min(place, len(entries) - 1)].players if entries else self._now()

    def _now(self) -> tuple[int, ...]:
        return tuple(self.at.table.places.order_by("seat").values_list("player_id", flat=True))

    def _seats_problem(self, players: Sequence[int]) -> Problem | None:
        """Too few, too many, twice, or nobody whom this club knows."""
        least, most = recording.SEATS[self.at.table.evening.game]
        known = {player for player, _name in self._roster()}
        if not least <= len(players) <= most:
            told = _("%(least)d to %(most)d sit at a table of this game.") % {"least": least, "most": most}
        elif len(set(players)) < len(players):
            told = _("Somebody would sit there twice.")
        elif not set(players) <= known:
            told = _("One of the players is not in this club.")
        else:
            return None
        return Problem(told, "seating", "players")

    def _roster(self) -> list[tuple[int, str]]:
        if not hasattr(self, "_known"):
            self._known = reading.roster(self.at.table, self.at.entries)
        return self._known

    def _dealer(self, players: Sequence[int]) -> int | None:
        """Who is said to have dealt, where somebody was chosen or named before."""
        chosen = forms.whole(self.at.data, "dealer")
        named = chosen if chosen in players else self.old.dealer_id if self.old else None
        return named if named in players else None

    def _entry(self, players: tuple[int, ...]) -> Entry:
        """The hand without what happened in it."""
        there = self.at.entries[self.number - 1] if self.number <= len(self.at.entries) else None
        dealer = self._dealer(players)
        if dealer is None and there is not None and there.dealer_id in players:
            dealer = there.dealer_id
        return Entry(players, {}, dealer, there.moved_minor if there else self.at.table.moved_minor)

    def _view(self, players: tuple[int, ...]) -> TableView:
        return reading.before_hand(self.at.table, self.at.entries, self._entry(players), self.number)

    def _fields(self) -> dict[str, str]:
        """The fields of the hand as it stands; of a forgotten one nothing is known."""
        hand = self._stored()
        return forms.fields_of(hand) if hand else {}

    def _stored(self) -> HandView | None:
        if self.old is None:
            return None
        if not hasattr(self, "_hand"):
            self._hand = tables.hand_view(self.at.table, self.number)
        return self._hand

    def _bound(self, data: Mapping[str, Any], players: Sequence[int]) -> dict[str, Any]:
        """The fields as `HandForm` wants them. A hand in the middle of a night has no key before it is saved."""
        own = {"key": str(recording.new_key()), "number": self.number, "players": ",".join(map(str, players))}
        return {name: value for name, value in data.items() if name not in ("pack", "muss")} | own

    def _edit(self, players: tuple[int, ...], form: HandForm, keep: bool) -> Edit:
        dealer, sent = self._dealer(players), form.record()
        if self.old is None:
            author = actor_of(self.at.request)
            return PutIn(self.number, players, sent, author.pk if author else None, dealer, keep)
        stored = self._stored()
        if stored and len(players) == len(self.old.players):
            as_it_stood = hand_form(self._bound(forms.fields_of(stored), players), stored.start)
            if as_it_stood.problem() is None and as_it_stood.record() == sent:
                # Only who sat or dealt is another; what is told of the cards stays.
                sent = dict(self.old.sent)
        return Change(self.number, players, sent, dealer, keep)

    def _look(self, view: TableView, form: HandForm, problem: Problem | None) -> HttpResponse:
        """What the hand itself would come to, for the bar of the page."""
        preview: Preview | None = None
        if problem is None:
            record = {**form.record(), **view.start.fields()}
            result = recording.replay(record)
            names = [seat.nickname for seat in view.seats]
            preview = told(view.start, result, names) if result["ok"] else None
            if preview is None:
                refusal = screens.why_not(_refused_preview(result), form.record())
                problem = refusal
        marked = screens.concerned(problem.at, form) if problem else []
        context = {
            "preview": preview,
            "problem": problem,
            "rows_marked": ",".join(map(str, marked)),
            "currency": self.at.access.club.currency,
        }
        return render(self.at.request, "games/_told.html", context)

    def _form(
        self,
        players: tuple[int, ...],
        fields: dict[str, str],
        problem: Problem | None = None,
        refused: Refused | None = None,
    ) -> HttpResponse:
        view = self._view(players)
        form = hand_form(self._bound(fields, players), view.start)
        form.is_valid()
        marked = screens.concerned(problem.at, form) if problem else []
        entries = form.entries() if fields else screens.all_play(view) if view.muss else []
        chosen = [*players, *[None] * (recording.SEATS[view.game][1] - len(players))]
        context = self.at.context() | {
            "matter": self.matter,
            "view": view,
            "rows": screens.rows(view, entries, marked),
            "rows_marked": ",".join(map(str, marked)),
            "players": ",".join(map(str, players)),
            "chosen": list(enumerate(chosen)),
            "roster": self._roster(),
            "dealer_chosen": forms.whole(fields, "dealer"),
            "keep": self.keep,
            "mode": "tricks" if form.counting else "made",
            "blind": getattr(form, "cleaned_data", {}).get("blind") or "",
            "passed": bool(getattr(form, "cleaned_data", {}).get("passed")),
            "kratzen": screens.kratzen_of(view, form if isinstance(form, KratzenForm) else None),
            "dealer": view.seats[view.dealer_seat],
            "forehand": view.seats[view.forehand_seat],
            "filled": bool(fields),
            "stored": self._stored(),
            "problem": problem,
            "blocking": blocking(self.at, refused, self.number),
            "joins": joins(self.at, refused),
            "trick_counts": range(5),
        }
        status = problem and (refused.status if refused else 422)
        return render(self.at.request, "games/mend_hand.html", context, status=status or 200)


def _problem(refused: Refused) -> Problem:
    return Problem(refused.sentence, refused.code, refused.at)


def _why_not(refused: Refused, form: HandForm) -> Problem:
    """A refusal in words; of the new hand itself as exactly as the table screen says it."""
    if refused.code == "later":
        return _problem(refused)
    preview = Preview(ok=False, sentence=refused.sentence, clause=refused.code, at=refused.at)
    return screens.why_not(preview, form.record())


def _refused_preview(result: recording.Result) -> Preview:
    problem = messages.refusal(result["error"])
    return Preview(ok=False, sentence=problem.sentence, clause=problem.code, at=problem.at)
