#!/usr/bin/env python
"""Django's command line for this project."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.config.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as reason:
        # The operator corrects the setting: a sentence helps more than a traceback.
        print(reason, file=sys.stderr)
        sys.exit(2)


def installed() -> None:
    """Run the command `chratzete` of the wheel, whose folder has the whole program."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    # Not beside the code, where an upgrade would delete it.
    os.environ.setdefault("DATA_DIR", os.path.join(os.path.expanduser("~"), ".local", "share", "chratzete"))
    main()


if __name__ == "__main__":
    main()
