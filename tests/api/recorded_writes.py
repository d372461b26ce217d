"""The writes of the recorded answers: for each operation bodies that fit the world, and what comes before them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.api.recorded_world import World

Before = list[dict[str, Any]]


@dataclass(frozen=True)
class Write:
    """A write that succeeds: arguments of its address that differ, its body, the person, and the requests before it."""

    body: Any = None
    where: dict[str, Any] = field(default_factory=dict)
    before: Before = field(default_factory=list)
    who: str = "owner"


def call(method: str, path: str, body: Any = None, who: str = "owner") -> dict[str, Any]:
    """Return a request that comes before another one."""
    return {"who": who, "method": method, "path": f"/api/v1/clubs/roessli/{path}", "body": body}


def writes(world: World, examples: dict[str, dict[str, Any]], key_in: Any) -> dict[str, dict[str, Write]]:
    """Return the writes of each operation by name. `examples` are the bodies in the description, `key_in` sends a
    request and returns a field of its answer."""
    by_name = {name: {kind: Write(body) for kind, body in bodies.items()} for name, bodies in examples.items()}
    for part in (
        _of_the_club(world),
        _of_money(world),
        _of_people(world),
        _of_evenings(world),
        _of_tables(world, key_in),
    ):
        by_name |= part
    return by_name | _of_tournaments(world) | _of_rounds(world)


def _of_the_club(world: World) -> dict[str, dict[str, Write]]:
    players, closed = world.players, {"season": "2025"}
    rows = [["Datum", "Anna", "Beni"], ["7.8.2026", "8", "3"], ["14.8.2026", "-1", "6"]]
    known = [{"name": "Anna", "player": players["Anna"]}, {"name": "Beni", "player": players["Beni"]}]
    table = {"season": "2026", "rows": rows, "kind": "sheet", "names": known}
    file = {"season": "2026", "kind": "sheet", "file": "RGF0dW07QW5uYTtCZW5pCjcuOC4yMDI2Ozg7Mwo=", "names": known}
    undone = call("POST", "imports", table)
    unplayed = {"slug": "next", "name": "Season 2027/28", "starts_on": "2027-08-01"}
    return {
        "clubs_post": {
            "body": Write(
                {"slug": "baeren", "name": "Chratzclub Bären", "currency": "CHF", "place": "Gossau"},
                who="server admin",
            )
        },
        "imports_post": {"body": Write(table), "file": Write(file)},
        "importCheck_post": {"body": Write(table), "file": Write(file)},
        "importUndo_post": {
            "body": Write(),
            "after another": Write(before=[undone]),
            "of a closed season": Write(where={"stored": world.arguments["closed_import"]}),
        },
        "rules_post": {
            "body": Write({"game": "chratze", "values": {"stake": 50}, "follows": 1}),
            "first": Write({"game": "chratze", "values": {"stake": 50}, "follows": 0}),
        },
        "seasons_post": {"body": Write(unplayed)},
        "plan_post": {
            "body": Write(
                {
                    "days": ["2026-11-27", "2026-12-11"],
                    "begins_at": "20:00",
                    "place": "Restaurant Rössli",
                    "least_players": 4,
                }
            )
        },
        "attendance_put": {"body": Write({"answer": "yes"})},
        "reserves_put": {"body": Write({"players": [players["Beni"], players["Gast"]]})},
        "adjustments_post": {
            "body": Write({"day": "2026-11-20", "player": players["Anna"], "points": -2, "reason": "Came late"})
        },
        "seasonClose_post": {
            "body": Write(where={"season": "next"}, before=[call("POST", "seasons", unplayed)]),
            "with an open evening": Write(),
            "closed": Write(where=closed),
        },
        "seasonReopen_post": {"body": Write({"reason": "An evening was missing"}, where=closed)},
        "teamStays_post": {"body": Write({"player": players["Anna"], "since": "2026-11-20", "team": 2})},
        "teams_post": {"body": Write({"name": "Shields"})},
        "teamDetail_change": {"body": Write({"name": "Shields"})},
        "teamDetail_delete": {
            "body": Write(),
            "empty": Write(where={"number": 3}, before=[call("POST", "seasons/2026/teams", {"name": "Shields"})]),
        },
        "deliveryReplay_post": {"body": Write()},
        "webhookDetail_change": {
            "body": Write({"active": False}),
            "events": Write({"events": ["evening.closed", "hand.stored"]}),
        },
    }


def _of_money(world: World) -> dict[str, dict[str, Write]]:
    players = world.players
    return {
        "kittyEntries_post": {
            "body": Write({"amount_minor": 1250, "day": "2026-11-20", "kind": "spent", "reason": "Two decks of cards"}),
            "brought": Write({"amount_minor": 500, "day": "2026-11-20", "kind": "brought", "player": players["Beni"]}),
        },
        "memberFees_post": {
            "body": Write({"amount_minor": 4000, "day": "2026-11-20", "name": "Member fee 2026", "year": 2026}),
            "own amount": Write(
                {
                    "amount_minor": 4000,
                    "amounts": [{"amount_minor": 2000, "player": players["Beni"]}],
                    "day": "2026-11-20",
                    "name": "Member fee 2025",
                    "players": [players["Anna"], players["Beni"]],
                    "year": 2025,
                }
            ),
        },
        "memberFeeUndo_post": {"body": Write({"reason": "the annual meeting decided otherwise"})},
    }


def _of_people(world: World) -> dict[str, dict[str, Write]]:
    players, people = world.players, world.people.home
    own = {"token": world.arguments["owner key"]}
    return {
        "invitations_post": {"body": Write({"role": "member", "note": "Beni", "player": players["Beni"]})},
        "person_change": {
            "body": Write({"role": "treasurer"}),
            "the last owner": Write({"role": "member"}, where={"person": people.owner.pk}),
        },
        "players_post": {
            "body": Write({"nickname": "Köbi", "guest": False}),
            "taken": Write({"nickname": "Anna", "guest": False}),
        },
        "playerDetail_change": {
            "body": Write({"active": False}),
            "name": Write({"nickname": "Änni", "publicity": "initials", "pseudonym": "Das Ass"}),
        },
        "playerForget_post": {
            "body": Write({"nickname": "Gast"}, where={"player": players["Gast"]}),
            "another name": Write({"nickname": "Beni"}, where={"player": players["Gast"]}),
        },
        "playerMerges_post": {
            "body": Write({"main": players["Beni"], "reason": "Gast is Beni"}, where={"player": players["Gast"]}),
            "itself": Write({"main": players["Gast"], "reason": "no"}, where={"player": players["Gast"]}),
        },
        "playerUnmerge_post": {"body": Write({"reason": "Two cousins"}, where={"player": players["Zwilling"]})},
        "playerTie_put": {
            "body": Write({"person": people.recorder.pk}, where={"player": players["Beni"]}),
            "free": Write({"person": None}, where={"player": players["Anna"]}),
        },
        "keys_post": {
            "body": Write(
                {"name": "Scoreboard", "scopes": ["read"], "club": "roessli", "days": 90}, who="owner in a browser"
            ),
            "by key": Write({"name": "Scoreboard", "scopes": ["read"], "club": "roessli", "days": 90}),
        },
        "keyDetail_delete": {"body": Write(where=own)},
        "myClub_delete": {"body": Write(who="member"), "the last owner": Write()},
    }


def _of_evenings(world: World) -> dict[str, dict[str, Write]]:
    players, ended = world.players, {"evening": world.arguments["closed_evening"]}
    seating = [{"player": players[name]} for name in ("Anna", "Beni", "Carlo")]
    begun = {
        "season": "2026",
        "held_on": "2026-11-21",
        "seating": [*seating, {"guest": "Doro"}],
        "first_dealer": 3,
        "game": "chratze",
        "carry": False,
    }
    marked = {"payments": world.payments, "paid": True, "day": "2026-11-21"}
    leaving = {"player": players["Carlo"], "other": players["Beni"], "outstanding_minor": -10}
    return {
        "evenings_post": {
            "body": Write(begun),
            "zwicken": Write({**begun, "game": "zwicken"}),
            "at dealer 9": Write({**begun, "first_dealer": 9}),
        },
        "eveningCashOuts_post": {"body": Write(leaving), "closed": Write(leaving, where=ended)},
        "eveningClose_post": {
            "body": Write({"pot": "carry", "present": []}),
            "shared": Write({"pot": "share", "present": [players[name] for name in ("Anna", "Beni")]}),
            "closed": Write({"pot": "carry", "present": []}, where=ended),
        },
        "eveningClosePreview_post": {
            "body": Write({"pot": "carry", "present": []}),
            "kitty": Write({"pot": "kitty", "present": []}),
        },
        "eveningPayments_post": {
            "body": Write(marked, where=ended),
            "open": Write(marked),
            "twint": Write({**marked, "way": "twint"}, where=ended),
        },
        "eveningReopen_post": {"body": Write({"reason": "a hand was forgotten"}, where=ended)},
        "debts_post": {
            "body": Write({"payments": world.payments[:2], "day": "2026-11-21"}),
            "none": Write({"payments": ["00000000-0000-4000-8000-000000000001"]}),
        },
    }


def _of_tables(world: World, key_in: Any) -> dict[str, dict[str, Write]]:
    players, table = world.players, world.arguments["table"]
    seats = [players[name] for name in ("Anna", "Beni", "Carlo", "Doris", "Emil")]
    changed = {"declarer": 0, "joiners": [1], "made": [0, 1]}
    hand = {"number": 4, "players": seats, "record": {"declarer": 0, "joiners": [1, 2], "made": [1, 2]}}
    muss = {"cuts": [["x"]], "declarer": 3, "joiners": [0, 1, 2], "tricks": {"3": 2, "0": 1, "1": 1}}
    kratzen = {"table": world.arguments["kratzen_table"]}
    four = {"number": 1, "players": seats[:4], "record": muss}
    edit = {"kind": "changed", "number": 2, "players": seats, "record": changed}
    dropped = {"kind": "removed", "number": 3}
    fingerprints = [
        key_in(call("POST", f"tables/{table}/corrections/preview", body), "fingerprint") for body in (edit,)
    ]
    correction = {**edit, "fingerprint": fingerprints[0], "reason": "tapped the wrong row"}
    lines = {"number": 4, "players": seats, "lines": ["Anna Beni", "0"]}
    arrival = {"kind": "arrive", "guest": "Gust", "after": seats[-1]}
    disputed = {"player": seats[0]}
    raised = [call("POST", f"tables/{table}/hands/1/disputes", {**disputed, "text": "No."}, who="member")]
    return {
        "hands_post": {
            "body": Write(hand),
            "kratzen": Write(four, where=kratzen),
            "out of order": Write({**hand, "number": 9}),
            "impossible": Write({**hand, "record": {"declarer": 0, "joiners": [0], "made": [0]}}),
        },
        "handsPreview_post": {"body": Write({"record": hand["record"]}), "kratzen": Write({"record": muss}, kratzen)},
        "handVoid_post": {
            "body": Write({"reason": "entered twice"}, where={"number": 3}),
            "not the last": Write({"reason": "entered twice"}, where={"number": 1}),
        },
        "corrections_post": {
            "body": Write(correction),
            "an old fingerprint": Write({**correction, "fingerprint": "0" * 64}),
        },
        "correctionPreview_post": {"body": Write(edit), "removed": Write(dropped)},
        "typedLines_post": {"body": Write(lines), "unknown name": Write({**lines, "lines": ["Nobody"]})},
        "typedLinesPreview_post": {
            "body": Write({"number": 4, "lines": ["Anna Beni", "0"]}),
            "unknown name": Write({"number": 4, "lines": ["Anna Beni", "0", "Nobody"]}),
        },
        "seatingChanges_post": {
            "body": Write(arrival),
            "leave": Write({"kind": "leave", "player": seats[4]}),
            "pause": Write({"kind": "pause"}),
        },
        "seatingChangePreview_post": {
            "body": Write(arrival),
            "order": Write({"kind": "order", "players": [seats[1], seats[0], *seats[2:]]}),
        },
        "handDisputes_post": {"body": Write({**disputed, "text": "I made it, with two tricks."}, who="member")},
        "disputeSettle_post": {"body": Write({**disputed, "text": "Corrected."}, before=raised)},
        "disputeWithdraw_post": {"body": Write(disputed, before=raised, who="member")},
    }


def _of_tournaments(world: World) -> dict[str, dict[str, Write]]:
    draft, drawn, playing, ended = ({"tournament": name} for name in ("draft", "drawn", "playing", "ended"))
    draw = {**drawn, "draw": world.arguments["drawn_draw"]}
    new = {"game": "chratze", "name": "Klausturnier", "preset": "evening", "starts_on": "2026-12-05"}
    entered = [{"here": True, "labels": ["Meier"], "player": world.players["Anna"], "team": "Rössli 1"}]
    publish = call("POST", f"tournaments/drawn/draws/{draw['draw']}/publish", {})
    finish = call("POST", "tournaments/playing/rounds/1/finish", {"despite_open": True})
    withdraw = call("POST", "tournaments/drawn/entrants/1/withdraw")
    return {
        "tournaments_post": {"body": Write(new), "unknown preset": Write({**new, "preset": "poker"})},
        "tournamentDetail_change": {
            "body": Write({"closed_tables": [7], "fee": "CHF 15, without a meal"}, where=drawn),
            "ended before it starts": Write({"ends_on": "2026-12-01"}, where=drawn),
        },
        "tournamentAward_put": {
            "body": Write({"points": [10, 6, 3], "season": "2026"}, where=drawn),
            "after the end": Write({"points": [10, 6, 3], "season": "2026"}, where=ended),
        },
        "tournamentDeskMember_put": {"body": Write(where=drawn)},
        "tournamentDeskMember_delete": {"body": Write(where=playing)},
        "tournamentDraws_post": {
            "body": Write({"mode": "balanced", "seed": 7, "left_out": []}, where=drawn),
            "while a round is played": Write({"seed": 7}, where=playing),
            "second round": Write({"seed": 7}, where=playing, before=[finish]),
        },
        "drawAgain_post": {
            "body": Write({}, where=playing, before=[call("POST", "tournaments/playing/rounds/1/unstart")]),
            "nothing drawn": Write({}, where=draft),
        },
        "drawTakeBack_post": {"body": Write(where=drawn, before=[publish]), "begun": Write(where=playing)},
        "drawPublish_post": {"body": Write({}, where=draw)},
        "drawSwap_post": {"body": Write({"a": 2, "b": 5}, where=draw), "nobody": Write({"a": 2, "b": 99}, where=draw)},
        "tournamentEntrants_post": {
            "body": Write({"people": [*entered, {"guest": "Doro", "paid": True}]}, where=drawn),
            "twice": Write({"people": [{"guest": "Zita Drawn"}]}, where=drawn),
        },
        "tournamentEntrant_change": {"body": Write({"labels": ["Meier"], "team": "Rössli 1"}, where=drawn)},
        "tournamentEntrant_delete": {"body": Write(where=drawn), "who plays": Write(where=playing)},
        "entrantCheckIn_post": {
            "body": Write({"here": False}, where=drawn),
            "here already": Write({"here": True}, where=drawn),
        },
        "entrantPaid_post": {"body": Write({"paid": True}, where=drawn)},
        "entrantWithdraw_post": {"body": Write(where=drawn), "who plays": Write(where=playing)},
        "entrantComeBack_post": {"body": Write(where=drawn, before=[withdraw]), "who is here": Write(where=drawn)},
        "entrantSubstitute_post": {"body": Write({"guest": "Doro"}, where=playing, before=[finish])},
        "tournamentFormat_change": {
            "body": Write({"drop_worst": 1, "rounds": 4}, where=draft),
            "begun": Write({"rounds": 4}, where=playing),
        },
        "tournamentState_post": {
            "body": Write({"step": "open"}, where=draft),
            "archive": Write({"step": "archive"}, where=ended),
            "reopen": Write({"step": "reopen", "reason": "A wrong sheet"}, where=ended),
            "not now": Write({"step": "finish"}, where=draft),
        },
    }


def _of_rounds(world: World) -> dict[str, dict[str, Write]]:
    drawn, playing, ended = ({"tournament": name} for name in ("drawn", "playing", "ended"))
    publish = call("POST", f"tournaments/drawn/draws/{world.arguments['drawn_draw']}/publish", {})
    rounds = "tournaments/playing/rounds/1"
    pause = call("POST", f"{rounds}/pause")
    finish = call("POST", f"{rounds}/finish", {"despite_open": True})
    seats = world.arguments["playing_seats"]
    sheet = {
        "table": 1,
        "seats": [{"number": n, "chips": c} for n, c in zip(seats, (30, -40, 4), strict=True)],
        "pot": 6,
    }
    return {
        "roundStart_post": {"body": Write(where=drawn, before=[publish]), "begun": Write(where=playing)},
        "roundUnstart_post": {"body": Write(where=playing)},
        "roundPause_post": {"body": Write(where=playing)},
        "roundResume_post": {"body": Write(where=playing, before=[pause]), "runs": Write(where=playing)},
        "roundMinutes_post": {"body": Write({"minutes": 5}, where=playing)},
        "roundFinish_post": {
            "body": Write({"despite_open": True}, where=playing),
            "open tables": Write({"despite_open": False}, where=playing),
        },
        "roundReopen_post": {
            "body": Write({"reason": "Table 3 handed in a wrong sheet"}, where=playing, before=[finish]),
            "ended": Write({"reason": "A wrong sheet"}, where=ended),
        },
        "roundSheets_post": {
            "body": Write(sheet, where=playing),
            "wrong sum": Write({**sheet, "pot": 7}, where=playing),
        },
    }
