"""The account to which a club's bills are paid."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0010_pub_screen_link")]

    operations = [
        migrations.CreateModel(
            name="BillingDetails",
            fields=[
                (
                    "club",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="billing_details",
                        serialize=False,
                        to="league.club",
                    ),
                ),
                ("name", models.CharField(max_length=70, verbose_name="name")),
                ("street", models.CharField(blank=True, max_length=70, verbose_name="street")),
                ("house_number", models.CharField(blank=True, max_length=16, verbose_name="house number")),
                ("postcode", models.CharField(max_length=16, verbose_name="postcode")),
                ("town", models.CharField(max_length=35, verbose_name="town")),
                ("country", models.CharField(default="CH", max_length=2, verbose_name="country")),
                ("iban", models.CharField(max_length=21, verbose_name="IBAN")),
                ("least_minor", models.BigIntegerField(default=0, verbose_name="least amount")),
            ],
            options={
                "verbose_name": "account for bills",
                "verbose_name_plural": "accounts for bills",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("least_minor__gte", 0)), name="billing_least_not_negative"
                    )
                ],
            },
        ),
    ]
