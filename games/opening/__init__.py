"""Opening a club in the browser: its name and game, who may read it, who plays; then the table."""
