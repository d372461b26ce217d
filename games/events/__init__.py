"""Entries of the audit log and messages of webhooks about tables, hands and evenings."""
