"""What a player agreed to get: storing it, ending it, and where the mails go."""

from __future__ import annotations

import secrets

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from ..access import ClubAccess
from ..access.persons import person_of
from ..errors import Refused
from ..locks import lock_club
from ..models import Club, Membership, MessageChoice, Player, PlayerMessage, User

SALT = "league.player_messages.off"
NUMBERS = 2**62


def confirmed_address(user: User) -> str:
    """Return the account's confirmed address, the main one if there are several; an empty text if there is none."""
    email_address = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk").first()
    return email_address.email if email_address else ""


def choice_of(player: Player) -> MessageChoice | None:
    """Return what the player agreed to get; None if nothing was ever chosen."""
    return MessageChoice.objects.filter(player=player).first()


@transaction.atomic
def choice_set(
    *,
    player: Player,
    user: User | None,
    results: bool,
    reminders: bool,
    email: str = "",
    way: str = MessageChoice.Way.MAIL,
    amounts: bool = False,
    fees: bool = False,
) -> MessageChoice:
    """Store what a player wants and by which way, in the language of this request: by the account `user`, or by a
    player without an account, whose address `email` is confirmed. A kind that was wanted before stays wanted since
    then. `amounts`: a push may show amounts.

    Raises:
        Refused: 409 for an account without a confirmed address, for a player who is not in the roster or counts for
            somebody else, and without `user` for a player with an account.
    """
    lock_club(player.club_id)
    fresh = Player.objects.get(pk=player.pk)
    if not fresh.active or fresh.main_id is not None:
        sentence = _("%(name)s is not in the roster.") % {"name": fresh.nickname}
        raise Refused(status=409, code="roster", sentence=sentence)
    if user is None and has_account(fresh):
        sentence = _("%(name)s has an account, and chooses there.") % {"name": fresh.nickname}
        raise Refused(status=409, code="account", sentence=sentence)
    if user is not None and (results or reminders or fees) and not confirmed_address(user):
        raise Refused(status=409, code="mail", sentence=_("Confirm your email address first."))
    known, now = choice_of(fresh), timezone.now()
    # What another account or address wanted is no agreement of this one, and its mails end nothing of this one.
    same = known is not None and known.user_id == (user.pk if user else None) and known.email == email
    before = known if same else None
    values = {
        "user": user,
        "email": email,
        "number": before.number if before else secrets.randbelow(NUMBERS),
        "language": get_language() or settings.LANGUAGE_CODE,
        "results_since": ((before and before.results_since) or now) if results else None,
        "reminders_since": ((before and before.reminders_since) or now) if reminders else None,
        "fees_since": ((before and before.fees_since) or now) if fees else None,
        "refused_at": None,
        "way": way,
        "amounts": amounts,
        "device_lost_at": None,
    }
    stored, _new = MessageChoice.objects.update_or_create(player=fresh, defaults=values)
    _drop_unwanted(stored)
    return stored


@transaction.atomic
def all_off(choice: MessageChoice) -> None:
    """End all messages of a player; the waiting ones are dropped. An address that no account has is deleted."""
    MessageChoice.objects.filter(pk=choice.pk).update(
        results_since=None, reminders_since=None, fees_since=None, email=""
    )
    choice.refresh_from_db()
    _drop_unwanted(choice)


@transaction.atomic
def address_refused(choice: MessageChoice) -> None:
    """End all messages of a player whose address a mail server refused for good; the club's owners see it."""
    all_off(choice)
    MessageChoice.objects.filter(pk=choice.pk).update(refused_at=timezone.now())


def _drop_unwanted(choice: MessageChoice) -> None:
    gone = Q(kind=PlayerMessage.Kind.RESULT) if choice.results_since is None else Q(pk=None)
    gone |= Q(kind=PlayerMessage.Kind.REMINDER) if choice.reminders_since is None else Q(pk=None)
    gone |= Q(kind=PlayerMessage.Kind.FEE) if choice.fees_since is None else Q(pk=None)
    waiting = PlayerMessage.objects.filter(gone, player=choice.player_id, next_at__isnull=False)
    waiting.update(next_at=None, state=PlayerMessage.State.DROPPED)


def messages_value(access: ClubAccess) -> str:
    """Say which messages the reader gets from the club. One query."""
    chosen = MessageChoice.objects.filter(player__in=access.player_ids, user__isnull=False)
    wanted = set()
    for results, reminders, fees in chosen.values_list("results_since", "reminders_since", "fees_since"):
        wanted |= {_("results")} if results else set()
        wanted |= {_("reminders")} if reminders else set()
        wanted |= {_("member fees")} if fees else set()
    return ", ".join(sorted(wanted, reverse=True)) or _("none")


def refused_names(club: Club) -> list[str]:
    """Return the names of the players whose address the mail server refused, by name. One query."""
    rows = MessageChoice.objects.filter(player__club=club, refused_at__isnull=False)
    return list(rows.order_by("player__nickname").values_list("player__nickname", flat=True))


def has_account(player: Player) -> bool:
    """Return True if a player of the same person is tied to an account."""
    return Player.objects.filter(person_of(player), user__isnull=False).exists()


def still_theirs(choice: MessageChoice) -> bool:
    """Return False if the player left the roster or got another account, or if the account left the club. Two
    queries."""
    player, user = choice.player, choice.user
    if not player.active or player.main_id is not None:
        return False
    if user is None:
        return not has_account(player)
    tied = Player.objects.filter(person_of(player), user=user, user__is_active=True).exists()
    return tied and Membership.objects.filter(club=player.club_id, user=user).exists()


def address_of(choice: MessageChoice) -> str:
    """Return where the mails of a player go; an empty text if the choice is no longer theirs, or the address no longer
    confirmed. Three queries."""
    if not still_theirs(choice):
        return ""
    return confirmed_address(choice.user) if choice.user is not None else choice.email


def messages_move(*, player: Player, main: Player) -> None:
    """Give the choice and the messages of a merged player to the main one. Where both have a choice, that of the main
    player stays. The caller holds the transaction."""
    choices = {choice.player_id: choice for choice in MessageChoice.objects.filter(player__in=[player, main])}
    if player.pk in choices and main.pk in choices:
        choices[player.pk].delete()
    elif player.pk in choices:
        MessageChoice.objects.filter(player=player).update(player=main)
    known = set()
    # Those of the main player come first, and stay.
    for message in sorted(
        PlayerMessage.objects.filter(player__in=[player, main]), key=lambda row: row.player_id != main.pk
    ):
        about = (message.evening_id, message.version, message.planned_evening_id, message.fee_share_id, message.day)
        if message.player_id == player.pk and about in known:
            message.delete()
        elif message.player_id == player.pk:
            PlayerMessage.objects.filter(pk=message.pk).update(player=main)
        known.add(about)


def off_address(choice: MessageChoice) -> str:
    """Return the absolute address that ends all messages of a player."""
    token = signing.Signer(salt=SALT, sep=".").sign(str(choice.number))
    where = reverse("messages-off", kwargs={"club": choice.player.club.slug, "token": token})
    return f"{settings.BASE_URL}{where}"


def choice_of_token(slug: str, token: str) -> MessageChoice | None:
    """Return the choice that this address ends; None for one of another club, and for one that this server did not
    sign."""
    try:
        number = int(signing.Signer(salt=SALT, sep=".").unsign(token))
    except signing.BadSignature:
        return None
    message_choices = MessageChoice.objects.filter(number=number, player__club__slug=slug)
    return message_choices.select_related("player__club").first()
