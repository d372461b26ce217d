"""Addresses of tournaments, under `c/<slug:club>/tournaments/`; of table cards, under `t/`."""

from django.urls import include, path

from ..features import feature_patterns
from . import card_views

urlpatterns = feature_patterns(
    "tournaments",
    path("t/<str:code>/", card_views.table_card, name="table-card"),
    path("", include("league.tournaments.desk.urls")),
    path("", include("league.tournaments.paper.urls")),
    path("", include("league.tournaments.file.urls")),
    # Last: `<slug:tournament>/` also matches `new/` and `import/`.
    path("", include("league.tournaments.room.urls")),
)
