"""A trigger that adds a row for each posting, whichever version writes it."""

from django.db import migrations

TRIGGER = """
CREATE FUNCTION league_posting_next() RETURNS trigger LANGUAGE plpgsql AS
$body$ BEGIN INSERT INTO league_nextnote (season_id) VALUES (NEW.season_id); RETURN NULL; END $body$;
CREATE TRIGGER league_posting_next AFTER INSERT ON league_posting FOR EACH ROW EXECUTE FUNCTION league_posting_next();
"""
REMOVE = "DROP TRIGGER league_posting_next ON league_posting; DROP FUNCTION league_posting_next()"


class Migration(migrations.Migration):
    dependencies = [("league", "next_3_index")]

    operations = [migrations.RunSQL(TRIGGER, REMOVE)]
