"""The documents say what is true: links lead somewhere, the README's picture is what its script draws."""

from __future__ import annotations

import importlib.util
import io
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_local_links_lead_to_a_file(page):
    prose = re.sub(r"```.*?```|`[^`]*`", "", page.read_text(), flags=re.DOTALL)  # kernel[grid](x) is no link
    links = re.findall(r"\]\(([^)#:]+)\)", prose)
    assert not [link for link in links if not (page.parent / link).exists()]


def test_the_readme_lists_every_lesson_and_no_other():
    listed = set(re.findall(r"\((course/[^)]+\.ipynb)\)", (ROOT / "README.md").read_text()))
    assert listed == {f"course/{path.name}" for path in (ROOT / "course").glob("[0-9]*.ipynb")}


def test_the_readmes_picture_is_what_its_script_draws():
    spec = importlib.util.spec_from_file_location("docs_picture", ROOT / "docs" / "picture.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    drawn = np.asarray(Image.open(io.BytesIO(module.one_request().png)).convert("L"), float)
    stored = np.asarray(Image.open(ROOT / "docs" / "one-request.png").convert("L"), float)
    assert drawn.shape == stored.shape
    assert np.abs(drawn - stored).mean() < 2  # another version of a font library moves a few pixels
