"""`python -m readers NAME LIMITS OPTIONS`: read the file at the standard input, write what was found as JSON.

LIMITS and OPTIONS are JSON objects: the arguments of `limit_this_process` and those of the reader.
"""

import importlib
import json
import os
import sys
import traceback
from typing import IO, Any

from readers.faults import Unreadable
from readers.limits import limit_this_process

READERS = {"tables": "readers.tables", "picture": "readers.pictures", "tournament": "readers.tournaments"}
"""The module of each reader; its function is `read(content, **options)`."""


def answer(name: str, options: dict[str, Any], file: IO[bytes]) -> dict[str, Any]:
    """Return what the reader found (`found`), the fault of the file (`fault`), or that of the reader (`broken`)."""
    try:
        read = importlib.import_module(READERS[name]).read
        return {"found": read(file.read(), **options)}
    except Unreadable as fault:
        return {"fault": fault.code, "values": fault.values}
    except (MemoryError, RecursionError):
        return {"fault": "too_complicated", "values": {}}
    except Exception as error:
        # The place alone: the text of an error may have something of the file.
        last = traceback.extract_tb(error.__traceback__)[-1]
        return {"broken": f"{type(error).__name__} in {last.name}, line {last.lineno} of {last.filename}"}


def main() -> None:
    """Read under limits, answer, and end without tidying up."""
    name, limits, options = sys.argv[1:]
    limit_this_process(**json.loads(limits))
    try:
        text = json.dumps(answer(name, json.loads(options), sys.stdin.buffer), ensure_ascii=False).encode()
    except MemoryError:
        text = b'{"fault": "too_complicated", "values": {}}'
    sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
