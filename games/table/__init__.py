"""The recorder's screen of a table: the entry of a hand, its preview, the pencil, the live view."""
