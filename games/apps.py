from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Tell the league what it cannot know: who sat with whom, and what tables keep of people."""
        from league.roster import merging

        from . import privacy
        from .seated import together

        privacy.tell_the_league()
        if together not in merging.met_at:
            merging.met_at.append(together)
