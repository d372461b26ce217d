"""The formula of a season: its parts as data, the ranking by them, presets, storage and pages."""
