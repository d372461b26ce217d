"""The examples in the docstrings of the engine and in docs/engine.md are correct."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import engine

MODULES = ["engine", *(module.name for module in pkgutil.walk_packages(engine.__path__, "engine."))]


@pytest.mark.parametrize("name", [name for name in MODULES if name != "engine.__main__"])
def test_the_docstring_examples_of_a_module_are_correct(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name), optionflags=doctest.FAIL_FAST).failed == 0


def test_the_public_functions_have_examples() -> None:
    finder = doctest.DocTestFinder(recurse=False)
    public = ["replay", "replay_line", "effective_rules", "ante_of_deal", "pot_in_play", "due", "after_cuts"]
    assert [
        name for name in public if not any(test.examples for test in finder.find(getattr(engine, name), name))
    ] == []


def test_the_examples_of_the_document_are_correct() -> None:
    text = (Path(__file__).parents[2] / "docs/engine.md").read_text()
    blocks = [block for block in re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE) if ">>>" in block]
    assert blocks
    runner = doctest.DocTestRunner()
    for block in blocks:
        example = doctest.DocTestParser().get_doctest(block, {}, "docs/engine.md", None, 0)
        assert runner.run(example).failed == 0
