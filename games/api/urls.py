"""URLs of the games' API, below `/api/v1/` beside those of the league's API."""

from django.urls import path

from league.api.routers import Router
from league.web.compression import shows_secret

from . import closing, corrections, disputes, evenings, hands, paper, pencil, rules, tables
from .closing import ClosingViewSet

CLUB = "clubs/<slug:club>"
EVENING = CLUB + "/evenings/<int:evening>"
TABLE = CLUB + "/tables/<int:table>"
HAND = TABLE + "/hands/<int:number>"

router = Router()
# First, because hands are sent most often, and each address before it would be tried for them.
router.register(TABLE + "/hands", hands.HandViewSet, "api-hand")
router.register(CLUB + "/evenings", evenings.EveningViewSet, "api-evening")
router.register(CLUB + "/tables", tables.TableViewSet, "api-table")
router.register(TABLE + "/seating-changes", tables.SeatingChangeViewSet, "api-seating-change")
router.register(TABLE + "/corrections", corrections.CorrectionViewSet, "api-correction")
router.register(EVENING + "/corrections", corrections.EveningCorrectionViewSet, "api-evening-correction")
router.register(HAND + "/disputes", disputes.DisputeViewSet, "api-dispute")
router.register(CLUB + "/disputes", disputes.ClubDisputeViewSet, "api-club-dispute")

urlpatterns = [
    *router.urls,
    path("hand-records/check", hands.HandRecordCheck.as_view(), name="api-hand-record-check"),
    path("receipts/<str:token>", shows_secret(closing.ReceiptByToken.as_view()), name="api-receipt"),
    path(EVENING + "/hands.csv", evenings.EveningViewSet.as_view({"get": "hands_file"}), name="api-hands-csv"),
    path(EVENING + "/last-hand", ClosingViewSet.as_view({"post": "last_hand"}), name="api-evening-last"),
    path(EVENING + "/close", ClosingViewSet.as_view({"post": "close"}), name="api-evening-close"),
    path(EVENING + "/close/preview", ClosingViewSet.as_view({"post": "close_preview"}), name="api-close-preview"),
    path(EVENING + "/cash-outs", closing.CashOuts.as_view(), name="api-cash-outs"),
    path(EVENING + "/reopen", ClosingViewSet.as_view({"post": "reopen"}), name="api-evening-reopen"),
    path(EVENING + "/settlement", closing.Settlement.as_view(), name="api-settlement"),
    path(EVENING + "/payments", ClosingViewSet.as_view({"post": "pay"}), name="api-payments"),
    path(EVENING + "/receipts", shows_secret(ClosingViewSet.as_view({"get": "receipts"})), name="api-receipts"),
    path(CLUB + "/debts", closing.Debts.as_view(), name="api-debts"),
    path(CLUB + "/debts.csv", closing.DebtsFile.as_view(), name="api-debts-csv"),
    path(CLUB + "/rules", rules.RulesViewSet.as_view({"get": "retrieve", "post": "create"}), name="api-rules"),
    path(CLUB + "/rules/preview", rules.RulesViewSet.as_view({"post": "preview"}), name="api-rules-preview"),
    path(CLUB + "/seasons/<slug:season>/replay", rules.SeasonReplay.as_view(), name="api-season-replay"),
    path(CLUB + "/sheet-codes/<str:code>", paper.SheetCode.as_view(), name="api-sheet-code"),
    path(TABLE + "/typed-lines", paper.TypedLineViewSet.as_view({"post": "create"}), name="api-typed-lines"),
    path(
        TABLE + "/typed-lines/preview",
        paper.TypedLineViewSet.as_view({"post": "preview"}),
        name="api-typed-lines-preview",
    ),
    path(TABLE + "/pencil", pencil.TablePencil.as_view(), name="api-pencil"),
    path(TABLE + "/difference-finder", corrections.DifferenceFinder.as_view(), name="api-difference-finder"),
    path(HAND + "/history", hands.HandHistoryViewSet.as_view({"get": "list"}), name="api-hand-history"),
]
