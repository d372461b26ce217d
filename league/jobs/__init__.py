"""The regular work of all rooms that a worker looks for by itself."""
