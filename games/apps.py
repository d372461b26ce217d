from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Register with the league who can be one person, and the personal data of the games."""
        from league.roster import merging

        from .integrity import privacy
        from .integrity.same_person import sat_together

        privacy.register()
        if sat_together not in merging.seated_together_checks:
            merging.seated_together_checks.append(sat_together)
