"""URLs of the games' API, below `/api/v1/` beside those of the league's API."""

from django.urls import include, path

from . import closing, corrections, disputes, evenings, hands, paper, pencil, rules, tables

CLUB = "clubs/<slug:club>"
EVENING = CLUB + "/evenings/<int:evening>"
TABLE = CLUB + "/tables/<int:table>"

AT_TABLE = [
    path("seating-changes", tables.SeatingChanges.as_view(), name="api-seating-changes"),
    path("seating-changes/preview", tables.SeatingChangePreview.as_view(), name="api-seating-change-preview"),
    path("typed-lines", paper.TypedLines.as_view(), name="api-typed-lines"),
    path("typed-lines/preview", paper.TypedLinesPreview.as_view(), name="api-typed-lines-preview"),
    path("pencil", pencil.TablePencil.as_view(), name="api-pencil"),
    path("difference-finder", corrections.DifferenceFinder.as_view(), name="api-difference-finder"),
    path("corrections", corrections.Corrections.as_view(), name="api-corrections"),
    path("corrections/preview", corrections.CorrectionPreview.as_view(), name="api-correction-preview"),
    path("hands", hands.Hands.as_view(), name="api-hands"),
    path("hands/preview", hands.HandsPreview.as_view(), name="api-hand-preview"),
    path("hands/<int:number>", hands.HandDetail.as_view(), name="api-hand"),
    path("hands/<int:number>/cash", hands.HandCash.as_view(), name="api-hand-cash"),
    path("hands/<int:number>/void", hands.HandVoid.as_view(), name="api-hand-void"),
    path("hands/<int:number>/history", hands.HandHistory.as_view(), name="api-hand-history"),
    path("hands/<int:number>/steps", hands.HandSteps.as_view(), name="api-hand-steps"),
    path("hands/<int:number>/disputes", disputes.HandDisputes.as_view(), name="api-disputes"),
    path("hands/<int:number>/disputes/withdraw", disputes.DisputeWithdraw.as_view(), name="api-dispute-withdraw"),
    path("hands/<int:number>/disputes/settle", disputes.DisputeSettle.as_view(), name="api-dispute-settle"),
]
"""Below the address of a table."""

urlpatterns = [
    # The first of all: hands are sent more often than anything else, and each pattern above would cost them time.
    path(TABLE + "/", include(AT_TABLE)),
    path(TABLE, tables.TableDetail.as_view(), name="api-table"),
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
    path(CLUB + "/disputes", disputes.ClubDisputes.as_view(), name="api-club-disputes"),
]
