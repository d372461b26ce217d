"""Addresses of the API of tournaments, below `/api/v1/`."""

from django.urls import path

from ..routers import Router
from . import draws, entrants, events, rounds

CLUB = "clubs/<slug:club>"
TOURNAMENT = CLUB + "/tournaments/<slug:tournament>"
SHEETS = TOURNAMENT + "/rounds/<int:number>/sheets"

router = Router()
router.register(CLUB + "/tournaments", events.TournamentViewSet, "api-tournament")
router.register(TOURNAMENT + "/entrants", entrants.EntrantViewSet, "api-entrant")
router.register(TOURNAMENT + "/draws", draws.DrawViewSet, "api-draw")
router.register(TOURNAMENT + "/rounds", rounds.RoundViewSet, "api-round")

urlpatterns = [
    *router.urls,
    path(CLUB + "/tournament-presets", events.TournamentPresets.as_view(), name="api-tournament-presets"),
    path(SHEETS, rounds.SheetViewSet.as_view({"get": "list", "post": "create"}), name="api-round-sheets"),
]
