from django.apps import AppConfig
from django.core.signals import request_started
from django.db.models.signals import post_migrate


class LeagueConfig(AppConfig):
    name = "league"

    def ready(self) -> None:
        from . import money, state_queries
        from .accounts import signals  # noqa: F401 - receivers of what the machinery of accounts says
        from .standings import versions  # noqa: F401 - its queries are among those of which functions are made

        request_started.connect(money.show_francs, dispatch_uid="amounts in francs")
        post_migrate.connect(state_queries.create_functions, dispatch_uid="functions of the state queries")
