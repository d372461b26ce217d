"""Messages to players by mail: the result of an evening, and a reminder of a planned one. `docs/messages.md`."""
