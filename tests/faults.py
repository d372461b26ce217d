"""Which tests prove which promise against which fault; `make faults` runs them (`scripts/faults.py`). Standard library
only."""

from __future__ import annotations

from dataclasses import dataclass

PROMISES = {
    "P4": "one key, one hand, one answer",
    "P5": "of two recorders with one hand number one stores it",
    "P6": "what was answered 201 survives the death of web server and database",
    "P7": "every accepted hand is counted, wherever a worker dies",
    "P8": "hands go in without Redis, and are counted when it is back",
    "P14": "a backup restores an identical ledger",
    "P15": "no submit fails during an upgrade",
    "P16": "every limit holds without Redis",
    "P17": "a database that is away is a 503, and every client goes on by itself",
    "P18": "a night without a network loses nothing",
    "P19": "slow or silent peers never silence the server",
}

WEB = "web server killed"
WORKER = "worker killed"
CLOCK = "clock killed"
DATABASE = "database killed"
REPLICA = "replica killed, replica behind"
REDIS = "Redis refused, hung, reset, full, emptied"
DISK = "disk full"
TIME = "clocks one hour ahead and behind"
CONNECTION = "connection lost in a transaction"
TASKS = "tasks twice and out of order"
AT_ONCE = "many at once"
LINE = "answers and networks lost"
UPGRADE = "tables migrated, nodes restarted"
DAMAGED = "damaged and half files"
SLOW = "slow and silent peers"
KINDS = (WEB, WORKER, CLOCK, DATABASE, REPLICA, REDIS, DISK, TIME, CONNECTION, TASKS)
"""Each of these has a test."""


@dataclass(frozen=True)
class Proof:
    """Tests, as FILE::FUNCTION with FILE in the folder `tests`, that prove a promise against a fault; `long` ones run
    only at night."""

    promise: str
    fault: str
    tests: tuple[str, ...]
    long: bool = False


def proof(promise: str, fault: str, file: str, *functions: str, long: bool = False) -> Proof:
    return Proof(promise, fault, tuple(f"{file}::{function}" for function in functions), long)


KEY_PAGES, KEY_API = "promises/test_one_key_one_hand.py", "promises/test_one_key_over_the_api.py"
MACHINES = "promises/test_several_machines.py"
ONE_OF_EACH = "test_one_of_each_killed_loses_nothing_and_does_nothing_twice"
AWAY = "platform/test_database_away.py"
COUNTING, JOBS = "promises/test_counting.py", "security/test_killed_jobs.py"
FULL_DISK, WRONG_CLOCKS = "promises/test_full_disk.py", "promises/test_wrong_clocks.py"
NIGHT = "promises/test_night_without_network.py"
REDIS_AWAY = "security/test_redis_away.py"

PROOFS = (
    proof(
        *("P4", AT_ONCE, KEY_PAGES),
        "test_a_key_sent_32_times_at_once_is_one_hand_and_one_answer",
        "test_the_same_key_with_another_hand_is_refused",
        "test_a_hand_voided_twice_at_once_is_voided_once",
        "test_without_the_unique_key_the_answers_differ",
    ),
    proof(
        *("P4", AT_ONCE, KEY_API),
        "test_a_key_sent_32_times_at_once_is_one_hand_and_one_answer",
        "test_a_key_sent_32_times_at_once_is_one_invitation_and_one_answer",
        "test_without_the_unique_answer_the_answers_differ",
    ),
    proof("P4", LINE, KEY_PAGES, "test_a_repeated_request_gets_the_answer_that_was_lost"),
    proof("P4", LINE, KEY_API, "test_a_repeated_request_gets_the_answer_that_was_lost"),
    proof(
        *("P4", WEB, "promises/test_killed_between_statements.py"),
        "test_a_server_killed_after_any_statement_stores_all_or_nothing",
        "test_without_the_transaction_half_a_hand_is_stored",
    ),
    proof(
        *("P4", CONNECTION, "promises/test_connection_lost.py"),
        "test_a_connection_lost_after_any_statement_stores_nothing_and_is_no_fault_of_the_program",
        "test_without_the_transaction_half_a_hand_is_stored",
    ),
    proof(
        *("P5", AT_ONCE, KEY_PAGES),
        "test_of_recorders_with_different_keys_one_stores_the_hand_and_the_others_are_refused",
        "test_of_recorders_with_one_number_one_stores_its_hand_and_the_others_see_both",
    ),
    proof(
        *("P5", AT_ONCE, KEY_API),
        "test_of_programs_with_different_keys_one_stores_its_hand_and_the_others_are_refused",
    ),
    proof("P5", TIME, WRONG_CLOCKS, "test_hands_of_nodes_with_wrong_clocks_stay_in_order_and_are_counted"),
    proof("P6", WEB, "promises/test_acknowledged.py", "test_a_hand_answered_201_survives_kills_with_sqlite"),
    proof(
        *("P6", DATABASE, "promises/test_acknowledged.py"),
        "test_a_hand_answered_201_survives_kills_of_web_server_and_postgresql",
        "test_without_the_wait_for_the_log_answered_hands_are_lost",
    ),
    proof("P6", WEB, MACHINES, ONE_OF_EACH),
    proof("P6", DISK, FULL_DISK, "test_a_full_disk_loses_no_hand_and_is_no_fault_of_the_program"),
    proof(
        *("P7", WORKER, COUNTING),
        "test_a_worker_killed_while_it_counts_loses_nothing",
        "test_hands_stored_without_a_worker_are_counted_by_the_sweep",
    ),
    proof(
        *("P7", WORKER, JOBS),
        "test_a_worker_killed_in_the_middle_leaves_the_work_to_the_next",
        "test_a_worker_killed_before_any_statement_leaves_the_work_to_the_next",
    ),
    proof(
        *("P7", WORKER, "league/test_webhooks_worker.py"),
        "test_a_worker_killed_after_sending_sends_the_message_again_with_its_id",
    ),
    proof(
        *("P7", CLOCK, "platform/test_clocks.py"),
        "test_another_clock_goes_on_when_one_is_killed",
        "test_without_the_turn_both_clocks_send",
    ),
    proof("P7", CLOCK, MACHINES, ONE_OF_EACH),
    proof(
        *("P7", TASKS, "promises/test_wake_ups.py"),
        "test_the_sweep_ends_the_wait_for_a_task_that_was_lost",
        "test_a_hand_stored_while_its_season_is_counted_wakes_a_worker",
        "test_if_the_key_is_deleted_after_the_count_that_hand_waits_for_the_sweep",
    ),
    proof(
        *("P7", TASKS, "promises/test_tasks_twice.py"),
        "test_a_second_run_of_a_task_changes_nothing",
        "test_tasks_in_any_order_and_number_do_all_work_once",
        "test_copies_of_tasks_in_two_workers_do_all_work_once",
        "test_without_the_claim_a_message_is_sent_twice",
        "test_without_the_mark_a_second_count_counts_again",
    ),
    proof(
        *("P7", TIME, WRONG_CLOCKS),
        "test_a_turn_that_a_wrong_clock_took_ends_in_its_time",
        "test_by_the_clock_of_the_machine_it_would_not",
        "test_a_turn_that_a_wrong_clock_took_for_an_hour_is_free_at_once",
        "test_a_turn_within_its_time_is_not_free",
        "test_a_sweep_that_a_wrong_clock_began_stops_no_other_one",
    ),
    proof("P7", TASKS, COUNTING, "test_a_second_count_changes_nothing"),
    proof("P8", REDIS, "promises/test_redis_faults.py", "test_hands_go_in_and_are_counted_when_redis_is_back"),
    proof(
        *("P8", REDIS, "platform/test_broker.py"),
        "test_a_wake_up_never_waits_long_and_never_raises",
        "test_without_the_pause_every_wake_up_waits",
    ),
    proof("P8", REDIS, "promises/test_wake_ups.py", "test_while_redis_is_away_no_season_counts_as_woken"),
    proof(
        *("P14", AT_ONCE, "platform/test_restore.py"),
        "test_a_backup_under_writes_is_restored_row_by_row",
        "test_a_backup_under_writes_is_restored_on_postgresql",
    ),
    proof(
        *("P14", DAMAGED, "platform/test_restore.py"),
        "test_one_bit_cut_off_or_no_backup_at_all_is_refused",
        "test_another_ledger_than_that_of_the_manifest_is_refused_also_with_a_right_digest",
        "test_a_dump_that_postgresql_refuses_leaves_the_database_empty",
    ),
    proof("P14", DAMAGED, "platform/test_backup.py", "test_a_backup_that_is_stopped_leaves_no_half_file"),
    proof(
        *("P14", DATABASE, "platform/test_log_archive.py"),
        "test_the_log_brings_back_what_was_stored_after_the_base_backup",
    ),
    proof(
        *("P14", DISK, "platform/test_backup.py"),
        "test_a_dump_takes_the_place_of_the_earlier_one_only_when_it_is_whole",
    ),
    proof("P14", DISK, FULL_DISK, "test_a_backup_on_a_full_disk_keeps_the_one_before"),
    proof(
        *("P15", UPGRADE, "promises/test_upgrade.py"),
        "test_no_submit_fails_during_an_upgrade_and_the_way_back",
        "test_a_migration_that_does_more_than_add_fails_submits",
        "test_nodes_of_the_next_version_before_its_migrations_fail_submits",
        "test_nodes_that_are_stopped_together_fail_submits",
    ),
    proof(
        *("P15", UPGRADE, "promises/test_upgrade_locks.py"),
        "test_a_hand_is_stored_while_a_migration_finds_its_table_in_use",
        "test_a_migration_that_waits_lets_every_hand_wait",
        "test_an_index_that_is_built_beside_the_service_may_wait",
    ),
    proof(
        "P15", UPGRADE, "platform/test_migrations_only_add.py", "test_each_migration_after_the_first_release_only_adds"
    ),
    proof(
        *("P16", REDIS, REDIS_AWAY),
        "test_codes_are_checked_five_times",
        "test_without_own_counters_every_code_is_checked",
        "test_twenty_requests_of_each_kind_send_four_mails",
        "test_without_own_counters_every_request_sends_a_mail",
        "test_passwords_are_hashed_five_times",
        "test_without_own_counters_every_password_is_hashed",
        "test_the_limits_of_the_api_hold",
        "test_without_own_counters_the_api_has_no_limits",
        "test_signing_in_takes_three_seconds_at_most",
    ),
    proof(
        *("P17", DATABASE, AWAY),
        "test_a_night_goes_on_over_three_restarts_of_postgresql",
        "test_a_night_goes_on_over_three_restarts_with_sqlite",
        "test_without_the_distinction_it_is_a_500",
    ),
    proof(
        *("P17", REPLICA, "promises/test_replica.py"),
        "test_a_replica_that_is_behind_answers_no_page",
        "test_without_its_replica_a_page_is_read_from_the_primary",
    ),
    proof("P17", DISK, AWAY, "test_a_full_database_is_away", "test_states_of_postgresql"),
    proof(
        *("P17", CONNECTION, "platform/test_broker.py"),
        "test_a_worker_keeps_its_connection_and_replaces_a_broken_one",
        "test_without_the_check_a_task_fails_on_a_broken_connection",
    ),
    proof("P18", LINE, NIGHT, "test_a_hard_night"),
    proof(
        *("P18", LINE, NIGHT),
        "test_a_night_of_kratzen_equals_the_plain_model",
        "test_without_a_guard_a_night_differs_from_the_plain_model",
        long=True,
    ),
    proof(
        *("P18", LINE, "browser/test_night_choice_killed.py"),
        "test_a_battery_that_ends_while_the_choice_is_written_leaves_all_hands_as_they_were",
    ),
    proof(
        *("P19", SLOW, "security/test_slow_peers.py"),
        "test_idle_and_slow_connections_occupy_no_thread",
        "test_a_slow_connection_is_closed_after_its_time",
        "test_behind_nginx_slow_peers_block_nothing",
    ),
)

LONG = {
    "RACE_KEYS": "2500",
    "RACE_HANDS": "5000",
    "KILLS": "1000",
    "WORKER_KILLS": "500",
    "REDIS_CYCLES": "60",
    "BACKUP_HANDS": "100000",
    "UPGRADE_SECONDS": "600",
    "RESTARTS": "100",
    "NIGHTS": "200",
}
"""What `make faults-long` tries, on each database that a test is for, in place of the full sizes of a run."""
