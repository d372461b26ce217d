"""House rules as a contract: in words, in worked situations, version by version, and tried out on a past season."""
