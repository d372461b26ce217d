"""Putting a stored hand right: the list of a table's hands, the edits of it, and what they come to."""
