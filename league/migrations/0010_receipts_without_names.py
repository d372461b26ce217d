"""Names leave what receipts seal, and words in append-only rows may be emptied from now on.

Each club's chain is sealed anew, from its first receipt on: no release has handed one out yet.
"""

import hashlib
import json
import secrets
from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from league.triggers import LEAGUE_APPEND_ONLY, create, drop


def renew(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    drop(editor.connection, LEAGUE_APPEND_ONLY)
    seal_anew(apps)
    create(editor.connection, LEAGUE_APPEND_ONLY)


def seal_anew(apps: Any) -> None:
    receipts, names = apps.get_model("league", "Receipt"), apps.get_model("league", "ReceiptName")
    for club in receipts.objects.order_by().values_list("club_id", flat=True).distinct():
        before = ""
        for receipt in receipts.objects.filter(club_id=club).order_by("number"):
            content = receipt.content
            if content.get("version") == 1:
                salted = {player: (secrets.token_hex(16), name) for player, name in content["players"].items()}
                names.objects.bulk_create(
                    names(receipt_id=receipt.pk, player_id=int(player), name=name, salt=salt)
                    for player, (salt, name) in salted.items()
                )
                content["version"] = 2
                content["players"] = {
                    player: hashlib.sha256((salt + name).encode()).hexdigest()
                    for player, (salt, name) in salted.items()
                }
            text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            before = hashlib.sha256((before + text).encode()).hexdigest()
            receipts.objects.filter(pk=receipt.pk).update(content=content, digest=before)


class Migration(migrations.Migration):
    dependencies = [("league", "0009_public_names")]

    # Backwards the triggers stay as they are: nothing that they allow is wrong there.
    operations = [migrations.RunPython(renew, migrations.RunPython.noop, elidable=False)]
