"""Does JupyterLab open, with the desk's settings, on a start page that runs?"""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TOKEN = "browser-test"
PATIENCE = 60_000  # milliseconds; a first start on two busy cores is slow
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="module")
def address(project, tmp_path_factory):
    """JupyterLab as `make lab` starts it, on a copy of what a learner sees, so that nothing here is saved."""
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("CI must have Chromium: .ci/run installs it")
        pytest.skip("no Chromium here: apt-get install chromium")
    desk = tmp_path_factory.mktemp("desk")
    for folder in ("course", "exercises", "desk"):
        shutil.copytree(project / folder, desk / folder)
    for name in ("jupyter_lab_config.py", "nbgrader_config.py"):
        shutil.copy(project / name, desk)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "jupyter", "lab", "--config=jupyter_lab_config.py", f"--port={port}"]
    command += ["--no-browser", f"--IdentityProvider.token={TOKEN}"]
    server = subprocess.Popen(command, cwd=desk, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{url}/api/status?token={TOKEN}", server)
        yield url
    finally:
        server.terminate()
        server.wait(timeout=30)


def _wait_for(url, server):
    for _ in range(120):
        assert server.poll() is None, "jupyter lab ended at once"
        try:
            with urlopen(url, timeout=5):
                return
        except (URLError, ConnectionError, TimeoutError):
            time.sleep(0.5)
    pytest.fail("jupyter lab does not answer")


@pytest.fixture(scope="module")
def page(address):
    """The page that opens at the printed address, and the requests it made so far."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.requested = []
        page.on("request", lambda request: page.requested.append(request.url))
        page.goto(f"{address}/?token={TOKEN}")
        page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=PATIENCE)
        yield page
        browser.close()


def test_it_opens_on_the_start_page(page):
    assert urlsplit(page.url).path == "/lab/tree/course/00_start_here.ipynb"


def test_the_table_of_contents_is_open(page):
    page.wait_for_selector(".jp-TableOfContents .jp-tocItem", timeout=PATIENCE, state="visible")
    assert page.locator(".jp-TableOfContents .jp-tocItem:visible").count() >= 3


def test_the_first_cell_runs(page):
    cell = page.locator(".jp-Notebook .jp-CodeCell").first
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]", timeout=PATIENCE)
    page.get_by_role("menuitem", name="Kernel", exact=True).click()
    page.get_by_role("menuitem", name=re.compile("Restart Kernel and Clear")).click()
    page.get_by_role("button", name="Confirm Kernel Restart").click()
    prompt = cell.locator(".jp-InputPrompt")
    page.wait_for_function("e => e.innerText.trim() == '[ ]:'", arg=prompt.element_handle(), timeout=PATIENCE)
    cell.locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    page.wait_for_function("e => e.innerText.trim() == '[1]:'", arg=prompt.element_handle(), timeout=PATIENCE)
    assert cell.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0
    assert cell.locator("[data-mime-type='application/vnd.jupyter.stderr']").count() == 0


def test_no_panel_for_classes_or_extensions_is_in_the_way(page):
    titles = page.locator(".jp-SideBar .lm-TabBar-tab").evaluate_all("tabs => tabs.map(t => t.title)")
    assert not [title for title in titles if "Extension Manager" in title]
    assert not page.locator(".jp-Dialog, .Toastify__toast").count()


def test_nothing_is_fetched_from_elsewhere(page, address):
    ours = urlsplit(address).netloc
    elsewhere = {url for url in page.requested if urlsplit(url).netloc not in ("", ours)}
    assert elsewhere == set()


def test_what_it_looks_like(page, tmp_path_factory):
    """Kept for whoever wants to see it; a blank page would be a small file."""
    picture = tmp_path_factory.getbasetemp() / "lab.png"
    page.screenshot(path=picture)
    assert picture.stat().st_size > 20_000
