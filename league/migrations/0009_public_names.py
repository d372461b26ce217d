import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0008_kept_answers")]

    operations = [
        migrations.AddField(
            model_name="club",
            name="names_mark",
            field=models.PositiveIntegerField(default=0, editable=False),
        ),
        migrations.CreateModel(
            name="ReceiptName",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=40, verbose_name="name")),
                ("salt", models.CharField(max_length=32)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="league.player"
                    ),
                ),
                (
                    "receipt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="names", to="league.receipt"
                    ),
                ),
            ],
            options={
                "verbose_name": "name in a receipt",
                "verbose_name_plural": "names in receipts",
                "constraints": [
                    models.UniqueConstraint(fields=("receipt", "player"), name="receipt_name_once_a_player")
                ],
            },
        ),
    ]
