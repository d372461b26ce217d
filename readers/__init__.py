"""Files that people send, read in a process of its own (`python -m readers`), under limits of memory and time.

Needs the standard library alone, and Pillow for pictures: a process starts in a tenth of a second.
"""
