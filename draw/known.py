"""Designs that no construction here gives: the rounds themselves, one letter a person.

`tests/draw/test_designs.py` recounts every pair.
"""

from typing import Final

_LETTERS: Final = "ABCDEFGHIJKLMNOPabcdefghijklmnop"

_TEXTS: Final[dict[tuple[int, int], tuple[str, str]]] = {
    # (tables, size): rounds, source
    (8, 4): (
        """
        ABCD EFGH IJKL MNOP abcd efgh ijkl mnop
        AEIm BcgH DFKp dfkP aeiM bCGh jLNo JlnO
        Aflo Bhkm DGiN aFLO bHKM CeJP cEjp dgIn
        AciL BdjK bDJk FgoP fGOp aCIl EhMn eHmN
        AgKN BElP DHIo dhiO beLp Cfjm cFJM aGkn
        AhJp BFin cDmO bfIN eGKl CdMo EgkL aHjP
        AdeF BGJo aDEf chlN iKmP CHLn bgjO IkMp
        AbnP aBNp DglM ceko fHiJ CEKO FhIj dGLm
        AGjM BeIO DhLP agJm cfKn CFkN bEio dHlp
        AHkO BfLM Dejn bFlm cGIP Cgip dEJN ahKo
        """,
        "A solution of the social golfer problem for 32 (Aguado 2004; table T(32,4) of the Dagstuhl tables).",
    ),
}


def _parsed(text: str) -> tuple[tuple[tuple[int, ...], ...], ...]:
    return tuple(
        tuple(tuple(_LETTERS.index(letter) for letter in block) for block in line.split())
        for line in text.strip().splitlines()
    )


KNOWN: Final[dict[tuple[int, int], tuple[tuple[tuple[tuple[int, ...], ...], ...], str]]] = {
    numbers: (_parsed(text), source) for numbers, (text, source) in _TEXTS.items()
}
"""By tables and size: the rounds, and a sentence that names the source."""

DIFFERENCES_OF_12: Final = (
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
    (0, 2, 1, 5, 8, 11, 3, 10, 9, 7, 6, 4),
    (0, 3, 9, 11, 7, 2, 10, 5, 1, 8, 4, 6),
    (0, 5, 4, 9, 3, 1, 11, 8, 6, 2, 7, 10),
    (0, 6, 11, 7, 5, 8, 2, 4, 10, 3, 1, 9),
)
"""A difference matrix over the group of pairs (n // 2 modulo 6, n % 2): two rows differ by each element once.
Found by a search; the first was that of Johnson, Dulmage and Mendelsohn, *Orthomorphisms of groups and orthogonal Latin
squares*, Canad. J. Math. 13 (1961).
"""
