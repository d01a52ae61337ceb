"""Tests mirror utils/. This package is importable so that helpers, such as tests.notebooks.shell, are shared."""
