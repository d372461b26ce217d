"""Seasons in which ranks are counted in another way are counted again.

Somebody who got a share of a pot alone had a rank, and a formula counted evenings of somebody alone at the table as won.
"""

from django.db import migrations

COUNT_AGAIN = """UPDATE league_season SET ledger_mark = ledger_mark + 1
WHERE formula_version IS NOT NULL OR id IN (
    SELECT season_id FROM league_eveningscore WHERE hands = 0 AND points = 0 AND change_minor <> 0)"""


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0028_season_own_settings"),
    ]

    operations = [
        migrations.RunSQL(COUNT_AGAIN, migrations.RunSQL.noop),
    ]
