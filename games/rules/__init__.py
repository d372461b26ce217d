"""House rules as a contract: as sentences, in worked situations, by version, and tried out on a past season."""
