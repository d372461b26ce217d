"""Keys for programs: making, listing and revoking them."""
