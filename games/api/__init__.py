"""The games' API under `/api/v1/`: evenings, tables, hands, corrections, closings, disputes, house rules."""
