"""The pub screen: a club's evening on a television, in scenes that turn by themselves. `docs/pub-screen.md`."""
