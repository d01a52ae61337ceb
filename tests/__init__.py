"""Tests mirror utils/. A package, so that tests may share helpers such as tests.notebooks.shell."""
