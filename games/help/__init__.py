"""Personal data: cache headers, free text, the export, forgetting, and removal after a time."""
