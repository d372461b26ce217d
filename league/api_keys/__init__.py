"""API keys: creating, listing and revoking them."""
