from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Register with the league who can be one person, the personal data of the games, the hands of evenings, and
        the tables of tournaments."""
        from league.roster import merging
        from league.standings import evening_hands
        from league.tournaments import tables

        from .evening import versions as evening_versions  # noqa: F401 - as those of the league
        from .evening.stored_hands import stored_hands
        from .integrity import privacy
        from .integrity.same_person import sat_together
        from .table import versions as table_versions  # noqa: F401
        from .tournaments.round_tables import GameTables

        privacy.register()
        evening_hands.register(stored_hands)
        tables.register(GameTables())
        if sat_together not in merging.seated_together_checks:
            merging.seated_together_checks.append(sat_together)
