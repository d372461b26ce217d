"""Imports of hands."""

from django.db import migrations, models

KIND = models.CharField(
    choices=[("totals", "totals of evenings"), ("hands", "hands")], max_length=10, verbose_name="kind"
)


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0020_facts"),
    ]

    operations = [
        migrations.AlterField(model_name=name, name="kind", field=KIND)
        for name in ("import", "importcolumns", "upload")
    ]
