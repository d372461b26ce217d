"""Messages to players, on the screens: the choice in the *Bären*, with an account and by a link, and their end."""

from __future__ import annotations

import secrets
from dataclasses import asdict

from allauth.account.models import EmailAddress
from django.core import signing
from django.utils import timezone

from league.attendance.link import link_renew, token_of
from league.models import AttendanceLink, Club, MessageChoice, Player, PushDevice, User
from league.player_messages.choices import NUMBERS, off_address
from league.player_messages.confirmation import SALT, Wish
from tests.screens.screen import Screen, World


def build(owner: User) -> World:
    """Let Doris want results, and a player without an account reminders; return the tokens of the addresses."""
    club = Club.objects.get(slug="baeren")
    EmailAddress.objects.get_or_create(user=owner, email=owner.email, defaults={"verified": True, "primary": True})
    own = Player.objects.get(club=club, user=owner)
    now = timezone.now()
    choice = MessageChoice.objects.create(
        player=own, user=owner, number=secrets.randbelow(NUMBERS), language="de", results_since=now
    )
    gusti, hanneli = (Player.objects.get(club=club, nickname=name) for name in ("Gusti", "Hanneli"))
    MessageChoice.objects.create(
        player=gusti, number=secrets.randbelow(NUMBERS), language="de", email="gusti@example.org", reminders_since=now
    )
    MessageChoice.objects.create(player=hanneli, number=secrets.randbelow(NUMBERS), language="de", refused_at=now)
    elsbeth = Player.objects.get(club=club, nickname="Elsbeth")
    MessageChoice.objects.create(
        player=elsbeth, number=secrets.randbelow(NUMBERS), language="de", way="push", results_since=now
    )
    tokens = {player.nickname: token_of(link_renew(player=player, actor=owner)) for player in (gusti, hanneli, elsbeth)}
    # Another link ends the devices of the one before.
    for nth, (about, label) in enumerate(
        (
            ({"user": owner, "ok_at": now}, "Firefox, Android"),
            ({"user": owner, "failing_since": now}, "Safari, iPad"),
            ({"player": elsbeth}, "Chrome, Android"),
        )
    ):
        PushDevice.objects.create(endpoint=f"https://push.example/{nth}", label=label, **about)
    number = AttendanceLink.objects.get(player=gusti).number
    wish = Wish(gusti.pk, number, "gusti.alder@example.org", "de", results=True, reminders=True)
    return {
        "messages_off": off_address(choice).rstrip("/").rpartition("/")[2],
        "messages_known": tokens["Gusti"],
        "messages_refused": tokens["Hanneli"],
        "messages_push": tokens["Elsbeth"],
        "messages_confirm": signing.dumps(asdict(wish), salt=SALT),
    }


MESSAGES = (
    Screen("messages-own", "own-messages", "/c/baeren/messages/"),
    Screen("messages-link", "coming-messages", "/c/baeren/coming/{coming_token}/messages/", "visitor"),
    Screen("messages-link-known", "coming-messages", "/c/baeren/coming/{messages_known}/messages/", "visitor"),
    Screen("messages-link-refused", "coming-messages", "/c/baeren/coming/{messages_refused}/messages/", "visitor"),
    Screen("messages-link-push", "coming-messages", "/c/baeren/coming/{messages_push}/messages/", "visitor"),
    Screen("messages-confirm", "messages-confirm", "/c/baeren/messages/confirm/{messages_confirm}/", "visitor"),
    Screen("messages-off", "messages-off", "/c/baeren/messages/off/{messages_off}/", "visitor"),
    Screen("messages-people", "club-people", "/c/baeren/people/"),
)
