"""The club admin: the pages for people, roster, seasons, settings and the audit log of a club."""
