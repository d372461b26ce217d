"""How much of it was luck: what hands were worth on average in situations like theirs, against what they brought."""
