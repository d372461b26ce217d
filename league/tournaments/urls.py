"""Addresses of tournaments, under `c/<slug:club>/tournaments/`; of table cards, under `t/`."""

from django.urls import include, path

urlpatterns = [
    path("", include("league.tournaments.desk.urls")),
    path("", include("league.tournaments.paper.urls")),
    path("", include("league.tournaments.file.urls")),
    # Last: `<slug:tournament>/` also matches `new/` and `import/`.
    path("", include("league.tournaments.room.urls")),
]
