"""The number in the secret links of a club's feeds."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0011_billing_details")]

    operations = [
        migrations.AddField("club", "feeds_mark", models.PositiveIntegerField(blank=True, editable=False, null=True)),
    ]
