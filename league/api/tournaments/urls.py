"""Addresses of the API of tournaments, below `/api/v1/`."""

from django.urls import path

from . import draws, entrants, events, rounds

CLUB = "clubs/<slug:club>"
TOURNAMENT = CLUB + "/tournaments/<slug:tournament>"
ENTRANT = TOURNAMENT + "/entrants/<int:number>"
DRAW = TOURNAMENT + "/draws/<int:draw>"
ROUND = TOURNAMENT + "/rounds/<int:number>"

urlpatterns = [
    path(CLUB + "/tournaments", events.Tournaments.as_view(), name="api-tournaments"),
    path(CLUB + "/tournament-presets", events.TournamentPresets.as_view(), name="api-tournament-presets"),
    path(TOURNAMENT, events.TournamentDetail.as_view(), name="api-tournament"),
    path(TOURNAMENT + "/format", events.TournamentFormat.as_view(), name="api-tournament-format"),
    path(TOURNAMENT + "/outlook", events.TournamentOutlook.as_view(), name="api-tournament-outlook"),
    path(TOURNAMENT + "/state", events.TournamentState.as_view(), name="api-tournament-state"),
    path(TOURNAMENT + "/desk", events.TournamentDesk.as_view(), name="api-tournament-desk"),
    path(TOURNAMENT + "/desk/<int:person>", events.TournamentDeskMember.as_view(), name="api-tournament-desk-member"),
    path(TOURNAMENT + "/award", events.TournamentAward.as_view(), name="api-tournament-award"),
    path(TOURNAMENT + "/ranking", events.TournamentRanking.as_view(), name="api-tournament-ranking"),
    path(TOURNAMENT + "/entrants", entrants.TournamentEntrants.as_view(), name="api-entrants"),
    path(ENTRANT, entrants.TournamentEntrant.as_view(), name="api-entrant"),
    path(ENTRANT + "/check-in", entrants.EntrantCheckIn.as_view(), name="api-entrant-check-in"),
    path(ENTRANT + "/paid", entrants.EntrantPaid.as_view(), name="api-entrant-paid"),
    path(ENTRANT + "/withdraw", entrants.EntrantWithdraw.as_view(), name="api-entrant-withdraw"),
    path(ENTRANT + "/come-back", entrants.EntrantComeBack.as_view(), name="api-entrant-come-back"),
    path(ENTRANT + "/substitute", entrants.EntrantSubstitute.as_view(), name="api-entrant-substitute"),
    path(TOURNAMENT + "/draws", draws.TournamentDraws.as_view(), name="api-draws"),
    path(TOURNAMENT + "/draws/again", draws.DrawAgain.as_view(), name="api-draw-again"),
    path(TOURNAMENT + "/draws/take-back", draws.DrawTakeBack.as_view(), name="api-draw-take-back"),
    path(DRAW, draws.TournamentDraw.as_view(), name="api-draw"),
    path(DRAW + "/swap", draws.DrawSwap.as_view(), name="api-draw-swap"),
    path(DRAW + "/publish", draws.DrawPublish.as_view(), name="api-draw-publish"),
    path(TOURNAMENT + "/rounds", rounds.TournamentRounds.as_view(), name="api-rounds"),
    path(ROUND, rounds.TournamentRound.as_view(), name="api-round"),
    path(ROUND + "/tables", rounds.RoundTables.as_view(), name="api-round-tables"),
    path(ROUND + "/clock", rounds.RoundClock.as_view(), name="api-round-clock"),
    path(ROUND + "/start", rounds.RoundStart.as_view(), name="api-round-start"),
    path(ROUND + "/unstart", rounds.RoundUnstart.as_view(), name="api-round-unstart"),
    path(ROUND + "/pause", rounds.RoundPause.as_view(), name="api-round-pause"),
    path(ROUND + "/resume", rounds.RoundResume.as_view(), name="api-round-resume"),
    path(ROUND + "/minutes", rounds.RoundMinutes.as_view(), name="api-round-minutes"),
    path(ROUND + "/finish", rounds.RoundFinish.as_view(), name="api-round-finish"),
    path(ROUND + "/reopen", rounds.RoundReopen.as_view(), name="api-round-reopen"),
    path(ROUND + "/sheets", rounds.RoundSheets.as_view(), name="api-round-sheets"),
]
