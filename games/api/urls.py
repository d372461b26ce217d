"""URLs of the games' API, below `/api/v1/` beside those of the league's API."""

from django.urls import path

from . import closing, corrections, disputes, evenings, hands, paper, pencil, rules, tables

CLUB = "clubs/<slug:club>"
EVENING = CLUB + "/evenings/<int:evening>"
TABLE = CLUB + "/tables/<int:table>"
HAND = TABLE + "/hands/<int:number>"

urlpatterns = [
    # First, because hands are sent most often, and each address before it would be tried for them.
    path(TABLE + "/hands", hands.Hands.as_view(), name="api-hands"),
    path("hand-records/check", hands.HandRecordCheck.as_view(), name="api-hand-record-check"),
    path("receipts/<str:token>", closing.ReceiptByToken.as_view(), name="api-receipt"),
    path(CLUB + "/evenings", evenings.Evenings.as_view(), name="api-evenings"),
    path(EVENING, evenings.EveningDetail.as_view(), name="api-evening"),
    path(EVENING + "/hands.csv", evenings.EveningHandsFile.as_view(), name="api-hands-csv"),
    path(EVENING + "/sheet.pdf", evenings.EveningSheet.as_view(), name="api-evening-sheet"),
    path(EVENING + "/corrections", corrections.EveningCorrections.as_view(), name="api-evening-corrections"),
    path(EVENING + "/last-hand", closing.EveningLastHand.as_view(), name="api-evening-last"),
    path(EVENING + "/close", closing.EveningClose.as_view(), name="api-evening-close"),
    path(EVENING + "/close/preview", closing.EveningClosePreview.as_view(), name="api-close-preview"),
    path(EVENING + "/cash-outs", closing.EveningCashOuts.as_view(), name="api-cash-outs"),
    path(EVENING + "/reopen", closing.EveningReopen.as_view(), name="api-evening-reopen"),
    path(EVENING + "/settlement", closing.EveningSettlement.as_view(), name="api-settlement"),
    path(EVENING + "/payments", closing.EveningPayments.as_view(), name="api-payments"),
    path(EVENING + "/receipts", closing.EveningReceipts.as_view(), name="api-receipts"),
    path(CLUB + "/debts", closing.Debts.as_view(), name="api-debts"),
    path(CLUB + "/debts.csv", closing.DebtsFile.as_view(), name="api-debts-csv"),
    path(CLUB + "/rules", rules.Rules.as_view(), name="api-rules"),
    path(CLUB + "/rules/preview", rules.RulesPreview.as_view(), name="api-rules-preview"),
    path(CLUB + "/seasons/<slug:season>/replay", rules.SeasonReplay.as_view(), name="api-season-replay"),
    path(CLUB + "/sheet-codes/<str:code>", paper.SheetCode.as_view(), name="api-sheet-code"),
    path(TABLE, tables.TableDetail.as_view(), name="api-table"),
    path(TABLE + "/seating-changes", tables.SeatingChanges.as_view(), name="api-seating-changes"),
    path(TABLE + "/seating-changes/preview", tables.SeatingChangePreview.as_view(), name="api-seating-change-preview"),
    path(TABLE + "/typed-lines", paper.TypedLines.as_view(), name="api-typed-lines"),
    path(TABLE + "/typed-lines/preview", paper.TypedLinesPreview.as_view(), name="api-typed-lines-preview"),
    path(TABLE + "/pencil", pencil.TablePencil.as_view(), name="api-pencil"),
    path(TABLE + "/difference-finder", corrections.DifferenceFinder.as_view(), name="api-difference-finder"),
    path(TABLE + "/corrections", corrections.Corrections.as_view(), name="api-corrections"),
    path(TABLE + "/corrections/preview", corrections.CorrectionPreview.as_view(), name="api-correction-preview"),
    path(TABLE + "/hands/preview", hands.HandsPreview.as_view(), name="api-hand-preview"),
    path(HAND, hands.HandDetail.as_view(), name="api-hand"),
    path(HAND + "/cash", hands.HandCash.as_view(), name="api-hand-cash"),
    path(HAND + "/void", hands.HandVoid.as_view(), name="api-hand-void"),
    path(HAND + "/history", hands.HandHistory.as_view(), name="api-hand-history"),
    path(HAND + "/steps", hands.HandSteps.as_view(), name="api-hand-steps"),
    path(HAND + "/disputes", disputes.HandDisputes.as_view(), name="api-disputes"),
    path(HAND + "/disputes/withdraw", disputes.DisputeWithdraw.as_view(), name="api-dispute-withdraw"),
    path(HAND + "/disputes/settle", disputes.DisputeSettle.as_view(), name="api-dispute-settle"),
    path(CLUB + "/disputes", disputes.ClubDisputes.as_view(), name="api-club-disputes"),
]
