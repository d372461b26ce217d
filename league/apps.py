from django.apps import AppConfig
from django.db.models.signals import post_migrate


class LeagueConfig(AppConfig):
    name = "league"

    def ready(self) -> None:
        from . import state_queries
        from .accounts import signals  # noqa: F401 - receivers of what the machinery of accounts says
        from .standings import versions  # noqa: F401 - its queries are among those of which functions are made

        post_migrate.connect(state_queries.create_functions, dispatch_uid="functions of the state queries")
