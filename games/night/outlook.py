"""What an act would do, in words: the pot, who deals, what the next hand costs, and how it is taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.templatetags.league_tags import format_price

from .. import recording
from .acts import NEWCOMER, Act, Arrive, At, Leave, Merge, NameDealer, Night, Order, Pause, Resume, Split
from .services import Plan
from .words import in_order, listed


@dataclass(frozen=True)
class SeatLine:
    """Somebody at the table after the act; `fresh`: was not there, or not in this place, before it."""

    player_id: int
    nickname: str
    deals: bool
    fresh: bool


@dataclass(frozen=True)
class Line:
    """One thing that is said of a table; `news`: it is not as it was."""

    label: str
    sentence: str
    news: bool = False


@dataclass(frozen=True)
class TableOutlook:
    """A table after the act."""

    number: int
    new: bool
    dissolved: bool
    seats: Sequence[SeatLine]
    lines: Sequence[Line]


@dataclass(frozen=True)
class Outlook:
    """An act in words: its head, the button that does it, each table after it, and how it is taken back.

    `people` says what it means for those who come or go.
    """

    title: str
    button: str
    tables: Sequence[TableOutlook]
    people: Sequence[Line]
    back: str


def outlook(plan: Plan, tonight: Mapping[int, int], currency: str) -> Outlook:
    """The plan in words. `tonight` is each player's sum of the evening so far, in Rappen of `currency`."""
    title, button, back = _head(plan)
    return Outlook(
        title=title,
        button=button,
        tables=[_table(plan, at, currency) for at in plan.after],
        people=_people(plan, tonight, currency),
        back=back,
    )


def next_hand(night: Night, at: At, names: Mapping[int, str], currency: str) -> str:
    """What the next hand of a table costs, and what is played for then."""
    due = recording.due(start_of(night, at))
    pot = format_price(due.pot, currency)
    paid = [(names[player], ante) for player, ante in zip(at.players, due.antes, strict=True) if ante]
    if not paid:
        said = _("Nobody pays an ante; %(pot)s are played for.") % {"pot": pot}
    elif len(paid) == len(at.players) and len({ante for _name, ante in paid}) == 1:
        words = {"n": len(paid), "amount": format_price(paid[0][1], currency), "pot": pot}
        said = _("Each of the %(n)d pays %(amount)s; %(pot)s are played for.") % words
    else:
        each = ", ".join(f"{name} {format_price(ante, currency)}" for name, ante in paid)
        said = _("Antes: %(each)s; %(pot)s are played for.") % {"each": each, "pot": pot}
    if due.muss is None:
        return said
    return f"{_('Muss: everybody plays.') if due.muss else _('No Muss.')} {said}"


def start_of(night: Night, at: At) -> recording.Start:
    """What the next hand of a table starts with."""
    return recording.Start(
        number=at.hands + 1,
        game=night.game,
        rules=night.rules,
        seats=len(at.players),
        dealer=at.players.index(at.dealer_id),
        deal_number=at.deal_number,
        pot_before=at.pot_minor,
    )


def _table(plan: Plan, at: At, currency: str) -> TableOutlook:
    was = next((one for one in (plan.before.here, *plan.before.others) if one.pk == at.pk), None)
    seats = [
        SeatLine(player, plan.names[player], player == at.dealer_id, was is None or _moved(was, at, player))
        for player in at.players
    ]
    if at.dissolved:
        lines = [Line(_("Pot"), _pot(plan, was, at, currency), news=True), Line(_("Hands"), _kept(at))]
    else:
        pot, hand = _pot_line(plan, was, at, currency), _hand_line(plan, was, at, currency)
        lines = [pot, _dealer_line(plan, was, at), hand]
    return TableOutlook(number=at.number, new=was is None, dissolved=at.dissolved, seats=seats, lines=lines)


def _moved(was: At, at: At, player: int) -> bool:
    """Whether a player comes, or somebody else sits before and after them (where all only changed places in the list,
    nobody moved)."""
    if player not in was.players:
        return True
    if sorted(was.players) != sorted(at.players):
        return False
    return was.players.index(player) != at.players.index(player)


def _kept(at: At) -> str:
    said = ngettext(
        "%(n)d hand stays as it is written down; no other is added.",
        "%(n)d hands stay as they are written down; no other is added.",
        at.hands,
    )
    return said % {"n": at.hands}


def _pot_line(plan: Plan, was: At | None, at: At, currency: str) -> Line:
    return Line(_("Pot"), _pot(plan, was, at, currency), news=was is None or was.pot_minor != at.pot_minor)


def _pot(plan: Plan, was: At | None, at: At, currency: str) -> str:
    """What lies there then, and why."""
    then, act = format_price(at.pot_minor, currency), plan.act
    if isinstance(act, Split):
        here, new = plan.after
        if was is None and new.pot_minor:
            words = {"amount": then, "number": here.number}
            return _("Begins with %(amount)s from table %(number)d.") % words
        if was is None:
            return _("Begins empty; the pot stays at table %(number)d.") % {"number": here.number}
        if new.pot_minor:
            words = {"rest": then, "amount": format_price(new.pot_minor, currency), "number": new.number}
            return _("%(rest)s stay; %(amount)s go to table %(number)d.") % words
        return _("%(amount)s stay here; table %(number)d begins empty.") % {"amount": then, "number": new.number}
    if isinstance(act, Merge):
        gone = plan.before.here
        if at.dissolved and not gone.pot_minor:
            return _("It is empty; no coin moves.")
        if not gone.pot_minor:
            return _("%(amount)s lie there, as before.") % {"amount": then}
        words = {"amount": format_price(gone.pot_minor, currency), "number": plan.after[1].number}
        if at.dissolved:
            return _("All of it, %(amount)s, goes to table %(number)d.") % words
        words = {"amount": format_price(gone.pot_minor, currency), "number": gone.number, "pot": then}
        return _("%(amount)s come from table %(number)d; %(pot)s lie there then.") % words
    return _("%(amount)s lie there, as before.") % {"amount": then}


def _dealer_line(plan: Plan, was: At | None, at: At) -> Line:
    label, name = _("Dealer"), plan.names[at.dealer_id]
    first = _("%(name)s deals the first hand there.") % {"name": name}
    if was is None:
        return Line(label, _speaks(plan, at, first), news=True)
    if was.dealer_id == at.dealer_id:
        said = _("%(name)s deals hand %(number)d, as before.") % {"name": name, "number": at.hands + 1}
        if at.deal_number > 1:
            said = f"{said} {_('It is still deal %(n)d.') % {'n': at.deal_number}}"
        return Line(label, _speaks(plan, at, said), news=forehand(was) != forehand(at))
    words = {"name": name, "number": at.hands + 1, "before": plan.names[was.dealer_id]}
    if isinstance(plan.act, NameDealer):
        said = _("%(name)s deals hand %(number)d instead of %(before)s. From there it goes on in order.") % words
    else:
        said = _("%(name)s deals hand %(number)d, since %(before)s goes.") % words
    if was.deal_number > 1:
        said = f"{said} {_('It is a first deal again.')}"
    return Line(label, _speaks(plan, at, said), news=True)


def _speaks(plan: Plan, at: At, said: str) -> str:
    """Who speaks first, beside who deals; in Kratzen the cuts may yet pass the pack on."""
    if plan.before.game == recording.KRATZEN:
        return said
    return f"{said} {_('%(name)s speaks first.') % {'name': plan.names[forehand(at)]}}"


def forehand(at: At) -> int:
    """Who sits after the dealer."""
    return at.players[(at.players.index(at.dealer_id) + 1) % len(at.players)]


def _hand_line(plan: Plan, was: At | None, at: At, currency: str) -> Line:
    said = next_hand(plan.before, at, plan.names, currency)
    news = was is None or next_hand(plan.before, was, plan.names, currency) != said
    return Line(_("Next hand"), said, news=news)


def _people(plan: Plan, tonight: Mapping[int, int], currency: str) -> list[Line]:
    """What it means for who comes or goes."""
    act = plan.act
    if isinstance(act, Arrive):
        name, at = plan.names[act.player_id], plan.after[0]
        due = recording.due(start_of(plan.before, at))
        ante = due.antes[at.players.index(act.player_id)]
        said = (
            _("Pays nothing for the hands before; %(amount)s with the next one.")
            % {"amount": format_price(ante, currency)}
            if ante
            else _("Pays nothing for the hands before, and no ante for the next one.")
        )
        if act.player_id == NEWCOMER:
            said = f"{_('Is new and comes as a guest.')} {said}"
        return [Line(name, said, news=act.player_id == NEWCOMER)]
    if isinstance(act, Leave):
        name, sum_minor = plan.names[act.player_id], tonight.get(act.player_id, 0)
        said = _("What was paid in stays in the pot. Tonight's sum, %(amount)s, stands.")
        told = [said % {"amount": format_price(sum_minor, currency, plus="+")}]
        if ante := _ante_of(plan, act.player_id):
            words = {"amount": format_price(ante, currency)}
            told.append(_("An ante for the next hand that lies there already, %(amount)s, is taken back.") % words)
        return [Line(name, " ".join(told))]
    if isinstance(act, (Split, Merge)):
        told = [_("Tonight's sums go on; only coins of the pots move.")]
        if any(_ante_of(plan, player) for player in plan.before.here.players):
            told.append(_("Whose ante for the next hand lies there already takes it back first."))
        return [Line(_("Everybody"), " ".join(told))]
    return []


def _ante_of(plan: Plan, player: int) -> int:
    """What the player pays for the next hand as the table stands, in Rappen."""
    here = plan.before.here
    return recording.due(start_of(plan.before, here)).antes[here.players.index(player)]


def _head(plan: Plan) -> tuple[str, str, str]:
    """The act as a head, on its button, and how it is taken back."""
    act, names = plan.act, plan.names
    if isinstance(act, Arrive):
        words = {"name": names[act.player_id], "after": names[act.after_id]}
        return (
            _("%(name)s comes and sits after %(after)s") % words,
            _("%(name)s sits down") % words,
            _("If that was wrong, let %(name)s leave again.") % words,
        )
    if isinstance(act, Leave):
        words = {"name": names[act.player_id]}
        back = _("If that was wrong, let %(name)s come again, to the same place.") % words
        if plan.after[0].dealer_id != plan.before.here.dealer_id:
            back = _("If that was wrong, let %(name)s come again, to the same place, and name the dealer.") % words
        return _("%(name)s leaves") % words, pgettext("button", "%(name)s leaves") % words, back
    if isinstance(act, NameDealer):
        words = {"name": names[act.player_id], "before": names[plan.before.here.dealer_id]}
        return (
            _("%(name)s deals instead of %(before)s") % words,
            _("%(name)s deals") % words,
            _("If that was wrong, name %(before)s as the dealer again.") % words,
        )
    return _head_of_all(act, plan)


def _head_of_all(act: Act, plan: Plan) -> tuple[str, str, str]:
    """The same for what everybody at the table does together."""
    names = plan.names
    if isinstance(act, Order):
        before = plan.before.here.players
        pair = [was for was, now in zip(before, act.players, strict=True) if was != now]
        back = _("If that was wrong, put them back in the order from before.")
        return in_order(act.players, pair, names), _("They sit like this"), back
    if isinstance(act, Split):
        here, new = plan.after
        words = {"names": listed([names[player] for player in new.players]), "number": new.number}
        back = _("To take it back, join the two tables; the hands stay where they were played.")
        return _("%(names)s go to table %(number)d") % words, _("Divide the table"), back
    if isinstance(act, Merge):
        here, there = plan.after
        words = {"names": listed([names[player] for player in here.players]), "number": there.number}
        back = _("To take it back, divide the table; those who go then sit at a new one.")
        return _("%(names)s go to table %(number)d") % words, _("Join the tables"), back
    if isinstance(act, Pause):
        return _("Pause"), _("Pause from now on"), _("“On again” ends it; so does the next hand.")
    if isinstance(act, Resume):
        return _("On again"), _("On again"), _("If that was wrong, begin the pause anew.")
    raise TypeError(f"no words for {act!r}")
