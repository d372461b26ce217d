"""The picture of a hand whose cards were recorded, the same for every requester: a visitor's view."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.access import ClubAccess, club_for
from league.logo.services import logo_file
from league.models import Evening
from league.money import format_count, format_price
from league.sharing.pictures import Heading
from league.sharing.views import as_visitor, png
from league.web.page_versions import versioned

from .. import engine_bridge
from ..evening.highlights import in_antes
from ..evening.played_hands import points_of
from ..evening.versions import hand_state
from ..hands import clause_sentences, selectors
from ..hands.gate import table_for
from ..hands.hand_lines import SeatCell, hand_line
from ..hands.selectors import HandView
from . import steps
from .card_names import pack_file
from .picture import CardOfHand, HandShown, SeatOfHand, hand_picture


@versioned(hand_state)
@require_safe
def hand_drawn(request: HttpRequest, club: str, table: int, number: int) -> HttpResponse:
    """The picture of a hand: its pot and trump, and the seats that played with calls, cards and result."""
    access = club_for(request.user, club)
    card_table = table_for(access, table)
    access = as_visitor(access.within(card_table.evening.season))
    hand = selectors.hand_view(card_table, number)
    if hand is None or not engine_bridge.has_cards(hand.record):
        raise Http404("no such hand, or its cards were not written down")
    heading = Heading(
        f"{access.club.name} · {card_table.evening.title}",
        _("Hand %(number)s") % {"number": number},
        logo=logo_file(access.club),
    )
    return png(hand_picture(heading, _shown(access, card_table.evening, hand)))


def _shown(access: ClubAccess, evening: Evening, hand: HandView) -> HandShown:
    points = tuple(points_of(evening.season, hand, seat) for seat in range(len(hand.names)))
    line = hand_line(access, hand, points=points if evening.season.by_points else ())
    names = selectors.as_reader_sees(hand, access.names).names
    faces = access.club.faces
    course = steps.walk(dict(hand.record))
    board = steps.board(course, hand.game, len(course.scenes), names, faces)
    cards = steps.cards_played(course)
    active = engine_bridge.active_seats(hand.result)
    others = [f"{player.name}: {player.role}" for player in board.seats if player.seat not in active and player.role]
    return HandShown(
        pot=_pot(access, evening, hand),
        pack=pack_file(faces, get_language()),
        turned=board.turned[-1] if board.turned else "",
        trumps=_("Trumps"),
        seats=[
            _seat(access, cell, board.seats[seat], cards[seat]) for seat, cell in zip(active, line.active, strict=True)
        ],
        in_words=clause_sentences.summary(hand.game, dict(hand.result), dict(enumerate(names))),
        others=" · ".join(others),
    )


def _pot(access: ClubAccess, evening: Evening, hand: HandView) -> str:
    pot = format_price(hand.pot, access.club.currency) if access.sees_money() else in_antes(hand.pot, evening)
    return _("Pot: %(pot)s") % {"pot": pot}


def _seat(access: ClubAccess, cell: SeatCell, scene: steps.SeatScene, cards: Sequence[tuple[str, bool]]) -> SeatOfHand:
    if cell.change_minor is not None:
        worth = format_price(cell.change_minor, access.club.currency, plus="+")
    else:
        worth = "" if cell.points is None else format_count(cell.points, plus="+")
    said = scene.role or cell.term
    if cell.tricks is not None:
        said += ", " + ngettext("%(n)s trick", "%(n)s tricks", cell.tricks) % {"n": cell.tricks}
    return SeatOfHand(cell.name, said, cell.mark, worth, [CardOfHand(card, takes) for card, takes in cards])
