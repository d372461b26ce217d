"""Messages to players by mail or push: the result of an evening, a reminder of a planned one. `docs/messages.md`."""
