from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Register with the league: the check of players to be merged, the personal data of the games, the hands of
        evenings with their luck, the tables of tournaments, the hands of imported files, the report on an evening as a
        large file, the scenes of the pub screen, the hand of the night of a message, the disputes that were answered,
        and texts of the audit log."""
        from league.career import news
        from league.imports import hands as imported_hands
        from league.luck import recorded as luck_recorded
        from league.player_messages import hand_of_the_night
        from league.pub_screen import scenes
        from league.roster import merging
        from league.standings import evening_hands, recorded_hands
        from league.tournaments import tables

        from .closing import audit_texts as closing_texts
        from .disputes.news import disputes_answered
        from .evening import audit_texts as evening_texts
        from .evening import versions as evening_versions  # noqa: F401 - as those of the league
        from .evening.highlights import night_hand
        from .evening.large_files import register_report
        from .evening.luck_hands import read_hands
        from .evening.pub_scenes import evening_scenes, screen_state
        from .evening.recorded_hands import StoredRecords
        from .evening.stored_hands import stored_hands
        from .events import audit_texts as events_texts
        from .imports.port import FileHands
        from .integrity import privacy
        from .integrity.same_person import sat_together
        from .table import versions as table_versions  # noqa: F401
        from .tournaments.round_tables import GameTables

        privacy.register()
        evening_hands.register(stored_hands)
        recorded_hands.register(StoredRecords())
        luck_recorded.register(read_hands)
        tables.register(GameTables())
        imported_hands.register(FileHands())
        for texts in (closing_texts, evening_texts, events_texts):
            texts.register()
        register_report()
        hand_of_the_night.register(night_hand)
        news.register(disputes_answered)
        scenes.register(evening_scenes)
        scenes.register_state(screen_state)
        if sat_together not in merging.seated_together_checks:
            merging.seated_together_checks.append(sat_together)
