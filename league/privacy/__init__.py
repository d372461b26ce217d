"""What is kept of a person, who sees it, and how it leaves again."""
