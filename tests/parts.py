"""The words by which a part of a test run chooses its files; standard library only."""

SERVERS_ALONE = ("needs_postgres", "needs_redis", "servers_only")
WORDS = {"servers": ("both_databases", *SERVERS_ALONE), "quick": ("mark.services",)}
"""A part imports a file only if its text has one of these words."""
WORDS_OF_THE_REST = ("mark.rest", "mark.sized", "mark.browser")
