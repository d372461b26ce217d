"""Notify other programs: messages are stored in the database, signed, and sent by workers."""
