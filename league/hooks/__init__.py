"""Telling other programs what happened: messages kept in the database, signed, and sent by workers."""
