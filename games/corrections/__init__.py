"""Corrections of stored hands: the list of a table's hands, the edits of it, their previews and pages."""
