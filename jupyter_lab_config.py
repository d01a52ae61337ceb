"""The desk: how JupyterLab opens for this course. Read by `jupyter lab --config=jupyter_lab_config.py`."""

import os
import shutil
import sys
from pathlib import Path

from jupyterlab_server.workspaces_handler import WORKSPACE_EXTENSION, slugify

root = Path(__file__).resolve().parent
start_page = "course/00_start_here.ipynb"

# Lab rewrites its workspace as panels move, so each start copies the template: table of contents open.
workspaces = root / ".desk" / "workspaces"
workspaces.mkdir(parents=True, exist_ok=True)
shutil.copyfile(root / "desk" / "workspace.json", workspaces / (slugify("default") + WORKSPACE_EXTENSION))

in_container = Path("/.dockerenv").exists() or Path("/run/.containerenv").exists()
over_ssh = "SSH_CONNECTION" in os.environ
on_linux_without_screen = sys.platform == "linux" and not (
    os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
)

c = get_config()

# The root is the project, so that a lesson may link to exercises/ and the other way round.
c.ServerApp.root_dir = str(root)
c.LabApp.default_url = f"/lab/tree/{start_page}"
c.LabApp.app_settings_dir = str(root / "desk")
c.LabApp.workspaces_dir = str(workspaces)

# Nothing is fetched from the network and nothing is installed behind constraints.txt's back.
c.LabApp.news_url = None
c.LabApp.check_for_updates_class = "jupyterlab.NeverCheckForUpdate"
c.LabApp.extension_manager = "readonly"

# In a container the port must be reachable from outside it; the token in the address still guards it.
c.ServerApp.allow_root = True
if in_container:
    c.ServerApp.ip = "0.0.0.0"
c.ServerApp.open_browser = not (in_container or over_ssh or on_linux_without_screen)

if not c.ServerApp.open_browser:
    print("Open the address with the token, printed below, in a browser.", flush=True)
if over_ssh:
    print("From your own machine first: ssh -L 8888:localhost:8888 <this machine>", flush=True)
