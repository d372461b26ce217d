"""Addresses of the game nights for programs; they go on below those of the league's resources."""

from django.urls import path

from . import corrections, disputes, evenings, hands, money, paper, pencils, rules, tables

CLUB = "clubs/<slug:club>"
EVENING = CLUB + "/evenings/<int:evening>"
TABLE = CLUB + "/tables/<int:table>"
HAND = TABLE + "/hands/<int:number>"

urlpatterns = [
    path("replay", hands.Replay.as_view(), name="api-replay"),
    path("receipts/<str:token>", money.ReceiptByToken.as_view(), name="api-receipt"),
    path(CLUB + "/evenings", evenings.Evenings.as_view(), name="api-evenings"),
    path(EVENING, evenings.EveningNow.as_view(), name="api-evening"),
    path(EVENING + "/hands.csv", evenings.EveningHandsFile.as_view(), name="api-hands-csv"),
    path(EVENING + "/sheet.pdf", evenings.EveningSheet.as_view(), name="api-evening-sheet"),
    path(EVENING + "/corrections", corrections.EveningCorrections.as_view(), name="api-evening-corrections"),
    path(EVENING + "/last-hand", money.EveningLastHand.as_view(), name="api-evening-last"),
    path(EVENING + "/close", money.EveningClose.as_view(), name="api-evening-close"),
    path(EVENING + "/close/preview", money.EveningClosePreview.as_view(), name="api-close-preview"),
    path(EVENING + "/reopen", money.EveningReopen.as_view(), name="api-evening-reopen"),
    path(EVENING + "/settlement", money.EveningSettlement.as_view(), name="api-settlement"),
    path(EVENING + "/payments", money.EveningPayments.as_view(), name="api-payments"),
    path(EVENING + "/receipts", money.EveningReceipts.as_view(), name="api-receipts"),
    path(CLUB + "/debts", money.Debts.as_view(), name="api-debts"),
    path(CLUB + "/debts.csv", money.DebtsFile.as_view(), name="api-debts-csv"),
    path(CLUB + "/rules", rules.Rules.as_view(), name="api-rules"),
    path(CLUB + "/rules/preview", rules.RulesPreview.as_view(), name="api-rules-preview"),
    path(CLUB + "/seasons/<slug:season>/replay", rules.SeasonReplay.as_view(), name="api-season-replay"),
    path(CLUB + "/codes/<str:code>", paper.SheetCode.as_view(), name="api-sheet-code"),
    path(TABLE, tables.TableNow.as_view(), name="api-table"),
    path(TABLE + "/acts", tables.Acts.as_view(), name="api-acts"),
    path(TABLE + "/acts/preview", tables.ActPreview.as_view(), name="api-act-preview"),
    path(TABLE + "/lines", paper.Lines.as_view(), name="api-lines"),
    path(TABLE + "/lines/preview", paper.LinesPreview.as_view(), name="api-lines-preview"),
    path(TABLE + "/pencil", pencils.TablePencil.as_view(), name="api-pencil"),
    path(TABLE + "/difference", corrections.Difference.as_view(), name="api-difference"),
    path(TABLE + "/corrections", corrections.Corrections.as_view(), name="api-corrections"),
    path(TABLE + "/corrections/preview", corrections.CorrectionPreview.as_view(), name="api-correction-preview"),
    path(TABLE + "/hands", hands.Hands.as_view(), name="api-hands"),
    path(TABLE + "/hands/preview", hands.HandsPreview.as_view(), name="api-hand-preview"),
    path(HAND, hands.Hand.as_view(), name="api-hand"),
    path(HAND + "/cash", hands.HandCash.as_view(), name="api-hand-cash"),
    path(HAND + "/void", hands.HandVoid.as_view(), name="api-hand-void"),
    path(HAND + "/history", hands.HandHistory.as_view(), name="api-hand-history"),
    path(HAND + "/steps", hands.HandSteps.as_view(), name="api-hand-steps"),
    path(HAND + "/disputes", disputes.HandDisputes.as_view(), name="api-disputes"),
    path(HAND + "/disputes/withdraw", disputes.DisputeWithdraw.as_view(), name="api-dispute-withdraw"),
    path(HAND + "/disputes/settle", disputes.DisputeSettle.as_view(), name="api-dispute-settle"),
    path(CLUB + "/disputes", disputes.ClubDisputes.as_view(), name="api-club-disputes"),
]
