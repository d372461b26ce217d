from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0007_sending_hooks")]

    operations = [
        migrations.CreateModel(
            name="KeptAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("fingerprint", models.CharField(max_length=64)),
                ("status", models.PositiveSmallIntegerField(default=0, verbose_name="answer")),
                ("sealed", models.BinaryField(default=b"")),
                ("created_at", models.DateTimeField(auto_now_add=True, db_index=True)),
            ],
            options={
                "verbose_name": "kept answer",
                "verbose_name_plural": "kept answers",
                "ordering": ["-pk"],
            },
        ),
    ]
