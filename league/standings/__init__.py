"""Seasons: counting, standings, statistics, charts, pages and files."""
