"""Addresses of the API: the league's resources, and the document that describes the whole API."""

from django.urls import include, path

from . import (
    adjustments,
    api_keys,
    attendance,
    books,
    champions,
    chances,
    clubs,
    cups,
    docs,
    formula_previews,
    formulas,
    imports,
    ledger,
    luck,
    member_fees,
    people,
    plan,
    players,
    privacy,
    season_end,
    seasons,
    statements,
    statistics,
    teams,
    treasury,
    webhooks,
)
from . import refusals as refusals
from .routers import DETAIL, LIST, Router

CLUB = "clubs/<slug:club>"
PLAYER = CLUB + "/players/<int:player>"
SEASON = CLUB + "/seasons/<slug:season>"
WEBHOOK = CLUB + "/webhooks/<uuid:webhook>"

router = Router()
router.register("me/api-keys", api_keys.KeyViewSet, "api-key")
router.register("clubs", clubs.ClubsViewSet, "api-club")
router.register(CLUB + "/players", players.PlayerViewSet, "api-player")
router.register(PLAYER + "/merges", players.PlayerMergeViewSet, "api-player-merge")
router.register(CLUB + "/invitations", people.InvitationViewSet, "api-invitation")
router.register(CLUB + "/cups", cups.CupViewSet, "api-cup")
router.register(CLUB + "/imports", imports.ImportViewSet, "api-import")
router.register(CLUB + "/webhooks", webhooks.WebhookViewSet, "api-webhook")
router.register(CLUB + "/seasons", seasons.SeasonViewSet, "api-season")
router.register(SEASON + "/adjustments", adjustments.AdjustmentViewSet, "api-adjustment")
router.register(SEASON + "/teams", teams.TeamViewSet, "api-team")
router.register(SEASON + "/team-stays", teams.TeamStayViewSet, "api-team-stay")

urlpatterns = [
    *router.urls,
    path("openapi.json", docs.openapi, name="api-openapi"),
    path("me", clubs.MeView.as_view(), name="api-me"),
    path("me/data", privacy.MyDataView.as_view(), name="api-my-data"),
    path("me/clubs/<slug:club>", api_keys.MyClubView.as_view(), name="api-my-club"),
    path(CLUB, clubs.ClubDetailView.as_view(), name="api-club"),
    path(PLAYER + "/forget", privacy.PlayerForgetView.as_view(), name="api-player-forget"),
    path(PLAYER + "/merges/preview", players.MergePreviewView.as_view(), name="api-merge-preview"),
    path(PLAYER + "/unmerge", players.PlayerMergeViewSet.as_view({"post": "unmerge"}), name="api-player-unmerge"),
    path(PLAYER + "/seasons/<slug:season>", players.PlayerSeasonView.as_view(), name="api-player-season"),
    path(
        PLAYER + "/person",
        people.PlayerTieViewSet.as_view({"get": "retrieve", "put": "update"}),
        name="api-player-person",
    ),
    path(SEASON + "/formula", formulas.SeasonFormula.as_view(), name="api-season-formula"),
    path(SEASON + "/formula/preview", formula_previews.FormulaPreview.as_view(), name="api-season-formula-preview"),
    path(
        SEASON + "/formula/versions",
        formula_previews.FormulaVersions.as_view({"get": "list"}),
        name="api-season-formula-versions",
    ),
    path(SEASON + "/close", season_end.SeasonClose.as_view(), name="api-season-close"),
    path(SEASON + "/reopen", season_end.SeasonReopen.as_view(), name="api-season-reopen"),
    path(SEASON + "/plan", plan.PlannedEveningViewSet.as_view({"get": "list", "post": "create"}), name="api-plan"),
    path(
        SEASON + "/plan/<int:planned>",
        plan.PlannedEveningViewSet.as_view({"patch": "partial_update", "delete": "destroy"}),
        name="api-planned-evening",
    ),
    path(
        SEASON + "/plan/<int:planned>/answers",
        attendance.AttendanceViewSet.as_view({"get": "list"}),
        name="api-planned-answers",
    ),
    path(
        SEASON + "/plan/<int:planned>/answers/<int:player>",
        attendance.AttendanceViewSet.as_view({"put": "update"}),
        name="api-planned-answer",
    ),
    path(
        CLUB + "/reserves",
        attendance.ReserveViewSet.as_view({"get": "list", "put": "update"}),
        name="api-reserves",
    ),
    path(SEASON + "/standings", seasons.Standings.as_view(), name="api-standings"),
    path(SEASON + "/records", statistics.SeasonRecordsView.as_view(), name="api-season-records"),
    path(SEASON + "/statistics", statistics.StatisticsView.as_view(), name="api-season-statistics"),
    path(SEASON + "/chances", chances.Chances.as_view(), name="api-season-chances"),
    path(SEASON + "/luck", luck.Luck.as_view(), name="api-season-luck"),
    path(SEASON + "/champions", champions.SeasonChampionsView.as_view(), name="api-season-champions"),
    path(CLUB + "/champions", champions.ClubChampionsView.as_view(), name="api-club-champions"),
    path(CLUB + "/records", statistics.ClubRecordsView.as_view(), name="api-club-records"),
    path(CLUB + "/all-time", statistics.AllTimeView.as_view(), name="api-all-time"),
    path(SEASON + "/standings.csv", seasons.StandingsFile.as_view(), name="api-standings-csv"),
    path(SEASON + "/results.csv", seasons.ResultsFile.as_view(), name="api-results-csv"),
    path(SEASON + "/ledger.csv", seasons.LedgerFile.as_view(), name="api-ledger-csv"),
    path("", include("league.api.tournaments.urls")),
    path(CLUB + "/balances", ledger.Balances.as_view(), name="api-balances"),
    path(CLUB + "/ledger", ledger.Ledger.as_view({"get": "list"}), name="api-ledger"),
    path(CLUB + "/open-balances", treasury.OpenBalances.as_view(), name="api-open-balances"),
    path(CLUB + "/statements", statements.StatementList.as_view(), name="api-statements"),
    path(CLUB + "/statements.pdf", statements.StatementFile.as_view(), name="api-statements-pdf"),
    path(CLUB + "/books", books.Book.as_view(), name="api-book"),
    path(CLUB + "/annual-account", books.AnnualAccount.as_view(), name="api-annual-account"),
    path(CLUB + "/kitty", treasury.Kitty.as_view(), name="api-kitty"),
    path(
        CLUB + "/kitty/entries",
        treasury.KittyEntryViewSet.as_view({"get": "list", "post": "create"}),
        name="api-kitty-entries",
    ),
    path(
        CLUB + "/kitty/entries/<uuid:entry>/undo",
        treasury.KittyEntryViewSet.as_view({"post": "undo"}),
        name="api-kitty-undo",
    ),
    path(
        CLUB + "/member-fees",
        member_fees.MemberFeeViewSet.as_view({"get": "list", "post": "create"}),
        name="api-member-fees",
    ),
    path(
        CLUB + "/member-fees/<uuid:fee>/undo",
        member_fees.MemberFeeViewSet.as_view({"post": "undo"}),
        name="api-member-fee-undo",
    ),
    path(CLUB + "/people", people.PersonViewSet.as_view({"get": "list"}), name="api-people"),
    path(CLUB + "/people/<int:person>", people.PersonViewSet.as_view(DETAIL), name="api-person"),
    path(CLUB + "/log", people.LogViewSet.as_view({"get": "list"}), name="api-log"),
    path(WEBHOOK + "/deliveries", webhooks.DeliveryViewSet.as_view(LIST), name="api-deliveries"),
    path(
        CLUB + "/deliveries/<uuid:delivery>/replay",
        webhooks.DeliveryViewSet.as_view({"post": "replay"}),
        name="api-delivery-replay",
    ),
]
