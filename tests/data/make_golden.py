"""Write golden.jsonl: hands of many kinds, valid and invalid, with their results.

    python -m tests.data.make_golden > tests/data/golden.jsonl

A stored hand must give the same result in every later version. Therefore existing lines never change, and new kinds of
hands are added at the end of the file. The names of the functions in golden_hands.py and golden_zwicken.py
are part of the file. Messages of faults are not, so that their wording can change.
"""

import json
import random
import sys
from collections.abc import Iterator

import engine
from tests.data.golden_hands import (
    KRATZEN_SEED,
    SEED,
    Record,
    damaged_hands,
    damaged_kratzen_hands,
    valid_hands,
    valid_kratzen_hands,
)
from tests.data.golden_zwicken import ZWICKEN_SEED, damaged_zwicken_hands, valid_zwicken_hands


def golden() -> Iterator[Record]:
    games = (
        (random.Random(SEED), (valid_hands, damaged_hands)),
        (random.Random(KRATZEN_SEED), (valid_kratzen_hands, damaged_kratzen_hands)),
        (random.Random(ZWICKEN_SEED), (valid_zwicken_hands, damaged_zwicken_hands)),
    )
    for rng, sources in games:
        for hands in sources:
            for name, record in hands(rng):
                result = engine.replay(record)
                result.get("error", {}).pop("message", None)
                yield {"name": name, "record": record, "result": result}


if __name__ == "__main__":
    for case in golden():
        sys.stdout.write(json.dumps(case, separators=(",", ":")) + "\n")
