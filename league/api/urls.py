"""Addresses of the API: the league's resources, and the document that describes the whole API."""

from django.urls import include, path

from . import (
    adjustments,
    api_keys,
    clubs,
    docs,
    formulas,
    ledger,
    people,
    players,
    privacy,
    seasons,
    statements,
    statistics,
    teams,
    treasury,
    webhooks,
)
from . import refusals as refusals

CLUB = "clubs/<slug:club>"
PLAYER = CLUB + "/players/<int:player>"
SEASON = CLUB + "/seasons/<slug:season>"
WEBHOOK = CLUB + "/webhooks/<uuid:webhook>"

urlpatterns = [
    path("openapi.json", docs.openapi, name="api-openapi"),
    path("me", clubs.Me.as_view(), name="api-me"),
    path("me/data", privacy.MyData.as_view(), name="api-my-data"),
    path("me/api-keys", api_keys.Keys.as_view(), name="api-keys"),
    path("me/api-keys/<str:token>", api_keys.KeyDetail.as_view(), name="api-key"),
    path("me/clubs/<slug:club>", api_keys.MyClub.as_view(), name="api-my-club"),
    path("clubs", clubs.Clubs.as_view(), name="api-clubs"),
    path(CLUB, clubs.ClubDetail.as_view(), name="api-club"),
    path(CLUB + "/players", players.Players.as_view(), name="api-players"),
    path(PLAYER, players.PlayerDetail.as_view(), name="api-player"),
    path(PLAYER + "/forget", privacy.PlayerForget.as_view(), name="api-player-forget"),
    path(PLAYER + "/merges/preview", players.MergePreview.as_view(), name="api-merge-preview"),
    path(PLAYER + "/merges", players.PlayerMerges.as_view(), name="api-player-merges"),
    path(PLAYER + "/unmerge", players.PlayerUnmerge.as_view(), name="api-player-unmerge"),
    path(PLAYER + "/person", people.PlayerTie.as_view(), name="api-player-person"),
    path(PLAYER + "/seasons/<slug:season>", players.PlayerSeason.as_view(), name="api-player-season"),
    path(CLUB + "/seasons", seasons.Seasons.as_view(), name="api-seasons"),
    path(SEASON, seasons.SeasonDetail.as_view(), name="api-season"),
    path(SEASON + "/formula", formulas.SeasonFormula.as_view(), name="api-season-formula"),
    path(SEASON + "/adjustments", adjustments.Adjustments.as_view(), name="api-adjustments"),
    path(
        SEASON + "/adjustments/<int:adjustment>/undo", adjustments.AdjustmentUndo.as_view(), name="api-adjustment-undo"
    ),
    path(SEASON + "/close", adjustments.SeasonClose.as_view(), name="api-season-close"),
    path(SEASON + "/reopen", adjustments.SeasonReopen.as_view(), name="api-season-reopen"),
    path(SEASON + "/teams", teams.Teams.as_view(), name="api-teams"),
    path(SEASON + "/teams/<int:number>", teams.TeamDetail.as_view(), name="api-team"),
    path(SEASON + "/team-stays", teams.TeamStays.as_view(), name="api-team-stays"),
    path(SEASON + "/team-stays/<int:stay>", teams.TeamStayDetail.as_view(), name="api-team-stay"),
    path(SEASON + "/count", seasons.SeasonCount.as_view(), name="api-season-count"),
    path(SEASON + "/standings", seasons.Standings.as_view(), name="api-standings"),
    path(SEASON + "/records", statistics.SeasonRecords.as_view(), name="api-season-records"),
    path(SEASON + "/statistics", statistics.Statistics.as_view(), name="api-season-statistics"),
    path(CLUB + "/records", statistics.ClubRecords.as_view(), name="api-club-records"),
    path(CLUB + "/all-time", statistics.AllTime.as_view(), name="api-all-time"),
    path(SEASON + "/standings.csv", seasons.StandingsFile.as_view(), name="api-standings-csv"),
    path(SEASON + "/results.csv", seasons.ResultsFile.as_view(), name="api-results-csv"),
    path(SEASON + "/ledger.csv", seasons.LedgerFile.as_view(), name="api-ledger-csv"),
    path("", include("league.api.tournaments.urls")),
    path(CLUB + "/balances", ledger.Balances.as_view(), name="api-balances"),
    path(CLUB + "/ledger", ledger.Ledger.as_view(), name="api-ledger"),
    path(CLUB + "/open-balances", treasury.OpenBalances.as_view(), name="api-open-balances"),
    path(CLUB + "/statements", statements.StatementList.as_view(), name="api-statements"),
    path(CLUB + "/statements.pdf", statements.StatementFile.as_view(), name="api-statements-pdf"),
    path(CLUB + "/kitty", treasury.Kitty.as_view(), name="api-kitty"),
    path(CLUB + "/kitty/entries", treasury.KittyEntries.as_view(), name="api-kitty-entries"),
    path(CLUB + "/kitty/entries/<uuid:entry>/undo", treasury.KittyEntryUndo.as_view(), name="api-kitty-undo"),
    path(CLUB + "/people", people.People.as_view(), name="api-people"),
    path(CLUB + "/people/<int:person>", people.Person.as_view(), name="api-person"),
    path(CLUB + "/invitations", people.Invitations.as_view(), name="api-invitations"),
    path(CLUB + "/invitations/<uuid:invitation>", people.InvitationDetail.as_view(), name="api-invitation"),
    path(CLUB + "/log", people.Log.as_view(), name="api-log"),
    path(CLUB + "/webhooks", webhooks.Webhooks.as_view(), name="api-webhooks"),
    path(WEBHOOK, webhooks.WebhookDetail.as_view(), name="api-webhook"),
    path(WEBHOOK + "/secret", webhooks.WebhookSecret.as_view(), name="api-webhook-secret"),
    path(WEBHOOK + "/deliveries", webhooks.Deliveries.as_view(), name="api-deliveries"),
    path(CLUB + "/deliveries/<uuid:delivery>/replay", webhooks.DeliveryReplay.as_view(), name="api-delivery-replay"),
]
