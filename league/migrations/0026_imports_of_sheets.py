"""Sheets with a row for each evening are imported, and a file with several sheets is kept until one is chosen."""

from django.db import migrations, models
from django.utils import timezone

KINDS = [
    ("totals", "totals of evenings"),
    ("sheet", "sheet: a row for each evening"),
    ("turned", "sheet: a column for each evening"),
    ("hands", "hands"),
]


class Migration(migrations.Migration):
    dependencies = [("league", "0025_sent_bills")]

    operations = [
        migrations.AddField(
            "upload", "first_row", models.PositiveIntegerField(default=1, verbose_name="row of the heading")
        ),
        migrations.AddField(
            "upload", "sheet", models.CharField(blank=True, default="", max_length=100, verbose_name="sheet")
        ),
        migrations.AddField("upload", "sheets", models.JSONField(default=list, verbose_name="sheets")),
        migrations.AddField(
            "importcolumns", "sheet", models.CharField(blank=True, default="", max_length=64, verbose_name="sheet")
        ),
        migrations.AddField(
            "importcolumns",
            "used_at",
            models.DateTimeField(auto_now=True, default=timezone.now),
            preserve_default=False,
        ),
        *(
            migrations.AlterField(model, "kind", models.CharField(choices=KINDS, max_length=10, verbose_name="kind"))
            for model in ("upload", "importcolumns", "import")
        ),
    ]
