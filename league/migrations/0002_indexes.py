from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0001_tables"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="resultrow",
            index=models.Index(fields=["season", "id"], name="result_season_id"),
        ),
        migrations.AddIndex(
            model_name="resultrow",
            index=models.Index(
                condition=models.Q(("seat", 0), models.Q(("role", "share"), _negated=True)),
                fields=["evening"],
                name="result_hand_of_evening",
            ),
        ),
        migrations.AddIndex(
            model_name="transfer",
            index=models.Index(fields=["season", "id"], name="transfer_season_id"),
        ),
    ]
