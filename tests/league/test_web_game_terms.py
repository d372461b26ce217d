"""Heads of columns: the terms of the game that was played, or common terms if both games count together."""

from __future__ import annotations

import pytest
from django.test import Client

from league.models import Player
from league.played_games import CHRATZE, COMMON, KRATZEN, ZWICKEN
from league.standings.counting import count_season
from league.web.game_terms import season_terms, terms_of
from tests.cast import House, house
from tests.factories import FREE, MADE, MUSS, SeasonFactory, create_table, enter
from tests.zwicken_hands import FORCED, TWO

EVENINGS = {"chratze": [MADE], "kratzen": [MUSS, FREE], "zwicken": [FORCED, TWO]}
HEADS = {
    ("chratze",): ["chratzt", "metcho", "weg"],
    ("kratzen",): ["schlägt", "mit", "ohne"],
    ("zwicken",): ["", "mit", "weg"],
    ("chratze", "kratzen"): ["declares", "joins", "is out"],
    ("kratzen", "zwicken"): ["declares", "joins", "is out"],
}


@pytest.fixture
def home(db: None) -> House:
    return house("roessli")


def read(client: Client, address: str) -> str:
    answer = client.get(address, headers={"accept-language": "en"})
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("games", HEADS)
def test_a_season_of_every_game_uses_the_terms_of_the_games_played(
    games: tuple[str, ...], home: House, client: Client
) -> None:
    for game in games:
        table = create_table(club=home.club, season=home.season, seats=4, game=game)
        for record in EVENINGS[game]:
            enter(table, record)
    count_season(home.season.pk)
    season = read(client, "/c/roessli/s/2026/")
    player = read(client, f"/c/roessli/p/{Player.objects.get(nickname='Beni').pk}/")
    declares, joins, out = HEADS[games]
    for term in filter(None, (declares, joins)):
        # In the standings a heading sorts.
        assert f">{term}</a></th>" in season
        assert f">{term}</th>" in player
    assert f"<dt>{out}</dt>" in player
    assert ("<dt>Susi</dt>" in player) == ("chratze" in games)


def test_a_season_of_one_game_uses_its_terms_before_the_first_hand(en: None) -> None:
    assert season_terms(SeasonFactory.build(club=None, games="kratzen"), []) == KRATZEN.terms
    assert season_terms(SeasonFactory.build(club=None, games="chratze"), ["kratzen"]) == CHRATZE.terms
    both = season_terms(SeasonFactory.build(club=None), ["kratzen", "chratze"])
    assert (both.declares, both.games) == (COMMON.declares, ("chratze", "kratzen"))
    assert season_terms(SeasonFactory.build(club=None, games="zwicken"), ["kratzen"]) == ZWICKEN.terms
    assert (both.has_declarer, ZWICKEN.terms.has_declarer, both.tricks, ZWICKEN.terms.tricks) == (True, False, 4, 3)
    assert terms_of(["kratzen", "zwicken"]).tricks is None
    assert str(terms_of(["chratze", "zwicken"]).forced) == "Forced hand"
    assert terms_of([]) == CHRATZE.terms
