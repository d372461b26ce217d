"""Every screen's page is answered, without a browser: as its reader gets it, in the full size in both languages."""

from __future__ import annotations

import pytest
from django.test import Client

from league.models import User
from tests.screens.clubs import PEOPLE, build
from tests.screens.main_buttons import main_buttons
from tests.screens.pages import SCREENS
from tests.screens.screen import Screen, World
from tests.sizes import sized

pytestmark = [pytest.mark.django_db, pytest.mark.long]


WITH_TWO = {
    # The desk's next step is beside the open sheet, which has a button to store it.
    "desk-sheet",
}
"""Screens with more than one main button."""
LANGUAGES = ("de", "en")


@pytest.fixture
def world() -> World:
    return build(hands=144)


def reader_of(screen: Screen, world: World) -> Client:
    client = Client()
    if screen.session:
        client.cookies["sessionid"] = world[screen.session]
    elif screen.who in PEOPLE:
        client.force_login(User.objects.get(email=PEOPLE[screen.who]))
    return client


@pytest.mark.sized
def test_every_screen_answers_and_has_at_most_one_main_button(world: World) -> None:
    faults = []
    seen: set[tuple[str, str, str]] = set()
    for screen in SCREENS:
        address = screen.address.format(**world).partition("#")[0]
        if (address, screen.who, screen.session) in seen:
            continue
        seen.add((address, screen.who, screen.session))
        for language in sized(LANGUAGES[len(seen) % 2 :][:1], LANGUAGES):
            answer = reader_of(screen, world).get(address, headers={"accept-language": language}, follow=True)
            if answer.status_code != screen.status:
                faults.append(f"{screen.name} ({language}): {answer.status_code} instead of {screen.status}")
            if len(buttons := main_buttons(answer.content.decode())) > 1 and screen.name not in WITH_TWO:
                faults.append(f"{screen.name}: {buttons}")
    assert not faults, "\n".join(faults)


def test_main_buttons_are_those_that_a_reader_sees() -> None:
    page = """<a class="btn" href="/one/"><b>1</b></a><button class="btn quiet">2</button><details>
        <summary class="btn">3</summary><button class="btn">4</button></details><details open><summary>5</summary>
        <p class="btn">6<br></p></details><div popover><a class="btn" href="/7/">7</a></div>
        <div inert><button class="btn">a picture</button></div>
        <p><a class="btn" href="/8/">"""
    assert main_buttons(page) == ["a /one/", "summary", "p", "a /8/"]
