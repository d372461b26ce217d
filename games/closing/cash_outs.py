"""Cash-outs: one player settles up while the evening is open, with one other player, and that is paid at once.

A cash-out is a row of `Closing` with one payment. Its transfer counts in the sums of the evening, so the closing asks
that player only for later amounts.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league import ledger
from league.access.persons import main_players
from league.ledger.idempotency import submit_once
from league.models import Closing, Club, Evening, Payment, Player, Submission, User
from league.money import format_price
from league.payments import days
from league.payments import services as payments
from league.payments.services import AccountSum

from .. import engine_bridge
from ..errors import Refused
from ..events import audit_log
from ..hands import chain as chains
from ..models import Place, Seat
from . import pots


@dataclass(frozen=True)
class Participant:
    """A person of the evening with the sum that is outstanding (below 0: to pay), in Rappen."""

    player_id: int
    name: str
    seated: bool
    open_minor: int

    @property
    def owes_minor(self) -> int:
        """The sum that the person has to pay (below 0: to get)."""
        return -self.open_minor


def participants(evening: Evening) -> dict[int, Participant]:
    """The persons who sit at a table of the evening, played in it or settled up in it, by name."""
    mains = main_players(evening.club_id)
    seated = Place.objects.filter(table__evening=evening, table__dissolved=False).values_list("player_id", flat=True)
    played = Seat.objects.filter(revision__hand__table__evening=evening).order_by().values_list("player_id", flat=True)
    sums = _sums_by_person(evening, mains)
    here = {mains.get(player, player) for player in seated}
    everybody = here | {mains.get(player, player) for player in played.distinct()} | sums.keys()
    players = sorted(Player.objects.filter(pk__in=everybody), key=lambda player: player.nickname.casefold())
    return {
        player.pk: Participant(
            player.pk,
            player.nickname,
            player.pk in here,
            sums[player.pk].open_minor if player.pk in sums else 0,
        )
        for player in players
    }


def _sums_by_person(evening: Evening, mains: Mapping[int, int]) -> dict[int, AccountSum]:
    return {
        mains.get(player, player): account_sum
        for account_sum in payments.sums_by_person(payments.sums(evening), mains)
        if (player := account_sum.account.player_id)
    }


def cash_out(
    *, evening: Evening, author: User | None, key: uuid.UUID, player_id: int, other_id: int, open_minor: int
) -> Closing:
    """Store the payment by which a player settles up with another one, and mark it as paid. `open_minor` is the sum
    that the author saw (below 0: the player pays).

    Raises:
        Refused: 409 where the evening is closed or the sum is another one by now; 422 where the sum is 0,
            the two are not different people of this evening, or the key was used for another request.
    """
    return submit_once(
        club_id=evening.club_id,
        key=key,
        body_hash=engine_bridge.body_hash(["cash-out", evening.pk, player_id, other_id, open_minor]),
        author=author,
        write=lambda submission: _store(evening, player_id, other_id, open_minor, author, submission),
        stored=lambda first: Closing.objects.get(submission=first),
    )


def _store(
    evening: Evening, player_id: int, other_id: int, open_minor: int, author: User | None, submission: Submission
) -> Closing:
    locked = chains.lock_evening(evening.pk)
    if locked.state != Evening.State.OPEN:
        raise Refused(status=409, code="closed", sentence=_("This evening is closed."))
    # No hand is stored between the reading of the sum and its payment.
    pots.locked_tables(locked)
    _check(locked, player_id, other_id, open_minor)
    accounts = ledger.ensure_player_accounts(locked.club_id, [player_id, other_id])
    sums = _sums_by_person(locked, main_players(locked.club_id))
    own, other = (sums[player].account.pk if player in sums else accounts[player] for player in (player_id, other_id))
    newest = Closing.objects.filter(evening=locked).order_by("-number").values_list("number", flat=True).first()
    closing = Closing.objects.create(
        evening=locked,
        number=(newest or 0) + 1,
        kind=Closing.Kind.CASHED,
        submission=submission,
        author=author,
    )
    payer, payee = (own, other) if open_minor < 0 else (other, own)
    payment = Payment.objects.create(
        closing=closing, number=1, payer_id=payer, payee_id=payee, amount_minor=abs(open_minor)
    )
    payments.mark(payment, evening=locked, author=author, made=0, day=days.default_day(locked.held_on))
    audit_log.payments_marked(locked, author, True, 1)
    return closing


def _check(evening: Evening, player_id: int, other_id: int, open_minor: int) -> None:
    people = participants(evening)
    if evening.season.in_chips:
        sentence = _("Chips are no money: nobody owes anything.")
        raise Refused(status=422, code="points", sentence=sentence)
    if evening.season.points_only:
        raise Refused(status=422, code="points", sentence=_("The season counts points only: nobody owes anything."))
    if evening.settling == Club.Settling.HANDS:
        sentence = _("The coins move after each hand: there is nothing to pay.")
        raise Refused(status=409, code="coins", sentence=sentence)
    if player_id not in people:
        sentence = _("This player did not play tonight.")
        raise Refused(status=422, code="player", sentence=sentence, at="player")
    if other_id not in people or other_id == player_id:
        sentence = _("Choose who gives or takes the coins: somebody else of this evening.")
        raise Refused(status=422, code="other", sentence=sentence, at="other")
    now = people[player_id].open_minor
    if now == 0:
        sentence = _("There is nothing to pay: %(name)s is square.") % {"name": people[player_id].name}
        raise Refused(status=409, code="amount", sentence=sentence, at="amount")
    if now != open_minor:
        values = {"name": people[player_id].name, "amount": format_price(now, evening.club.currency, plus="+")}
        sentence = _("The sum of %(name)s has changed meanwhile, to %(amount)s. Check it and tap again.") % values
        raise Refused(status=409, code="amount", sentence=sentence, at="amount")
