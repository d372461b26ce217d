"""The preview of a seating change: sentences about pot, dealer, next hand, and the way to undo the change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.money import format_price

from .. import engine_bridge
from .changes import (
    NEWCOMER,
    Arrive,
    EveningTables,
    Leave,
    Merge,
    NameDealer,
    Order,
    Pause,
    Resume,
    SeatingChange,
    Split,
    TableState,
)
from .name_lists import in_order, listed
from .services import Plan


@dataclass(frozen=True)
class SeatLine:
    """A player at the table after the change; `fresh`: was not there, or on another seat, before it."""

    player_id: int
    nickname: str
    deals: bool
    fresh: bool


@dataclass(frozen=True)
class TableSentence:
    """A sentence about a table; `news`: it differs from the state before."""

    label: str
    sentence: str
    news: bool = False


@dataclass(frozen=True)
class TablePreview:
    """A table after the change."""

    number: int
    new: bool
    dissolved: bool
    seats: Sequence[SeatLine]
    lines: Sequence[TableSentence]


@dataclass(frozen=True)
class SeatingPreview:
    """A seating change for its page: title, button, each table after it, and the way to undo it (`back`).

    `people` are sentences about the players who come or leave.
    """

    title: str
    button: str
    tables: Sequence[TablePreview]
    people: Sequence[TableSentence]
    back: str


def seating_preview(
    plan: Plan, tonight: Mapping[int, int], currency: str, *, unsettled: Mapping[int, int] | None = None
) -> SeatingPreview:
    """Build the preview of a plan. `tonight` is each player's sum of the evening so far, in Rappen of `currency`;
    `unsettled` is the unpaid part of it, of players who are asked for it when they leave."""
    title, button, back = _head(plan)
    return SeatingPreview(
        title=title,
        button=button,
        tables=[_table(plan, state, currency) for state in plan.after],
        people=_people(plan, tonight, currency, unsettled or {}),
        back=back,
    )


def next_hand(tables: EveningTables, state: TableState, names: Mapping[int, str], currency: str) -> str:
    """The sentence about the next hand of a table: antes and pot."""
    due = engine_bridge.due(start_of(tables, state))
    pot = format_price(due.pot, currency)
    paid = [(names[player], ante) for player, ante in zip(state.players, due.antes, strict=True) if ante]
    if not paid:
        sentence = _("Nobody pays an ante; %(pot)s are played for.") % {"pot": pot}
    elif len(paid) == len(state.players) and len({ante for _name, ante in paid}) == 1:
        values = {"n": len(paid), "amount": format_price(paid[0][1], currency), "pot": pot}
        sentence = _("Each of the %(n)d pays %(amount)s; %(pot)s are played for.") % values
    else:
        each = ", ".join(f"{name} {format_price(ante, currency)}" for name, ante in paid)
        sentence = _("Antes: %(each)s; %(pot)s are played for.") % {"each": each, "pot": pot}
    if due.muss is None:
        return sentence
    return " ".join((_("Muss: everybody plays.") if due.muss else _("No Muss."), sentence))


def start_of(tables: EveningTables, state: TableState) -> engine_bridge.Start:
    """The start of the next hand of a table."""
    return engine_bridge.Start(
        number=state.hands + 1,
        game=tables.game,
        rules=tables.rules,
        seats=len(state.players),
        dealer=state.players.index(state.dealer_id),
        deal_number=state.deal_number,
        pot_before=state.pot_minor,
    )


def _table(plan: Plan, state: TableState, currency: str) -> TablePreview:
    was = next((earlier for earlier in (plan.before.here, *plan.before.others) if earlier.pk == state.pk), None)
    seats = [
        SeatLine(player, plan.names[player], player == state.dealer_id, was is None or _moved(was, state, player))
        for player in state.players
    ]
    if state.dissolved:
        lines = [
            TableSentence(_("Pot without antes"), _pot_sentence(plan, was, state, currency), news=True),
            TableSentence(_("Hands"), _hands_sentence(state)),
        ]
    else:
        pot, hand = _pot_line(plan, was, state, currency), _hand_line(plan, was, state, currency)
        lines = [pot, _dealer_line(plan, was, state), hand]
    return TablePreview(number=state.number, new=was is None, dissolved=state.dissolved, seats=seats, lines=lines)


def _moved(was: TableState, state: TableState, player: int) -> bool:
    """Return True if the player is new at the table, or has another seat in a new order of the same players."""
    if player not in was.players:
        return True
    if sorted(was.players) != sorted(state.players):
        return False
    return was.players.index(player) != state.players.index(player)


def _hands_sentence(state: TableState) -> str:
    sentence = ngettext(
        "%(n)d hand stays as it is written down; no other is added.",
        "%(n)d hands stay as they are written down; no other is added.",
        state.hands,
    )
    return sentence % {"n": state.hands}


def _pot_line(plan: Plan, was: TableState | None, state: TableState, currency: str) -> TableSentence:
    return TableSentence(
        _("Pot without antes"),
        _pot_sentence(plan, was, state, currency),
        news=was is None or was.pot_minor != state.pot_minor,
    )


def _pot_sentence(plan: Plan, was: TableState | None, state: TableState, currency: str) -> str:
    """The sentence about the pot after the change."""
    then, change = format_price(state.pot_minor, currency), plan.change
    if isinstance(change, Split):
        here, new = plan.after
        if was is None and new.pot_minor:
            values = {"amount": then, "number": here.number}
            return _("Begins with %(amount)s from table %(number)d.") % values
        if was is None:
            return _("Begins empty; the pot stays at table %(number)d.") % {"number": here.number}
        if new.pot_minor:
            values = {"rest": then, "amount": format_price(new.pot_minor, currency), "number": new.number}
            return _("%(rest)s stay; %(amount)s go to table %(number)d.") % values
        return _("%(amount)s stay here; table %(number)d begins empty.") % {"amount": then, "number": new.number}
    if isinstance(change, Merge):
        gone = plan.before.here
        if state.dissolved and not gone.pot_minor:
            return _("It is empty; no coin moves.")
        if not gone.pot_minor:
            return _("It holds %(amount)s, as before.") % {"amount": then}
        values = {"amount": format_price(gone.pot_minor, currency), "number": plan.after[1].number}
        if state.dissolved:
            return _("All of it, %(amount)s, goes to table %(number)d.") % values
        values = {"amount": format_price(gone.pot_minor, currency), "number": gone.number, "pot": then}
        return _("%(amount)s come from table %(number)d; then the pot is %(pot)s.") % values
    return _("It holds %(amount)s, as before.") % {"amount": then}


def _dealer_line(plan: Plan, was: TableState | None, state: TableState) -> TableSentence:
    label, name = _("Dealer"), plan.names[state.dealer_id]
    first = _("%(name)s deals the first hand there.") % {"name": name}
    if was is None:
        return TableSentence(label, _with_forehand(plan, state, first), news=True)
    if was.dealer_id == state.dealer_id:
        sentence = _("%(name)s deals hand %(number)d, as before.") % {"name": name, "number": state.hands + 1}
        if state.deal_number > 1:
            sentence = " ".join((sentence, _("It is still deal %(n)d.") % {"n": state.deal_number}))
        return TableSentence(label, _with_forehand(plan, state, sentence), news=forehand(was) != forehand(state))
    values = {"name": name, "number": state.hands + 1, "before": plan.names[was.dealer_id]}
    if isinstance(plan.change, NameDealer):
        sentence = _("%(name)s deals hand %(number)d instead of %(before)s. From there it continues in order.") % values
    else:
        sentence = _("%(name)s deals hand %(number)d, since %(before)s goes.") % values
    if was.deal_number > 1:
        sentence = " ".join((sentence, _("It is a first deal again.")))
    return TableSentence(label, _with_forehand(plan, state, sentence), news=True)


def _with_forehand(plan: Plan, state: TableState, sentence: str) -> str:
    """Add the first speaker to a sentence; not in a game where the cuts may still pass the pack on."""
    if engine_bridge.has_cuts(plan.before.game):
        return sentence
    return " ".join((sentence, _("%(name)s speaks first.") % {"name": plan.names[forehand(state)]}))


def forehand(state: TableState) -> int:
    """The player after the dealer."""
    return state.players[(state.players.index(state.dealer_id) + 1) % len(state.players)]


def _hand_line(plan: Plan, was: TableState | None, state: TableState, currency: str) -> TableSentence:
    sentence = next_hand(plan.before, state, plan.names, currency)
    news = was is None or next_hand(plan.before, was, plan.names, currency) != sentence
    return TableSentence(_("Next hand"), sentence, news=news)


def _people(plan: Plan, tonight: Mapping[int, int], currency: str, unsettled: Mapping[int, int]) -> list[TableSentence]:
    """Sentences for the players who come or leave."""
    change = plan.change
    if isinstance(change, Arrive):
        name, state = plan.names[change.player_id], plan.after[0]
        due = engine_bridge.due(start_of(plan.before, state))
        ante = due.antes[state.players.index(change.player_id)]
        sentence = (
            _("Pays nothing for the hands before; %(amount)s with the next one.")
            % {"amount": format_price(ante, currency)}
            if ante
            else _("Pays nothing for the hands before, and no ante for the next one.")
        )
        if change.player_id == NEWCOMER:
            sentence = " ".join((_("Is new and comes as a guest."), sentence))
        return [TableSentence(name, sentence, news=change.player_id == NEWCOMER)]
    if isinstance(change, Leave):
        name, sum_minor = plan.names[change.player_id], tonight.get(change.player_id, 0)
        sentence = _("What was paid in stays in the pot. Tonight's sum, %(amount)s, stands.")
        sentences = [sentence % {"amount": format_price(sum_minor, currency, plus="+")}]
        if ante := _ante_of(plan, change.player_id):
            values = {"amount": format_price(ante, currency)}
            sentences.append(_("An ante already paid for the next hand, %(amount)s, is taken back.") % values)
        if rest := unsettled.get(change.player_id, 0):
            values = {"amount": format_price(abs(rest), currency)}
            asked = (
                _("Then gives %(amount)s: to whom is asked next.")
                if rest < 0
                else _("Then gets %(amount)s; the next question is from whom.")
            )
            sentences.append(asked % values)
        return [TableSentence(name, " ".join(sentences))]
    if isinstance(change, (Split, Merge)):
        sentences = [_("Tonight's sums continue; only coins of the pots move.")]
        if any(_ante_of(plan, player) for player in plan.before.here.players):
            sentences.append(_("Whoever has already paid the ante for the next hand takes it back first."))
        return [TableSentence(_("Everybody"), " ".join(sentences))]
    return []


def _ante_of(plan: Plan, player: int) -> int:
    """The ante of a player for the next hand of the table as it is now, in Rappen."""
    here = plan.before.here
    return engine_bridge.due(start_of(plan.before, here)).antes[here.players.index(player)]


def _head(plan: Plan) -> tuple[str, str, str]:
    """The title of a change, the label of its button, and the sentence about undoing it."""
    change, names = plan.change, plan.names
    if isinstance(change, Arrive):
        values = {"name": names[change.player_id], "after": names[change.after_id]}
        return (
            _("%(name)s comes and sits after %(after)s") % values,
            _("%(name)s sits down") % values,
            _("Was that a mistake? Then let %(name)s leave again.") % values,
        )
    if isinstance(change, Leave):
        values = {"name": names[change.player_id]}
        back = _("If that was wrong, let %(name)s come again, to the same place.") % values
        if plan.after[0].dealer_id != plan.before.here.dealer_id:
            back = _("If that was wrong, let %(name)s come again, to the same place, and name the dealer.") % values
        return _("%(name)s leaves") % values, pgettext("button", "%(name)s leaves") % values, back
    if isinstance(change, NameDealer):
        values = {"name": names[change.player_id], "before": names[plan.before.here.dealer_id]}
        return (
            _("%(name)s deals instead of %(before)s") % values,
            _("%(name)s deals") % values,
            _("If that was wrong, name %(before)s as the dealer again.") % values,
        )
    return _head_of_all(change, plan)


def _head_of_all(change: SeatingChange, plan: Plan) -> tuple[str, str, str]:
    """The same for changes that concern the whole table."""
    names = plan.names
    if isinstance(change, Order):
        before = plan.before.here.players
        pair = [was for was, now in zip(before, change.players, strict=True) if was != now]
        back = _("If that was wrong, put them back in the order from before.")
        return in_order(change.players, pair, names), _("They sit like this"), back
    if isinstance(change, Split):
        here, new = plan.after
        values = {"names": listed([names[player] for player in new.players]), "number": new.number}
        back = _("To undo it, join the two tables; the hands stay where they were played.")
        return _("%(names)s go to table %(number)d") % values, _("Divide the table"), back
    if isinstance(change, Merge):
        here, there = plan.after
        values = {"names": listed([names[player] for player in here.players]), "number": there.number}
        back = _("To undo it, divide the table; those who go then sit at a new one.")
        return _("%(names)s go to table %(number)d") % values, _("Join the tables"), back
    if isinstance(change, Pause):
        return _("Pause"), _("Pause from now on"), _("“Continue” ends it; so does the next hand.")
    if isinstance(change, Resume):
        return _("Continue"), _("Continue"), _("If that was wrong, begin the pause again.")
    raise TypeError(f"no preview for {change!r}")
