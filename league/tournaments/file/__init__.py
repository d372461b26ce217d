"""One file that holds a whole tournament: export and import."""
