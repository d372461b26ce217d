"""The examples in docs/draw.md are correct."""

import doctest
from pathlib import Path


def test_the_examples_of_the_document_are_correct() -> None:
    document = Path(__file__).parents[2] / "docs" / "draw.md"
    result = doctest.testfile(str(document), module_relative=False)
    assert result.attempted > 8
    assert result.failed == 0
