"""People's accounts: signing in, second factors, sessions, and the invitations that let somebody into a club."""
