"""The night as it is: who comes and goes, where they sit, who deals, tables that are divided and joined."""
