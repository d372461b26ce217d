"""The formula of a season: its parts as data, the ranking that follows from them, presets, storage and pages."""
