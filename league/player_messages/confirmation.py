"""The agreement of a player without an account: an address that is given on the page of the personal link gets one
mail with a signed link, and only that link stores it. Nothing is stored before."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta
from smtplib import SMTPException

import structlog
from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from .. import counters
from ..errors import Refused
from ..features import uses
from ..models import AttendanceLink, MessageChoice, Player
from .choices import choice_set, has_account
from .letter import one_line, sender

log = structlog.get_logger(__name__)

SALT = "league.player_messages.confirmation"
VALID = timedelta(days=3)
MOST_A_DAY = 3
"""The most confirmations for a player, and to an address, in a day: nobody fills a letter box with them."""
DAY_SECONDS = 24 * 60 * 60


@dataclass(frozen=True)
class Wish:
    """What a player without an account asked for. `number` is that of the personal link: when it ends, so does the
    wish."""

    player: int
    number: int
    email: str
    language: str
    results: bool
    reminders: bool
    fees: bool = False


def confirmation_send(*, player: Player, email: str, results: bool, reminders: bool, fees: bool = False) -> None:
    """Send the link that confirms an address, in the language of this request. Nothing is stored.

    Raises:
        Refused: 409 without mails, without the feature, for a player without a link or with an account; 422 if nothing
            is wanted; 429 after too many; 503 if the mail server does not take the mail.
    """
    link = AttendanceLink.objects.filter(player=player).first()
    if not uses(player.club, "coming-messages") or link is None or has_account(player):
        raise Refused(status=409, code="messages", sentence=_("This is not offered here any more."))
    if not (results or reminders or fees):
        raise Refused(status=422, code="kinds", sentence=_("Tick what you would like to get."))
    digest = hashlib.sha256(email.casefold().encode()).hexdigest()[:20]
    sent = counters.count([f"message-player:{player.pk}", f"message-address:{digest}"], DAY_SECONDS)
    if max(sent) > MOST_A_DAY:
        raise Refused(status=429, code="mails", sentence=_("Too many mails for today. Try again tomorrow."))
    wish = Wish(player.pk, link.number, email, get_language() or settings.LANGUAGE_CODE, results, reminders, fees)
    token = signing.dumps(asdict(wish), salt=SALT)
    where = reverse("messages-confirm", kwargs={"club": player.club.slug, "token": token})
    try:
        _mail(player, email, f"{settings.BASE_URL}{where}").send()
    except (SMTPException, OSError) as error:
        log.warning("message_confirmation_not_sent", error=type(error).__name__)
        sentence = _("The mail could not be sent. Check the address, or try again later.")
        raise Refused(status=503, code="mail", sentence=sentence) from None


def _mail(player: Player, email: str, address: str) -> EmailMessage:
    values = {"name": player.nickname, "club": player.club.name}
    paragraphs = [
        _("Somebody, probably you, asked that messages for %(name)s of %(club)s go to this address.") % values,
        _("Confirm it here, within three days:"),
        address,
        _("If you did not ask for this, do nothing: without you nothing happens."),
    ]
    subject = one_line(_("Confirm: messages from %(club)s") % values)
    return EmailMessage(subject, "\n\n".join(paragraphs), sender(player.club), [email])


def wish_of(slug: str, token: str) -> tuple[Wish, Player] | None:
    """Return what a confirmation link stands for; None for one that is over, that belongs to another club, or that this
    server did not sign."""
    try:
        said: Mapping[str, object] = signing.loads(token, salt=SALT, max_age=VALID)
    except signing.BadSignature:
        return None
    wish = Wish(**said)  # type: ignore[arg-type]
    players = Player.objects.filter(club__slug=slug, active=True, main=None).select_related("club")
    player = players.filter(pk=wish.player, attendance_link__number=wish.number).first()
    return (wish, player) if player is not None else None


def wish_store(wish: Wish, player: Player) -> MessageChoice:
    """Store what was confirmed. Raises Refused as `choice_set`."""
    with translation.override(wish.language):
        return choice_set(
            player=player,
            user=None,
            email=wish.email,
            results=wish.results,
            reminders=wish.reminders,
            fees=wish.fees,
        )


def masked(email: str) -> str:
    """Return an address of which only its owner knows the rest: the page of a link can be passed on."""
    name, _at, domain = email.rpartition("@")
    return f"{name[:1]}…@{domain}"
