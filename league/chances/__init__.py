"""What may still happen in a season: chances under its formula, by simulated evenings; what a player needs tonight."""
