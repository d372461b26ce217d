"""The game nights for programs: evenings, tables, hands, corrections, money, house rules, under `/api/v1/`."""
