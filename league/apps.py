from django.apps import AppConfig


class LeagueConfig(AppConfig):
    name = "league"

    def ready(self) -> None:
        from .accounts import signals  # noqa: F401 - receivers of what the machinery of accounts says
