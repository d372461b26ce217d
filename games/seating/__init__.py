"""Seating changes of tables between two hands: their plain data, services, preview, page and timeline."""
