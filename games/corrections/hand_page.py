"""The page with the form of one hand: a stored one to correct, or a forgotten one to insert."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from league.web.requests import actor_of

from .. import engine_bridge
from ..errors import FormProblem, Refused, unknown_player
from ..hands import clause_sentences
from ..hands import selectors as tables
from ..hands.effect_lines import rules_url
from ..hands.preview import Preview, preview_of
from ..hands.selectors import HandView, TableView
from ..table import screens
from ..table.forms import HandForm, hand_form
from . import forms, selectors
from .edits import Change, Edit, PutIn
from .page import CorrectionPage, Subject, blocking, joins, preview_or_save
from .replay import Entry


class HandPage:
    """The page with the form of one hand: a stored one (`old`), or a forgotten one (`old` is None)."""

    def __init__(self, at: CorrectionPage, number: int, old: Entry | None) -> None:
        self.at, self.number, self.old = at, number, old
        self.keep = forms.keeps_dealers(at.data, at.table.evening.game)
        self.subject = Subject(
            title=_("Correct hand %(number)d") % {"number": number}
            if old
            else _("A forgotten hand %(number)d") % {"number": number},
            save=_("Correct hand %(number)d") % {"number": number}
            if old
            else _("Add as hand %(number)d") % {"number": number},
            done=_("Hand %(number)d is corrected.") % {"number": number}
            if old
            else _("Hand %(number)d is added.") % {"number": number},
            then=at.url("hand-history", number),
            back=at.url("hand-edit" if old else "hand-insert", number),
            number=number,
        )

    def answer(self) -> HttpResponse:
        """The form, the preview of saving it, or the redirect after it was saved."""
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
            return self._preview(view, form, problem)
        if problem or self.at.step == "back":
            return self._form(players, dict(self.at.data), problem)

        def refused_page(refused: Refused) -> HttpResponse:
            return self._form(players, dict(self.at.data), _why_not(refused, form), refused)

        return preview_or_save(
            self.at, self.subject, lambda keep: self._edit(players, form, keep), self.keep, refused_page
        )

    def _players(self) -> tuple[int, ...]:
        if self.old:
            return self.old.players
        entries, place = self.at.entries, self.number - 1
        return entries[min(place, len(entries) - 1)].players if entries else self._now()

    def _now(self) -> tuple[int, ...]:
        return tuple(self.at.table.places.order_by("seat").values_list("player_id", flat=True))

    def _seats_problem(self, players: Sequence[int]) -> FormProblem | None:
        """The problem of a seating (too few players, too many, one twice, one not of this club), or None."""
        least, most = engine_bridge.SEATS[self.at.table.evening.game]
        known = {player for player, _name in self._roster()}
        if not least <= len(players) <= most:
            sentence = _("%(least)d to %(most)d sit at a table of this game.") % {"least": least, "most": most}
        elif len(set(players)) < len(players):
            sentence = _("Somebody would sit there twice.")
        elif unknown := sorted(set(players) - known):
            sentence = unknown_player(unknown[0], "players").sentence
        else:
            return None
        return FormProblem(sentence, "seating", "players")

    def _roster(self) -> list[tuple[int, str]]:
        if not hasattr(self, "_known"):
            self._known = selectors.roster(self.at.table, self.at.entries)
        return self._known

    def _dealer(self, players: Sequence[int]) -> int | None:
        """The dealer who was chosen, or was named before; None if there is none."""
        chosen = forms.whole_number(self.at.data, "dealer")
        named = chosen if chosen in players else self.old.dealer_id if self.old else None
        return named if named in players else None

    def _entry(self, players: tuple[int, ...]) -> Entry:
        """The hand without a record."""
        there = self.at.entries[self.number - 1] if self.number <= len(self.at.entries) else None
        dealer = self._dealer(players)
        if dealer is None and there is not None and there.dealer_id in players:
            dealer = there.dealer_id
        # Coins that moved after the last hand do not count for one that is added there: `PutIn` says the same.
        return Entry(players, {}, dealer, there.moved_minor if there else 0)

    def _view(self, players: tuple[int, ...]) -> TableView:
        return selectors.before_hand(self.at.table, self.at.entries, self._entry(players), self.number)

    def _fields(self) -> dict[str, str]:
        """The fields of the stored hand; empty for a forgotten one."""
        hand = self._stored()
        return forms.fields_of(hand) if hand else {}

    def _stored(self) -> HandView | None:
        if self.old is None:
            return None
        if not hasattr(self, "_hand"):
            self._hand = tables.hand_view(self.at.table, self.number)
        return self._hand

    def _bound(self, data: Mapping[str, Any], players: Sequence[int]) -> dict[str, Any]:
        """The fields as `HandForm` needs them. The form of a correction has no key before it is saved."""
        own = {"key": str(engine_bridge.new_key()), "number": self.number, "players": ",".join(map(str, players))}
        return {name: value for name, value in data.items() if name not in ("pack", "muss")} | own

    def _edit(self, players: tuple[int, ...], form: HandForm, keep: bool) -> Edit:
        dealer, sent = self._dealer(players), form.record()
        if self.old is None:
            author = actor_of(self.at.request)
            return PutIn(self.number, players, sent, author.pk if author else None, dealer, keep)
        stored = self._stored()
        if stored and len(players) == len(self.old.players):
            unchanged = hand_form(self._bound(forms.fields_of(stored), players), stored.start)
            if unchanged.problem() is None and unchanged.record() == sent:
                # Only players or the dealer differ, so the cards of the record stay.
                sent = dict(self.old.sent)
        return Change(self.number, players, sent, dealer, keep)

    def _preview(self, view: TableView, form: HandForm, problem: FormProblem | None) -> HttpResponse:
        """The preview of the hand itself, for the bar of the page."""
        preview: Preview | None = None
        if problem is None:
            record = {**form.record(), **view.start.fields()}
            result = engine_bridge.replay(record)
            names = [seat.nickname for seat in view.seats]
            preview = preview_of(view.start, result, names, record) if result["ok"] else None
            if preview is None:
                refusal = screens.preview_problem(_refused_preview(result), form.record())
                problem = refusal
        marked = screens.refused_seats(problem.at, form) if problem else []
        context = {
            "preview": preview,
            "problem": problem,
            "rows_marked": ",".join(map(str, marked)),
            "currency": self.at.access.club.currency,
            "rules_url": rules_url(self.at.table.evening),
        }
        return render(self.at.request, "games/table/_preview.html", context)

    def _form(
        self,
        players: tuple[int, ...],
        fields: dict[str, str],
        problem: FormProblem | None = None,
        refused: Refused | None = None,
    ) -> HttpResponse:
        view = self._view(players)
        form = hand_form(self._bound(fields, players), view.start)
        form.is_valid()
        marked = screens.refused_seats(problem.at, form) if problem else []
        entries = form.entries() if fields else screens.muss_entries(view) if view.muss else []
        cutting = screens.cutting_of(view, form)
        chosen = [*players, *[None] * (engine_bridge.SEATS[view.game][1] - len(players))]
        context = self.at.context() | {
            "subject": self.subject,
            "view": view,
            "rows": screens.rows(view, entries, marked, cutting),
            "rows_marked": ",".join(map(str, marked)),
            "players": ",".join(map(str, players)),
            "chosen": list(enumerate(chosen)),
            "roster": self._roster(),
            "dealer_chosen": forms.whole_number(fields, "dealer"),
            "keep": self.keep,
            "mode": "tricks" if form.counting else "made",
            "blind": getattr(form, "cleaned_data", {}).get("blind") or "",
            "passed": bool(getattr(form, "cleaned_data", {}).get("passed")),
            "cutting": cutting,
            "dealer": view.seats[view.dealer_seat],
            "forehand": view.seats[view.forehand_seat],
            "filled": bool(fields),
            "stored": self._stored(),
            "problem": problem,
            "blocking": blocking(self.at, refused, self.number),
            "joins": joins(self.at, refused),
        }
        status = problem and (refused.status if refused else 422)
        return render(self.at.request, "games/corrections/hand.html", context, status=status or 200)


def _problem(refused: Refused) -> FormProblem:
    return FormProblem.of(refused)


def _why_not(refused: Refused, form: HandForm) -> FormProblem:
    """The problem of a refusal; for the new hand itself with the sentence of the table screen."""
    if refused.code == "later":
        return _problem(refused)
    preview = Preview(ok=False, sentence=refused.sentence, clause=refused.code, at=refused.at)
    return screens.preview_problem(preview, form.record())


def _refused_preview(result: engine_bridge.Result) -> Preview:
    problem = clause_sentences.refusal(result["error"])
    return Preview(ok=False, sentence=problem.sentence, clause=problem.code, at=problem.at)
