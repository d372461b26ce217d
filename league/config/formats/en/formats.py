"""English as written in Switzerland: 20 Nov 2026 and 1'234.50."""

DATE_FORMAT = "j F Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j F Y, H:i"
YEAR_MONTH_FORMAT = "F Y"
MONTH_DAY_FORMAT = "j F"
SHORT_DATE_FORMAT = "j M Y"
SHORT_DATETIME_FORMAT = "j M Y, H:i"
FIRST_DAY_OF_WEEK = 1

# The ISO form comes second everywhere: it is what <input type="date"> sends.
DATE_INPUT_FORMATS = ["%d.%m.%Y", "%Y-%m-%d", "%d.%m.%y"]
TIME_INPUT_FORMATS = ["%H:%M", "%H.%M"]
DATETIME_INPUT_FORMATS = ["%d.%m.%Y %H:%M", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"]

DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = "'"
NUMBER_GROUPING = 3
