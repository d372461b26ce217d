"""Evenings and a tournament played by the engine's simple player, and the practice club that is filled with them."""
