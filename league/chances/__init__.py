"""The chances of a season under its formula, by simulated evenings; the result that a player needs tonight."""
