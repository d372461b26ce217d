"""`manage.py replay_rules CLUB SEASON --rules '{"pot_limit": 500}'`: replay a season under other rules."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import engine_bridge
from games.rules import replay
from league.models import HouseRules, Season
from league.money import format_money


class Command(BaseCommand):
    help = "Replay a season under other house rules and print old and new balances. Stores nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add club, season and rules."""
        parser.add_argument("club", help="short name of the club")
        parser.add_argument("season", help="short name of the season")
        parser.add_argument(
            "--rules",
            default="{}",
            metavar="JSON",
            help="the differences from the club's newest house rules; amounts in Rappen",
        )
        parser.add_argument("--game", default=engine_bridge.GAME, help="the game (default: %(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print a line per player, the amount left in the pots, and the hands left out."""
        season = Season.objects.filter(club__slug=options["club"], slug=options["season"]).first()
        if season is None:
            raise CommandError(f"There is no season {options['season']} in a club {options['club']}.")
        rules = self._rules(season, options["game"], options["rules"])
        try:
            played = replay.replay_season(season, options["game"], rules)
        except engine_bridge.Fault as fault:
            raise CommandError(str(fault)) from fault
        self.stdout.write(f"{season}: {played.hands} hands under {json.dumps(rules, sort_keys=True)}")
        if played.runs_away:
            pots = (format_money(played.new_highest_pot_minor), format_money(played.old_highest_pot_minor))
            self.stderr.write(
                "Without a limit the pot runs away: {}; the highest one of this season was {}.".format(*pots)
            )
        self._line("player", "as it was", "replayed", "difference")
        for player in played.players:
            amounts = (player.old_minor, player.new_minor, player.difference_minor)
            self._line(player.nickname, *(format_money(amount, plus="+") for amount in amounts))
        self._line("left in the pots", format_money(played.old_pots_minor), format_money(played.new_pots_minor), "")
        self.stdout.write(f"{played.changed} hands come to other amounts; {played.hands_left_out} are left out.")
        for each in played.left_out:
            places = "; ".join("evening {}, table {}, hand {}".format(*place) for place in each.places)
            self.stdout.write(f"  {each.hands} break {each.clause}, for instance {places}")

    def _rules(self, season: Season, game: str, text: str) -> dict[str, Any]:
        try:
            changes = json.loads(text)
        except ValueError as fault:
            raise CommandError(f"--rules is not JSON: {fault}") from fault
        if not isinstance(changes, dict):
            raise CommandError('--rules is a JSON object such as {"pot_limit": 500}.')
        newest = HouseRules.objects.filter(club_id=season.club_id, game=game).order_by("-version").first()
        return {**(newest.values if newest else {}), **changes}

    def _line(self, name: str, old: str, new: str, difference: str) -> None:
        self.stdout.write(f"{name[:30]:<30}{old:>14}{new:>14}{difference:>14}")
