from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0003_kratzen")]

    operations = [
        migrations.AddField(
            model_name="club",
            name="faces",
            field=models.CharField(
                choices=[("french", "French cards"), ("swiss", "Swiss-German cards"), ("german", "German cards")],
                default="french",
                max_length=10,
                verbose_name="cards",
            ),
        ),
        migrations.AddConstraint(
            model_name="club",
            constraint=models.CheckConstraint(
                condition=models.Q(("faces__in", ["french", "swiss", "german"])), name="club_faces_known"
            ),
        ),
    ]
