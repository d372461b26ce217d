from tests.next_version import folders

__path__ = folders(__file__)
