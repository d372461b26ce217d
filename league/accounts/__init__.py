"""User accounts: signing in, second factors, sessions, and invitations to a club."""
